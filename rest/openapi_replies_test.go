package rest_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

func (d *answersBench) replies(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		quoted("Hello, my name is Ada."),
		`{"message":"x","session_id":null,"stream":false}`,
		quoted("[[sandbox finish=length]]"),
		quoted("[[sandbox tokens=-1:30]]"),
		quoted("[[sandbox fail=blocked after=2]]"),
		`{"message":"\u00a0é😀","session_id":"josé +1 (555) 私"}`,
		`{"message":"Hello","stream":true}`,
		`{"message":"[[sandbox fail=error after=2]]","stream":true}`,
		`{"message":"[[sandbox fail=blocked after=2]]","stream":true}`,
	} {
		d.ask(t, call{body: body, status: 200, described: true})
	}
	once := []string{"Idempotency-Key: once", "X-Request-Id: checkout-7f3a"}
	ask := call{body: with("session_id", `"s"`), headers: once, status: 200, described: true}
	first, again := d.ask(t, ask), d.ask(t, ask)
	if again.text != first.text || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("no replay: %v %s", again.Header, again.text)
	}
	other := ask
	other.body, other.status, other.code = quoted("Hello"), 422, "idempotency_key_reused"
	d.ask(t, other)
	erase := erasure.On(d.store).DeleteConversationsBySessionID
	if _, err := erase(t.Context(), d.fixture.Account.ID, "s", nil); err != nil {
		t.Fatal(err)
	}
	ask.status, ask.code = 410, "conversation_deleted"
	d.ask(t, ask)
}

func (d *answersBench) shapes(t *testing.T) {
	t.Parallel()
	const note = `{"type":"object","required":["note"],"properties":{"note":{"type":"string"}}}`
	for schema, want := range map[string]string{
		note:                `"reply":"{\"note\":\"hi\"}","output":{"note":"hi"},"finish_reason"`,
		`{"type":"object"}`: `"reply":"{}","output":{},"finish_reason"`,
	} {
		key := storetest.Seed(t, d.store, storetest.Options{ReplySchema: schema}).Key.Reveal()
		for _, stream := range []string{"false", "true"} {
			hello := call{key: key, body: with("stream", stream), status: 200, described: true}
			if r := d.ask(t, hello); !strings.Contains(r.text, want) {
				t.Errorf("%s: %s", hello.body, r.text)
			}
			for _, directive := range []string{"misfit", "text", "cut"} {
				body := `{"message":"[[sandbox output=` + directive + `]]","stream":` + stream + `}`
				d.ask(t, call{key: key, body: body, status: 502, code: "invalid_output", described: true})
			}
		}
	}
}

// deskActions are the actions of an order desk.
var deskActions = []agent.Action{
	{Name: "order_status", Parameters: `{"type":"object","required":["order"],
		"properties":{"order":{"type":"string"},"number":{"type":"integer"}}}`},
	{Name: "wait", Parameters: `{"type":"object","additionalProperties":false}`},
}

// end returns the JSON of a reply, and the id of its message.
func (r reply) end(t *testing.T) (text, id string) {
	t.Helper()
	text = strings.TrimSpace(r.text)
	if r.Header.Get("Content-Type") != "application/json" {
		text = string(parseStream(t, r).end)
	}
	var body struct {
		MessageID string `json:"message_id"`
	}
	if err := json.Unmarshal([]byte(text), &body); err != nil || body.MessageID == "" {
		t.Fatalf("%v: %s", err, r.text)
	}
	return text, body.MessageID
}

// actions asks for actions and brings their results: as JSON, as a stream, and as the Accept header
// says. Each reply is replayed in both forms.
func (d *answersBench) actions(t *testing.T) {
	t.Parallel()
	key := storetest.Seed(t, d.store, storetest.Options{Actions: deskActions}).Key.Reveal()
	const arguments = `{"order":"<é>\u0000","number":12345678901234567890}`
	message := func(text string) string {
		return strconv.Quote(text + "[[sandbox action=order_status " + arguments + " action=wait]]")
	}
	// The field stream decides, and the Accept header only without it.
	const events = "Accept: text/event-stream"
	accepts := []string{events, "Accept: application/json", events}
	for i, stream := range []string{"false", "true", "null"} {
		session := `"session_id":"s` + strconv.Itoa(i) + `","stream":` + stream
		ask := call{key: key, status: 200, described: stream != "null",
			headers: []string{accepts[i], "Idempotency-Key: ask" + stream},
			body:    `{"message":` + message([]string{"Where? ", "", ""}[i]) + `,` + session + `}`}
		asked := d.ask(t, ask)
		text, id := asked.end(t)
		first := `{"id":"act_` + id + `_1","name":"order_status","arguments":` + arguments + `}`
		second := `{"id":"act_` + id + `_2","name":"wait","arguments":{}}`
		asks := "event: action\ndata: " + first + "\n\nevent: action\ndata: " + second +
			"\n\nevent: end\n"
		if !strings.Contains(text, `"finish_reason":"actions","actions":[`+first+`,`+second+`],`) ||
			strings.Contains(asked.text, asks) != (stream != "false") {
			t.Errorf("asked with stream %s: %s", stream, asked.text)
		}
		mismatch := ask
		mismatch.headers = ask.headers[:1]
		mismatch.status, mismatch.code = 409, "action_mismatch"
		mismatch.body = `{"action_results":[{"id":"act_` + id + `_1","result":null}],` + session + `}`
		open := `"details":{"open":["act_` + id + `_1","act_` + id + `_2"]}`
		if r := d.ask(t, mismatch); !strings.Contains(r.text, open) {
			t.Errorf("one result of two: %s", r.text)
		}
		bring := ask
		bring.headers = []string{ask.headers[0], "Idempotency-Key: bring" + stream}
		bring.body = `{"action_results":[{"id":"act_` + id + `_2","error":"No."},` +
			`{"id":"act_` + id + `_1","result":{"b": 1, "a": "<\u0000>"}}],` + session + `}`
		last, _ := d.ask(t, bring).end(t)
		if !strings.Contains(last, `"finish_reason":"stop","model":`) || !strings.Contains(last,
			`returned: {\"a\":\"<\\u0000>\",\"b\":1}. The action wait failed: No.`) {
			t.Errorf("after the results: %s", last)
		}
		for _, replayed := range []struct {
			call call
			want string
		}{{ask, text}, {bring, last}} {
			for _, form := range []string{"false", "true"} {
				again := replayed.call
				again.body = strings.Replace(again.body, `"stream":`+stream, `"stream":`+form, 1)
				again.described = true
				r := d.ask(t, again)
				if got, _ := r.end(t); got != replayed.want || r.Header.Get("Idempotent-Replayed") != "true" {
					t.Errorf("replayed with stream %s: %s, want %s", form, r.text, replayed.want)
				}
			}
		}
		mismatch.body = strings.Replace(bring.body, `"No."`, `"No!"`, 1)
		if r := d.ask(t, mismatch); !strings.Contains(r.text, `"details":{"open":[]}`) {
			t.Errorf("other results than the answered ones: %s", r.text)
		}
	}
	// PHP sends variables as an empty array.
	empty := `{"variables":[],"action_results":[{"id":"a","result":1}],"session_id":"s"}`
	d.ask(t, call{key: key, body: empty, status: 409, code: "action_mismatch"})
	for _, directive := range []string{"order_status bad", "delete_order {}"} {
		body := quoted("[[sandbox action=" + directive + "]]")
		d.ask(t, call{key: key, body: body, status: 502, code: "invalid_output", described: true})
	}
}

func (d *answersBench) sources(t *testing.T) {
	t.Parallel()
	f := storetest.Seed(t, d.store, storetest.Options{})
	file := storetest.KnowledgeText("Returns <1>.pdf", "Refunds take 30 days.")
	file.Passages[0].Heading, file.Passages[0].Page = "Refunds > Time limits", 3
	returns := storetest.Learn(t, d.store, f.Agent, file)
	hours := storetest.Learn(t, d.store, f.Agent, storetest.KnowledgeText("Hours", "We open at nine."))
	storetest.Publish(t, d.store, f.Agent)
	for message, want := range map[string]string{
		"How long do refunds take?": `[{"n":1,"source_id":"` + returns.ID.String() +
			`","name":"Returns <1>.pdf","heading":"Refunds > Time limits","page":3}]`,
		"When do you open?": `[{"n":2,"source_id":"` + hours.ID.String() +
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
