package turns_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestTurnHoldsThenCharges(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 5})
	var id uuid.UUID
	begun := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { id = b.TurnID })
	if begun.Outcome != turns.Begun || begun.Number != 1 || begun.Price != 1 || begun.Sender.ExportID != f.Export.ID {
		t.Fatalf("begin: %+v", begun)
	}
	if balance, held := storetest.Credits(t, s, f.Account.ID); balance != 5 || held != 1 {
		t.Errorf("while pending: balance %d, held %d, want 5 and 1", balance, held)
	}
	if got := storetest.FinishTurn(t, s, id, conversation.Answered); got.Outcome != turns.Settled || got.CreditsRemaining != 4 {
		t.Errorf("finish: %+v", got)
	}
	if got := storetest.FinishTurn(t, s, id, conversation.Answered); got.Outcome != turns.AlreadyAnswered || got.CreditsRemaining != 4 {
		t.Errorf("repeated finish: %+v", got)
	}
	if got := storetest.FinishTurn(t, s, id, conversation.Failed); got.Outcome != turns.AlreadyAnswered {
		t.Errorf("a failure after the answer: %+v", got)
	}
	if balance, held := storetest.Credits(t, s, f.Account.ID); balance != 4 || held != 0 {
		t.Errorf("afterwards: balance %d, held %d, want 4 and 0", balance, held)
	}
	storetest.Audit(t, s)
}

func TestFailedTurnCostsNothingAndIsNotInTheContext(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 5})
	var id uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { id = b.TurnID })
	if got := storetest.FinishTurn(t, s, id, conversation.Failed); got.Outcome != turns.Settled || got.CreditsRemaining != 5 {
		t.Errorf("finish: %+v", got)
	}
	begun := storetest.BeginTurn(t, s, f.Key, nil)
	if begun.Outcome != turns.Begun || begun.Number != 2 || len(begun.History) != 0 {
		t.Errorf("the next turn: %+v", begun)
	}
	if got := storetest.FinishTurn(t, s, uuid.Must(uuid.NewV7()), conversation.Answered); got.Outcome != turns.Gone {
		t.Errorf("an unknown turn: %+v", got)
	}
	storetest.Audit(t, s)
}

func TestReaperReleasesOnlyWhatIsDue(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var due uuid.UUID
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.HoldFor, b.Session, due = -time.Second, "due", b.TurnID })
	storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.HoldFor, b.Session = time.Minute, "not due" })
	if n, err := turns.On(s).ReapTurns(t.Context(), 10); n != 1 || err != nil {
		t.Fatalf("reaped %d, %v", n, err)
	}
	if got := storetest.FinishTurn(t, s, due, conversation.Answered); got.Outcome != turns.AlreadyFailed || got.ErrorCode != "unavailable" {
		t.Errorf("a reply after the reaper: %+v", got)
	}
	if balance, held := storetest.Credits(t, s, f.Account.ID); balance != 100 || held != 1 {
		t.Errorf("balance %d, held %d, want 100 and 1", balance, held)
	}
	storetest.Audit(t, s)
}

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
	var late turns.Begin
	var got []turns.SettleResult
	for got == nil { // a settlement does not wait for long, and a slow machine may not begin a turn so soon
		other := storetest.NewBegin(f.Key)
		late = storetest.NewBegin(g.Key)
		got = settleWhileItBegins(t, s, f.Account.ID, other, late)
	}
	if got[0].Outcome != turns.Settled || got[1].Outcome != turns.Retry {
		t.Errorf("%+v", got)
	}
	if pending := storetest.CountRows(t, s, `SELECT count(*) FROM turns WHERE id = $1 AND state = 'PENDING'`, late.TurnID); pending != 1 {
		t.Error("the late turn was settled")
	}
	storetest.Audit(t, s)
}

// settleWhileItBegins settles two turns while an account's row is locked, and begins the second one
// before the lock is released. It returns nil if the settlement did not wait for that.
func settleWhileItBegins(t *testing.T, s *store.DB, locked uuid.UUID, other, late turns.Begin) []turns.SettleResult {
	t.Helper()
	if got, err := turns.On(s).BeginTurns(t.Context(), other); err != nil || got[0].Outcome != turns.Begun {
		t.Fatal(got, err)
	}
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE`, locked); err != nil {
		t.Fatal(err)
	}
	done := make(chan []turns.SettleResult, 1)
	go func() {
		got, err := turns.On(s).SettleTurns(t.Context(),
			turns.Settlement{TurnID: other.TurnID, State: conversation.Failed, ErrorCode: "model_error"},
			turns.Settlement{TurnID: late.TurnID, State: conversation.Failed, ErrorCode: "unavailable"})
		if err != nil && !fault.Is(err, fault.Unavailable) {
			t.Error(err)
		}
		done <- got
	}()
	storetest.WaitForLocks(t, s, 1)
	if got, err := turns.On(s).BeginTurns(t.Context(), late); err != nil || got[0].Outcome != turns.Begun {
		t.Fatal(got, err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	return <-done
}
