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

	"agentchat/internal/faults"
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

// What the settings are by default: how long a model may be silent before its first byte, and how long it may take in all.
const firstByte, wholeReply = 30 * time.Second, 55 * time.Second

func slowModes() []slowMode {
	inPieces := llmtest.TextTold(func(piece int) {
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
	*deployment
	row      *faultRow
	servers  []*llmtest.Server
	answered atomic.Int64
}

// TestSlowModels: models that are slow by seconds, by minutes, or by a byte a second, all at once and with the default settings:
// whoever is silent for 30 s or takes longer than MODEL_TIMEOUT is one model_timeout then, free of charge, the others are answered, and
// the chats of another account with the same models are as quick as before.
func TestSlowModels(tt *testing.T) {
	if !faults.Full() {
		tt.Skip("MODEL_TIMEOUT is a minute by default: with AGENTCHAT_FAULTS=full")
	}
	tt.Parallel()
	const most, credits = 2.0, 1_000_000
	const each = 2 * 2 * 5 // messages of each mode: over two formats, whole and streamed
	row := newRow(tt, "F2: slow by seconds and by minutes, with the default MODEL_TIMEOUT")
	gemini, openAI := llmtest.NewGemini(tt), llmtest.NewOpenAI(tt, openAIKey)
	gemini.Always(bySlowness)
	openAI.Always(bySlowness)
	s := &slowModels{row: row, servers: []*llmtest.Server{gemini, openAI}, deployment: newDeployment(tt, 2, "GEMINI_API_KEY="+geminiKey,
		"GEMINI_BASE_URL="+gemini.URL, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+openAI.URL+"/v1")}
	defer s.finish(tt)
	row.audit(s.store)
	var patient, others []*caller
	for _, model := range []string{geminiModel, openAIModel} {
		patient = append(patient, s.newCaller(tt, storetest.Options{Model: model, Credits: credits}))
		others = append(others, s.newCaller(tt, storetest.Options{Model: model, Credits: credits, RatePerMinute: 1_000_000}))
	}
	s.chats(tt, others) // the connections are made
	before, _ := s.chats(tt, others)
	peak := s.replicas[0].peakMemory(tt)
	var waiting sync.WaitGroup
	for _, mode := range slowModes() {
		for i := range each {
			waiting.Go(func() { s.expect(tt, patient[i%2], mode, i%4 < 2) })
		}
	}
	eventually(tt, "all wait but those whose model is slow by 5 s", func() bool { return s.answered.Load() == each })
	if n := gemini.UnderWay() + openAI.UnderWay(); n != 5*each {
		row.Errorf("%d messages are with a model, want %d", n, 5*each)
	}
	meanwhile, beside := s.chats(tt, others)
	waiting.Wait()
	eventually(tt, "no model is asked any more", func() bool { return gemini.UnderWay()+openAI.UnderWay() == 0 })
	ratio := meanwhile.Seconds() / max(before, beside).Seconds() // neighbours on the machine may have come or gone since before
	if ratio > most {
		row.Errorf("another account's chats take %v, %v while models are slow, and then %v on a replica that waits for nobody", before,
			meanwhile, beside)
	}
	for _, g := range patient {
		const of = each / 2
		want := figures{Balance: credits - 3*of, Entries: 1 + 3*of, Answered: 3 * of, Failed: 3 * of, Conversations: 6 * of}
		if got := s.figures(tt, g); got != want {
			row.Errorf("the books are %+v, want %+v", got, want)
		}
	}
	grown := s.replicas[0].peakMemory(tt) - peak
	if grown > 50<<20 {
		row.Errorf("the process grew by %d bytes", grown)
	}
	row.measured("%d messages at once: slow by 5 s, by 25 s, and 25 s between pieces answered; by 60 s and 600 s model_timeout after %v, "+
		"and by a byte a second after %v; ratio %.2f for another account's chats: %v before (medians), %v meanwhile, and %v on a replica that waited for "+
		"nobody; the process grew by %d KiB at its highest", 6*each, firstByte, wholeReply, ratio, before, meanwhile, beside, grown>>10)
}

// expect sends one message to a slow model, and checks what comes and when.
func (s *slowModels) expect(t *testing.T, g *caller, mode slowMode, streamed bool) {
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
	ended := got.Reply == "Aye." && got.Usage.Credits == 1 ||
		strings.Contains(body, "event: end\n") && strings.Contains(body, `"reply":"Aye."`) && strings.Contains(body, `"credits":1,`)
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

// chats sends messages to models that are quick, by turns to the replica that waits for the slow ones and to the other, which has the
// same neighbours and the same database, and returns the medians of their times.
func (s *slowModels) chats(t *testing.T, others []*caller) (busy, idle time.Duration) {
	t.Helper()
	const messages = 500
	var took [2][]time.Duration
	for i := range 2 * messages {
		g, replica := others[i/4%len(others)], (i+i/2)%2 // 0, 1, 1, 0: each comes first as often
		began := time.Now()
		got, err := ask(t.Context(), s.client, s.replicas[replica].Chat, g.Key.Reveal(), "", g.text)
		if err != nil || got.Status != http.StatusOK || got.Reply != "Aye." {
			s.row.Errorf("another account's message: %d %s %v", got.Status, excerpt(got.Body), err)
		}
		took[replica] = append(took[replica], time.Since(began))
	}
	for _, all := range took {
		slices.Sort(all)
	}
	return took[0][messages/2].Round(10 * time.Microsecond), took[1][messages/2].Round(10 * time.Microsecond)
}
