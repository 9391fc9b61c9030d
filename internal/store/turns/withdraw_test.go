package turns_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestWithdrawnTurns: a withdrawn turn is deleted, with the conversation that it opened, in one
// call with other turns. An older conversation gets its turn count and its time back. Nothing is
// deleted if the reaper came first or another turn has begun since. A deleted conversation is
// purged as usual.
func TestWithdrawnTurns(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ids := map[string]uuid.UUID{}
	for _, session := range []string{"open", "deleted", "answered"} {
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.Session, b.IdempotencyKey = session, session })
	}
	storetest.Exec(t, s, `UPDATE turns SET created_at = created_at - interval '1 hour'`)
	for _, session := range []string{"open", "deleted", "answered", "new", "failed", "reaped"} {
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
			b.Session, ids[session], b.IdempotencyKey = session, b.TurnID, "of "+session
			if session == "reaped" {
				b.HoldFor = -time.Second
			}
		})
	}
	if n, err := turns.On(s).ReapTurns(t.Context(), 10); n != 1 || err != nil {
		t.Fatalf("reaped %d, %v", n, err)
	}
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = "reaped" }) // before its withdrawal comes
	if _, err := erasure.On(s).DeleteConversationsBySessionID(t.Context(), f.Account.ID, "deleted", nil); err != nil {
		t.Fatal(err)
	}
	ends := []turns.Settlement{
		{TurnID: ids["answered"], State: conversation.Answered, Reply: "hi", FinishReason: "stop"},
		{TurnID: ids["failed"], State: conversation.Failed, ErrorCode: "model_error"},
	}
	for _, session := range []string{"open", "deleted", "new", "reaped"} {
		ends = append(ends, turns.Settlement{TurnID: ids[session], State: turns.Withdrawn})
	}
	for round, want := range [][]turns.Outcome{
		{turns.Settled, turns.Settled, turns.Settled, turns.Settled, turns.Settled, turns.AlreadyFailed},
		{turns.AlreadyAnswered, turns.AlreadyFailed, turns.Gone, turns.Gone, turns.Gone, turns.AlreadyFailed},
	} {
		got, err := turns.On(s).SettleTurns(t.Context(), ends...)
		for i := range want {
			if err != nil || got[i].Outcome != want[i] {
				t.Fatalf("round %d: %+v, %v, want %s", round, got, err, want)
			}
		}
	}
	if held := storetest.CountRows(t, s, `SELECT credits_held FROM accounts WHERE id = $1`, f.Account.ID); held != 1 {
		t.Errorf("%d credits held, want those of the turn that began since", held)
	}
	for session, turns := range map[string]int{"open": 1, "answered": 2, "failed": 1, "reaped": 2} {
		if got := storetest.CountRows(t, s, `SELECT turn_count FROM conversations WHERE session_id = $1`, session); got != turns {
			t.Errorf("%s: %d turns, want %d", session, got, turns)
		}
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM conversations WHERE session_id = 'new'
		OR session_id = 'open' AND last_turn_at > now() - interval '59 min'`); n != 0 {
		t.Error("the conversation that it opened is there, or an open one is younger than before")
	}
	storetest.Audit(t, s)
	storetest.Exec(t, s, `UPDATE conversations SET deleted_at = deleted_at - interval '25 hours'`)
	if n, err := erasure.On(s).PurgeDeleted(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("purged %d, %v", n, err)
	}
	for _, session := range []string{"open", "new"} { // the keys are free, and the next turn has the number
		got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
			b.Session, b.IdempotencyKey, b.Message = session, "of "+session, "another"
		})
		if want := map[string]int64{"open": 2, "new": 1}[session]; got.Outcome != turns.Begun || got.Number != want {
			t.Errorf("%s again: %s, number %d", session, got.Outcome, got.Number)
		}
	}
	storetest.Audit(t, s)
}
