package e2e_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// promised is what a caller was told: the reply of a message under an idempotency key.
type promised struct{ key, message, body string }

// TestDatabaseKilledUnderLoad: PostgreSQL is killed with -9 again and again under load over two replicas. Every caller repeats its
// message until it is answered. What was answered is stored and charged once, and the service goes on by itself.
func TestDatabaseKilledUnderLoad(tt *testing.T) {
	tt.Parallel()
	t := newPromise(tt, "F1")
	const workers, credits, within = 8, 1_000_000, 5 * time.Second
	database := newCrashable(t, nil)
	s, c := database.open(), client(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: credits})
	env := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}
	replicas := []*replica{start(t, database.url, env...), start(t, database.url, env...)}
	var mu sync.Mutex
	var told []promised
	var over atomic.Bool
	var answered, repeats atomic.Int64
	send := func(i int, session, key string) (answer, error) {
		return ask(t.Context(), c, replicas[i%2].Chat, f.Key.Reveal(), session, "hello", "Idempotency-Key", key)
	}
	var load sync.WaitGroup
	for w := range workers {
		load.Go(func() {
			for !over.Load() {
				key := uuid.NewString()
				for try := w; t.Context().Err() == nil; try++ {
					got, err := send(try, fmt.Sprint("session ", w), key)
					if err == nil && got.Status == http.StatusOK {
						mu.Lock()
						told = append(told, promised{key, got.Message, string(got.Body)})
						mu.Unlock()
						answered.Add(1)
						break
					}
					repeats.Add(1)
					<-time.After(20 * time.Millisecond)
				}
			}
		})
	}
	moment, slowest := t.random(), time.Duration(0)
	for kill := range t.times(3, 20) {
		before := answered.Load()
		eventually(t, "the load is under way", func() bool { return answered.Load() >= before+50 })
		<-time.After(time.Duration(moment.IntN(300)) * time.Millisecond)
		database.kill()
		database.start()
		accepts := time.Now()
		eventually(t, "a new message is answered again", func() bool {
			got, err := send(kill, "", uuid.NewString())
			return err == nil && got.Status == http.StatusOK
		})
		took := time.Since(accepts)
		if slowest = max(slowest, took); took > within {
			t.Errorf("kill %d: answers again %v after PostgreSQL accepted connections", kill, took)
		}
		t.ran(1)
	}
	over.Store(true)
	load.Wait()
	lost, doubled := 0, 0
	for _, p := range told {
		var turns, charges int
		if err := s.DB().QueryRowContext(t.Context(), `SELECT count(DISTINCT t.id) FILTER (WHERE t.id::text = $3), count(e.id)
			FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
			WHERE t.agent_id = $1 AND t.idempotency_key = $2 AND t.state = 'ANSWERED'`, f.Agent.ID, p.key, p.message).
			Scan(&turns, &charges); err != nil {
			t.Fatal(err)
		}
		if turns != 1 || charges < 1 {
			lost++
		}
		if charges > 1 {
			doubled++
		}
	}
	if lost > 0 || doubled > 0 {
		t.Errorf("of %d acknowledged charges %d are lost and %d doubled", len(told), lost, doubled)
	}
	eventually(t, "no hold is left", func() bool { return held(t, s, f) == 0 })
	storetest.Audit(t, s)
	t.measured("lost %d, doubled %d of %d acknowledged; %d repeats by callers; answers again %v after it accepts connections at the latest",
		lost, doubled, len(told), repeats.Load(), slowest.Round(time.Millisecond))
}
