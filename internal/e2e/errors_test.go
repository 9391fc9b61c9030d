package e2e_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/openapitest"
	"agentchat/internal/store/storetest"
)

// leakRow checks that errors release their credits. Each error has its own caller, who must have as many credits available afterwards
// as before, less the replies paid on the way.
type leakRow struct {
	*deployment
	t      *testing.T
	leaked atomic.Int64
	// slowest is the longest time, in nanoseconds, from an error's answer until its credits were available.
	slowest atomic.Int64
	seen    sync.Map
	// patient is a replica with the default MODEL_TIMEOUT, whose model is held.
	patient *replica
	held    *heldModel
}

func (l *leakRow) available(t *testing.T, caller *apiCaller) int64 {
	t.Helper()
	b := l.figures(t, caller)
	return b.Balance - b.Held
}

// expectNone checks the credits after an error, once its turn is settled.
func (l *leakRow) expectNone(t *testing.T, caller *apiCaller, what string, want int64) {
	t.Helper()
	began := time.Now()
	eventually(t, "no turn is pending after "+what, func() bool { return l.figures(t, caller).Pending == 0 })
	for took, old := int64(time.Since(began)), l.slowest.Load(); took > old && !l.slowest.CompareAndSwap(old, took); {
		old = l.slowest.Load()
	}
	if left := l.available(t, caller); left != want {
		l.leaked.Add(want - left)
		l.t.Errorf("%s: %d credits are available, want %d", what, left, want)
	}
}

// provocation causes one error of the catalogue. paid is the number of messages that were charged on the way.
type provocation struct {
	name, code string
	options    storetest.Options
	do         func(t *testing.T, caller *apiCaller) (got answer, paid int64)
}

// TestErrorsLeakNoCredits: every error of the catalogue and every failure of a model, alone and concurrently over two replicas, leaves
// the available credits unchanged.
func TestErrorsLeakNoCredits(t *testing.T) {
	t.Parallel()
	gemini, openAI := llmtest.NewGemini(t), llmtest.NewOpenAI(t, openAIKey)
	l := &leakRow{t: t}
	l.deployment = newDeployment(t, 2, "MODEL_TIMEOUT=2s", "HOLD_GRACE=1s", "REAP_INTERVAL=200ms", "GEMINI_API_KEY="+geminiKey,
		"GEMINI_BASE_URL="+gemini.URL, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+openAI.URL+"/v1")
	l.held = newHeldModel(t)
	l.patient = start(t, l.url, "LOG_LEVEL=debug", "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+l.held.server.URL+"/v1")
	auditing(l.t, l.store)
	t.Run("errors", func(t *testing.T) {
		for _, p := range append(l.refusals(), l.failures()...) {
			t.Run(p.name+" "+p.code, func(t *testing.T) {
				t.Parallel()
				caller := l.newCaller(t, p.options)
				before := l.available(t, caller)
				got, paid := p.do(t, caller)
				if got.outcome() != p.code {
					l.t.Errorf("%s: %d %s, want %s", p.name, got.Status, excerpt(got.Body), p.code)
				}
				l.seen.Store(got.outcome(), true)
				l.expectNone(t, caller, p.code, before-paid)
			})
		}
		t.Run("Gemini", func(t *testing.T) { t.Parallel(); l.modelFaults(t, gemini, geminiModel, geminiKey) })
		t.Run("OpenAI", func(t *testing.T) { t.Parallel(); l.modelFaults(t, openAI, openAIModel, openAIKey) })
		t.Run("concurrently", func(t *testing.T) { t.Parallel(); l.concurrently(t) })
	})
	l.databaseUnavailable(t)
	for code := range openapitest.Load(t, fetchOpenAPI(t, l.replicas[0]), http.MethodPost, "/v1/agent/chat").Codes() {
		if _, seen := l.seen.Load(code); !seen {
			l.t.Errorf("the error %s of the catalogue did not occur", code)
		}
	}
	storetest.Audit(l.t, l.store)
}

// refused is a provocation by one request.
func (l *leakRow) refused(code, body string, header ...string) provocation {
	return provocation{code: code, do: func(t *testing.T, caller *apiCaller) (answer, int64) {
		t.Helper()
		return l.post(t, l.chat(), caller, caller.expand.Replace(body), header...), 0
	}}
}

// paused is a message through a paused export.
func (l *leakRow) paused() provocation {
	p := l.refused("export_paused", hello)
	send := p.do
	p.do = func(t *testing.T, caller *apiCaller) (answer, int64) {
		t.Helper()
		if _, err := l.store.PauseExport(t.Context(), caller.Account.ID, caller.Export.ID, true); err != nil {
			t.Fatal(err)
		}
		return send(t, caller)
	}
	return p
}

// limited is a second message of an export that may use one credit a day.
func (l *leakRow) limited() provocation {
	send := l.twice(hello, hello, "")
	return provocation{code: "limit_reached", do: func(t *testing.T, caller *apiCaller) (answer, int64) {
		t.Helper()
		_, err := l.store.UpdateExport(t.Context(), caller.Account.ID, caller.Export.ID,
			agent.ExportChanges{DailyCreditLimit: agent.Change[int64]{Set: true, Value: new(int64(1))}})
		if err != nil {
			t.Fatal(err)
		}
		return send(t, caller)
	}}
}

// refusals are the errors caused by requests and accounts.
func (l *leakRow) refusals() []provocation {
	other := func(code string, o storetest.Options) provocation {
		p := l.refused(code, hello)
		p.options = o
		return p
	}
	return []provocation{
		l.refused("invalid_json", "{"), l.refused("invalid_request", "{}"),
		l.refused("invalid_idempotency_key", hello, "Idempotency-Key", "a b"),
		l.refused("unauthorized", hello, "Authorization", "Bearer {unknown}"),
		l.refused("payload_too_large", hello+strings.Repeat(" ", 256<<10)),
		l.refused("unsupported_media_type", hello, "Content-Type", "text/plain"),
		other("insufficient_credits", storetest.Options{Credits: -1}), other("agent_not_ready", storetest.Options{Draft: true}),
		l.paused(), l.limited(),
		l.bySocket("invalid_authorization", post(hello, authorized, authorized, asJSON)),
		l.bySocket("method_not_allowed", raw("PUT /v1/agent/chat HTTP/1.1", hello, "Host: h", authorized, asJSON)),
		l.bySocket("not_found", raw("POST /v1/nothing HTTP/1.1", hello, "Host: h", authorized, asJSON)),
		l.bySocket("request_timeout", strings.Replace(post(hello, authorized, asJSON), "{length}", "500", 1)),
		{code: "rate_limited", options: storetest.Options{RatePerMinute: 1}, do: l.twice(hello, hello, "")},
		{code: "idempotency_key_reused", do: l.twice(hello, `{"message":"{text}!"}`, "k")},
		{code: "conversation_deleted", do: l.deleted}, {code: "session_busy", options: storetest.Options{Model: openAIModel}, do: l.tooMany}, {code: "request_in_progress", options: storetest.Options{Model: openAIModel}, do: l.inProgress},
	}
}

func (l *leakRow) bySocket(code, request string) provocation {
	return provocation{code: code, do: func(t *testing.T, caller *apiCaller) (answer, int64) {
		t.Helper()
		return l.send(t, caller, scenario{raw: request}), 0
	}}
}

// twice sends one message that is answered and one that is refused.
func (l *leakRow) twice(first, second, key string) func(*testing.T, *apiCaller) (answer, int64) {
	return func(t *testing.T, caller *apiCaller) (answer, int64) {
		t.Helper()
		if got := l.post(t, l.chat(), caller, caller.expand.Replace(first), "Idempotency-Key", key); got.Status != http.StatusOK {
			t.Errorf("the first message: %d %s", got.Status, got.Body)
		}
		return l.post(t, l.chat(), caller, caller.expand.Replace(second), "Idempotency-Key", key), 1
	}
}

func (l *leakRow) deleted(t *testing.T, caller *apiCaller) (answer, int64) {
	t.Helper()
	l.post(t, l.chat(), caller, caller.expand.Replace(hello), "Idempotency-Key", "k")
	var id uuid.UUID
	if err := l.store.DB().QueryRowContext(t.Context(), `SELECT id FROM conversations WHERE agent_id = $1`, caller.Agent.ID).Scan(&id); err != nil {
		t.Fatal(err)
	}
	if err := l.store.DeleteConversation(t.Context(), caller.Account.ID, id); err != nil {
		t.Fatal(err)
	}
	return l.post(t, l.chat(), caller, caller.expand.Replace(hello), "Idempotency-Key", "k"), 1
}

// tooMany sends more messages to one session than may wait for it.
func (l *leakRow) tooMany(t *testing.T, caller *apiCaller) (busy answer, paid int64) {
	t.Helper()
	const messages = 80
	release := l.held.hold(caller.text)
	defer release()
	refused := make(chan answer, messages)
	send := func(message string) string {
		got, err := ask(t.Context(), l.client, l.patient.Chat, caller.Key.Reveal(), "s", message)
		if err != nil {
			return err.Error()
		}
		if got.outcome() == "session_busy" {
			refused <- got
		}
		return got.outcome()
	}
	var first sync.WaitGroup
	first.Go(func() {
		if outcome := send(caller.text); outcome != "200" {
			t.Errorf("the first message: %s", outcome)
		}
	})
	eventually(t, "the hold", func() bool { return held(t, l.store, caller.Fixture) == 1 })
	counts := make(chan map[string]int, 1)
	go func() { counts <- parallel(messages, messages, func(int) string { return send("hello") }) }()
	select {
	case busy = <-refused:
	case <-time.After(time.Minute):
		t.Error("no message was refused")
	}
	release()
	first.Wait()
	got := <-counts
	if got["200"]+got["session_busy"] != messages {
		t.Errorf("%d messages to one session: %v", messages, got)
	}
	return busy, int64(got["200"]) + 1
}

// inProgress retries a message whose turn is pending.
func (l *leakRow) inProgress(t *testing.T, caller *apiCaller) (again answer, paid int64) {
	t.Helper()
	release := l.held.hold(caller.text)
	defer release()
	var first sync.WaitGroup
	first.Go(func() {
		got, err := ask(t.Context(), l.client, l.patient.Chat, caller.Key.Reveal(), "", caller.text, "Idempotency-Key", "k")
		if err != nil || got.Status != http.StatusOK {
			t.Errorf("the first message: %d %s %v", got.Status, got.Body, err)
		}
	})
	eventually(t, "the hold", func() bool { return held(t, l.store, caller.Fixture) == 1 })
	again = l.post(t, l.patient.Chat, caller, caller.expand.Replace(hello), "Idempotency-Key", "k")
	release()
	first.Wait()
	return again, 1
}

// concurrently lets one account's messages fail in every way the sandbox knows, over two replicas, whole and streamed.
func (l *leakRow) concurrently(t *testing.T) {
	t.Helper()
	const credits, workers = 20, 8
	codes := sandboxFailures()
	directives := slices.Sorted(maps.Keys(codes))
	caller := l.newCaller(t, storetest.Options{Credits: credits})
	n := 6 * len(directives)
	parallel(workers, n, func(i int) string {
		directive, chat := directives[i%len(directives)], l.replicas[i/3%2].Chat
		var got answer
		var err error
		if i/len(directives)%2 == 0 {
			got, err = ask(t.Context(), l.client, chat, caller.Key.Reveal(), "", "[[sandbox "+directive+"]]")
		} else {
			got = l.stream(t, chat, caller, "[[sandbox "+directive+"]]")
		}
		if err != nil || got.outcome() != codes[directive] {
			l.t.Errorf("%s beside others: %d %s, %v, want %s", directive, got.Status, excerpt(got.Body), err, codes[directive])
		}
		return got.outcome()
	})
	l.expectNone(t, caller, "concurrent failures", credits)
}

// databaseUnavailable makes the database unavailable during a message and before another.
func (l *leakRow) databaseUnavailable(t *testing.T) {
	t.Helper()
	caller := l.newCaller(t, storetest.Options{})
	off, on := databaseSwitch(t, l.url)
	var pending sync.WaitGroup
	left := int64(100)
	pending.Go(func() {
		got, err := ask(t.Context(), l.client, l.chat(), caller.Key.Reveal(), "", "[[sandbox delay=1500ms]]")
		if err == nil && got.Status == http.StatusOK {
			left-- // the database was back in time to settle it
		}
	})
	eventually(t, "the hold", func() bool { return held(t, l.store, caller.Fixture) == 1 })
	l.store.DB().SetMaxIdleConns(0) // the test's own connections are closed as well
	off()
	if got := l.post(t, l.chat(), caller, caller.expand.Replace(hello)); got.outcome() != "unavailable" {
		l.t.Errorf("without the database: %d %s", got.Status, got.Body)
	} else {
		l.seen.Store("unavailable", true)
	}
	on()
	pending.Wait()
	l.expectNone(t, caller, "unavailable", left)
}
