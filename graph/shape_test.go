package graph_test

import (
	"strings"
	"testing"
)

// TestTurnsInShape: the owner sees a structured reply as output, and a rejected one as misfit, in
// the playground and in the transcript.
func TestTurnsInShape(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.made(t, vars{"replySchema": `{"type":"object","required":["note"],"properties":{"note":{"type":"string"}}}`, "maxOutputTokens": nil}).
		text(t, "createAgent.agent.id")
	const try = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) { turn { id
		state reply output misfit errorCode credits } } }`
	const read = `query($id: ID!) { node(id: $id) { ... on Turn { state reply output misfit errorCode } } }`
	for message, want := range map[string]vars{
		"Hello": {"state": "ANSWERED", "reply": `{"note":"Hello"}`,
			"output": `{"note":"Hello"}`, "misfit": nil, "errorCode": nil},
		"[[sandbox output=misfit]]": {"state": "FAILED", "reply": nil, "output": nil, "misfit": `{}`,
			"errorCode": "invalid_output"},
		"[[sandbox fail=blocked]]": {"state": "FAILED", "reply": nil, "output": nil, "misfit": nil,
			"errorCode": "content_blocked"},
	} {
		sent := u.do(t, try, vars{"input": vars{"agentId": id, "message": message}})
		now, later := map[string]any{}, map[string]any{}
		for field, value := range want {
			now["sendTestMessage.turn."+field], later["node."+field] = value, value
		}
		sent.wantValues(t, message, now)
		u.do(t, read, vars{"id": sent.get("sendTestMessage.turn.id")}).wantValues(t, message+", read", later)
	}
	u.do(t, updateAgent, vars{"input": vars{"id": id, "replySchema": nil}}).wantNone(t, "updateAgent")
	u.do(t, try, vars{"input": vars{"agentId": id, "message": "Hello"}}).
		wantValues(t, "without a schema", map[string]any{"sendTestMessage.turn.output": nil})
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

// TestExampleReply: an example is generated for a schema; an invalid schema is refused with line
// and reason.
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
	refused := u.do(t, ask, vars{"schema": "{\n \"type\": \"object\",\n \"items\": []}"})
	refused.wantFields(t, "a schema that is refused", "schema invalid_value")
	if where := "Line 3, /items: items is one schema for all items."; !strings.Contains(refused.body, where) {
		t.Errorf("%s; want %s", refused.body, where)
	}
}
