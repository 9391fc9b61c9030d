package storetest

import (
	"testing"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// AskForActions begins a turn, of a message or of results, and answers it with a reply that
// requests actions.
func AskForActions(
	t *testing.T, s *store.DB, f Fixture, actions int, change func(*turns.Begin),
) turns.BeginResult {
	t.Helper()
	b := NewBegin(f.Key)
	if change != nil {
		change(&b)
	}
	begun, err := turns.On(s).BeginTurn(t.Context(), b)
	if err != nil || begun.Outcome != turns.Begun {
		t.Fatalf("begin: %s, %v", begun.Outcome, err)
	}
	settle := turns.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "Let me look.",
		FinishReason: "actions", Provider: "raw"}
	for _, id := range conversation.ActionCallIDs(b.TurnID, actions) {
		settle.Calls = append(settle.Calls, conversation.ActionCall{ID: id, Name: "look_up",
			Arguments: []byte(`{"a":"\u0000"}`)})
	}
	if _, err := turns.On(s).SettleTurn(t.Context(), settle); err != nil {
		t.Fatal(err)
	}
	return begun
}
