package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
)

// slowMode is how slow a model's server is, and what comes of it with the default MODEL_TIMEOUT.
type slowMode struct {
	name  string
	reply llmtest.Reply
	// answered says that it answers in time; after is when its caller is told, one way or the other.
	answered bool
	after    time.Duration
}

const defaultModelTimeout = 55 * time.Second

func slowModes() []slowMode {
	return []slowMode{
		{"slow by 5 s", llmtest.Delayed(5*time.Second, llmtest.Text("Aye.")), true, 5 * time.Second},
		{"slow by 50 s", llmtest.Delayed(50*time.Second, llmtest.Text("Aye.")), true, 50 * time.Second},
		{"slow by 60 s", llmtest.Delayed(time.Minute, llmtest.Text("Aye.")), false, defaultModelTimeout},
		{"slow by 600 s", llmtest.Delayed(10*time.Minute, llmtest.Text("Aye.")), false, defaultModelTimeout},
		{"a byte a second", llmtest.Slow(time.Second, "Aye."), false, defaultModelTimeout},
	}
}

// bySlowness answers a message that names a mode as slowly as that, and every other at once.
func bySlowness(e *llmtest.Exchange) {
	for _, mode := range slowModes() {
		if strings.Contains(string(e.Request.Body), mode.name) {
			mode.reply(e)
			return
		}
	}
	llmtest.Text("Aye.")(e)
}

// slowModels is a service whose models' servers are slow to one account, and quick to another.
type slowModels struct {
	*desk
	row      *promise
	servers  []*llmtest.Server
	answered atomic.Int64
}

// TestSlowModels: models that are slow by seconds, by minutes, or by a byte a second, all at once and with the default settings:
// who is slower than MODEL_TIMEOUT is one model_timeout then, free of charge, the others are answered, and the chats of another
// account with the same models are as quick as before.
func TestSlowModels(tt *testing.T) {
	if os.Getenv("AGENTCHAT_FAULTS") != "full" {
		tt.Skip("MODEL_TIMEOUT is a minute by default: with AGENTCHAT_FAULTS=full")
	}
	tt.Parallel()
	const each, most, credits = 5, 2.0, 1_000_000
	row := newPromise(tt, "F2: slow by seconds and by minutes, with the default MODEL_TIMEOUT")
	gemini, openAI := llmtest.NewGemini(tt), llmtest.NewOpenAI(tt, openAIKey)
	gemini.Always(bySlowness)
	openAI.Always(bySlowness)
	s := &slowModels{row: row, servers: []*llmtest.Server{gemini, openAI}, desk: newDesk(tt, 1, "GEMINI_API_KEY="+geminiKey,
		"GEMINI_BASE_URL="+gemini.URL, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+openAI.URL+"/v1")}
	defer s.finish(tt)
	row.audit(s.store)
	var patient, others []*guest
	for _, model := range []string{geminiModel, openAIModel} {
		patient = append(patient, s.seat(tt, storetest.Options{Model: model, Credits: credits}))
		others = append(others, s.seat(tt, storetest.Options{Model: model, Credits: credits, RatePerMinute: 1_000_000}))
	}
	s.chats(tt, others, time.Second) // the connections are made
	before := s.chats(tt, others, 5*time.Second)
	peak := s.replicas[0].peakMemory(tt)
	var waiting sync.WaitGroup
	for _, mode := range slowModes() {
		for i := range 2 * 2 * each {
			waiting.Go(func() { s.expect(tt, patient[i%2], mode, i%4 < 2) })
		}
	}
	eventually(tt, "all wait but those whose model is slow by 5 s", func() bool { return s.answered.Load() == 2*2*each })
	if n := gemini.UnderWay() + openAI.UnderWay(); n != 4*2*2*each {
		row.Errorf("%d messages are with a model, want %d", n, 4*2*2*each)
	}
	meanwhile := s.chats(tt, others, 30*time.Second)
	waiting.Wait()
	eventually(tt, "no model is asked any more", func() bool { return gemini.UnderWay()+openAI.UnderWay() == 0 })
	ratio := float64(meanwhile) / float64(before)
	if ratio > most {
		row.Errorf("another account's chats take %v, and %v while models are slow", before, meanwhile)
	}
	for _, g := range patient {
		want := books{Balance: credits - 2*2*each, Entries: 1 + 2*2*each, Answered: 2 * 2 * each, Failed: 3 * 2 * each, Conversations: 5 * 2 * each}
		if got := s.books(tt, g); got != want {
			row.Errorf("the books are %+v, want %+v", got, want)
		}
	}
	grown := s.replicas[0].peakMemory(tt) - peak
	if grown > 50<<20 {
		row.Errorf("the process grew by %d bytes", grown)
	}
	row.measured("%d messages at once, slow by 5 s and 50 s answered, by 60 s, 600 s and a byte a second model_timeout after %v; "+
		"another account's chats meanwhile took %.2f times as long as before (medians %v and %v); the process grew by %d KiB at its highest",
		len(slowModes())*2*2*each, defaultModelTimeout, ratio, meanwhile.Round(10*time.Microsecond), before.Round(10*time.Microsecond), grown>>10)
}

// expect sends one message to a slow model, and checks what comes and when.
func (s *slowModels) expect(t *testing.T, g *guest, mode slowMode, streamed bool) {
	t.Helper()
	began := time.Now()
	var got answer
	if streamed {
		got = s.stream(t, s.chat(), g, g.text+mode.name)
	} else {
		got = s.post(t, s.chat(), g, fmt.Sprintf(`{"message":%q}`, g.text+mode.name))
	}
	took := time.Since(began)
	body := string(got.Body)
	ended := got.Reply == "Aye." && got.Usage.Credits == 1 || strings.Contains(body, "event: end\n") && strings.Contains(body, `"credits":1,`)
	timedOut := got.Status == http.StatusGatewayTimeout && got.outcome() == "model_timeout" ||
		streamed && got.Status == http.StatusOK && strings.Contains(body, "event: error\n") && strings.Contains(body, `"model_timeout"`)
	if mode.answered != ended || mode.answered == timedOut || took < mode.after-time.Second || took > mode.after+4*time.Second {
		s.row.Errorf("%s, streamed %t: %d %s after %v", mode.name, streamed, got.Status, excerpt(got.Body), took)
	}
	if mode.answered {
		s.answered.Add(1)
	}
	s.row.ran(1)
}

// chats sends messages to models that are quick for a while, one after the other, and returns the median of their times.
func (s *slowModels) chats(t *testing.T, others []*guest, length time.Duration) time.Duration {
	t.Helper()
	var took []time.Duration
	for over := time.Now().Add(length); time.Now().Before(over); {
		began := time.Now()
		g := others[len(took)%len(others)]
		got, err := ask(t.Context(), s.client, s.chat(), g.Key.Reveal(), "", g.text)
		if err != nil || got.Status != http.StatusOK || got.Reply != "Aye." {
			s.row.Errorf("another account's message: %d %s %v", got.Status, excerpt(got.Body), err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[len(took)/2]
}
