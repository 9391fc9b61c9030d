package store_test

import (
	"testing"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// asks begins a turn, of a message or of results, and answers it with a reply that asks for so many actions.
func asks(t *testing.T, s *store.Store, f storetest.Fixture, actions int, change func(*store.Begin)) store.BeginResult {
	t.Helper()
	b := newBegin(f.Key)
	if change != nil {
		change(&b)
	}
	begun, err := s.BeginTurn(t.Context(), b)
	if err != nil || begun.Outcome != store.Begun {
		t.Fatalf("begin: %s, %v", begun.Outcome, err)
	}
	settle := store.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "Let me look.", FinishReason: "actions", Provider: "raw"}
	for _, id := range conversation.ActionCallIDs(b.TurnID, actions) {
		settle.Calls = append(settle.Calls, conversation.ActionCall{ID: id, Name: "look_up", Arguments: []byte(`{"a":"\u0000"}`)})
	}
	if _, err := s.SettleTurn(t.Context(), settle); err != nil {
		t.Fatal(err)
	}
	return begun
}
