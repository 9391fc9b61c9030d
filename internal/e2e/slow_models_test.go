package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// slowMode is one way for a model's server to be slow, and the result with the default MODEL_TIMEOUT.
type slowMode struct {
	name  string
	reply llmtest.Reply
	// answered means that the model answers in time; after is when its caller gets the reply or the error.
	answered bool
	after    time.Duration
}

// The default limits for a model's first byte and for its whole reply.
const firstByte, wholeReply = 30 * time.Second, 55 * time.Second

func slowModes() []slowMode {
	inPieces := llmtest.TextObserved(func(piece int) {
		if piece > 0 {
			<-time.After(25 * time.Second)
		}
	}, "A", "y", "e.")
	return []slowMode{
		{"slow by 5 s", llmtest.Delayed(5*time.Second, llmtest.Text("Aye.")), true, 5 * time.Second},
		{"slow by 25 s", llmtest.Delayed(25*time.Second, llmtest.Text("Aye.")), true, 25 * time.Second},
		{"a piece every 25 s", inPieces, true, 50 * time.Second},
		{"slow by 60 s", llmtest.Delayed(time.Minute, llmtest.Text("Aye.")), false, firstByte},
		{"slow by 600 s", llmtest.Delayed(10*time.Minute, llmtest.Text("Aye.")), false, firstByte},
		{"a byte a second", llmtest.Slow(time.Second, "Aye."), false, wholeReply},
	}
}

// bySlowness answers a message that names a mode in that mode, and every other message at once.
func bySlowness(e *llmtest.Call) {
	for _, mode := range slowModes() {
		if strings.Contains(string(e.Request.Body), mode.name) {
			mode.reply(e)
			return
		}
	}
	llmtest.Text("Aye.")(e)
}

// slowModels is a deployment whose models are slow for one account and fast for another.
type slowModels struct {
	*deployment
	t        *testing.T
	servers  []*llmtest.Server
	answered atomic.Int64
}

// TestSlowModels: with the default settings, models are slow by seconds, by minutes, and by a byte per second, all at the same time. A
// model that is silent for 30 s or takes longer than MODEL_TIMEOUT gives model_timeout without a charge. The others are answered, and
// another account's chats with the same models are as fast as before.
func TestSlowModels(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const most, credits = 2.0, 1_000_000
	const each = 2 * 2 * 5 // messages of each mode: over two formats, whole and streamed
	gemini, openAI := llmtest.NewGemini(t), llmtest.NewOpenAI(t, openAIKey)
	gemini.Always(bySlowness)
	openAI.Always(bySlowness)
	s := &slowModels{t: t, servers: []*llmtest.Server{gemini, openAI}, deployment: newDeployment(t, 2, "GEMINI_API_KEY="+geminiKey,
		"GEMINI_BASE_URL="+gemini.URL, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+openAI.URL+"/v1")}
	defer s.finish(t)
	auditing(t, s.store)
	var slow, others []*apiCaller
	for _, model := range []string{geminiModel, openAIModel} {
		slow = append(slow, s.newCaller(t, storetest.Options{Model: model, Credits: credits}))
		others = append(others, s.newCaller(t, storetest.Options{Model: model, Credits: credits, RatePerMinute: 1_000_000}))
	}
	s.chats(t, others) // opens the connections
	before, _ := s.chats(t, others)
	peak := s.replicas[0].peakMemory(t)
	var waiting sync.WaitGroup
	for _, mode := range slowModes() {
		for i := range each {
			waiting.Go(func() { s.expect(t, slow[i%2], mode, i%4 < 2) })
		}
	}
	eventually(t, "only those whose model is slow by 5 s are answered", func() bool { return s.answered.Load() == each })
	if n := gemini.UnderWay() + openAI.UnderWay(); n != 5*each {
		t.Errorf("%d messages wait for a model, want %d", n, 5*each)
	}
	meanwhile, beside := s.chats(t, others)
	waiting.Wait()
	eventually(t, "no request to a model is in progress", func() bool { return gemini.UnderWay()+openAI.UnderWay() == 0 })
	ratio := meanwhile.Seconds() / max(before, beside).Seconds() // other load on the machine may have changed
	if ratio > most {
		t.Errorf("another account's chats take %v, but %v while models are slow, and %v on an idle replica then", before,
			meanwhile, beside)
	}
	for _, caller := range slow {
		const of = each / 2
		want := figures{Balance: credits - 3*of, Entries: 1 + 3*of, Answered: 3 * of, Failed: 3 * of, Conversations: 6 * of}
		if got := s.figures(t, caller); got != want {
			t.Errorf("the figures are %+v, want %+v", got, want)
		}
	}
	grown := s.replicas[0].peakMemory(t) - peak
	if grown > 50<<20 {
		t.Errorf("the process grew by %d bytes", grown)
	}
}

// expect sends one message to a slow model, and checks what comes and when.
func (s *slowModels) expect(t *testing.T, caller *apiCaller, mode slowMode, streamed bool) {
	t.Helper()
	began := time.Now()
	var got answer
	if streamed {
		got = s.stream(t, s.chat(), caller, caller.text+mode.name)
	} else {
		got = s.post(t, s.chat(), caller, fmt.Sprintf(`{"message":%q}`, caller.text+mode.name))
	}
	took := time.Since(began)
	body := string(got.Body)
	ended := got.Reply == "Aye." && got.Usage.Credits == 1 ||
		strings.Contains(body, "event: end\n") && strings.Contains(body, `"reply":"Aye."`) && strings.Contains(body, `"credits":1,`)
	timedOut := got.Status == http.StatusGatewayTimeout && got.outcome() == "model_timeout" ||
		streamed && got.Status == http.StatusOK && strings.Contains(body, "event: error\n") && strings.Contains(body, `"model_timeout"`)
	if mode.answered != ended || mode.answered == timedOut || took < mode.after-time.Second || took > mode.after+4*time.Second {
		s.t.Errorf("%s, streamed %t: %d %s after %v", mode.name, streamed, got.Status, excerpt(got.Body), took)
	}
	if mode.answered {
		s.answered.Add(1)
	}
}

// chats sends messages to fast models, alternating between the replica that waits for slow models and the idle one, and returns the
// median times.
func (s *slowModels) chats(t *testing.T, others []*apiCaller) (busy, idle time.Duration) {
	t.Helper()
	const messages = 500
	var took [2][]time.Duration
	for i := range 2 * messages {
		caller, replica := others[i/4%len(others)], (i+i/2)%2 // 0, 1, 1, 0: each replica comes first equally often
		began := time.Now()
		got, err := ask(t.Context(), s.client, s.replicas[replica].Chat, caller.Key.Reveal(), "", caller.text)
		if err != nil || got.Status != http.StatusOK || got.Reply != "Aye." {
			s.t.Errorf("another account's message: %d %s %v", got.Status, excerpt(got.Body), err)
		}
		took[replica] = append(took[replica], time.Since(began))
	}
	for _, all := range took {
		slices.Sort(all)
	}
	return took[0][messages/2].Round(10 * time.Microsecond), took[1][messages/2].Round(10 * time.Microsecond)
}
