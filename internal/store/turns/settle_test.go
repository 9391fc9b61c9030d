package turns_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestSettlingRaces: answers, failures and the reaper settle the same turns at once; each turn is
// settled exactly once.
func TestSettlingRaces(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	const holds = 60
	f := storetest.Seed(t, s, storetest.Options{Credits: holds})
	var work sync.WaitGroup
	var mu sync.Mutex
	outcomes := map[turns.Outcome]int{}
	note := func(f turns.SettleResult, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			t.Error(err)
		}
		outcomes[f.Outcome]++
	}
	for range holds {
		var id uuid.UUID
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.HoldFor, b.Session, id = -time.Second, uuid.NewString(), b.TurnID })
		for _, state := range []conversation.TurnState{conversation.Answered, conversation.Answered, conversation.Failed} {
			work.Go(func() { note(storetest.SettleFully(t.Context(), s, id, state)) })
		}
	}
	work.Go(func() {
		for range 5 {
			if _, err := turns.On(s).ReapTurns(context.WithoutCancel(t.Context()), 7); err != nil {
				t.Error(err)
			}
		}
	})
	work.Wait()
	balance, held := storetest.Credits(t, s, f.Account.ID)
	var taken int64
	err := s.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM turns WHERE state = 'ANSWERED'`).Scan(&taken)
	if err != nil || held != 0 || balance != holds-taken {
		t.Errorf("balance %d, held %d, answered %d of %d, %v", balance, held, taken, holds, err)
	}
	t.Logf("outcomes: %v", outcomes)
	storetest.Audit(t, s)
}

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
