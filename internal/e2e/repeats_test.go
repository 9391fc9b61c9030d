package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// TestRepeatsAfterCrashes: replicas, and PostgreSQL, are killed with -9 while messages are under way; each message is repeated under
// its Idempotency-Key, before and after, and ends as one charge and one body.
func TestRepeatsAfterCrashes(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "M3: killed with -9 in the middle, and repeated 20 times")
	const each, repeats = 20, 20
	database := newCrashable(t, nil)
	s, c := database.open(), client(t)
	t.audit(s)
	env := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}
	survivor := start(t, database.url, env...)
	victim := start(t, database.url, env...)
	rounds := t.times(2, 20)
	f := storetest.Seed(t, s, storetest.Options{Credits: int64(rounds*each) + 10})
	moment, doubles := t.random(), 0
	for round := range rounds {
		keys := make([]string, each)
		for i := range keys {
			keys[i] = uuid.NewString()
		}
		send := func(r *replica, i int) (answer, error) {
			return ask(t.Context(), c, r.Chat, f.Key.Reveal(), fmt.Sprint("s", i), "[[sandbox delay=30ms]]", "Idempotency-Key", keys[i])
		}
		first := make(chan struct{})
		go func() {
			defer close(first)
			parallel(4, each, func(i int) string { _, _ = send(victim, i); return "" })
		}()
		before := int64(moment.IntN(each))
		eventually(t, "some of the keys are answered", func() bool {
			var answered int64
			err := s.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM turns WHERE state = 'ANSWERED' AND account_id = $1`, f.Account.ID).
				Scan(&answered)
			return err == nil && answered >= int64(round*each)+before
		})
		if round%2 == 0 {
			victim.kill()
			<-first
			victim = start(t, database.url, env...)
		} else {
			database.kill()
			database.start()
			<-first
		}
		for i, key := range keys {
			bodies := map[string]bool{}
			for n := range repeats {
				r := []*replica{survivor, victim}[n%2]
				eventually(t, "the repeat is answered", func() bool {
					got, err := send(r, i)
					if err == nil && got.Status == http.StatusOK {
						bodies[string(got.Body)] = true
						return true
					}
					return false
				})
			}
			var charges int
			if err := s.DB().QueryRowContext(t.Context(), `SELECT count(e.id) FROM turns t JOIN credit_entries e ON e.turn_id = t.id
				WHERE t.agent_id = $1 AND t.idempotency_key = $2`, f.Agent.ID, key).Scan(&charges); err != nil {
				t.Fatal(err)
			}
			if len(bodies) != 1 || charges != 1 {
				doubles++
				t.Errorf("round %d: %d bodies and %d charges under one key", round, len(bodies), charges)
			}
			t.ran(1)
		}
		storetest.Audit(t, s)
	}
	if balance, held := (&pair{store: s}).credits(t, f); balance != 10 || held != 0 {
		t.Errorf("balance %d, held %d, want 10 and 0", balance, held)
	}
	t.measured("doubles %d; %d times a replica or PostgreSQL was killed", doubles, rounds)
}
