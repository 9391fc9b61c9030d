package graph_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/memory"
	"agentchat/internal/store/storetest"
)

const (
	readPrompt  = `query($id: ID!) { node(id: $id) { ... on Turn { prompt { instructions earlierTurns model } } } }`
	readPrompts = `query($id: ID!) { conversation(id: $id) { turns(first: 100) { nodes { id prompt {
		instructions earlierTurns model } } } } }`
	sayPrompt = `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) {
		turn { id reply prompt { instructions earlierTurns model } } } }`
)

// TestPrompt: the prompt of a turn is the input that the model reports, as long as its settings
// exist.
func TestPrompt(t *testing.T) {
	t.Parallel()
	u := newTester(t, newBench(t))
	edit := func(instructions string) {
		u.do(t, setVariables, vars{"input": vars{
			"id":           u.draft,
			"instructions": instructions,
			"contextTurns": 2,
			"variables":    []vars{{"name": "plan", "defaultValue": "gold"}, {"name": "name"}},
		}}).wantNone(t, "edit")
	}
	say := func(version any) answer {
		return u.do(t, sayPrompt, vars{"input": vars{
			"agentId":   u.draft,
			"version":   version,
			"sessionId": "s",
			"message":   "[[sandbox history]]",
			"variables": []vars{{"name": "name", "value": "Ada {{plan}}"}},
		}}).wantNone(t, "say")
	}
	prompt := func(a answer) any {
		return u.do(t, readPrompt, vars{"id": a.text(t, "sendTestMessage.turn.id")}).get("node.prompt")
	}
	const template, filled = "Plan {{plan}}, name {{name}}.", "Plan gold, name Ada {{plan}}."
	edit(template)
	draft := say(nil)
	for earlier := range 4 {
		sent := say(nil)
		earlier = min(earlier+1, 2)
		sent.wantValues(t, "a draft", map[string]any{
			"sendTestMessage.turn.prompt.instructions": filled,
			"sendTestMessage.turn.prompt.earlierTurns": earlier,
			"sendTestMessage.turn.prompt.model":        "sandbox/assistant",
		})
		reply := sent.text(t, "sendTestMessage.turn.reply")
		if strings.Count(reply, `"role":"user"`) != earlier+1 || !strings.Contains(reply, filled) {
			t.Errorf("the model was not given %d earlier turns: %s", earlier, reply)
		}
	}
	u.do(t, publish, vars{"id": u.draft}).wantNone(t, "publish")
	version := say(1)
	if prompt(draft) == nil {
		t.Error("the draft has no prompt once it is published")
	}
	edit("Another draft.")
	edit(template)
	if got := prompt(draft); got != nil {
		t.Errorf("a draft that has changed since, and back: %v", got)
	}
	if prompt(version) == nil {
		t.Error("a version has no prompt after a change of the draft")
	}
	pending := u.begin(t, uuid.MustParse(u.draft), nil, "pending", "hello")
	if got := u.do(t, readPrompt, vars{"id": pending.Turn}).get("node.prompt"); got != nil {
		t.Errorf("a message that no model was given yet: %v", got)
	}
}

// TestPromptsOfAPage: the prompts of a page need as many statements as one, and reserve memory.
func TestPromptsOfAPage(t *testing.T) {
	t.Parallel()
	budget := memory.Bytes(8 << 20)
	b := newBench(t, func(o *options) { o.memory = budget })
	u := signedIn(t, b)
	a := storetest.SeedAgent(t, b.store, u.account.ID, storetest.Options{
		Instructions: strings.Repeat("x", 30_000)})
	var page vars
	statements := func(more int) int64 {
		for range more {
			page = vars{"id": u.try(t, a.ID, "s", "hello").Conversation}
		}
		b.exec(t, `UPDATE turns SET version = 1, earlier_turns = 0`)
		before := b.statements.Load()
		u.do(t, readPrompts, page).wantNone(t, "a page")
		return b.statements.Load() - before
	}
	if one, all := statements(1), statements(11); one != all {
		t.Errorf("%d statements for 1 turn, %d for 12", one, all)
	}
	other := budget.Hold(memory.Panel(u.account.ID))
	defer other.Release()
	other.Take(3 << 20) // whatever the last request has not given back yet
	if got := u.do(t, readPrompts, page); got.code() != "UNAVAILABLE" {
		t.Errorf("with too little memory: %.300s", got.body)
	}
}
