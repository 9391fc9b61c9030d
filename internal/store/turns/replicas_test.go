package turns_test

import (
	"database/sql"
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestTurnsOfADeadReplica: the reaper fails the turns of a dead replica and no others. When that
// replica settles them later, it stores and charges nothing.
func TestTurnsOfADeadReplica(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.URL(t))
	other := storetest.Replica(t, s)
	f := storetest.Seed(t, s, storetest.Options{})
	pending := map[string]uuid.UUID{}
	begin := func(s *store.DB, name string) {
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) {
			b.Session, pending[name] = name, b.TurnID
		})
	}
	begin(s, "without a number")
	for _, replica := range []*store.DB{s, other} {
		for range 2 { // the second changes nothing
			if err := turns.On(replica).Register(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	begin(s, "of the dead one")
	begin(other, "of the living one")
	for range 2 {
		beat(t, s)
	}
	found := beat(t, other)
	dead := turns.Replica{Number: 1, Beats: 2}
	if len(found) != 2 || !slices.Contains(found, dead) {
		t.Fatalf("the other replica sees %+v", found)
	}
	wantReaped(t, other, turns.Replica{Number: 1, Beats: 1}, 0)
	wantReaped(t, other, dead, 1)
	for name, want := range map[string]turns.Outcome{"of the dead one": turns.AlreadyFailed,
		"of the living one": turns.Settled, "without a number": turns.Settled} {
		got := storetest.FinishTurn(t, s, pending[name], conversation.Answered)
		if got.Outcome != want {
			t.Errorf("the turn %s: %s, want %s", name, got.Outcome, want)
		}
	}
	n := storetest.CountRows(t, s, `SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE'`)
	if n != 2 {
		t.Errorf("%d charges, want 2", n)
	}
	storetest.Audit(t, s)
}

// TestReapingWaitsForABeat: a replica whose beat is about to commit is not dead.
func TestReapingWaitsForABeat(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.URL(t))
	f := storetest.Seed(t, s, storetest.Options{})
	if err := turns.On(s).Register(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.BeginTurn(t, s, f.Key, nil)
	beats := func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE replicas SET beats = beats + 1`)
		return err
	}
	whileLocked(t, s, `SELECT FROM replicas FOR NO KEY UPDATE`, beats, func() error {
		wantReaped(t, s, turns.Replica{Number: 1}, 0)
		return nil
	})
}

// TestRowsOfReplicas: a beat inserts a row that was removed, a replica that beats keeps its row,
// and one that shuts down removes it.
func TestRowsOfReplicas(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.URL(t))
	one, two := turns.On(s), turns.On(storetest.Replica(t, s))
	rows := func(step string, want int, err error) {
		t.Helper()
		if n := storetest.CountRows(t, s, `SELECT count(*) FROM replicas`); err != nil || n != want {
			t.Errorf("%s: %d rows, want %d: %v", step, n, want, err)
		}
	}
	rows("one beats", 1, storetest.ErrOnly(one.Beat(t.Context())))
	rows("two registers", 2, two.Register(t.Context()))
	rows("two beats", 2, storetest.ErrOnly(two.Beat(t.Context())))
	rows("two has beaten since", 2, one.RemoveReplica(t.Context(), turns.Replica{Number: 2}))
	rows("two is dead", 1, one.RemoveReplica(t.Context(), turns.Replica{Number: 2, Beats: 1}))
	rows("two beats again", 2, storetest.ErrOnly(two.Beat(t.Context())))
	for range 2 {
		rows("two ends", 1, two.Unregister(t.Context()))
	}
}

// TestTooFewConnectionsToBeat: a replica without a connection for beats has no number.
func TestTooFewConnectionsToBeat(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{URL: storetest.URL(t), MaxConns: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := turns.On(s).Register(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.BeginTurn(t, s, storetest.Seed(t, s, storetest.Options{}).Key, nil)
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM replicas`) +
		storetest.CountRows(t, s, `SELECT count(replica) FROM turns`); n != 0 {
		t.Error("it has a number")
	}
}

func beat(t *testing.T, s *store.DB) []turns.Replica {
	t.Helper()
	found, err := turns.On(s).Beat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func wantReaped(t *testing.T, s *store.DB, dead turns.Replica, want int) {
	t.Helper()
	if n, err := turns.On(s).ReapReplica(t.Context(), dead, 10); n != want || err != nil {
		t.Errorf("%d turns failed, want %d: %v", n, want, err)
	}
}
