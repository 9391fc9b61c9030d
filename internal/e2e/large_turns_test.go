package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// What messages of TestLargestTurns ask of the models: to fill their history, or to wait.
const fillHistory, waitForOthers = "Fill the history. ", "Wait for the others. "

// waitingModels are servers of models in both formats. They answer at once, but for messages that wait.
type waitingModels struct {
	*httptest.Server
	waiting atomic.Int64
	// letGo lets those go that wait.
	letGo func()
}

func newWaitingModels(t *testing.T) *waitingModels {
	t.Helper()
	over := make(chan struct{})
	m := &waitingModels{letGo: sync.OnceFunc(func() { close(over) })}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.ContentLength != int64(len(body)) {
			t.Errorf("a request of %d bytes was announced with %d: %v", len(body), r.ContentLength, err)
		}
		reply := "Aye."
		switch text := string(body); {
		case strings.Contains(text, waitForOthers):
			m.waiting.Add(1)
			<-over
		case strings.Contains(text, fillHistory):
			reply = strings.Repeat("r", 90_000)
		}
		if strings.Contains(r.URL.Path, ":streamGenerateContent") {
			_, _ = fmt.Fprintf(w, "[%s]", llmtest.GeminiChunk(reply, "1", ""))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", llmtest.OpenAIChunk(reply, "stop"))
	}))
	t.Cleanup(m.Close)
	t.Cleanup(m.letGo)
	return m
}

// largestAgent has values that fill its instructions to 128,000 characters of four bytes.
func largestAgent(model string) (o storetest.Options, values map[string]string) {
	o = storetest.Options{Model: model, Credits: 1 << 20}
	values = map[string]string{}
	for i := range 8 {
		name := fmt.Sprintf("v%d", i)
		o.Variables = append(o.Variables, agent.Variable{Name: name})
		o.Instructions += strings.Repeat("{{"+name+"}}", 4)
		values[name] = strings.Repeat("😀", agent.MaxVariableValue)
	}
	return o, values
}

// TestLargestTurns: turns of the largest shape come all at once, from three tenants, to a process with little memory. It lives, refuses
// what does not fit, and leaves room for a quiet tenant.
func TestLargestTurns(t *testing.T) {
	testlong.Only(t)
	const turns = 500
	program, _ := memoryGroup(t, 512<<20)
	models := newWaitingModels(t)
	url := storetest.URL(t)
	s, c := storetest.Open(t, url), client(t)
	r := startProgram(t, program, url, "OPENAI_API_KEY=k", "OPENAI_BASE_URL="+models.URL+"/v1",
		"GEMINI_API_KEY=k", "GEMINI_BASE_URL="+models.URL)
	var tenants []storetest.Fixture
	var values map[string]string
	for _, model := range []string{openAIModel, geminiModel, openAIModel, geminiModel} {
		var o storetest.Options
		o, values = largestAgent(model)
		tenants = append(tenants, storetest.Seed(t, s, o))
	}
	quiet, noisy := tenants[3], tenants[:3]
	say := func(f storetest.Fixture, session, message string) string {
		got, err := askWith(t.Context(), c, r.Chat, f.Key.Reveal(), map[string]any{
			"session_id": session, "variables": values, "message": message + strings.Repeat("m", 4<<10-len(message))})
		if err != nil {
			return err.Error()
		}
		return got.outcome()
	}
	filled := parallel(8, turns, func(i int) string { return say(noisy[i%3], fmt.Sprint("s", i), fillHistory) })
	if filled["200"] != turns {
		t.Fatalf("while histories were filled: %v", filled)
	}
	before := r.peakMemory(t)
	var ended atomic.Int64
	var outcomes map[string]int
	over := make(chan struct{})
	go func() {
		defer close(over)
		outcomes = parallel(turns, turns, func(i int) string {
			outcome := say(noisy[i%3], fmt.Sprint("s", i), waitForOthers)
			ended.Add(1)
			return outcome
		})
	}()
	var longest time.Duration
	answered := map[string]int{}
	quietOnes := func() {
		began := time.Now()
		answered[say(quiet, "s", "The quiet one. ")]++
		longest = max(longest, time.Since(began))
	}
	eventually(t, "every turn waits or has ended", func() bool {
		quietOnes()
		return models.waiting.Load()+ended.Load() == int64(turns)
	})
	quietOnes()
	models.letGo()
	<-over
	t.Logf("%v; the quiet tenant: %v, the longest after %s; %d MiB of memory at most, %d MiB before", outcomes, answered, longest,
		r.peakMemory(t)>>20, before>>20)
	if outcomes["200"] == 0 || outcomes["unavailable"] == 0 || outcomes["200"]+outcomes["unavailable"] != turns {
		t.Errorf("%v, want replies, and refusals of what did not fit", outcomes)
	}
	if delete(answered, "200"); len(answered) > 0 || longest > 5*time.Second {
		t.Errorf("the quiet tenant: %v, the longest after %s", answered, longest)
	}
	eventually(t, "no memory is held", func() bool {
		values, err := r.metric("agentchat_request_memory_bytes")
		return err == nil && values["agentchat_request_memory_bytes"] == 0
	})
	charged := int64(0)
	for _, f := range noisy {
		a, err := accounts.On(s).Account(t.Context(), f.Account.ID)
		if err != nil || a.CreditsHeld != 0 {
			t.Errorf("%d credits are held: %v", a.CreditsHeld, err)
		}
		charged += 1<<20 - a.CreditBalance
	}
	if want := int64(filled["200"] + outcomes["200"]); charged != want {
		t.Errorf("%d credits charged for %d replies", charged, want)
	}
	again := parallel(4, turns, func(i int) string { return say(noisy[i%3], fmt.Sprint("s", i), "Go on. ") })
	if again["200"] != turns {
		t.Errorf("afterwards: %v", again)
	}
	storetest.Audit(t, s)
}

// TestAThousandStreams: a thousand ordinary streams of one customer at once are no flood, even where there is little memory.
func TestAThousandStreams(t *testing.T) {
	testlong.Only(t)
	const streams = 1000
	program, _ := memoryGroup(t, 512<<20)
	models := newWaitingModels(t)
	url := storetest.URL(t)
	s, c := storetest.Open(t, url), client(t)
	r := startProgram(t, program, url, "OPENAI_API_KEY=k", "OPENAI_BASE_URL="+models.URL+"/v1")
	f := storetest.Seed(t, s, storetest.Options{Model: openAIModel, Credits: 1 << 20, Instructions: strings.Repeat("Be kind. ", 500)})
	over := make(chan map[string]int, 1)
	go func() {
		over <- parallel(streams, streams, func(int) string {
			resp, lines, err := openStream(t.Context(), c, r.Chat, f.Key.Reveal(), waitForOthers+strings.Repeat("m", 500))
			if err != nil {
				return err.Error()
			}
			defer func() { _ = resp.Body.Close() }()
			if err := until(lines, "end", 1); err != nil {
				return fmt.Sprint(resp.StatusCode, err)
			}
			return "end"
		})
	}()
	eventually(t, "all are answered at once", func() bool { return models.waiting.Load() == streams })
	values, err := r.metric("agentchat_request_memory_bytes")
	models.letGo()
	outcomes := <-over
	t.Logf("%v; %.0f MiB of the budget, %d MiB of memory at most: %v", outcomes, values["agentchat_request_memory_bytes"]/(1<<20), r.peakMemory(t)>>20, err)
	if outcomes["end"] != streams {
		t.Errorf("%v", outcomes)
	}
	storetest.Audit(t, s)
}
