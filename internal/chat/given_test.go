package chat

import (
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
)

// TestBytesOfChains: the prompt of results is the settings, the message, and all texts, calls and results that followed it, each byte once
// and nothing of their ids or of what an adapter keeps. It is counted alike for the model and from what is stored.
func TestBytesOfChains(t *testing.T) {
	t.Parallel()
	shape := `{"type":"object"}`
	settings := agent.Settings{Instructions: "Be kind.", ReplySchema: &shape, Actions: []agent.Action{
		{Name: "look_up", Description: "Looks.", Parameters: `{}`}, {Name: "wait", Description: "Waits.", Parameters: `{}`}}}
	calls := []conversation.ActionCall{{ID: "act_1_1", Name: "look_up", Arguments: []byte(`{"a":"é"}`)},
		{ID: "act_1_2", Name: "wait", Arguments: []byte(`{}`)}}
	results := []conversation.ActionResult{{ID: "act_1_1", Result: []byte(`{"b":1}`)}, {ID: "act_1_2", Error: "Nø."}}
	second := []conversation.ActionCall{{ID: "act_2_1", Name: "wait", Arguments: []byte(`{"c":2}`)}}
	last := []conversation.ActionResult{{ID: "act_2_1", Result: []byte(`null`)}}
	const (
		fixed    = 8 + 17 + 7 + 6 + 2 + 4 + 6 + 2 // instructions, schema, and both actions
		question = 6
		first    = 12 + 7 + 10 + 4 + 2 + 7 + 4 // the text, two calls, a result and an error
		then     = 4 + 7 + 4                   // a call and its result
	)
	asked := conversation.Turn{Message: "Where?", Reply: new("Let me look."), ActionCalls: new(conversation.EncodeJSON(calls))}
	again := conversation.Turn{ActionResults: new(conversation.EncodeJSON(results)), Reply: new(""), ActionCalls: new(conversation.EncodeJSON(second))}
	sent := []conversation.ChainTurn{{Message: "Where?", Reply: "Let me look.", Calls: calls, Provider: `{"reply":"raw"}`, Model: "test/m"},
		{Results: results, Calls: second}}

	for name, c := range map[string]struct {
		stored conversation.Turn
		chain  []conversation.Turn
		msg    Message
		want   int64
	}{
		"a message": {conversation.Turn{Message: "Where?"}, nil, Message{Text: "Where?"}, fixed + question},
		"the first results": {conversation.Turn{ActionResults: new(conversation.EncodeJSON(results))}, []conversation.Turn{asked},
			Message{Results: conversation.NewActionResults(results)}, fixed + question + first},
		"the second results": {conversation.Turn{ActionResults: new(conversation.EncodeJSON(last))}, []conversation.Turn{asked, again},
			Message{Results: conversation.NewActionResults(last)}, fixed + question + first + then},
	} {
		given, err := GivenBytes(settings, c.stored, c.chain)
		if err != nil || given != c.want {
			t.Errorf("%s: %d bytes of what is stored, want %d; %v", name, given, c.want, err)
		}
		begun := &store.BeginResult{Settings: settings, Chain: sent[:len(c.chain)]}
		req, err := (&turn{msg: c.msg}).prompt(catalogue.Entry{Name: "test/m"}, begun)
		if got := promptBytes(req); err != nil || got != c.want {
			t.Errorf("%s: %d bytes for the model, want %d; %v", name, got, c.want, err)
		}
	}
}
