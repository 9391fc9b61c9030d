package graph_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// begun is a turn that has begun.
type begun struct{ Turn, Conversation uuid.UUID }

// begin begins a turn as the chat does: through an export's key, or without one in the playground.
func (u *user) begin(
	t *testing.T, agent uuid.UUID, key *apikey.Key, session, message string,
) begun {
	t.Helper()
	b := storetest.NewBegin(apikey.Key{})
	b.Source, b.SpendRate = conversation.Playground, false
	if key != nil {
		b = storetest.NewBegin(*key)
	}
	b.AccountID, b.AgentID, b.RequestID = u.account.ID, agent, "request-1"
	b.Session, b.Message = session, message
	out, err := turns.On(u.b.store).BeginTurn(t.Context(), b)
	if err != nil || out.Outcome != turns.Begun {
		t.Fatalf("begin: %s, %v", out.Outcome, err)
	}
	return begun{b.TurnID, out.ConversationID}
}

func (u *user) settle(t *testing.T, turn uuid.UUID, state conversation.TurnState) {
	t.Helper()
	read, wrote := int64(12), int64(3)
	_, err := turns.On(u.b.store).SettleTurn(t.Context(), turns.Settlement{
		TurnID: turn, State: state, Reply: "the reply", FinishReason: "stop",
		ErrorCode: "model_timeout", InputTokens: &read, OutputTokens: &wrote})
	if err != nil {
		t.Fatal(err)
	}
}

// try sends and answers one message in the playground.
func (u *user) try(t *testing.T, agent uuid.UUID, session, message string) begun {
	t.Helper()
	out := u.begin(t, agent, nil, session, message)
	u.settle(t, out.Turn, conversation.Answered)
	return out
}

// exported creates an export of an agent in the store, and returns its key too.
func (u *user) exported(t *testing.T, agent uuid.UUID) (uuid.UUID, *apikey.Key) {
	t.Helper()
	export, _, key := storetest.SeedExport(t, u.b.store, u.account.ID, agent, 1_000_000)
	return export.ID, &key
}

// chat sends and answers one message through an export.
func (u *user) chat(t *testing.T, key *apikey.Key, session, message string) begun {
	t.Helper()
	out := u.begin(t, uuid.Nil, key, session, message)
	u.settle(t, out.Turn, conversation.Answered)
	return out
}
