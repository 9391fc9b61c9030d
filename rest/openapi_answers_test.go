package rest_test

import (
	"bufio"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/sandbox"
	"agentchat/internal/openapitest"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// gate is the sandbox's model, which waits where a message says so.
type gate struct {
	llm.Model
	entered, open chan struct{}
}

const held = "Hold on."

func (g gate) Generate(ctx context.Context, req llm.Request, emit func(string) error) (llm.Reply, error) {
	if req.Message == held {
		g.entered <- struct{}{}
		<-g.open
	}
	return g.Model.Generate(ctx, req, emit)
}

// answersBench checks real answers against the description.
type answersBench struct {
	*bench
	document *openapitest.Document
	gate     gate
	drain    func()
	// slow is the address of the same API with a short body timeout.
	slow string
}

func newAnswersBench(t *testing.T) *answersBench {
	t.Helper()
	d := &answersBench{bench: newBench(t, storetest.Options{}, nil)}
	d.gate = gate{Model: sandbox.New(), entered: make(chan struct{}), open: make(chan struct{})}
	service := chat.New(chat.Config{
		Store: d.store, Logger: slog.New(slog.DiscardHandler), SessionWait: 50 * time.Millisecond,
		Catalogue: catalogue.NewLive(catalogue.New([]catalogue.Entry{
			{Name: storetest.SandboxModel, Provider: "sandbox", CreditsPerMessage: 1, ContextWindow: 131072,
				Sandbox: true, Model: d.gate},
			{Name: "sandbox/free", Provider: "sandbox", ContextWindow: 131072, Sandbox: true, Model: d.gate},
		})),
	})
	api := rest.New(rest.Config{Chat: service})
	d.drain = service.Drain
	d.address = serve(t, api)
	d.slow = serveBodies(t, api, &httpapi.Bodies{Timeout: 50 * time.Millisecond})
	d.document = described(t, "http://"+d.address)
	return d
}

// call is one request with the expected answer.
type call struct {
	// key is the fixture's if empty.
	key, body string
	headers   []string
	// status and code are the answer's; code is empty for a reply.
	status int
	code   string
	// described says that the description accepts the request: it cannot express every rule.
	described bool
}

func (d *answersBench) ask(t *testing.T, c call) reply {
	t.Helper()
	if c.key == "" {
		c.key = d.fixture.Key.Reveal()
	}
	text := request(c.key, c.body, c.headers...)
	r := sendRaw(t, d.address, text)[0]
	d.check(t, c, text, r)
	return r
}

// check compares a request and its answer with the expectation and the description.
func (d *answersBench) check(t *testing.T, c call, text string, r reply) {
	t.Helper()
	if c.code != "" {
		r.refused(t, c.status, c.code)
		if wait := r.Header.Get("Retry-After"); (wait != "") != retried[fault.Kind(c.code)] {
			t.Errorf("%s has Retry-After %q", c.code, wait)
		}
	} else if r.StatusCode != c.status {
		t.Errorf("got %d, want %d: %s", r.StatusCode, c.status, r.text)
	}
	d.document.Check(t, r.Response, []byte(r.text))
	if times, _ := r.times(t); (times != "") != strings.Contains(r.text, `"finish_reason":`) {
		t.Errorf("a %d has the times %q: %s", r.StatusCode, times, r.text)
	}
	parsed, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.document.Accepts(t, parsed); (err == nil) != c.described {
		t.Errorf("the description on %.200q: %v", text, err)
	}
}

// TestOpenAPIAgainstRealAnswers makes the service give every described answer. Each must match the
// description, down to the last header and field, and each example must occur in a real answer.
func TestOpenAPIAgainstRealAnswers(t *testing.T) {
	t.Parallel()
	d := newAnswersBench(t)
	t.Run("requests", func(t *testing.T) {
		for _, c := range append(badRequests(), failures()...) {
			t.Run(c.code, func(t *testing.T) {
				t.Parallel()
				d.ask(t, c)
			})
		}
		t.Run("replies and replays", d.replies)
		t.Run("accounts and agents", d.accounts)
		t.Run("replies in shape", d.shapes)
		t.Run("actions", d.actions)
		t.Run("sources", d.sources)
		t.Run("replies of the fallback model", d.fallbacks)
		t.Run("ratings", d.ratings)
		t.Run("in progress", d.inProgress)
		t.Run("in the background", d.background)
		t.Run("paths, methods and slow bodies", d.frames)
		t.Run("database unavailable", d.unavailable)
	})
	if unseen := d.document.Unseen(); len(unseen) > 0 {
		t.Errorf("described, but never answered:\n%s", strings.Join(unseen, "\n"))
	}
}

// accounts are answers that depend on the account, its export or its agent.
func (d *answersBench) accounts(t *testing.T) {
	t.Parallel()
	const hello = `{"message":"Hello"}`
	const byUser = `{"message":"Hello","user_id":"customer-7","variables":{}}`
	set := func(query string) func(storetest.Fixture) {
		return func(f storetest.Fixture) { storetest.Exec(t, d.store, query, f.Account.ID) }
	}
	block := func(f storetest.Fixture) {
		_, err := conversations.On(d.store).BlockEndUser(t.Context(), f.Account.ID, "customer-7", true)
		if err != nil {
			t.Fatal(err)
		}
	}
	const limitUsers = `UPDATE api_exports SET user_daily_message_limit = 20 WHERE account_id = $1`
	const unpaidCalls = `UPDATE accounts SET unpaid_tat = now() + interval '11 min' WHERE id = $1`
	needsPlan := storetest.Options{Variables: []agent.Variable{{Name: "plan", Required: true}}}
	for _, c := range []struct {
		options storetest.Options
		prepare func(storetest.Fixture)
		replies int // before the call
		body    string
		status  int
		code    string
	}{
		{prepare: set(`UPDATE api_exports SET paused_at = now() WHERE account_id = $1`), body: hello,
			status: 403, code: "export_paused"},
		{prepare: set(`UPDATE accounts SET state = 'SUSPENDED' WHERE id = $1`), body: hello,
			status: 403, code: "account_suspended"},
		{prepare: set(unpaidCalls), body: hello, status: 429, code: "rate_limited"},
		{prepare: block, body: byUser, status: 403, code: "user_blocked"},
		{prepare: set(limitUsers), replies: 20, body: byUser, status: 402, code: "limit_reached"},
		{prepare: set(limitUsers), body: hello, status: 400, code: "invalid_request"},
		{options: needsPlan, body: `{"message":"Hello","variables":{"plan":"gold"}}`, status: 200},
		{options: needsPlan, body: hello, status: 400, code: "invalid_request"},
		{options: storetest.Options{Credits: -1}, body: hello, status: 402, code: "insufficient_credits"},
		{options: storetest.Options{Offline: true}, body: hello, status: 409, code: "agent_not_ready"},
		{options: storetest.Options{Draft: true}, body: hello, status: 409, code: "agent_not_ready"},
		{options: storetest.Options{Model: "gone/model", Age: time.Hour}, body: hello, status: 409,
			code: "agent_not_ready"},
		{options: storetest.Options{RatePerMinute: 1}, replies: 1, body: hello, status: 429,
			code: "rate_limited"},
	} {
		f := storetest.Seed(t, d.store, c.options)
		if c.prepare != nil {
			c.prepare(f)
		}
		ask := call{key: f.Key.Reveal(), body: c.body, described: true}
		for range c.replies {
			ask.status = 200
			d.ask(t, ask)
		}
		ask.status, ask.code = c.status, c.code
		d.ask(t, ask)
	}
}

// inProgress sends messages while the first message of the session is being answered.
func (d *answersBench) inProgress(t *testing.T) {
	t.Parallel()
	key := d.fixture.Key.Reveal()
	body := `{"message":"` + held + `","session_id":"busy"}`
	conn, reader := dial(t, d.address)
	first := request(key, body, "Idempotency-Key: held")
	write(t, conn, first)
	<-d.gate.entered
	other := with("session_id", `"busy"`)
	d.ask(t, call{body: other, status: 409, code: "session_busy", described: true})
	d.drain() // ends the waits for another request's turn
	again := call{body: body, headers: []string{"Idempotency-Key: held"}, described: true}
	again.status, again.code = 409, "request_in_progress"
	d.ask(t, again)
	close(d.gate.open)
	d.check(t, call{status: 200, described: true}, first, receive(t, reader, http.MethodPost))
}

// frames are the answers that are not about a whole message: to another path or method, and to a
// body that does not come.
func (d *answersBench) frames(t *testing.T) {
	t.Parallel()
	usual := request(d.fixture.Key.Reveal(), quoted("Hello"))
	for text, c := range map[string]call{
		strings.Replace(usual, "/chat", "/talk", 1): {status: 404, code: "not_found"},
		strings.Replace(usual, "POST", "PUT", 1):    {status: 405, code: "method_not_allowed"},
	} {
		c.described = true
		d.check(t, c, text, sendRaw(t, d.address, text)[0])
	}
	conn, reader := dial(t, d.slow)
	write(t, conn, strings.TrimSuffix(usual, `"}`))
	d.check(t, call{status: 408, code: "request_timeout", described: true}, usual,
		receive(t, reader, http.MethodPost))
}

func (d *answersBench) unavailable(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	text := request(b.fixture.Key.Reveal(), quoted("Hello"), "X-Request-Id: "+strconv.Itoa(503))
	d.check(t, call{status: 503, code: "unavailable", described: true}, text, sendRaw(t, b.address, text)[0])
}

// badRequests are rejected before a turn begins. TestBodiesAreRefused has more bodies.
func badRequests() []call {
	const hello = `{"message":"Hello"}`
	long := strings.Repeat("x", 256)
	return []call{
		{body: `[]`, status: 400, code: "invalid_json"},
		{body: `{}`, status: 400, code: "invalid_request"},
		{body: `{"message":"Hello","session_id":"` + long + `"}`, status: 400, code: "invalid_request"},
		{body: `{"message":"Hello","sessionId":"order-42"}`, status: 400, code: "invalid_request"},
		{body: `{"message":"Hello","session_id":"undefined"}`, status: 400, code: "invalid_request",
			described: true},
		{body: bringing(`{"id":"a","result":"` + strings.Repeat("x", 16383) + `"}`), status: 400,
			code: "invalid_request", described: true},
		{body: `{"message":"Hello","variables":{"plan":"gold"}}`, status: 400, code: "invalid_request",
			described: true},
		{body: `{"message":"Hello","background":true}`, status: 400, code: "invalid_request", described: true},
		{body: `{"message":"Hello","background":true,"stream":true}`, status: 400, code: "invalid_request"},
		{body: hello, headers: []string{"Idempotency-Key: " + long}, status: 400, code: "invalid_idempotency_key"},
		{body: hello, headers: []string{"Idempotency-Key: a b"}, status: 400, code: "invalid_idempotency_key"},
		{body: hello, headers: []string{"Authorization: Bearer a", "Authorization: Bearer b"},
			status: 400, code: "invalid_authorization", described: true},
		{body: hello, headers: []string{"Authorization:"}, status: 401, code: "unauthorized"},
		{body: hello, key: "agc_unknown", status: 401, code: "unauthorized", described: true},
		{body: `{"message":"Hello"}` + strings.Repeat(" ", rest.MaxBodyBytes), status: 413,
			code: "payload_too_large", described: true},
		{body: hello, headers: []string{"Content-Type: text/plain"}, status: 415, code: "unsupported_media_type"},
		{body: hello, headers: []string{"Content-Type: application/json; charset=utf-16"}, status: 415,
			code: "unsupported_media_type", described: true},
		{body: hello, headers: []string{"Content-Encoding: gzip"}, status: 415,
			code: "unsupported_media_type", described: true},
	}
}

// failures are those of the model, before a reply or its stream begins.
func failures() []call {
	var out []call
	for fail, c := range map[string]call{
		"blocked": {status: 422, code: "content_blocked"}, "panic": {status: 500, code: "internal"},
		"internal": {status: 500, code: "internal"}, "error": {status: 502, code: "model_error"},
		"garbage": {status: 502, code: "model_error"}, "unavailable": {status: 503, code: "model_unavailable"},
		"timeout": {status: 504, code: "model_timeout"},
	} {
		c.body, c.described = quoted("[[sandbox fail="+fail+"]]"), true
		streamed := c
		streamed.headers = []string{"Accept: text/event-stream"}
		out = append(out, c, streamed)
	}
	return out
}

// bringing is a body with results of actions.
func bringing(results string) string { return `{"session_id":"s","action_results":[` + results + `]}` }
