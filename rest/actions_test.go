package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
)

// deskActions are the actions of an order desk.
var deskActions = []agent.Action{
	{Name: "order_status", Description: "Looks up an order.",
		Parameters: `{"type":"object","required":["order"],"properties":{"order":{"type":"string"},"number":{"type":"integer"}}}`},
	{Name: "wait", Description: "Waits.", Parameters: `{"type":"object","additionalProperties":false}`},
}

// asked is an action that a reply asks for.
type asked struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// whole returns the JSON of a reply, whole or streamed.
func (r reply) whole(t *testing.T) string {
	t.Helper()
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%d: %s", r.StatusCode, r.text)
	}
	if r.Header.Get("Content-Type") == "application/json" {
		return strings.TrimSpace(r.text)
	}
	return string(parseStream(t, r).end)
}

// actions returns the actions that a reply asks for.
func (r reply) actions(t *testing.T) []asked {
	t.Helper()
	var body struct{ Actions []asked }
	if err := json.Unmarshal([]byte(r.whole(t)), &body); err != nil {
		t.Fatalf("%v: %s", err, r.text)
	}
	return body.Actions
}

// results is a body with the same result for each action.
func results(session, result string, actions []asked) string {
	list := make([]string, len(actions))
	for i, a := range actions {
		list[i] = `{"id":"` + a.ID + `","result":` + result + `}`
	}
	return `{"session_id":"` + session + `","action_results":[` + strings.Join(list, ",") + `]}`
}

// asking returns a message that asks for actions, with a text.
func asking(session, text, directive string) string {
	return `{"message":` + strconv.Quote(text+"[[sandbox "+directive+"]]") + `,"session_id":"` + session + `"}`
}

const eventStream = "Accept: text/event-stream"

// TestActions tests the JSON and the stream of a reply that asks for actions, and of the reply to
// their results. Each is replayed in both forms, also for results in another order.
func TestActions(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Actions: deskActions}, nil)
	for session, c := range map[string]struct{ text, reply, names string }{
		"text": {"Where? ", "Let me look.", "[start delta action end]"}, "no-text": {"", "", "[start action end]"},
	} {
		body := asking(session, c.text,
			`action=order_status {"order":"<é>\u0000","number":12345678901234567890} action=wait`)
		stream := b.post(t, body, eventStream, "Idempotency-Key: ask-"+session)
		s := parseStream(t, stream)
		if fmt.Sprint(s.names) != c.names {
			t.Errorf("%s: events %v", session, s.names)
		}
		id := s.start.MessageID
		first := `{"id":"act_` + id +
			`_1","name":"order_status","arguments":{"order":"<é>\u0000","number":12345678901234567890}}`
		second := `{"id":"act_` + id + `_2","name":"wait","arguments":{}}`
		want := `{"message_id":"` + id + `","session_id":"` + session + `","reply":"` + c.reply +
			`","finish_reason":"actions","actions":[` + first + `,` +
			second + `],"model":"sandbox/assistant","agent_version":1,"usage":{`
		if !strings.HasPrefix(string(s.end), want) || s.text != c.reply ||
			!strings.Contains(stream.text,
				"event: action\ndata: "+first+"\n\nevent: action\ndata: "+second+"\n\nevent: end\n") {
			t.Errorf("%s: got %s\nwant %s", session, stream.text, want)
		}
		sameAgain := func(body, key string, first reply) {
			t.Helper()
			for _, accept := range []string{"Accept: application/json", eventStream} {
				again := b.post(t, body, accept, "Idempotency-Key: "+key)
				if again.Header.Get("Idempotent-Replayed") != "true" || again.whole(t) != first.whole(t) ||
					accept == eventStream && first.Header.Get("Content-Type") !=
						"application/json" && fmt.Sprint(parseStream(t, again).names) != fmt.Sprint(parseStream(t, first).names) {
					t.Errorf("%s: again %s, %s after %s", session, accept, again.text, first.text)
				}
			}
		}
		sameAgain(body, "ask-"+session, stream)
		brought := `{"session_id":"` + session + `","action_results":[{"id":"act_` + id +
			`_2","error":"No."},{"id":"act_` + id + `_1","result":{"b": 1, "a": "<\u0000>"}}]}`
		last := b.post(t, brought, "Idempotency-Key: bring-"+session)
		if text := last.whole(t); strings.Contains(text, `"actions"`) ||
			!strings.Contains(text, `"finish_reason":"stop","model"`) ||
			!strings.Contains(text,
				`The action order_status returned: {\"a\":\"<\\u0000>\",\"b\":1}. The action wait failed: No.`) {
			t.Errorf("%s: %s", session, text)
		}
		sameAgain(brought, "bring-"+session, last)
		ordered := `{"action_results":[{"result":{"a":"<\u0000>","b":1},"id":"act_` + id +
			`_1"},{"id":"act_` + id + `_2","error":"No."}],"session_id":"` + session + `"}`
		sameAgain(ordered, "bring-"+session, last)
		b.post(t, strings.Replace(ordered, `"No."`, `"No!"`, 1),
			"Idempotency-Key: bring-"+session).refused(t, 422, "idempotency_key_reused")
	}
	if balance, held := b.credits(t); balance != 96 || held != 0 {
		t.Errorf("balance %d, held %d after four replies", balance, held)
	}
	storetest.Audit(t, b.store)
}
