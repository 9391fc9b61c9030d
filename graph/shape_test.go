package graph_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/turns"
)

// TestTurnsInShape: the owner sees a structured reply as output, and a rejected one as misfit.
func TestTurnsInShape(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.made(t, vars{"replySchema": `{"type":"object","required":["note"],"properties":{"note":{"type":"string"}}}`, "maxOutputTokens": nil}).
		text(t, "createAgent.agent.id")
	const try = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) {
		turn { reply output misfit errorCode } } }`
	say := func(message string) answer {
		return u.do(t, try, vars{"input": vars{"agentId": id, "message": message}})
	}
	const turn = "sendTestMessage.turn."
	say("Hello").wantValues(t, "a reply that fits", map[string]any{
		turn + "reply": `{"note":"Hello"}`, turn + "output": `{"note":"Hello"}`, turn + "misfit": nil})
	say("[[sandbox output=misfit]]").wantValues(t, "one that does not", map[string]any{
		turn + "reply":     nil,
		turn + "output":    nil,
		turn + "misfit":    `{}`,
		turn + "errorCode": "invalid_output",
	})
	u.do(t, updateAgent, vars{"input": vars{"id": id, "replySchema": nil}}).wantNone(t, "updateAgent")
	say("Hello").wantValues(t, "without a schema", map[string]any{turn + "output": nil})
}

// TestTurnsOfTheFallbackModel: the turn names the model that answered, and costs its price.
func TestTurnsOfTheFallbackModel(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.made(t, vars{"fallbackModel": "sandbox/free"}).text(t, "createAgent.agent.id")
	const try = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) {
		turn { model fallback credits } creditsRemaining } }`
	message := "Hello [[sandbox fail=unavailable first]]"
	u.do(t, try, vars{"input": vars{"agentId": id, "message": message}}).
		wantValues(t, message, map[string]any{
			"sendTestMessage.turn.model":       "sandbox/free",
			"sendTestMessage.turn.fallback":    true,
			"sendTestMessage.turn.credits":     0,
			"sendTestMessage.creditsRemaining": 100,
		})
}

// TestProviderErrors: a turn has the refusal of its model's provider, as far as that is known.
func TestProviderErrors(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	_, key := u.exported(t, uuid.MustParse(u.live(t)))
	for name, tc := range map[string]struct {
		refused turns.Settlement
		want    map[string]any
	}{
		"whole": {turns.Settlement{ProviderStatus: 400, ProviderCode: "tokens", ProviderError: "<b>no"},
			map[string]any{"status": 400, "code": "tokens", "message": "<b>no"}},
		"only a status": {turns.Settlement{ProviderStatus: 429},
			map[string]any{"status": 429, "code": nil, "message": nil}},
		"none": {turns.Settlement{}, nil},
	} {
		in := tc.refused
		in.TurnID = u.begin(t, uuid.Nil, key, name, "hello").Turn
		in.State, in.ErrorCode = conversation.Failed, "model_error"
		if _, err := turns.On(b.store).SettleTurn(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		const ask = `query($id: ID!) { node(id: $id) { ... on Turn {
			providerError { status code message } } } }`
		got := u.do(t, ask, vars{"id": in.TurnID})
		want := map[string]any{"node.providerError": nil}
		for field, value := range tc.want {
			delete(want, "node.providerError")
			want["node.providerError."+field] = value
		}
		got.wantValues(t, name, want)
	}
}

// TestExampleReply: an example is generated for a schema, and what is not checked is listed; an
// invalid schema is refused with line and reason.
func TestExampleReply(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	const ask = `query($schema: String!) { exampleReply(schema: $schema) }`
	for schema, want := range map[string]any{
		`{"type":"object","required":["n"],"properties":{"n":{"type":"integer","minimum":3}}}`: `{"n":3}`,
		`{"type":"object","required":["n"],"properties":{"n":false}}`:                          nil,
	} {
		u.do(t, ask, vars{"schema": schema}).wantValues(t, schema, map[string]any{"exampleReply": want})
	}
	const list = `query($schema: String!) { schemaNotes(schema: $schema) { path line message } }`
	u.do(t, list, vars{"schema": "{\"type\": \"object\",\n \"x-a\": 1}"}).wantValues(t, "notes", map[string]any{
		"schemaNotes.0.path": "/x-a", "schemaNotes.0.line": 2, "schemaNotes.0.message": "The keyword is unknown."})
	u.do(t, list, vars{"schema": "{}"}).wantFields(t, "notes of a schema that is refused", "schema invalid_value")
	refused := u.do(t, ask, vars{"schema": "{\n \"type\": \"object\",\n \"items\": []}"})
	refused.wantFields(t, "a schema that is refused", "schema invalid_value")
	if where := "Line 3, /items: items is one schema for all items."; !strings.Contains(refused.body, where) {
		t.Errorf("%s; want %s", refused.body, where)
	}
}
