package turns_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestIdempotency(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	_, _, otherKey := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, 600)
	otherAgent := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{
		Model: storetest.SandboxModel, Instructions: "Other."})
	_, _, otherAgentsKey := storetest.SeedExport(t, s, f.Account.ID, otherAgent.ID, 600)
	withKey := func(b *turns.Begin) { b.IdempotencyKey = "k-1" }

	var id uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { withKey(b); id = b.TurnID })
	if got := storetest.BeginTurn(t, s, f.Key, withKey); got.Outcome != turns.InProgress {
		t.Errorf("while pending: %s", got.Outcome)
	}
	storetest.FinishTurn(t, s, id, conversation.Answered)
	for name, key := range map[string]apikey.Key{"same export": f.Key, "another export of the agent": otherKey} {
		got := storetest.BeginTurn(t, s, key, withKey)
		reply, err := turns.On(s).StoredReply(t.Context(), f.Account.ID, got.ReplayOf)
		if got.Outcome != turns.Replay || err != nil || reply.TurnID != id || reply.Reply != "hi" || reply.CreditsRemaining != 99 || reply.SessionID != "s" {
			t.Errorf("%s: %+v %+v %v", name, got, reply, err)
		}
	}
	other := func(b *turns.Begin) {
		withKey(b)
		b.Fingerprint = conversation.Body{Message: "other", Session: new("s")}.Fingerprint()
	}
	if got := storetest.BeginTurn(t, s, f.Key, other); got.Outcome != turns.KeyReused {
		t.Errorf("another body: %s", got.Outcome)
	}
	if got := storetest.BeginTurn(t, s, otherAgentsKey, withKey); got.Outcome != turns.Begun {
		t.Errorf("another agent: %s", got.Outcome)
	}
	if _, err := agents.On(s).UnpublishAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	if got := storetest.BeginTurn(t, s, f.Key, withKey); got.Outcome != turns.Replay {
		t.Errorf("a replay after the agent was unpublished: %s", got.Outcome)
	}
	if _, err := turns.On(s).StoredReply(t.Context(), uuid.New(), id); !fault.Is(err, fault.ConversationDeleted) {
		t.Errorf("another account's reply: %v", err)
	}
	// The conversation may be deleted after the key was found.
	if _, err := erasure.On(s).DeleteConversationsBySessionID(t.Context(), f.Account.ID, "s", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := turns.On(s).StoredReply(t.Context(), f.Account.ID, id); !fault.Is(err, fault.ConversationDeleted) {
		t.Errorf("a deleted reply: %v", err)
	}
	storetest.Audit(t, s)
}

func TestIdempotencyKeyIsFreeAfterAFailure(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	withKey := func(id *uuid.UUID) func(b *turns.Begin) {
		return func(b *turns.Begin) { b.IdempotencyKey, *id = "k", b.TurnID }
	}
	var first, second uuid.UUID
	storetest.BeginTurn(t, s, f.Key, withKey(&first))
	storetest.FinishTurn(t, s, first, conversation.Failed)
	if got := storetest.BeginTurn(t, s, f.Key, withKey(&second)); got.Outcome != turns.Begun {
		t.Fatalf("retry after a failure: %s", got.Outcome)
	}
	storetest.FinishTurn(t, s, second, conversation.Answered)
	if got := storetest.BeginTurn(t, s, f.Key, withKey(&first)); got.Outcome != turns.Replay || got.ReplayOf != second {
		t.Errorf("after the retry: %+v", got)
	}
	storetest.Audit(t, s)
}
