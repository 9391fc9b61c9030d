package e2e_test

import (
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
)

// arm sets a failure at a fail point of the replicas that use the directory.
func arm(t testing.TB, dir, point, how string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, point), []byte(how), 0o600); err != nil {
		t.Fatal(err)
	}
}

// wasHit reports whether an armed fail point was reached. If it waits, it continues.
func wasHit(dir, point string) bool { return os.Remove(filepath.Join(dir, point+".hit")) == nil }

// settlementFailures are the points at which settlement, which is one statement, fails: before the statement is sent, while the server
// runs it, after it ran but before the service knows, and before the caller knows.
var settlementFailures = []struct {
	point, how string
	// within means that the statement is interrupted while it runs, by ending the process or its connection.
	within bool
	// stored means that the reply is stored although the process dies.
	stored bool
}{
	{"settle.before", "kill", false, false}, {"settle.before", "kill", true, true}, {"settle.after", "kill", false, true},
	{"answer.settled", "kill", false, true},
	{"settle.before", "error", false, false}, {"settle.before", "error", true, false}, {"settle.after", "error", false, true},
}

// settlementBench is the setup of TestFailuresAroundSettlement.
type settlementBench struct {
	t       *testing.T
	store   *store.DB
	dir     string
	victim  *replica
	fixture storetest.Fixture
}

// stopWithin lets the call begin, ends the process or its connection while it waits for the account's lock, and then
// releases the lock.
func (s *settlementBench) stopWithin(point, how string) {
	t := s.t
	t.Helper()
	hit := filepath.Join(s.dir, point+".hit")
	eventually(t, "the process is about to settle", func() bool { _, err := os.Stat(hit); return err == nil })
	tx, err := s.store.SQL().BeginTx(t.Context(), nil)
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
	eventually(t, "the settlement waits for the account", func() bool {
		return s.store.SQL().QueryRowContext(t.Context(), `SELECT pid FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT * FROM settle_turns%'`).Scan(&backend) == nil
	})
	if how == "kill" {
		s.victim.kill()
		return
	}
	var ended bool
	if err := s.store.SQL().QueryRowContext(t.Context(), `SELECT pg_terminate_backend($1)`, backend).Scan(&ended); err != nil || !ended {
		t.Errorf("the backend was not terminated: %v", err)
	}
}

// TestFailuresAroundSettlement: the process dies or its connection is lost before, during, or after settlement. A charge and its reply
// exist together or not at all, and the caller finally gets the reply for one charge.
func TestFailuresAroundSettlement(t *testing.T) {
	t.Parallel()
	url, c := storetest.URL(t), client(t)
	env := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}
	b := &settlementBench{t: t, store: storetest.Open(t, url), dir: t.TempDir()}
	auditing(t, b.store)
	survivor := start(t, url, env...)
	env = append(env, "FAILPOINTS_DIR="+b.dir)
	b.victim = startProgram(t, failing(), url, env...)
	b.fixture = storetest.Seed(t, b.store, storetest.Options{Credits: 100_000})
	for round, f := range settlementFailures {
		how := f.how
		if f.within {
			how = "wait"
		}
		arm(t, b.dir, f.point, how)
		key, session := uuid.NewString(), []string{"", uuid.NewString()}[rand.IntN(2)]
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
				t.Errorf("round %d: the process killed at %s answered %s", round, f.point, got.outcome())
			}
			eventually(t, "the retry is no longer in progress", func() bool {
				got, err = send(survivor)
				return err == nil && got.outcome() != "request_in_progress"
			})
			if replayed := got.Header.Get("Idempotent-Replayed") == "true"; replayed != f.stored {
				t.Errorf("round %d: killed at %s, the retry being a replay: %t", round, f.point, replayed)
			}
			b.victim = startProgram(t, failing(), url, env...)
		}
		if err != nil || got.Status != http.StatusOK || got.Reply == "" {
			t.Errorf("round %d: %s at %s: %d %s %v", round, f.how, f.point, got.Status, got.Body, err)
		}
		var answered, charges, whole int
		if err := b.store.SQL().QueryRowContext(t.Context(), `SELECT count(DISTINCT t.id), count(e.id), count(e.id) FILTER (WHERE t.reply = $3)
			FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
			WHERE t.agent_id = $1 AND t.idempotency_key = $2 AND t.state = 'ANSWERED'`, b.fixture.Agent.ID, key, got.Reply).
			Scan(&answered, &charges, &whole); err != nil {
			t.Fatal(err)
		}
		if answered != 1 || charges != 1 || whole != 1 {
			t.Errorf("round %d: %s at %s: %d answered turns and %d charges, %d of them with the reply", round, f.how, f.point, answered, charges, whole)
		}
		storetest.Audit(t, b.store)
	}
	if a, err := accounts.On(b.store).Account(t.Context(), b.fixture.Account.ID); err != nil || a.CreditBalance != int64(100_000-len(settlementFailures)) || a.CreditsHeld != 0 {
		t.Errorf("at the end: balance %d, held %d, %v", a.CreditBalance, a.CreditsHeld, err)
	}
}
