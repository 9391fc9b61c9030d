package db_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// eventually polls until a condition holds that nothing signals.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.After(time.Minute); !holds(); {
		select {
		case <-time.After(2 * time.Millisecond):
		case <-deadline:
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// TestPauseLosesNoTurn tests that under load every pause lets the statements in flight finish, then
// ends all connections, and that no call fails.
func TestPauseLosesNoTurn(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	observer := storetest.Open(t, url)
	s, err := store.Open(t.Context(), store.Config{URL: url, ApplicationName: "paused"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	f := storetest.Seed(t, observer, storetest.Options{Credits: 1_000_000})
	var load sync.WaitGroup
	var over atomic.Bool
	var done atomic.Int64
	for range 8 {
		load.Go(func() {
			for !over.Load() {
				b := storetest.NewBegin(f.Key)
				b.Session = uuid.NewString()
				begun, err := turns.On(s).BeginTurn(t.Context(), b)
				if err != nil || begun.Outcome != turns.Begun {
					t.Errorf("begin: %v %v", begun.Outcome, err)
					return
				}
				settled, err := turns.On(s).SettleTurn(t.Context(), turns.Settlement{TurnID: b.TurnID, State: conversation.Answered, Reply: "hi",
					FinishReason: "stop"})
				if err != nil || settled.Outcome != turns.Settled {
					t.Errorf("settle: %v %v", settled.Outcome, err)
					return
				}
				if err := s.Ready(t.Context()); err != nil {
					t.Errorf("ready: %v", err)
				}
				done.Add(1)
			}
		})
	}
	for range 5 {
		before := done.Load()
		eventually(t, "the load is running", func() bool { return t.Failed() || done.Load() >= before+20 })
		resume := s.Pause(t.Context())
		connections := func() int {
			return storetest.CountRows(t, observer, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'paused'`)
		}
		eventually(t, "every connection has ended", func() bool { return connections() == 0 })
		paused := done.Load()
		for range 20 {
			if n := connections(); n > 0 {
				t.Fatalf("%d connections while the store is paused", n)
			}
		}
		if done.Load() > paused+8 {
			t.Error("turns were settled while the store was paused")
		}
		resume()
	}
	over.Store(true)
	load.Wait()
	storetest.Audit(t, observer)
}

// TestPauseGoesOnWithoutAStatement: a statement that does not end in time does not keep the pause
// from being one. New statements wait.
func TestPauseGoesOnWithoutAStatement(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	locked, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = locked.Rollback() }()
	if _, err := locked.ExecContext(t.Context(), `SELECT FROM api_exports WHERE id = $1 FOR UPDATE`, f.Export.ID); err != nil {
		t.Fatal(err)
	}
	begun := make(chan error, 1)
	go func() {
		_, err := turns.On(s).BeginTurn(t.Context(), storetest.NewBegin(f.Key))
		begun <- err
	}()
	eventually(t, "a statement waits for the lock", func() bool {
		return storetest.CountRows(t, s, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	})
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	resume := s.Pause(short)
	impatient, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // longer than it takes
	defer cancel()
	if _, err := accounts.On(s).Account(impatient, f.Account.ID); err == nil {
		t.Error("a statement runs while the store is paused")
	}
	if err := locked.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-begun; err != nil {
		t.Errorf("the statement that was under way: %v", err)
	}
	resume()
	if _, err := accounts.On(s).Account(t.Context(), f.Account.ID); err != nil {
		t.Errorf("after the pause: %v", err)
	}
	if s.SQL().Stats().Idle == 0 {
		t.Error("connections are not kept after the pause")
	}
}

// TestPauseWaitsForRows: what a statement returned is read to its end before the pause is one.
func TestPauseWaitsForRows(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	rows, err := s.SQL().QueryContext(t.Context(), `SELECT generate_series(1, 9)`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var read atomic.Bool
	resumed := make(chan func(), 1)
	go func() {
		resume := s.Pause(t.Context())
		if !read.Load() {
			t.Error("the pause did not wait for the rows")
		}
		resumed <- resume
	}()
	eventually(t, "new statements wait", func() bool {
		impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := accounts.On(s).Account(impatient, uuid.New())
		return !fault.Is(err, fault.NotFound)
	})
	read.Store(true)
	for rows.Next() { // to the end, which closes them
	}
	if err := rows.Err(); err != nil {
		t.Error(err)
	}
	(<-resumed)()
}
