package turns_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestWithdrawnTurns: a conversation gets back the time of its last turn before a withdrawn one.
func TestWithdrawnTurns(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.AnswerTurn(t, s, f.Key, nil)
	storetest.Exec(t, s, `UPDATE turns SET created_at = created_at - interval '1 hour'`)
	var id uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { id = b.TurnID })
	if got := storetest.FinishTurn(t, s, id, turns.Withdrawn); got.Outcome != turns.Settled {
		t.Fatalf("withdrawn: %s", got.Outcome)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM conversations
		WHERE turn_count = 1 AND last_turn_at < now() - interval '59 min'`); n != 1 {
		t.Error("the conversation is as young as the withdrawn turn")
	}
	storetest.Audit(t, s)
}
