package turns_test

import (
	"database/sql"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestSettlingATurnThatBeginsMeanwhile: a settlement does not change a turn whose begin commits
// while the settlement waits for another account.
func TestSettlingATurnThatBeginsMeanwhile(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, g := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	var other uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { other = b.TurnID })
	var late atomic.Pointer[turns.Begin]
	var got []turns.SettleResult
	begin := func(*sql.Tx) error {
		return storetest.ErrOnly(turns.On(s).BeginTurns(t.Context(), *late.Load()))
	}
	lock := fmt.Sprintf(`SELECT FROM accounts WHERE id = '%s' FOR UPDATE`, f.Account.ID)
	whileLocked(t, s, lock, begin, func() (err error) {
		b := storetest.NewBegin(g.Key)
		inSession(&b, b.TurnID.String())
		late.Store(&b)
		got, err = turns.On(s).SettleTurns(t.Context(),
			turns.Settlement{TurnID: other, State: conversation.Failed, ErrorCode: "model_error"},
			turns.Settlement{TurnID: b.TurnID, State: conversation.Failed, ErrorCode: "unavailable"})
		return err
	})
	if got[0].Outcome != turns.Settled || got[1].Outcome != turns.Retry {
		t.Errorf("%+v", got)
	}
	pending := storetest.CountRows(t, s, `SELECT count(*) FROM turns WHERE id = $1 AND state = 'PENDING'`,
		late.Load().TurnID)
	if pending != 1 {
		t.Error("the late turn was settled")
	}
	storetest.Audit(t, s)
}
