package graph_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
)

const (
	turnActions = `message finishReason actionResults { callId name result error }
		actionCalls { id name arguments state }`
	tryActions = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) {
		conversation { id } turn { ` + turnActions + ` } } }`
	readActions   = `query($id: ID!) { conversation(id: $id) { turns(first: 100) { nodes { ` + turnActions + ` } } } }`
	followActions = `subscription($input: SendTestMessageInput!) { testMessage(input: $input) {
		__typename ... on TestMessageAction { name arguments } } }`
	askOrder = `[[sandbox action=order_status {"order":"A-1"}]]`
)

// newDesk returns a tester whose draft has an action.
func newDesk(t *testing.T, b *bench) *tester {
	t.Helper()
	u := newTester(t, b)
	actions := vars{"id": u.draft, "actions": []vars{orderStatus}}
	u.do(t, updateAgent, vars{"input": actions}).wantNone(t, "actions")
	return u
}

// input returns the input of a message in one session.
func (u *tester) input(more vars) vars {
	input := vars{"agentId": u.draft, "sessionId": "desk"}
	maps.Copy(input, more)
	return vars{"input": input}
}

// TestTryingActions: a reply requests actions, results continue it, a message closes them, and the
// transcript shows all outcomes.
func TestTryingActions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := newDesk(t, b)
	send := func(more vars) answer { return d.do(t, tryActions, d.input(more)) }
	const turn = "sendTestMessage.turn."
	asked := send(vars{"message": "Where is it? " + askOrder + askOrder})
	asked.wantValues(t, "asked", map[string]any{
		turn + "finishReason":            "actions",
		turn + "actionCalls.1.name":      "order_status",
		turn + "actionCalls.1.arguments": `{"order":"A-1"}`,
		turn + "actionCalls.1.state":     "OPEN",
	})
	first, second := asked.text(t, turn+"actionCalls.0.id"), asked.text(t, turn+"actionCalls.1.id")
	results := []vars{{"id": second, "error": "No such order."}, {
		"id": first, "result": ` {"state": "shipped", "n": 12345678901234567890} `}}
	for name, c := range map[string]struct {
		more vars
		want string
	}{
		"nothing":    {vars{}, "message missing"},
		"both":       {vars{"message": "hello", "actionResults": results}, "message invalid_value"},
		"no session": {vars{"sessionId": nil, "actionResults": results}, "sessionId missing"},
		"values": {vars{"variables": []vars{{"name": "a", "value": "b"}}, "actionResults": results},
			"variables invalid_value"},
		"no JSON": {vars{"actionResults": []vars{{"id": first, "result": "shipped"}}},
			"actionResults.0.result invalid_value"},
	} {
		send(c.more).wantFields(t, name, c.want)
	}
	send(vars{"actionResults": results[:1]}).want(t, "one is missing", http.StatusOK, "CONFLICT")
	went := send(vars{"actionResults": results})
	went.wantValues(t, "went on", map[string]any{
		turn + "message":                "",
		turn + "actionResults.0.callId": first,
		turn + "actionResults.0.result": `{"n":12345678901234567890,"state":"shipped"}`,
		turn + "actionResults.1.name":   "order_status",
		turn + "actionResults.1.error":  "No such order.",
	})
	send(vars{"message": "And now? " + askOrder}).wantNone(t, "asked again")
	send(vars{"message": "Never mind."}).wantNone(t, "a message")
	before := b.statements.Load()
	talk := vars{"id": went.text(t, "sendTestMessage.conversation.id")}
	d.do(t, readActions, talk).wantValues(t, "the transcript", map[string]any{
		"conversation.turns.nodes.0.actionCalls.0.state":  "ANSWERED",
		"conversation.turns.nodes.1.actionResults.0.name": "order_status",
		"conversation.turns.nodes.2.actionCalls.0.state":  "NOT_RUN",
	})
	if n := b.statements.Load() - before; n > 4 {
		t.Errorf("%d statements for a page", n)
	}
}

// TestActionsInAStream: each action is an event, after the text and before the end, in a replay as
// well.
func TestActionsInAStream(t *testing.T) {
	t.Parallel()
	d := newDesk(t, newBench(t))
	for message, want := range map[string]string{
		"Where? " + askOrder + askOrder: "TestMessageStarted TestMessageDelta TestMessageAction TestMessageEnded ",
		askOrder:                        "TestMessageStarted TestMessageAction TestMessageEnded ",
	} {
		for _, what := range []string{"first", "replayed"} {
			a := d.do(t, followActions, d.input(vars{"message": message, "sessionId": message,
				"idempotencyKey": strings.Split(message, " ")[0]}))
			types, _, _ := a.story(t)
			n := strings.Count(a.body, `"name":"order_status","arguments":"{\"order\":\"A-1\"}"`)
			if types != want || n != strings.Count(message, "action=") {
				t.Errorf("%s, %s: %s with %d actions, want %s", message, what, types, n, want)
			}
		}
	}
	d.do(t, followActions, d.input(vars{"actionResults": []vars{{"id": "act_1", "result": "1"}}})).
		want(t, "a mismatch", http.StatusOK, "CONFLICT")
}

// TestPromptsOfChains: results are shown with their chain, a message and the results after it count
// as one earlier turn, and all are read in as many statements as one.
func TestPromptsOfChains(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := newDesk(t, b)
	d.do(t, updateAgent, vars{"input": vars{"id": d.draft, "instructions": "Hello {{name}}.",
		"variables": []vars{{"name": "name"}}}}).wantNone(t, "variables")
	const saw = `prompt { instructions earlierTurns actions
		chain { message actionCalls { id } actionResults { result } } }`
	const try = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) {
		conversation { id } turn { actionCalls { id } ` + saw + ` } } }`
	const page = `query($id: ID!) { conversation(id: $id) { turns(first: 100) { nodes { id ` + saw + ` } } } }`
	const at = "sendTestMessage.turn.prompt."
	// chain sends a message that requests an action and, after its results, another one, and returns
	// the statements for a page of all turns.
	chain := func(n int) int64 {
		message := fmt.Sprintf("No. %d [[sandbox action=again]]", n) + askOrder
		sent := d.do(t, try, d.input(vars{"message": message,
			"variables": []vars{{"name": "name", "value": fmt.Sprint("Ada", n)}}}))
		var ids [2]string
		for round := range ids {
			ids[round] = sent.text(t, "sendTestMessage.turn.actionCalls.0.id")
			sent = d.do(t, try, d.input(vars{"actionResults": []vars{
				{"id": ids[round], "result": fmt.Sprint(round)}}}))
		}
		sent.wantValues(t, message, map[string]any{
			at + "instructions":                   fmt.Sprintf("Hello Ada%d.", n),
			at + "earlierTurns":                   n,
			at + "actions":                        1,
			at + "chain.0.message":                message,
			at + "chain.0.actionCalls.0.id":       ids[0],
			at + "chain.1.actionResults.0.result": "0",
			at + "chain.1.actionCalls.0.id":       ids[1],
			at + "chain.2":                        nil,
		})
		before := b.statements.Load()
		d.do(t, page, vars{"id": sent.get("sendTestMessage.conversation.id")}).wantNone(t, "a page")
		return b.statements.Load() - before
	}
	if one, three := chain(0), max(chain(1), chain(2)); one != three {
		t.Errorf("%d statements for a page of 3 turns, %d for more", one, three)
	}
	d.do(t, try, d.input(vars{"message": "hello"})).wantValues(t, "a message", map[string]any{
		at + "earlierTurns": 3, at + "chain.0": nil})
}
