package store_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

func TestIdempotency(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	_, _, otherKey := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, 600)
	otherAgent := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{
		Model: storetest.SandboxModel, Instructions: "Other."})
	_, _, otherAgentsKey := storetest.SeedExport(t, s, f.Account.ID, otherAgent.ID, 600)
	withKey := func(b *store.Begin) { b.IdempotencyKey = "k-1" }

	var id uuid.UUID
	begin(t, s, f.Key, func(b *store.Begin) { withKey(b); id = b.TurnID })
	if got := begin(t, s, f.Key, withKey); got.Outcome != store.InProgress {
		t.Errorf("while pending: %s", got.Outcome)
	}
	finish(t, s, id, conversation.Answered)
	for name, key := range map[string]apikey.Key{"same export": f.Key, "another export of the agent": otherKey} {
		got := begin(t, s, key, withKey)
		reply, err := s.StoredReply(t.Context(), f.Account.ID, got.ReplayOf)
		if got.Outcome != store.Replay || err != nil || reply.TurnID != id || reply.Reply != "hi" || reply.CreditsRemaining != 99 || reply.SessionID != "s" {
			t.Errorf("%s: %+v %+v %v", name, got, reply, err)
		}
	}
	other := func(b *store.Begin) {
		withKey(b)
		b.Fingerprint = conversation.Body{Message: "other", Session: new("s")}.Fingerprint()
	}
	if got := begin(t, s, f.Key, other); got.Outcome != store.KeyReused {
		t.Errorf("another body: %s", got.Outcome)
	}
	if got := begin(t, s, otherAgentsKey, withKey); got.Outcome != store.Begun {
		t.Errorf("another agent: %s", got.Outcome)
	}
	if _, err := s.UnpublishAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	if got := begin(t, s, f.Key, withKey); got.Outcome != store.Replay {
		t.Errorf("a replay after the agent was unpublished: %s", got.Outcome)
	}
	if _, err := s.StoredReply(t.Context(), uuid.New(), id); !fault.Is(err, fault.ConversationDeleted) {
		t.Errorf("another account's reply: %v", err)
	}
	// The conversation may be deleted after the key was found.
	if _, err := s.DeleteConversationsBySessionID(t.Context(), f.Account.ID, "s", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.StoredReply(t.Context(), f.Account.ID, id); !fault.Is(err, fault.ConversationDeleted) {
		t.Errorf("a deleted reply: %v", err)
	}
	storetest.Audit(t, s)
}

func TestIdempotencyKeyIsFreeAfterAFailure(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	withKey := func(id *uuid.UUID) func(b *store.Begin) {
		return func(b *store.Begin) { b.IdempotencyKey, *id = "k", b.TurnID }
	}
	var first, second uuid.UUID
	begin(t, s, f.Key, withKey(&first))
	finish(t, s, first, conversation.Failed)
	if got := begin(t, s, f.Key, withKey(&second)); got.Outcome != store.Begun {
		t.Fatalf("retry after a failure: %s", got.Outcome)
	}
	finish(t, s, second, conversation.Answered)
	if got := begin(t, s, f.Key, withKey(&first)); got.Outcome != store.Replay || got.ReplayOf != second {
		t.Errorf("after the retry: %+v", got)
	}
	storetest.Audit(t, s)
}
