package graph_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

const (
	turnActions = `id number state message reply output finishReason credits actionResults { callId name result error } actionCalls { id name arguments state }`
	tryActions  = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) {
		creditsRemaining conversation { id preview }
		turn { ` + turnActions + ` } } }`
	readActions   = `query($id: ID!) { conversation(id: $id) { turns(first: 100) { nodes { ` + turnActions + ` } } } }`
	followActions = `subscription($input: SendTestMessageInput!) { testMessage(input: $input) {
		__typename ... on TestMessageStarted { turnId }
		... on TestMessageDelta { text } ... on TestMessageAction { callId name arguments } ... on
		TestMessageEnded { turn { id } } } }`
	askOrder = `[[sandbox action=order_status {"order":"A-1"}]]`
)

// desk is an agent with actions and one playground session.
type desk struct {
	*user
	agent, session string
}

func newDesk(t *testing.T, b *bench) desk {
	t.Helper()
	u := signedIn(t, b)
	return desk{u, u.made(t, vars{"actions": []vars{orderStatus}, "maxOutputTokens": nil}).text(t,
		"createAgent.agent.id"), "desk"}
}

func (d desk) input(more vars) vars {
	input := vars{"agentId": d.agent, "sessionId": d.session}
	maps.Copy(input, more)
	return vars{"input": input}
}

func (d desk) send(t *testing.T, more vars) answer {
	t.Helper()
	return d.do(t, tryActions, d.input(more))
}

// ask sends a message whose reply requests actions, and returns the ids of the calls.
func (d desk) ask(t *testing.T, message string) (ids []string) {
	t.Helper()
	sent := d.send(t, vars{"message": message}).wantNone(t, message)
	for i := range sent.list("sendTestMessage.turn.actionCalls") {
		ids = append(ids, sent.text(t, fmt.Sprintf("sendTestMessage.turn.actionCalls.%d.id", i)))
	}
	return ids
}

// TestTryingActions: a reply requests actions, results continue it, a message closes them, and the
// transcript shows all outcomes.
func TestTryingActions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := newDesk(t, b)
	asked := d.send(t, vars{"message": "Where is it? " + askOrder + askOrder})
	asked.wantValues(t, "asked", map[string]any{"sendTestMessage.turn.finishReason": "actions",
		"sendTestMessage.turn.reply":                   "Let me look.",
		"sendTestMessage.turn.actionCalls.1.name":      "order_status",
		"sendTestMessage.turn.actionCalls.1.arguments": `{"order":"A-1"}`,
		"sendTestMessage.turn.actionCalls.1.state":     "OPEN", "sendTestMessage.turn.actionResults.0": nil,
		"sendTestMessage.creditsRemaining": 99})
	first, second := asked.text(t, "sendTestMessage.turn.actionCalls.0.id"),
		asked.text(t, "sendTestMessage.turn.actionCalls.1.id")
	results := []vars{{"id": second, "error": "No such order."}, {
		"id": first, "result": ` {"state": "shipped", "n": 12345678901234567890} `}}
	for name, c := range map[string]struct {
		more vars
		want []string
	}{
		"nothing":    {vars{}, []string{"message missing"}},
		"both":       {vars{"message": "hello", "actionResults": results}, []string{"message invalid_value"}},
		"no session": {vars{"sessionId": nil, "actionResults": results}, []string{"sessionId missing"}},
		"values": {vars{"variables": []vars{{"name": "a", "value": "b"}}, "actionResults": results},
			[]string{"variables invalid_value"}},
		"no JSON": {vars{"actionResults": []vars{{"id": first, "result": "shipped"}}}, []string{
			"actionResults.0.result invalid_value"}},
	} {
		d.send(t, c.more).wantFields(t, name, c.want...)
	}
	d.send(t, vars{"actionResults": results[:1]}).want(t, "one is missing", http.StatusOK, "CONFLICT")
	went := d.send(t, vars{"actionResults": results})
	went.wantValues(t, "went on", map[string]any{"sendTestMessage.turn.message": "",
		"sendTestMessage.turn.actionResults.0.callId": first,
		"sendTestMessage.turn.actionResults.0.name":   "order_status", "sendTestMessage.turn.actionResults.0.error": nil,
		"sendTestMessage.turn.actionResults.0.result": `{"n":12345678901234567890,"state":"shipped"}`,
		"sendTestMessage.turn.actionResults.1.error":  "No such order.", "sendTestMessage.turn.actionResults.1.result": nil,
		"sendTestMessage.turn.actionCalls.0": nil, "sendTestMessage.creditsRemaining": 98})
	if reply := went.text(t, "sendTestMessage.turn.reply"); !strings.Contains(reply, "failed: No such order.") {
		t.Errorf("the model was given no result: %s", reply)
	}

	d.ask(t, "And now? "+askOrder)
	d.send(t, vars{"message": "[[sandbox fail=error]]"}).wantValues(t, "a failure", map[string]any{
		"sendTestMessage.turn.state": "FAILED"})
	talk := went.text(t, "sendTestMessage.conversation.id")
	read := func() answer { return d.do(t, readActions, vars{"id": talk}) }
	read().wantValues(t, "after a failure", map[string]any{"conversation.turns.nodes.0.actionCalls.0.state": "ANSWERED",
		"conversation.turns.nodes.1.actionResults.0.name": "order_status",
		"conversation.turns.nodes.2.actionCalls.0.state":  "OPEN"})
	d.send(t, vars{"message": "Never mind."}).wantNone(t, "a message")
	read().wantValues(t, "after a message", map[string]any{"conversation.turns.nodes.2.actionCalls.0.state": "NOT_RUN"})
	before := b.statements.Load()
	read()
	if n := b.statements.Load() - before; n > 4 {
		t.Errorf("%d statements for a page", n)
	}
	storetest.Audit(t, b.store)
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
			if types, _, _ := a.story(t); types != want {
				t.Errorf("%s, %s: %s, want %s", message, what, types, want)
			}
			n := 0
			for _, event := range a.events {
				if strings.Contains(event, `"name":"order_status","arguments":"{\"order\":\"A-1\"}"`) {
					n++
				}
			}
			if n != strings.Count(message, "action=") {
				t.Errorf("%s, %s: %d actions in %q", message, what, n, a.events)
			}
		}
	}
	d.do(t, followActions, d.input(vars{"actionResults": []vars{
		{"id": "act_1", "result": "1"}}})).want(t, "a mismatch", http.StatusOK, "CONFLICT")
	var tooLong, fits []vars
	for _, id := range d.ask(t, strings.Repeat(askOrder, 7)) {
		tooLong = append(tooLong, vars{"id": id, "result": `"` + strings.Repeat("x", 16<<10-2) + `"`})
		fits = append(fits, vars{"id": id, "result": "1"})
	}
	refused := d.do(t, followActions, d.input(vars{"actionResults": tooLong}))
	if refused.wantFields(t, "too long together", "actionResults too_long"); len(refused.events) > 1 {
		t.Errorf("the client got %q", refused.events)
	}
	d.send(t, vars{"actionResults": fits}).
		wantValues(t, "they are open", map[string]any{"sendTestMessage.turn.number": 2})
}

// TestPromptsOfChains: results are shown with their chain, a message and the results after it count
// as one earlier turn, and all are read in as many statements as one.
func TestPromptsOfChains(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := newDesk(t, b)
	d.do(t, updateAgent, vars{"input": vars{"id": d.agent, "instructions": "Hello {{name}}.", "contextTurns": 2,
		"variables": []vars{{"name": "name"}}}}).wantNone(t, "variables")
	const saw = `prompt { instructions earlierTurns actions chain { message reply actionCalls { id } actionResults { name result } } }`
	const try = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) { conversation { id } turn { id reply
		actionCalls { id } ` + saw + ` } } }`
	const page = `query($id: ID!) { conversation(id: $id) { turns(first: 100) { nodes { id ` + saw + ` } } } }`
	var talk string
	// chain sends a message that has an action asked for twice, and the results, and returns what the
	// last reply was given.
	chain := func(n int) {
		values := []vars{{"name": "name", "value": fmt.Sprint("Ada", n)}}
		message := fmt.Sprintf("No. %d [[sandbox action=again]][[sandbox history]]", n) + askOrder
		sent := d.do(t, try, d.input(vars{"message": message, "variables": values})).wantNone(t, "a message")
		talk = sent.text(t, "sendTestMessage.conversation.id")
		for round := 1; round <= 3; round++ {
			id := sent.text(t, "sendTestMessage.turn.actionCalls.0.id")
			sent = d.do(t, try, d.input(vars{"actionResults": []vars{
				{"id": id, "result": fmt.Sprint(round)}}})).wantNone(t, "results")
			what, last := fmt.Sprintf("message %d, round %d", n, round), round-1
			at := "sendTestMessage.turn.prompt."
			sent.wantValues(t, what, map[string]any{at + "instructions": fmt.Sprintf("Hello Ada%d.", n),
				at + "earlierTurns": min(n, 2),
				at + "actions":      1, at + "chain.0.message": message,
				fmt.Sprintf("%schain.%d.actionCalls.0.id", at, last): id, fmt.Sprintf("%schain.%d", at, round): nil})
			if round > 1 {
				sent.wantValues(t, what, map[string]any{fmt.Sprintf("%schain.%d.actionResults.0.result", at, last): fmt.Sprint(last)})
			}
		}
	}
	counts := []int64{}
	for n := range 4 {
		chain(n)
		before := b.statements.Load()
		d.do(t, page, vars{"id": talk}).wantNone(t, "a page")
		counts = append(counts, b.statements.Load()-before)
	}
	if counts[0] != counts[3] {
		t.Errorf("statements for pages of 4 to 16 turns: %d", counts)
	}
	after := d.do(t, try, d.input(vars{"message": "[[sandbox history]]"}))
	given := strings.Count(after.text(t, "sendTestMessage.turn.reply"), `"role":"user"`) - 1
	after.wantValues(t, "a message", map[string]any{"sendTestMessage.turn.prompt.earlierTurns": given,
		"sendTestMessage.turn.prompt.chain.0": nil})
	if given != 2 {
		t.Errorf("the model was given %d earlier turns", given)
	}
}

// TestResultsInTheLogOfRequests: a request with results has an empty preview; one whose text was
// deleted has none.
func TestResultsInTheLogOfRequests(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	_, key := u.exported(t, storetest.SeedAgent(t, u.b.store, u.account.ID, storetest.Options{}).ID)
	asked := u.begin(t, uuid.Nil, key, "s", "hello")
	id := conversation.ActionCallID(asked.Turn, 1)
	_, err := turns.On(u.b.store).SettleTurn(t.Context(), turns.Settlement{
		TurnID: asked.Turn, State: conversation.Answered, FinishReason: "actions",
		Calls: []conversation.ActionCall{{ID: id, Name: "look_up", Arguments: []byte(`{}`)}}})
	if err != nil {
		t.Fatal(err)
	}
	results := u.begin(t, uuid.Nil, key, "s", "", func(b *turns.Begin) {
		b.Results = conversation.NewActionResults([]conversation.ActionResult{{ID: id, Result: []byte(`1`)}})
	})
	u.settle(t, results.Turn, conversation.Answered)
	u.do(t, `{ viewer { requests { nodes { preview turn { message actionResults { name result }
		actionCalls { state } } } } } }`, nil).
		wantValues(t, "the log", map[string]any{"viewer.requests.nodes.0.preview": "", "viewer.requests.nodes.0.turn.message": "",
			"viewer.requests.nodes.0.turn.actionResults.0.name":   "look_up",
			"viewer.requests.nodes.0.turn.actionResults.0.result": "1",
			"viewer.requests.nodes.1.preview":                     "hello", "viewer.requests.nodes.1.turn.actionCalls.0.state": "ANSWERED"})
}
