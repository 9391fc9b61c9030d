package e2e_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestRetriesAfterCrashes: replicas and PostgreSQL are killed with SIGKILL while messages are in progress. Each message is retried under
// its Idempotency-Key, 20 times concurrently and 20 times in a row, and ends as one charge and one body.
func TestRetriesAfterCrashes(t *testing.T) {
	testlong.Only(t)
	const workers = 4
	database := newCrashableDB(t, nil)
	s := database.open()
	auditing(t, s)
	env := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}
	const rounds, each = 2, 10
	b := &retryBench{t: t, client: client(t), replicas: [2]*replica{start(t, database.url, env...), start(t, database.url, env...)},
		fixture: storetest.Seed(t, s, storetest.Options{Credits: int64(rounds*each) + 10})}
	random, doubles := newRandom(), 0
	for round := range rounds {
		keys := make([]string, each)
		for i := range keys {
			keys[i] = uuid.NewString()
		}
		first := make(chan struct{})
		go func() {
			defer close(first)
			parallel(workers, each, func(i int) string { _, _ = b.send(1, keys[i]); return "" })
		}()
		before := int64(random.IntN(each))
		eventually(t, "some of the keys are answered", func() bool {
			var answered int64
			err := s.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM turns WHERE state = 'ANSWERED' AND account_id = $1`,
				b.fixture.Account.ID).Scan(&answered)
			return err == nil && answered >= int64(round*each)+before
		})
		if round%2 == 0 {
			b.replicas[1].kill()
			<-first
			b.replicas[1] = start(t, database.url, env...)
		} else {
			database.kill()
			database.start()
			<-first
		}
		for _, key := range keys {
			bodies := b.untilAnswered(key)
			var charges int
			if err := s.SQL().QueryRowContext(t.Context(), `SELECT count(e.id) FROM turns t JOIN credit_entries e ON e.turn_id = t.id
				WHERE t.agent_id = $1 AND t.idempotency_key = $2`, b.fixture.Agent.ID, key).Scan(&charges); err != nil {
				t.Fatal(err)
			}
			if bodies != 1 || charges != 1 {
				doubles++
				t.Errorf("round %d: %d bodies and %d charges under one key", round, bodies, charges)
			}
		}
		storetest.Audit(t, s)
	}
	if balance, held := (&pair{store: s}).credits(t, b.fixture); balance != 10 || held != 0 {
		t.Errorf("balance %d, held %d, want 10 and 0", balance, held)
	}
}

// retryBench is the setup of TestRetriesAfterCrashes.
type retryBench struct {
	t        *testing.T
	client   *http.Client
	replicas [2]*replica
	fixture  storetest.Fixture
}

func (b *retryBench) send(replica int, key string) (answer, error) {
	return ask(b.t.Context(), b.client, b.replicas[replica%2].Chat, b.fixture.Key.Reveal(), "session "+key, "[[sandbox delay=30ms]]",
		"Idempotency-Key", key)
}

// untilAnswered sends a message 20 times concurrently and 20 times in a row, retrying each until it is answered. It returns the
// number of different bodies.
func (b *retryBench) untilAnswered(key string) int {
	const times = 20
	var mu sync.Mutex
	bodies := map[string]bool{}
	once := func(i int) string {
		eventually(b.t, "the retry is answered", func() bool {
			got, err := b.send(i, key)
			if err != nil || got.Status != http.StatusOK {
				return false
			}
			mu.Lock()
			defer mu.Unlock()
			bodies[string(got.Body)] = true
			return true
		})
		return ""
	}
	parallel(times, times, once)
	parallel(1, times, once)
	return len(bodies)
}
