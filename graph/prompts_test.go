package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

const (
	readPrompt  = `query($id: ID!) { node(id: $id) { ... on Turn { prompt { instructions earlierTurns model } } } }`
	readPrompts = `query($id: ID!) { conversation(id: $id) { turns(first: 100) { nodes { id prompt {
		instructions earlierTurns model } } } } }`
	sayPrompt = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) {
		conversation { id } turn { id state reply prompt { instructions earlierTurns model } } } }`
)

// TestPrompt: the prompt of a turn is the input that the model reports, even after later changes.
func TestPrompt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.world(t)["agent"]
	edit := func(fields vars) {
		fields["id"] = agent
		u.do(t, setVariables, vars{"input": fields}).wantNone(t, "edit")
	}
	say := func(more vars) answer {
		input := vars{"agentId": agent, "sessionId": "s", "message": "[[sandbox history]]"}
		for k, v := range more {
			input[k] = v
		}
		return u.do(t, sayPrompt, vars{"input": input}).wantNone(t, "say")
	}
	prompt := func(a answer) answer {
		return u.do(t, readPrompt, vars{"id": a.text(t, "sendTestMessage.turn.id")}).wantNone(t, "read")
	}
	want := func(what string, a answer, instructions string, earlier int) {
		t.Helper()
		a.wantValues(t, what, map[string]any{"sendTestMessage.turn.prompt.instructions": instructions,
			"sendTestMessage.turn.prompt.earlierTurns": float64(earlier), "sendTestMessage.turn.prompt.model": "sandbox/assistant"})
		reply := a.text(t, "sendTestMessage.turn.reply")
		if n := strings.Count(reply, `"role":"user"`); n != earlier+1 || !strings.Contains(reply, instructions) {
			t.Errorf("%s: the model was given %d earlier turns: %s", what, n-1, reply)
		}
	}
	edit(vars{"instructions": "Plan {{plan}}, name {{name}}.", "contextTurns": 2,
		"variables": []vars{{"name": "plan", "defaultValue": "gold"}, {"name": "name"}}})
	values := vars{"variables": []vars{{"name": "name", "value": "Ada {{plan}}"}}}
	draft := say(values)
	want("the first message", draft, "Plan gold, name Ada {{plan}}.", 0)
	want("without values", say(nil), "Plan gold, name .", 1)
	say(nil)
	want("as many as the setting", say(nil), "Plan gold, name .", 2)
	u.do(t, `mutation($id: ID!) { updateAgent(input: {id: $id, name: "Another name"}) { agent { id } }
		}`, vars{"id": agent}).wantNone(t, "rename")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	if got := prompt(draft).get("node.prompt.instructions"); got != "Plan gold, name Ada {{plan}}." {
		t.Errorf("once the draft was published and its agent renamed: %v", got)
	}
	version := say(vars{"version": 2, "sessionId": "of the version"})
	want("a version", version, "Plan gold, name .", 0)
	continued := say(vars{"continueFrom": draft.text(t, "sendTestMessage.turn.id"), "sessionId": "more"})
	want("one that continues from a turn", continued, "Plan gold, name .", 1)

	edit(vars{"instructions": "Another draft."})
	edit(vars{"instructions": "Plan {{plan}}, name {{name}}."})
	if got := prompt(draft).get("node.prompt"); got != nil {
		t.Errorf("a draft that has changed since, and back: %v", got)
	}
	if got := u.do(t, readPrompt, vars{"id": u.begin(t, agent, nil, "pending", "hello").Turn}).get("node.prompt"); got != nil {
		t.Errorf("a message that no model was given yet: %v", got)
	}
	if got := prompt(version).get("node.prompt.instructions"); got != "Plan gold, name ." {
		t.Errorf("a version is for ever: %v", got)
	}
	of := say(vars{"continueFrom": draft.text(t, "sendTestMessage.turn.id"), "sessionId": "another"})
	want("another that continues", of, "Plan gold, name .", 1)
	u.do(t, `mutation { deleteConversations(input: {sessionId: "s"}) { deletedCount } }`, nil).wantNone(t, "delete")
	if got := prompt(of); got.get("node.prompt.earlierTurns") != float64(1) {
		t.Errorf("after the conversation that it continues was deleted: %s", got.body)
	}
}

// TestPromptWithinTheWindow: earlier turns that exceed the model's window do not count.
func TestPromptWithinTheWindow(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := u.world(t)["agent"]
	say := func(message string) answer {
		return u.do(t, sayPrompt, vars{"input": vars{"agentId": agent, "sessionId": "s", "message": message}}).wantNone(t, "say")
	}
	for range 4 {
		say("hello" + strings.Repeat(" word", 5_000))
	}
	last := say("[[sandbox history]]")
	given := strings.Count(last.text(t, "sendTestMessage.turn.reply"), `"role":"user"`) - 1
	if given == 0 || given == 4 {
		t.Fatalf("all or nothing fits: %d", given)
	}
	last.wantValues(t, "the last", map[string]any{"sendTestMessage.turn.prompt.earlierTurns": float64(given)})
}

// TestPromptsOfAPage: the prompts of a page need as many statements as one, and reserve memory.
func TestPromptsOfAPage(t *testing.T) {
	t.Parallel()
	budget := memory.Bytes(8 << 20)
	b := newBench(t, func(o *options) { o.memory = budget })
	u := signedIn(t, b)
	a := storetest.SeedAgent(t, b.store, u.account.ID, storetest.Options{Instructions: strings.Repeat("x", 30_000)})
	version := 1
	var talk string
	counts := map[int]int64{}
	for n := 1; n <= 12; n++ {
		begun := u.begin(t, a.ID, nil, "s", fmt.Sprint("message ", n))
		if _, err := turns.On(b.store).SettleTurn(t.Context(), turns.Settlement{
			TurnID: begun.Turn, State: "ANSWERED", Reply: "reply",
			EarlierTurns: new(0)}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE turns SET version = $2 WHERE id = $1`,
			begun.Turn, version); err != nil {
			t.Fatal(err)
		}
		talk = begun.Conversation.String()
		before := b.statements.Load()
		if got := u.do(t, readPrompts, vars{"id": talk}); n <= 2 || n == 12 {
			got.wantNone(t, "a page")
			counts[n] = b.statements.Load() - before
		}
	}
	if counts[12] != counts[1] {
		t.Errorf("%d statements for 1 turn, %d for 12", counts[1], counts[12])
	}
	other := budget.Hold(memory.Panel(u.account.ID))
	defer other.Release()
	other.Take(3 << 20) // whatever the last request has not given back yet
	if got := u.do(t, readPrompts, vars{"id": talk}); got.code() != "UNAVAILABLE" {
		t.Errorf("with too little memory: %.300s", got.body)
	}
}
