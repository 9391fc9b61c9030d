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

// acknowledged is a reply that a caller received: the idempotency key, if the request had one, the message's ID, and the text.
type acknowledged struct{ key, message, reply string }

// load is a group of callers of two replicas. They send messages and what follows these: see chain. Each request is retried until it is
// answered.
type load struct {
	t         *testing.T
	client    *http.Client
	fixture   storetest.Fixture
	callers   sync.WaitGroup
	over      atomic.Bool
	answered  atomic.Int64
	chains    chainFigures
	published atomic.Int64

	mu           sync.Mutex
	replicas     []*replica
	env          []string
	acknowledged []acknowledged
}

// newLoad starts two replicas with short deadlines on the database, and creates an account with enough credits.
func newLoad(t *testing.T, database *crashableDB, s *store.DB) *load {
	t.Helper()
	env := []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}
	return &load{t: t, client: client(t), fixture: storetest.Seed(t, s, storetest.Options{Credits: 1_000_000, Actions: orderActions}), env: env,
		replicas: []*replica{start(t, database.url, env...), start(t, database.url, env...)}}
}

// chat is the address of a replica.
func (l *load) chat(replica int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.replicas[replica%len(l.replicas)].Chat
}

// killReplica kills a replica and starts another in its place.
func (l *load) killReplica(i int, databaseURL string) {
	l.mu.Lock()
	victim := l.replicas[i]
	l.mu.Unlock()
	victim.kill()
	next := start(l.t, databaseURL, l.env...)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replicas[i] = next
}

// begin starts a number of callers. label returns a caller's session.
func (l *load) begin(callers int, label func(caller int) string) {
	for w := range callers {
		l.callers.Go(func() {
			for !l.over.Load() {
				l.chain(w, label(w))
			}
		})
	}
}

// end stops the callers and returns when each has its last answer.
func (l *load) end() {
	l.over.Store(true)
	l.callers.Wait()
}

// send sends a message without actions.
func (l *load) send(replica int, session, key string) (answer, error) {
	return ask(l.t.Context(), l.client, l.chat(replica), l.fixture.Key.Reveal(), session, "hello", "Idempotency-Key", key)
}

// receive keeps a reply for the verdict.
func (l *load) receive(key string, got answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acknowledged = append(l.acknowledged, acknowledged{key, got.Message, got.Reply})
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
				if err != nil || got.Status != http.StatusOK {
					return false
				}
				l.receive(key, got)
				return true
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

// verdict fails the test if a reply that was received or its charge is missing or doubled, or if a chain is not as it has to be.
func (l *load) verdict(s *store.DB) {
	l.t.Helper()
	eventually(l.t, "no hold is left", func() bool { return held(l.t, s, l.fixture) == 0 })
	lost, doubled := 0, 0
	for _, p := range l.acknowledged {
		var replies, turns, charges int
		if err := s.SQL().QueryRowContext(l.t.Context(), `SELECT count(DISTINCT t.id), count(DISTINCT t.id) FILTER (WHERE t.id::text = $3), count(e.id)
			FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
			WHERE t.agent_id = $1 AND t.state = 'ANSWERED' AND (t.idempotency_key = $2 OR t.id::text = $3)`, l.fixture.Agent.ID, p.key, p.message).
			Scan(&replies, &turns, &charges); err != nil {
			l.t.Fatal(err)
		}
		if turns != 1 || charges < 1 {
			lost++
		}
		if replies > 1 || charges > 1 {
			doubled++
		}
	}
	if lost > 0 || doubled > 0 {
		l.t.Errorf("of %d acknowledged charges, %d are lost and %d doubled", len(l.acknowledged), lost, doubled)
	}
	l.verdictOnChains(s)
	storetest.Audit(l.t, s)
}
