package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/openapitest"
	"agentchat/internal/store/storetest"
)

// leakRow is the row of credits that errors keep: every error is made with a caller of its own, who has to have as many credits
// available afterwards as before, less the replies that were paid on the way.
type leakRow struct {
	*deployment
	row    *faultRow
	leaked atomic.Int64
	// slowest is how long the credits of an error took to be available after its answer, at most, in nanoseconds.
	slowest atomic.Int64
	seen    sync.Map
}

func (l *leakRow) available(t *testing.T, g *caller) int64 {
	t.Helper()
	b := l.figures(t, g)
	return b.Balance - b.Held
}

// expectNone checks the credits after an error, which may be in the middle of its way out yet.
func (l *leakRow) expectNone(t *testing.T, g *caller, what string, want int64) {
	t.Helper()
	began := time.Now()
	eventually(t, "no message is under way after "+what, func() bool { return l.figures(t, g).Pending == 0 })
	for took, old := int64(time.Since(began)), l.slowest.Load(); took > old && !l.slowest.CompareAndSwap(old, took); {
		old = l.slowest.Load()
	}
	if left := l.available(t, g); left != want {
		l.leaked.Add(want - left)
		l.row.Errorf("%s: %d credits are available, want %d", what, left, want)
	}
	l.row.ran(1)
}

// provocation makes one error of the catalogue; paid is how many messages were answered on the way to it.
type provocation struct {
	name, code string
	options    storetest.Options
	do         func(t *testing.T, g *caller) (got answer, paid int64)
}

// TestErrorsLeakNoCredits: every error of the catalogue, and every failure of a model, one at a time and many at once over two
// replicas, leaves the available credits as they were.
func TestErrorsLeakNoCredits(t *testing.T) {
	t.Parallel()
	gemini, openAI := llmtest.NewGemini(t), llmtest.NewOpenAI(t, openAIKey)
	l := &leakRow{row: newRow(t, "M4")}
	l.deployment = newDeployment(t, 2, "MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=200ms", "GEMINI_API_KEY="+geminiKey,
		"GEMINI_BASE_URL="+gemini.URL, "OPENAI_API_KEY="+openAIKey, "OPENAI_BASE_URL="+openAI.URL+"/v1")
	l.row.audit(l.store)
	t.Run("errors", func(t *testing.T) {
		for _, p := range append(l.refusals(), l.failures()...) {
			t.Run(p.name+" "+p.code, func(t *testing.T) {
				t.Parallel()
				g := l.newCaller(t, p.options)
				before := l.available(t, g)
				got, paid := p.do(t, g)
				if got.outcome() != p.code {
					l.row.Errorf("%s: %d %s, want %s", p.name, got.Status, excerpt(got.Body), p.code)
				}
				l.seen.Store(got.outcome(), true)
				l.expectNone(t, g, p.code, before-paid)
			})
		}
		t.Run("Gemini", func(t *testing.T) { t.Parallel(); l.modelFaults(t, gemini, geminiModel, geminiKey) })
		t.Run("OpenAI", func(t *testing.T) { t.Parallel(); l.modelFaults(t, openAI, openAIModel, openAIKey) })
		t.Run("at once", func(t *testing.T) { t.Parallel(); l.atOnce(t) })
	})
	l.databaseAway(t)
	for code := range openapitest.Load(t, fetchOpenAPI(t, l.replicas[0]), http.MethodPost, "/v1/agent/chat").Codes() {
		if _, seen := l.seen.Load(code); !seen {
			l.row.Errorf("the error %s of the catalogue was not made", code)
		}
	}
	storetest.Audit(l.row, l.store)
	l.row.measured("leaked %d; available as before %v after the answer at the latest", l.leaked.Load(),
		time.Duration(l.slowest.Load()).Round(time.Millisecond))
}

// refused is a provocation of one request.
func (l *leakRow) refused(code, body string, header ...string) provocation {
	return provocation{code: code, do: func(t *testing.T, g *caller) (answer, int64) {
		t.Helper()
		return l.post(t, l.chat(), g, g.expand.Replace(body), header...), 0
	}}
}

// refusals are the errors of requests and accounts.
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
		l.bySocket("invalid_authorization", post(hello, authorized, authorized, asJSON)),
		l.bySocket("method_not_allowed", raw("PUT /v1/agent/chat HTTP/1.1", hello, "Host: h", authorized, asJSON)),
		l.bySocket("not_found", raw("POST /v1/nothing HTTP/1.1", hello, "Host: h", authorized, asJSON)),
		l.bySocket("request_timeout", strings.Replace(post(hello, authorized, asJSON), "{length}", "500", 1)),
		{code: "rate_limited", options: storetest.Options{RatePerMinute: 1}, do: l.twice(hello, hello, "")},
		{code: "idempotency_key_reused", do: l.twice(hello, `{"message":"{text}!"}`, "k")},
		{code: "conversation_deleted", do: l.deleted}, {code: "session_busy", do: l.tooMany}, {code: "request_in_progress", do: l.underWay},
	}
}

func (l *leakRow) bySocket(code, request string) provocation {
	return provocation{code: code, do: func(t *testing.T, g *caller) (answer, int64) {
		t.Helper()
		return l.send(t, g, scenario{raw: request}), 0
	}}
}

// twice sends one message that is answered and one that is not.
func (l *leakRow) twice(first, second, key string) func(*testing.T, *caller) (answer, int64) {
	return func(t *testing.T, g *caller) (answer, int64) {
		t.Helper()
		if got := l.post(t, l.chat(), g, g.expand.Replace(first), "Idempotency-Key", key); got.Status != http.StatusOK {
			t.Errorf("the first message: %d %s", got.Status, got.Body)
		}
		return l.post(t, l.chat(), g, g.expand.Replace(second), "Idempotency-Key", key), 1
	}
}

func (l *leakRow) deleted(t *testing.T, g *caller) (answer, int64) {
	t.Helper()
	l.post(t, l.chat(), g, g.expand.Replace(hello), "Idempotency-Key", "k")
	var id uuid.UUID
	if err := l.store.DB().QueryRowContext(t.Context(), `SELECT id FROM conversations WHERE agent_id = $1`, g.Agent.ID).Scan(&id); err != nil {
		t.Fatal(err)
	}
	if err := l.store.DeleteConversation(t.Context(), g.Account.ID, id); err != nil {
		t.Fatal(err)
	}
	return l.post(t, l.chat(), g, g.expand.Replace(hello), "Idempotency-Key", "k"), 1
}

// tooMany sends more messages to one session than may wait for it.
func (l *leakRow) tooMany(t *testing.T, g *caller) (busy answer, paid int64) {
	t.Helper()
	var mu sync.Mutex
	send := func(message string) string {
		got, err := ask(t.Context(), l.client, l.chat(), g.Key.Reveal(), "s", message)
		if err != nil {
			return err.Error()
		}
		mu.Lock()
		defer mu.Unlock()
		if got.outcome() == "session_busy" {
			busy = got
		}
		return got.outcome()
	}
	var first sync.WaitGroup
	first.Go(func() {
		if outcome := send("[[sandbox delay=900ms]]"); outcome != "200" {
			t.Errorf("the first message: %s", outcome)
		}
	})
	eventually(t, "the hold", func() bool { return held(t, l.store, g.Fixture) == 1 })
	counts := parallel(80, 80, func(int) string { return send("hello") })
	first.Wait()
	if counts["200"]+counts["session_busy"] != 80 {
		t.Errorf("80 messages to one session: %v", counts)
	}
	return busy, int64(counts["200"]) + 1
}

func (l *leakRow) underWay(t *testing.T, g *caller) (again answer, paid int64) {
	t.Helper()
	const body = `{"message":"[[sandbox delay=800ms]]"}`
	var first sync.WaitGroup
	first.Go(func() {
		if got, err := ask(t.Context(), l.client, l.chat(), g.Key.Reveal(), "", "[[sandbox delay=800ms]]", "Idempotency-Key", "k"); err != nil ||
			got.Status != http.StatusOK {
			t.Errorf("the first message: %d %s %v", got.Status, got.Body, err)
		}
	})
	eventually(t, "the hold", func() bool { return held(t, l.store, g.Fixture) == 1 })
	again = l.post(t, l.chat(), g, body, "Idempotency-Key", "k")
	first.Wait()
	return again, 1
}

// sandboxFailures are what the sandbox can be asked to fail with, and the codes of that.
func sandboxFailures() map[string]string {
	return map[string]string{
		"fail=error": "model_error", "fail=garbage": "model_error", "fail=unavailable": "model_unavailable", "fail=timeout": "model_timeout",
		"fail=blocked": "content_blocked", "fail=panic": "internal", "fail=internal": "internal", "fail=rate_limited": "rate_limited",
		"fail=insufficient_credits": "insufficient_credits", "fail=session_busy": "session_busy",
	}
}

// failures are what the sandbox fails with, before its first word and after it, whole and streamed.
func (l *leakRow) failures() (all []provocation) {
	directives := sandboxFailures()
	directives["delay=1m"], directives["words=1000 pace=10ms"] = "model_timeout", "model_timeout"
	for directive, code := range directives {
		p := l.refused(code, fmt.Sprintf(`{"message":"[[sandbox %s]]"}`, directive))
		p.name = directive
		all = append(all, p)
		for _, after := range []string{"", " after=20"} {
			if after != "" && !strings.HasPrefix(directive, "fail=") {
				continue
			}
			message := "[[sandbox " + directive + after + "]]"
			all = append(all, provocation{name: directive + after + " streamed", code: code, do: func(t *testing.T, g *caller) (answer, int64) {
				t.Helper()
				got := l.stream(t, l.chat(), g, message)
				if got.Error.Code == "" && strings.Contains(string(got.Body), `"code":"`+code+`"`) {
					got.Error.Code = code
				}
				return got, 0
			}})
		}
	}
	return all
}

// modelFaults has a model's server do everything but answer, whole and streamed. An answer after each failure keeps the model's
// circuit closed, so that the next failure is reached.
func (l *leakRow) modelFaults(t *testing.T, server *llmtest.Server, model, key string) {
	t.Helper()
	g := l.newCaller(t, storetest.Options{Model: model, Credits: 10_000})
	left := l.available(t, g)
	for _, f := range append(modelFailures(key), modelFailure{name: "no answer", reply: llmtest.Hang()},
		modelFailure{name: "half an answer", reply: llmtest.HangAfter("So far so")}) {
		for _, streamed := range []bool{false, true} {
			server.Always(f.reply)
			asked := len(server.Requests())
			var got answer
			if streamed {
				got = l.stream(t, l.chat(), g, "hello")
			} else {
				got = l.post(t, l.chat(), g, g.expand.Replace(hello))
			}
			if len(server.Requests()) == asked || got.Reply != "" || strings.Contains(string(got.Body), "event: end") {
				l.row.Errorf("%s, %s: %d %s after %d requests", model, f.name, got.Status, excerpt(got.Body), len(server.Requests())-asked)
			}
			l.expectNone(t, g, model+", "+f.name, left)
			server.Always(llmtest.Text("Aye."))
			if got := l.post(t, l.chat(), g, g.expand.Replace(hello)); got.Status != http.StatusOK {
				t.Fatalf("after %s: %d %s", f.name, got.Status, got.Body)
			}
			left--
		}
	}
}

// atOnce has one account's messages fail in every way that the sandbox knows, over two replicas at once, whole and streamed.
func (l *leakRow) atOnce(t *testing.T) {
	t.Helper()
	const credits, workers = 20, 8
	codes := sandboxFailures()
	directives := slices.Sorted(maps.Keys(codes))
	g := l.newCaller(t, storetest.Options{Credits: credits})
	n := faults.Times(3, 50) * 2 * len(directives)
	parallel(workers, n, func(i int) string {
		directive, chat := directives[i%len(directives)], l.replicas[i/3%2].Chat
		var got answer
		var err error
		if i/len(directives)%2 == 0 {
			got, err = ask(t.Context(), l.client, chat, g.Key.Reveal(), "", "[[sandbox "+directive+"]]")
		} else {
			got = l.stream(t, chat, g, "[[sandbox "+directive+"]]")
		}
		if err != nil || got.outcome() != codes[directive] {
			l.row.Errorf("%s at once with others: %d %s, %v, want %s", directive, got.Status, excerpt(got.Body), err, codes[directive])
		}
		return got.outcome()
	})
	l.expectNone(t, g, "all at once", credits)
	l.row.ran(n - 1)
}

// databaseAway takes the database away in the middle of a message, and before one.
func (l *leakRow) databaseAway(t *testing.T) {
	t.Helper()
	g := l.newCaller(t, storetest.Options{})
	l.store.DB().SetMaxIdleConns(0) // the test's own connections end as well
	off, on := databaseSwitch(t, l.url)
	var under sync.WaitGroup
	left := int64(100)
	under.Go(func() {
		got, err := ask(t.Context(), l.client, l.chat(), g.Key.Reveal(), "", "[[sandbox delay=500ms]]")
		if err == nil && got.Status == http.StatusOK {
			left-- // the database was back in time for its settling
		}
	})
	eventually(t, "the hold", func() bool { return held(t, l.store, g.Fixture) == 1 })
	off()
	if got := l.post(t, l.chat(), g, g.expand.Replace(hello)); got.outcome() != "unavailable" {
		l.row.Errorf("without a database: %d %s", got.Status, got.Body)
	} else {
		l.seen.Store("unavailable", true)
	}
	on()
	under.Wait()
	l.expectNone(t, g, "unavailable", left)
}
