package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestWithdrawnTurns: a withdrawn turn is deleted, with the conversation that it opened, in one call with other
// turns. An older conversation gets its turn count and its time back. Nothing is deleted if the reaper came first or
// another turn has begun since. A deleted conversation is purged as usual.
func TestWithdrawnTurns(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ids := map[string]uuid.UUID{}
	for _, session := range []string{"open", "deleted", "answered"} {
		answered(t, s, f.Key, func(b *store.Begin) { b.Session, b.IdempotencyKey = session, session })
	}
	exec(t, s, `UPDATE turns SET created_at = created_at - interval '1 hour'`)
	for _, session := range []string{"open", "deleted", "answered", "new", "failed", "reaped"} {
		begin(t, s, f.Key, func(b *store.Begin) {
			b.Session, ids[session], b.IdempotencyKey = session, b.TurnID, "of "+session
			if session == "reaped" {
				b.HoldFor = -time.Second
			}
		})
	}
	if n, err := s.ReapTurns(t.Context(), 10); n != 1 || err != nil {
		t.Fatalf("reaped %d, %v", n, err)
	}
	begin(t, s, f.Key, func(b *store.Begin) { b.Session = "reaped" }) // before its withdrawal comes
	if _, err := s.DeleteConversationsBySessionID(t.Context(), f.Account.ID, "deleted", nil); err != nil {
		t.Fatal(err)
	}
	ends := []store.Settlement{
		{TurnID: ids["answered"], State: conversation.Answered, Reply: "hi", FinishReason: "stop"},
		{TurnID: ids["failed"], State: conversation.Failed, ErrorCode: "model_error"},
	}
	for _, session := range []string{"open", "deleted", "new", "reaped"} {
		ends = append(ends, store.Settlement{TurnID: ids[session], State: store.Withdrawn})
	}
	for round, want := range [][]store.Outcome{
		{store.Settled, store.Settled, store.Settled, store.Settled, store.Settled, store.AlreadyFailed},
		{store.AlreadyAnswered, store.AlreadyFailed, store.Gone, store.Gone, store.Gone, store.AlreadyFailed},
	} {
		got, err := s.SettleTurns(t.Context(), ends...)
		for i := range want {
			if err != nil || got[i].Outcome != want[i] {
				t.Fatalf("round %d: %+v, %v, want %s", round, got, err, want)
			}
		}
	}
	if held := countRows(t, s, `SELECT credits_held FROM accounts WHERE id = $1`, f.Account.ID); held != 1 {
		t.Errorf("%d credits held, want those of the turn that began since", held)
	}
	for session, turns := range map[string]int{"open": 1, "answered": 2, "failed": 1, "reaped": 2} {
		if got := countRows(t, s, `SELECT turn_count FROM conversations WHERE session_id = $1`, session); got != turns {
			t.Errorf("%s: %d turns, want %d", session, got, turns)
		}
	}
	if n := countRows(t, s, `SELECT count(*) FROM conversations WHERE session_id = 'new'
		OR session_id = 'open' AND last_turn_at > now() - interval '59 min'`); n != 0 {
		t.Error("the conversation that it opened is there, or an open one is younger than before")
	}
	storetest.Audit(t, s)
	exec(t, s, `UPDATE conversations SET deleted_at = deleted_at - interval '25 hours'`)
	if n, err := s.PurgeDeleted(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("purged %d, %v", n, err)
	}
	for _, session := range []string{"open", "new"} { // the keys are free, and the next turn has the number
		got := begin(t, s, f.Key, func(b *store.Begin) {
			b.Session, b.IdempotencyKey, b.Message = session, "of "+session, "another"
		})
		if want := map[string]int64{"open": 2, "new": 1}[session]; got.Outcome != store.Begun || got.Number != want {
			t.Errorf("%s again: %s, number %d", session, got.Outcome, got.Number)
		}
	}
	storetest.Audit(t, s)
}
