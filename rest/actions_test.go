package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
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

// whole is the JSON of a reply, whole or streamed.
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

// actions are what a reply asks for.
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

// asking is a message that asks for actions, with the text beside it.
func asking(session, text, directive string) string {
	return `{"message":` + strconv.Quote(text+"[[sandbox "+directive+"]]") + `,"session_id":"` + session + `"}`
}

// open are the ids that a mismatch says are open.
func (r reply) open(t *testing.T) []any {
	t.Helper()
	p := r.refused(t, http.StatusConflict, "action_mismatch")
	open, ok := p.Error.Details["open"].([]any)
	if !ok || len(p.Error.Details) != 1 || r.Header.Get("Retry-After") != "" {
		t.Errorf("%s, %v", r.text, r.Header)
	}
	return open
}

const eventStream = "Accept: text/event-stream"

// TestActions: a reply asks for actions, in JSON and as a stream, and results go on with it. Each reply can be had again in both forms.
func TestActions(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Actions: deskActions}, nil)
	for session, c := range map[string]struct{ text, reply, names string }{
		"text": {"Where? ", "Let me look.", "[start delta action end]"}, "no-text": {"", "", "[start action end]"},
	} {
		body := asking(session, c.text, `action=order_status {"order":"<é>\u0000","number":12345678901234567890} action=wait`)
		stream := b.post(t, body, eventStream, "Idempotency-Key: ask-"+session)
		s := parseStream(t, stream)
		if fmt.Sprint(s.names) != c.names {
			t.Errorf("%s: events %v", session, s.names)
		}
		id := s.start.MessageID
		first := `{"id":"act_` + id + `_1","name":"order_status","arguments":{"order":"<é>\u0000","number":12345678901234567890}}`
		second := `{"id":"act_` + id + `_2","name":"wait","arguments":{}}`
		want := `{"message_id":"` + id + `","session_id":"` + session + `","reply":"` + c.reply + `","finish_reason":"actions","actions":[` + first + `,` +
			second + `],"model":"sandbox/assistant","agent_version":1,"usage":{`
		if !strings.HasPrefix(string(s.end), want) || s.text != c.reply ||
			!strings.Contains(stream.text, "event: action\ndata: "+first+"\n\nevent: action\ndata: "+second+"\n\nevent: end\n") {
			t.Errorf("%s: got %s\nwant %s", session, stream.text, want)
		}
		sameAgain := func(body, key string, first reply) {
			t.Helper()
			for _, accept := range []string{"Accept: application/json", eventStream} {
				again := b.post(t, body, accept, "Idempotency-Key: "+key)
				if again.Header.Get("Idempotent-Replayed") != "true" || again.whole(t) != first.whole(t) || accept == eventStream && first.Header.Get("Content-Type") !=
					"application/json" && fmt.Sprint(parseStream(t, again).names) != fmt.Sprint(parseStream(t, first).names) {
					t.Errorf("%s: again %s, %s after %s", session, accept, again.text, first.text)
				}
			}
		}
		sameAgain(body, "ask-"+session, stream)
		brought := `{"session_id":"` + session + `","action_results":[{"id":"act_` + id + `_2","error":"No."},{"id":"act_` + id + `_1","result":{"b": 1, "a": "<\u0000>"}}]}`
		last := b.post(t, brought, "Idempotency-Key: bring-"+session)
		if text := last.whole(t); strings.Contains(text, `"actions"`) || !strings.Contains(text, `"finish_reason":"stop","model"`) ||
			!strings.Contains(text, `The action order_status returned: {\"a\":\"<\\u0000>\",\"b\":1}. The action wait failed: No.`) {
			t.Errorf("%s: %s", session, text)
		}
		sameAgain(brought, "bring-"+session, last)
		ordered := `{"action_results":[{"result":{"a":"<\u0000>","b":1},"id":"act_` + id + `_1"},{"id":"act_` + id + `_2","error":"No."}],"session_id":"` + session + `"}`
		sameAgain(ordered, "bring-"+session, last)
		sameAgain(ordered, "another-"+session, last) // its answer was lost
		if again := b.post(t, ordered); again.Header.Get("Idempotent-Replayed") != "true" || again.text != last.text {
			t.Errorf("%s: without a key %s", session, again.text)
		}
		b.post(t, strings.Replace(ordered, `"No."`, `"No!"`, 1), "Idempotency-Key: bring-"+session).refused(t, 422, "idempotency_key_reused")
		if open := b.post(t, strings.Replace(ordered, `"No."`, `"No!"`, 1)).open(t); len(open) != 0 {
			t.Errorf("%s: open %v", session, open)
		}
	}
	if balance, held := b.credits(t); balance != 96 || held != 0 {
		t.Errorf("balance %d, held %d after four replies", balance, held)
	}
	storetest.Audit(t, b.store)
}

// TestActionsUnderASchema: a reply that asks for actions has no output; the one at the end has, also where it is empty.
func TestActionsUnderASchema(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Actions: deskActions, ReplySchema: `{"type":"object"}`}, nil)
	for _, accept := range []string{"Accept: application/json", eventStream} {
		session := strconv.Itoa(len(accept))
		first := b.post(t, asking(session, "", "action=wait"), accept)
		if strings.Contains(first.whole(t), `"output":`) {
			t.Errorf("%s", first.text)
		}
		last := b.post(t, results(session, `{"state":"shipped"}`, first.actions(t)), accept)
		if !strings.Contains(last.whole(t), `"reply":"{}","output":{},"finish_reason":"stop"`) {
			t.Errorf("%s", last.text)
		}
	}
}

// TestActionsStayOpen: whatever refuses results, or fails their reply, leaves the actions open.
func TestActionsStayOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, unobserved)
	live := func(string) bool { return true }
	for name, c := range map[string]struct {
		close, reopen func(f storetest.Fixture) error
		status        int
		code          string
	}{
		"offline": {
			func(f storetest.Fixture) error {
				_, err := agents.On(b.store).UnpublishAgent(t.Context(), f.Account.ID, f.Agent.ID)
				return err
			},
			func(f storetest.Fixture) error {
				_, _, err := versions.On(b.store).PublishAgent(t.Context(), f.Account.ID, f.Agent.ID, versions.Publication{}, live)
				return err
			}, 409, "agent_not_ready"},
		"paused": {
			func(f storetest.Fixture) error {
				_, err := exports.On(b.store).PauseExport(t.Context(), f.Account.ID, f.Export.ID, true)
				return err
			},
			func(f storetest.Fixture) error {
				_, err := exports.On(b.store).PauseExport(t.Context(), f.Account.ID, f.Export.ID, false)
				return err
			}, 403, "export_paused"},
		"blocked": {
			func(f storetest.Fixture) error {
				_, err := conversations.On(b.store).BlockEndUser(t.Context(), f.Account.ID, "ada", true)
				return err
			},
			func(f storetest.Fixture) error {
				_, err := conversations.On(b.store).BlockEndUser(t.Context(), f.Account.ID, "ada", false)
				return err
			}, 403, "user_blocked"},
		"without credits": {
			func(storetest.Fixture) error { return nil },
			func(f storetest.Fixture) error {
				_, err := credits.On(b.store).GrantCredits(t.Context(), credits.Grant{AccountID: f.Account.ID, Amount: 1, Note: "Test."})
				return err
			}, 402, "insufficient_credits"},
	} {
		options := storetest.Options{Actions: deskActions}
		if c.code == "insufficient_credits" {
			options.Credits = 1
		}
		f := storetest.Seed(t, b.store, options)
		post := func(body string) reply {
			return sendRaw(t, b.address, request(f.Key.Reveal(), strings.Replace(body, "{", `{"user_id":"ada",`, 1)))[0]
		}
		asked := post(asking("s", "", "action=wait")).actions(t)
		if err := c.close(f); err != nil {
			t.Fatal(err)
		}
		post(results("s", "1", asked)).refused(t, c.status, c.code)
		if err := c.reopen(f); err != nil {
			t.Fatal(err)
		}
		if got := post(results("s", "1", asked)).whole(t); !strings.Contains(got, `"agent_version":1`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	f := storetest.Seed(t, b.store, storetest.Options{Actions: deskActions})
	post := func(body string, headers ...string) reply {
		return sendRaw(t, b.address, request(f.Key.Reveal(), body, headers...))[0]
	}
	ask := strings.Replace(asking("s", "", "action=wait"), "{", `{"user_id":"ada",`, 1)
	asked := post(ask).actions(t)
	for _, other := range []string{`"user_id":"grace",`, `"user_id":null,`} {
		p := post(strings.Replace(results("s", "1", asked), "{", "{"+other, 1)).refused(t, 400, "invalid_request")
		if p.Error.Details["field"] != "user_id" {
			t.Errorf("%s: %+v", other, p)
		}
	}
	post(`{"message":"[[sandbox fail=error]]","session_id":"s","user_id":"ada"}`).refused(t, 502, "model_error")
	post(strings.Replace(results("s", "1", asked), "{", `{"user_id":"ada",`, 1)).whole(t)
	storetest.Audit(t, b.store)
}

// TestVersionsOfActions: what results go on with has the version and the values of the message that began it, whatever was published or
// pinned meanwhile, through every key of the agent.
func TestVersionsOfActions(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Instructions: "Edition 1 for {{name}}", Actions: deskActions, Variables: []agent.Variable{{Name: "name"}}}, nil)
	ask := `{"message":"[[sandbox action=wait action=again]]","session_id":"s","variables":{"name":"Ada"}}`
	asked := b.post(t, ask).actions(t)
	none := []agent.Variable{}
	_, err := agents.On(b.store).UpdateAgent(t.Context(), b.fixture.Account.ID, b.fixture.Agent.ID, agent.Changes{
		Instructions: agent.Change[string]{Set: true, Value: new("Edition 2")}, Variables: agent.Change[[]agent.Variable]{Set: true, Value: &none},
		Actions: agent.Change[[]agent.Action]{Set: true, Value: new([]agent.Action{})}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Publish(t, b.store, b.fixture.Agent)
	_, _, other := storetest.SeedExport(t, b.store, b.fixture.Account.ID, b.fixture.Agent.ID, 600)
	pin := func(version *int) {
		t.Helper()
		_, err := exports.On(b.store).UpdateExport(t.Context(), b.fixture.Account.ID, b.fixture.Export.ID, agent.ExportChanges{Version: agent.Change[int]{Set: true, Value: version}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, version := range []*int{new(2), nil, new(1), new(2)} {
		pin(version)
		key := b.fixture.Key
		if i%2 == 1 {
			key = other
		}
		got := sendRaw(t, b.address, request(key.Reveal(), results("s", strconv.Itoa(i), asked)))[0]
		if text := got.whole(t); !strings.Contains(text, `"agent_version":1`) || !strings.Contains(text, `"finish_reason":"actions"`) {
			t.Fatalf("round %d: %s", i, text)
		}
		asked = got.actions(t)
	}
	if seen := b.post(t, `{"message":"[[sandbox history]]","session_id":"s"}`).whole(t); !strings.Contains(seen, "Edition 2") ||
		!strings.Contains(seen, `"agent_version":2`) {
		t.Errorf("a message: %s", seen)
	}
	storetest.Audit(t, b.store)
}
