package e2e_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/versions"
)

// received is a reply that a caller received. The key is the request's idempotency key, if any.
type received struct {
	at                  time.Time
	key, message, reply string
}

// load is a group of callers of some replicas. They send messages, which may ask for actions, and
// the results of these. Every request is retried until it is answered.
type load struct {
	t       *testing.T
	store   *store.DB
	client  *http.Client
	fixture storetest.Fixture
	callers sync.WaitGroup
	over    atomic.Bool

	mu       sync.Mutex
	replicas []*replica
	// mixed means that the replicas run two releases. One may add fields to a reply.
	mixed    bool
	received []received
	// counts counts what the callers have seen.
	counts map[string]int
}

func (l *load) count(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[what]++
}

func (l *load) counted(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts[what]
}

// shortDeadlines make a turn of a killed process end within seconds.
var shortDeadlines = []string{"MODEL_TIMEOUT=1s", "HOLD_GRACE=1s", "REAP_INTERVAL=100ms"}

// orderActions are the actions of an order desk.
var orderActions = []agent.Action{{
	Name:        "order_status",
	Description: "Looks up an order.",
	Parameters: `{"type":"object","required":["order"],
		"properties":{"order":{"type":"string"}}}`,
}}

// newLoad creates an account with enough credits, whose callers use the replicas.
func newLoad(t *testing.T, s *store.DB, replicas ...*replica) *load {
	t.Helper()
	return &load{
		t:        t,
		store:    s,
		client:   client(t),
		fixture:  storetest.Seed(t, s, storetest.Options{Credits: 1_000_000, Actions: orderActions}),
		replicas: replicas,
		counts:   map[string]int{},
	}
}

// chat returns the address of a replica.
func (l *load) chat(i int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.replicas[i%len(l.replicas)].Chat
}

// replace ends a replica and starts another one. Meanwhile, callers find no replica at its address.
func (l *load) replace(i int, end func(*replica), start func() *replica) {
	l.mu.Lock()
	victim := l.replicas[i]
	l.mu.Unlock()
	end(victim)
	next := start()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replicas[i] = next
}

// replaceReplica kills a replica and starts another one.
func (l *load) replaceReplica(i int, databaseURL string) {
	l.replace(i, (*replica).kill, func() *replica { return start(l.t, databaseURL, shortDeadlines...) })
}

// begin starts a number of callers, each in a session of its own.
func (l *load) begin(callers int) {
	for caller := range callers {
		session := uuid.NewString()
		l.callers.Go(func() {
			for !l.over.Load() {
				l.chain(caller, session)
			}
		})
	}
	l.more(20)
}

// more waits until more requests are answered.
func (l *load) more(n int) {
	l.t.Helper()
	before := l.counted("answered")
	eventually(l.t, "requests are answered", func() bool {
		return l.counted("answered") >= before+n || l.t.Failed()
	})
}

// end stops the callers and returns when each has its last answer.
func (l *load) end() {
	l.over.Store(true)
	l.callers.Wait()
}

// keep remembers a reply for the verdict.
func (l *load) keep(key string, got answer) {
	l.count("answered")
	l.mu.Lock()
	defer l.mu.Unlock()
	l.received = append(l.received, received{time.Now(), key, got.Message, got.Reply})
}

// outage returns the longest time without an answer between two moments.
func (l *load) outage(from, to time.Time) (longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := from
	for _, r := range l.received { // in order
		if r.at.After(from) && r.at.Before(to) {
			longest = max(longest, r.at.Sub(last))
			last = r.at
		}
	}
	return max(longest, to.Sub(last))
}

// publish publishes versions until the load ends, also while the database is unavailable.
func (l *load) publish() {
	account, agentID := l.fixture.Account.ID, l.fixture.Agent.ID
	for !l.over.Load() {
		text := uuid.NewString()
		changes := agent.Changes{Instructions: agent.Change[string]{Set: true, Value: &text}}
		_, err := agents.On(l.store).UpdateAgent(l.t.Context(), account, agentID, changes, nil)
		if err == nil {
			offered := func(string) bool { return true }
			_, _, err = versions.On(l.store).PublishAgent(l.t.Context(), account, agentID,
				versions.Publication{}, offered)
		}
		if err == nil {
			l.count("versions published")
		}
		<-time.After(50 * time.Millisecond)
	}
}

// recoveryTime waits until every replica answers a new message, and returns how long that took.
func (l *load) recoveryTime() time.Duration {
	l.t.Helper()
	began := time.Now()
	parallel(len(l.replicas), len(l.replicas), func(i int) string {
		key := uuid.NewString()
		eventually(l.t, "a new message is answered", func() bool {
			got, err := ask(l.t.Context(), l.client, l.chat(i), l.fixture.Key.Reveal(), "", "hello",
				"Idempotency-Key", key)
			if err != nil || got.Status != http.StatusOK {
				return false
			}
			l.keep(key, got)
			return true
		})
		return ""
	})
	return time.Since(began)
}

// verdict checks that every reply that a caller received is stored with exactly one charge, that
// nothing else was charged, that the actions of a reply were answered at most once, and that a
// chain has one version.
func (l *load) verdict() {
	l.t.Helper()
	expectNoHold(l.t, l.store, l.fixture)
	distinct := map[string]bool{}
	for _, r := range l.received {
		distinct[r.message] = true
		var turns, stored, charges int
		readRow(l.t, l.store, `
			SELECT count(DISTINCT t.id), count(DISTINCT t.id) FILTER (WHERE t.reply = $4), count(e.id)
			FROM turns t LEFT JOIN credit_entries e ON e.turn_id = t.id
			WHERE t.agent_id = $1 AND t.state = 'ANSWERED'
				AND (t.idempotency_key = $2 OR t.id = $3::uuid)`,
			[]any{l.fixture.Agent.ID, r.key, r.message, r.reply}, &turns, &stored, &charges)
		if turns != 1 || stored != 1 || charges != 1 {
			l.t.Errorf("message %s: %d turns, %d with the reply, %d charges", r.message, turns, stored,
				charges)
		}
	}
	var replies, twice, mixed int
	readRow(l.t, l.store, `
		SELECT count(*), count(t.results_for) - count(DISTINCT t.results_for),
			count(*) FILTER (WHERE t.version <> m.version)
		FROM turns t
		LEFT JOIN turns m ON m.conversation_id = t.conversation_id AND m.number = t.message_number
		WHERE t.agent_id = $1 AND t.state = 'ANSWERED'`,
		[]any{l.fixture.Agent.ID}, &replies, &twice, &mixed)
	if replies != len(distinct) || twice != 0 || mixed != 0 {
		l.t.Errorf("%d replies are stored and %d were received; %d answer actions a second time, "+
			"%d have another version than their message", replies, len(distinct), twice, mixed)
	}
	storetest.Audit(l.t, l.store)
	l.t.Log(l.counts)
}
