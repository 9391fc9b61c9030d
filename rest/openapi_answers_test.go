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

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/sandbox"
	"agentchat/internal/openapitest"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/sources"
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
	d.address, d.slow = serve(t, api), serveWithin(t, api, 50*time.Millisecond)
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
		if wait := r.Header.Get("Retry-After"); (wait != "") != contract[fault.Kind(c.code)].retryAfter {
			t.Errorf("%s has Retry-After %q", c.code, wait)
		}
	} else if r.StatusCode != c.status {
		t.Errorf("got %d, want %d: %s", r.StatusCode, c.status, r.text)
	}
	d.document.Check(t, r.Response, []byte(r.text))
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
		t.Run("in progress", d.inProgress)
		t.Run("paths, methods and slow bodies", d.frames)
		t.Run("database unavailable", d.unavailable)
	})
	if unseen := d.document.Unseen(); len(unseen) > 0 {
		t.Errorf("described, but never answered:\n%s", strings.Join(unseen, "\n"))
	}
}

func (d *answersBench) replies(t *testing.T) {
	t.Parallel()
	once := []string{"Idempotency-Key: once", "X-Request-Id: checkout-7f3a"}
	for _, body := range []string{
		quoted("Hello, my name is Ada."), `{"message":"x","session_id":null,"stream":false}`, quoted("[[sandbox finish=length]]"),
		quoted("[[sandbox tokens=-1:30]]"), `{"message":"\u00a0é😀","session_id":"josé +1 (555) 私"}`,
	} {
		d.ask(t, call{body: body, status: 200, described: true})
	}
	for _, body := range []string{`{"message":"Hello","stream":true}`,
		`{"message":"[[sandbox fail=error after=2]]","stream":true}`,
		`{"message":"[[sandbox fail=blocked after=2]]","stream":true}`, quoted("[[sandbox fail=blocked after=2]]")} {
		d.ask(t, call{body: body, status: 200, described: true})
	}
	one := `{"message":"Hello","session_id":"s"}`
	first := d.ask(t, call{body: one, headers: once, status: 200, described: true}).answer(t)
	again := d.ask(t, call{body: one, headers: once, status: 200, described: true})
	if again.answer(t).MessageID != first.MessageID || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("no replay: %v %s", again.Header, again.text)
	}
	d.ask(t,
		call{body: quoted("Hello"), headers: once, status: 422, code: "idempotency_key_reused",
			described: true})
	page := `SELECT id FROM conversations WHERE agent_id = $1 AND session_id = 's'`
	var id uuid.UUID
	if err := d.store.SQL().QueryRowContext(t.Context(), page, d.fixture.Agent.ID).Scan(&id); err != nil {
		t.Fatal(err)
	}
	if err := erasure.On(d.store).DeleteConversation(t.Context(), d.fixture.Account.ID, id); err != nil {
		t.Fatal(err)
	}
	d.ask(t, call{body: one, headers: once, status: 410, code: "conversation_deleted", described: true})
}

func (d *answersBench) accounts(t *testing.T) {
	t.Parallel()
	paused := storetest.Seed(t, d.store, storetest.Options{})
	if _, err := exports.On(d.store).PauseExport(t.Context(), paused.Account.ID, paused.Export.ID,
		true); err != nil {
		t.Fatal(err)
	}
	d.ask(t,
		call{key: paused.Key.Reveal(), body: quoted("Hello"), status: 403, code: "export_paused",
			described: true})
	suspended := storetest.Seed(t, d.store, storetest.Options{})
	storetest.SetAccountState(t, d.store, suspended.Account.ID, account.Suspended)
	d.ask(t,
		call{key: suspended.Key.Reveal(), body: quoted("Hello"), status: 403, code: "account_suspended",
			described: true})
	blocked := storetest.Seed(t, d.store, storetest.Options{})
	if _, err := conversations.On(d.store).BlockEndUser(t.Context(), blocked.Account.ID, "customer-7",
		true); err != nil {
		t.Fatal(err)
	}
	d.ask(t,
		call{key: blocked.Key.Reveal(), body: `{"message":"Hello","user_id":"customer-7"}`, status: 403,
			code: "user_blocked", described: true})
	limited := storetest.Seed(t, d.store, storetest.Options{})
	_, err := exports.On(d.store).UpdateExport(t.Context(), limited.Account.ID, limited.Export.ID,
		agent.ExportChanges{UserDailyMessageLimit: agent.Change[int]{Set: true, Value: new(20)}})
	if err != nil {
		t.Fatal(err)
	}
	byUser := `{"message":"Hello","user_id":"customer-7","variables":{}}`
	for range 20 {
		d.ask(t, call{key: limited.Key.Reveal(), body: byUser, status: 200, described: true})
	}
	d.ask(t, call{key: limited.Key.Reveal(), body: byUser, status: 402, code: "limit_reached", described: true})
	d.ask(t,
		call{key: limited.Key.Reveal(), body: quoted("Hello"), status: 400, code: "invalid_request",
			described: true})
	filled := storetest.Seed(t, d.store,
		storetest.Options{Variables: []agent.Variable{{Name: "plan", Required: true}}})
	d.ask(t,
		call{key: filled.Key.Reveal(), body: `{"message":"Hello","variables":{"plan":"gold"}}`,
			status: 200, described: true})
	d.ask(t,
		call{key: filled.Key.Reveal(), body: quoted("Hello"), status: 400, code: "invalid_request",
			described: true})
	for _, c := range []struct {
		options storetest.Options
		call    call
	}{
		{storetest.Options{Credits: -1}, call{status: 402, code: "insufficient_credits"}},
		{storetest.Options{Offline: true}, call{status: 409, code: "agent_not_ready"}},
		{storetest.Options{Draft: true}, call{status: 409, code: "agent_not_ready"}},
		{storetest.Options{Model: "gone/model", Age: time.Hour}, call{status: 409, code: "agent_not_ready"}},
		{storetest.Options{RatePerMinute: 1}, call{status: 200}},
	} {
		c.call.key, c.call.body, c.call.described = storetest.Seed(t, d.store,
			c.options).Key.Reveal(), quoted("Hello"), true
		d.ask(t, c.call)
		if c.options.RatePerMinute > 0 {
			c.call.status, c.call.code = 429, "rate_limited"
			d.ask(t, c.call)
		}
	}
	f := storetest.Seed(t, d.store, storetest.Options{})
	_, err = d.store.SQL().ExecContext(t.Context(),
		`UPDATE accounts SET unpaid_tat = now() + interval '11 min' WHERE id = $1`, f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	d.ask(t, call{key: f.Key.Reveal(), body: quoted("Hello"), status: 429, code: "rate_limited", described: true})
}

func (d *answersBench) shapes(t *testing.T) {
	t.Parallel()
	key := storetest.Seed(t, d.store,
		storetest.Options{ReplySchema: `{"type":"object","required":["note"],"properties":{"note":{"type":"string"}}}`}).Key.Reveal()
	for _, body := range []string{quoted("Hello"), `{"message":"Hello","stream":true}`} {
		r := d.ask(t, call{key: key, body: body, status: 200, described: true})
		if !strings.Contains(r.text,
			`"reply":"{\"note\":\"Hello\"}","output":{"note":"Hello"},"finish_reason":"stop"`) {
			t.Errorf("%s: %s", body, r.text)
		}
	}
	empty := storetest.Seed(t, d.store, storetest.Options{ReplySchema: `{"type":"object"}`}).Key.Reveal()
	if r := d.ask(t,
		call{key: empty, body: quoted("Hello"), status: 200, described: true}); !strings.Contains(r.text,
		`"reply":"{}","output":{},`) {
		t.Errorf("an output without members: %s", r.text)
	}
	for _, directive := range []string{"misfit", "text", "cut"} {
		for _, stream := range []string{"false", "true"} {
			d.ask(t,
				call{key: key, body: `{"message":"[[sandbox output=` + directive + `]]","stream":` + stream +
					`}`, status: 502, code: "invalid_output", described: true})
		}
	}
}

func (d *answersBench) actions(t *testing.T) {
	t.Parallel()
	f := storetest.Seed(t, d.store, storetest.Options{Actions: deskActions})
	key := f.Key.Reveal()
	for i, stream := range []string{"false", "true", "null"} {
		headers := []string{"Accept: " + [2]string{"application/json", "text/event-stream"}[i%2]}
		session := `"session_id":"s` + strconv.Itoa(i) + `","stream":` + stream
		ask := call{key: key, headers: headers, status: 200, described: stream != "null",
			body: `{"message":"Where? [[sandbox action=order_status {\"order\":\"A-1\"} action=wait]]",` + session + `}`}
		asked := d.ask(t, ask).actions(t)
		if len(asked) != 2 {
			t.Fatalf("asked for %+v", asked)
		}
		half := call{key: key, headers: headers, status: 409, code: "action_mismatch", described: stream != "null",
			body: `{"action_results":[{"id":"` + asked[0].ID + `","result":null}],` + session + `}`}
		if r := d.ask(t,
			half); !strings.Contains(r.text, `"details":{"open":["`+asked[0].ID+`","`+asked[1].ID+`"]}`) {
			t.Errorf("one result of two: %s", r.text)
		}
		ask.body = `{"message":null,"variables":[],"action_results":[{"id":"` + asked[0].ID +
			`","result":null},{"id":"` + asked[1].ID + `","error":"No."}],` + session + `}`
		ask.described = false // variables
		d.ask(t, ask)
		ask.body, ask.described = strings.Replace(strings.Replace(ask.body, `"variables":[],`, "", 1),
			`"error":"No."`, `"error":null,"result":{}`, 1), stream != "null"
		ask.status, ask.code = 409, "action_mismatch"
		if r := d.ask(t, ask); !strings.Contains(r.text, `"details":{"open":[]}`) {
			t.Errorf("other results than the answered ones: %s", r.text)
		}
	}
	for _, directive := range []string{"order_status bad", "delete_order {}"} {
		d.ask(t,
			call{key: key, body: quoted("[[sandbox action=" + directive + "]]"), status: 502,
				code: "invalid_output", described: true})
	}
}

func (d *answersBench) sources(t *testing.T) {
	t.Parallel()
	f := storetest.Seed(t, d.store, storetest.Options{})
	ids := learn(t, d.store, f)
	for message, want := range map[string]string{
		"How long do refunds take?": `[{"n":1,"source_id":"` + ids[0] +
			`","name":"Returns <1>.pdf","heading":"Refunds > Time limits","page":3}]`,
		"When do you open?": `[{"n":2,"source_id":"` + ids[1] +
			`","name":"Hours","heading":null,"page":null}]`,
		"[[sandbox words=3]]": `[]`,
	} {
		for _, stream := range []string{"false", "true"} {
			body := `{"message":"` + message + `","stream":` + stream + `}`
			r := d.ask(t, call{key: f.Key.Reveal(), body: body, status: 200, described: true})
			if !strings.Contains(r.text, `"finish_reason":"stop","sources":`+want+`,"model":`) {
				t.Errorf("%s: %s", body, r.text)
			}
		}
	}
}

// fallbacks are answered by the fallback model, which the reply names, at its price.
func (d *answersBench) fallbacks(t *testing.T) {
	t.Parallel()
	key := storetest.Seed(t, d.store, storetest.Options{FallbackModel: "sandbox/free"}).Key.Reveal()
	for _, stream := range []string{"false", "true"} {
		for directive, want := range map[string]string{
			"":                                   `"model":"sandbox/assistant","agent_version":1,"usage":{"credits":1,`,
			"[[sandbox fail=unavailable first]]": `"model":"sandbox/free","agent_version":1,"usage":{"credits":0,`,
		} {
			body := `{"message":"Hello ` + directive + `","stream":` + stream + `}`
			if r := d.ask(t, call{key: key, body: body, status: 200, described: true}); !strings.Contains(r.text, want) {
				t.Errorf("%s: %s", body, r.text)
			}
		}
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
	d.ask(t,
		call{body: `{"message":"Hello","session_id":"busy"}`, status: 409, code: "session_busy",
			described: true})
	d.ask(t,
		call{body: body, headers: []string{"Idempotency-Key: held"}, status: 409,
			code: "request_in_progress", described: true})
	close(d.gate.open)
	d.check(t, call{status: 200, described: true}, first, receive(t, reader, http.MethodPost))
}

// frames are the answers that are not about a whole message: to another path or method, and to a
// body that does not come.
func (d *answersBench) frames(t *testing.T) {
	t.Parallel()
	usual := request(d.fixture.Key.Reveal(), quoted("Hello"))
	for text, c := range map[string]call{
		strings.Replace(usual, rest.ChatPath, "/v1/agent/talk", 1): {status: 404, code: "not_found", described: true},
		strings.Replace(usual, "POST", "PUT", 1): {status: 405,
			code: "method_not_allowed", described: true},
	} {
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

// learn gives an agent a passage with a heading and a page, and one without, and returns the
// sources' ids.
func learn(t *testing.T, s *store.DB, f storetest.Fixture) (ids [2]string) {
	t.Helper()
	for i, passage := range []knowledge.Passage{{Heading: "Refunds > Time limits", Page: 3,
		Text: "Refunds take 30 days."}, {Text: "We open at nine."}} {
		added, err := sources.On(s).AddKnowledge(t.Context(), f.Account.ID, f.Agent.ID,
			sources.NewKnowledge{Kind: knowledge.Text, Name: [2]string{"Returns <1>.pdf", "Hours"}[i],
				Text: passage.Text, Size: int64(len(passage.Text)), Passages: []knowledge.Passage{passage}})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = added.ID.String()
	}
	storetest.Publish(t, s, f.Agent)
	return ids
}
