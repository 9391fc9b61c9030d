package e2e_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// arm lays a failure down at a fail point of the replicas that look into the folder.
func arm(t testing.TB, dir, point, how string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, point), []byte(how), 0o600); err != nil {
		t.Fatal(err)
	}
}

// wasHit reports whether an armed fail point was come by.
func wasHit(dir, point string) bool { return os.Remove(filepath.Join(dir, point+".hit")) == nil }

// TestFailuresAroundSettling: whether the process dies or its connection is lost, before the settling or after it: a charge and
// its reply exist together or not at all, and the caller gets the reply in the end, for one charge.
func TestFailuresAroundSettling(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "M5")
	url, c, dir := storetest.URL(t), client(t), t.TempDir()
	s := storetest.Open(t, url)
	t.audit(s)
	env := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}
	survivor := start(t, url, env...)
	env = append(env, "FAILPOINTS_DIR="+dir)
	victim := startProgram(t, failing(), url, env...)
	seat := storetest.Seed(t, s, storetest.Options{Credits: 100_000})
	faults := []struct {
		point, how string
		// stored says that the reply is there when the failure comes.
		stored bool
	}{
		{"finish.before", "kill", false}, {"finish.after", "kill", true}, {"answer.settled", "kill", true},
		{"finish.before", "error", false}, {"finish.after", "error", true},
	}
	total := max(t.times(2*len(faults), 200), len(faults))
	order, halves := t.random(), 0
	for round := range total {
		f := faults[round%len(faults)]
		arm(t, dir, f.point, f.how)
		key, session := uuid.NewString(), []string{"", uuid.NewString()}[order.IntN(2)]
		got, err := ask(t.Context(), c, victim.Chat, seat.Key.Reveal(), session, "hello", "Idempotency-Key", key)
		if !wasHit(dir, f.point) {
			t.Fatalf("round %d: %s was not reached: %s %v", round, f.point, got.outcome(), err)
		}
		if f.how == "kill" {
			<-victim.exited
			if err == nil {
				t.Errorf("round %d: the process that died at %s answered %s", round, f.point, got.outcome())
			}
			eventually(t, "the retry is no longer in progress", func() bool {
				got, err = ask(t.Context(), c, survivor.Chat, seat.Key.Reveal(), session, "hello", "Idempotency-Key", key)
				return err == nil && got.outcome() != "request_in_progress"
			})
			if replayed := got.Header.Get("Idempotent-Replayed") == "true"; replayed != f.stored {
				t.Errorf("round %d: killed at %s, the retry was a replay: %t", round, f.point, replayed)
			}
			victim = startProgram(t, failing(), url, env...)
		}
		if err != nil || got.Status != http.StatusOK || got.Reply == "" {
			t.Errorf("round %d: %s at %s: %d %s %v", round, f.how, f.point, got.Status, got.Body, err)
		}
		var answered, charges, whole int
		if err := s.DB().QueryRowContext(t.Context(), `SELECT count(DISTINCT t.id), count(e.id), count(e.id) FILTER (WHERE t.reply = $3)
			FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
			WHERE t.agent_id = $1 AND t.idempotency_key = $2 AND t.state = 'ANSWERED'`, seat.Agent.ID, key, got.Reply).
			Scan(&answered, &charges, &whole); err != nil {
			t.Fatal(err)
		}
		if answered != 1 || charges != 1 || whole != 1 {
			halves++
			t.Errorf("round %d: %s at %s: %d answered turns, %d charges, %d of them with the reply", round, f.how, f.point, answered, charges, whole)
		}
		storetest.Audit(t, s)
		t.ran(1)
	}
	if a, err := s.Account(t.Context(), seat.Account.ID); err != nil || a.CreditBalance != int64(100_000-total) || a.CreditsHeld != 0 {
		t.Errorf("after %d rounds: balance %d, held %d, %v", total, a.CreditBalance, a.CreditsHeld, err)
	}
	t.measured("halves %d; killed or cut off before the settling, after it, and after the answer was made", halves)
}
