package e2e_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// acknowledged is a reply that a caller received: the idempotency key, the message's ID, and the body.
type acknowledged struct{ key, message, body string }

// load is a group of callers of two replicas who retry each message under its Idempotency-Key until it is answered.
type load struct {
	t            *testing.T
	client       *http.Client
	replicas     []*replica
	fixture      storetest.Fixture
	callers      sync.WaitGroup
	over         atomic.Bool
	answered     atomic.Int64
	mu           sync.Mutex
	acknowledged []acknowledged
}

// newLoad starts two replicas with short deadlines on the database, and creates an account with enough credits.
func newLoad(t *testing.T, database *crashableDB, s *store.Store) *load {
	t.Helper()
	env := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}
	return &load{t: t, client: client(t), fixture: storetest.Seed(t, s, storetest.Options{Credits: 1_000_000}),
		replicas: []*replica{start(t, database.url, env...), start(t, database.url, env...)}}
}

// begin starts a number of callers. label returns a caller's session.
func (l *load) begin(callers int, label func(caller int) string) {
	for w := range callers {
		l.callers.Go(func() {
			for !l.over.Load() {
				l.untilAnswered(w, label(w))
			}
		})
	}
}

// end stops the callers and returns when each has its last answer.
func (l *load) end() {
	l.over.Store(true)
	l.callers.Wait()
}

func (l *load) send(replica int, session, key string) (answer, error) {
	return ask(l.t.Context(), l.client, l.replicas[replica%len(l.replicas)].Chat, l.fixture.Key.Reveal(), session, "hello", "Idempotency-Key", key)
}

func (l *load) untilAnswered(caller int, session string) {
	key := uuid.NewString()
	for try := caller; l.t.Context().Err() == nil; try++ {
		got, err := l.send(try, session, key)
		if err == nil && got.Status == http.StatusOK {
			l.mu.Lock()
			l.acknowledged = append(l.acknowledged, acknowledged{key, got.Message, string(got.Body)})
			l.mu.Unlock()
			l.answered.Add(1)
			return
		}
		<-time.After(20 * time.Millisecond)
	}
}

// recoveryTime waits until every replica answers a new message, and returns how long that took.
func (l *load) recoveryTime() time.Duration {
	l.t.Helper()
	began := time.Now()
	var slowest atomic.Int64
	var all sync.WaitGroup
	for i := range l.replicas {
		all.Go(func() {
			key := uuid.NewString()
			eventually(l.t, "a new message is answered again", func() bool {
				got, err := l.send(i, "", key)
				return err == nil && got.Status == http.StatusOK
			})
			for took := int64(time.Since(began)); ; {
				if was := slowest.Load(); took <= was || slowest.CompareAndSwap(was, took) {
					return
				}
			}
		})
	}
	all.Wait()
	return time.Duration(slowest.Load())
}

// verdict fails the test if the charge of an answer is missing or duplicated.
func (l *load) verdict(s *store.Store) {
	l.t.Helper()
	lost, doubled := 0, 0
	for _, p := range l.acknowledged {
		var turns, charges int
		if err := s.DB().QueryRowContext(l.t.Context(), `SELECT count(DISTINCT t.id) FILTER (WHERE t.id::text = $3), count(e.id)
			FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
			WHERE t.agent_id = $1 AND t.idempotency_key = $2 AND t.state = 'ANSWERED'`, l.fixture.Agent.ID, p.key, p.message).
			Scan(&turns, &charges); err != nil {
			l.t.Fatal(err)
		}
		if turns != 1 || charges < 1 {
			lost++
		}
		if charges > 1 {
			doubled++
		}
	}
	if lost > 0 || doubled > 0 {
		l.t.Errorf("of %d acknowledged charges, %d are lost and %d doubled", len(l.acknowledged), lost, doubled)
	}
	eventually(l.t, "no hold is left", func() bool { return held(l.t, s, l.fixture) == 0 })
	storetest.Audit(l.t, s)
}
