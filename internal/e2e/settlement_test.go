package e2e_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// arm lays a failure down at a fail point of the replicas that look into the folder.
func arm(t testing.TB, dir, point, how string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, point), []byte(how), 0o600); err != nil {
		t.Fatal(err)
	}
}

// wasHit reports whether an armed fail point was come by. One that waits goes on.
func wasHit(dir, point string) bool { return os.Remove(filepath.Join(dir, point+".hit")) == nil }

// settlementFaults are the moments of the settling, which is one statement, and how it fails at each: before it is sent, while the
// server runs it, when it is done and the service has not seen the answer, and when the service has, but not the caller.
var settlementFaults = []struct {
	point, how string
	// within says that the statement is stopped in the middle, and the process or its connection ended there.
	within bool
	// stored says that the reply is there, or comes by itself, when the process dies.
	stored bool
}{
	{"finish.before", "kill", false, false}, {"finish.before", "kill", true, true}, {"finish.after", "kill", false, true},
	{"answer.settled", "kill", false, true},
	{"finish.before", "error", false, false}, {"finish.before", "error", true, false}, {"finish.after", "error", false, true},
}

// settling is the bench of TestFailuresAroundSettlement.
type settlementBench struct {
	t       *faultRow
	store   *store.Store
	dir     string
	victim  *replica
	fixture storetest.Fixture
}

// stopWithin lets the statement begin, ends the process or its connection while the statement waits for the account, and
// lets the statement go on.
func (s *settlementBench) stopWithin(point, how string) {
	t := s.t
	t.Helper()
	hit := filepath.Join(s.dir, point+".hit")
	eventually(t, "the process is about to settle", func() bool { _, err := os.Stat(hit); return err == nil })
	tx, err := s.store.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE`, s.fixture.Account.ID); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(hit); err != nil {
		t.Fatal(err)
	}
	var backend int
	eventually(t, "the settling waits for the account", func() bool {
		return s.store.DB().QueryRowContext(t.Context(), `SELECT pid FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '-- finish:%'`).Scan(&backend) == nil
	})
	if how == "kill" {
		s.victim.kill()
		return
	}
	var ended bool
	if err := s.store.DB().QueryRowContext(t.Context(), `SELECT pg_terminate_backend($1)`, backend).Scan(&ended); err != nil || !ended {
		t.Errorf("the backend was not ended: %v", err)
	}
}

// TestFailuresAroundSettlement: whether the process dies or its connection is lost, before the settling, in the middle of it, or
// after it: a charge and its reply exist together or not at all, and the caller gets the reply in the end, for one charge.
func TestFailuresAroundSettlement(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "M5")
	url, c := storetest.URL(t), client(t)
	env := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=2s", "REAP_INTERVAL=100ms"}
	b := &settlementBench{t: t, store: storetest.Open(t, url), dir: t.TempDir()}
	t.audit(b.store)
	survivor := start(t, url, env...)
	env = append(env, "FAILPOINTS_DIR="+b.dir)
	b.victim = startProgram(t, failing(), url, env...)
	b.fixture = storetest.Seed(t, b.store, storetest.Options{Credits: 100_000})
	total := max(faults.Times(2*len(settlementFaults), 203), len(settlementFaults))
	order, halves := t.random(), 0
	for round := range total {
		f := settlementFaults[round%len(settlementFaults)]
		how := f.how
		if f.within {
			how = "wait"
		}
		arm(t, b.dir, f.point, how)
		key, session := uuid.NewString(), []string{"", uuid.NewString()}[order.IntN(2)]
		send := func(r *replica) (answer, error) {
			return ask(t.Context(), c, r.Chat, b.fixture.Key.Reveal(), session, "hello", "Idempotency-Key", key)
		}
		var got answer
		var err error
		done := make(chan struct{})
		go func() {
			defer close(done)
			got, err = send(b.victim)
		}()
		if f.within {
			b.stopWithin(f.point, f.how)
		}
		<-done
		if !f.within && !wasHit(b.dir, f.point) {
			t.Fatalf("round %d: %s was not reached: %s %v", round, f.point, got.outcome(), err)
		}
		if f.how == "kill" {
			<-b.victim.exited
			if err == nil {
				t.Errorf("round %d: the process that died at %s answered %s", round, f.point, got.outcome())
			}
			eventually(t, "the retry is no longer in progress", func() bool {
				got, err = send(survivor)
				return err == nil && got.outcome() != "request_in_progress"
			})
			if replayed := got.Header.Get("Idempotent-Replayed") == "true"; replayed != f.stored {
				t.Errorf("round %d: killed at %s, the retry was a replay: %t", round, f.point, replayed)
			}
			b.victim = startProgram(t, failing(), url, env...)
		}
		if err != nil || got.Status != http.StatusOK || got.Reply == "" {
			t.Errorf("round %d: %s at %s: %d %s %v", round, f.how, f.point, got.Status, got.Body, err)
		}
		var answered, charges, whole int
		if err := b.store.DB().QueryRowContext(t.Context(), `SELECT count(DISTINCT t.id), count(e.id), count(e.id) FILTER (WHERE t.reply = $3)
			FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
			WHERE t.agent_id = $1 AND t.idempotency_key = $2 AND t.state = 'ANSWERED'`, b.fixture.Agent.ID, key, got.Reply).
			Scan(&answered, &charges, &whole); err != nil {
			t.Fatal(err)
		}
		if answered != 1 || charges != 1 || whole != 1 {
			halves++
			t.Errorf("round %d: %s at %s: %d answered turns, %d charges, %d of them with the reply", round, f.how, f.point, answered, charges, whole)
		}
		storetest.Audit(t, b.store)
		t.ran(1)
	}
	if a, err := b.store.Account(t.Context(), b.fixture.Account.ID); err != nil || a.CreditBalance != int64(100_000-total) || a.CreditsHeld != 0 {
		t.Errorf("after %d rounds: balance %d, held %d, %v", total, a.CreditBalance, a.CreditsHeld, err)
	}
	t.measured("halves %d; killed or cut off before the settling, in the middle of its statement, after it, and after the answer was made", halves)
}
