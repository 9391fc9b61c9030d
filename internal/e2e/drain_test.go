package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// balancer sends each request to the next ready replica, like a usual load balancer.
type balancer struct {
	mu       sync.Mutex
	replicas []*replica
	ready    []bool
	next     int
}

var errNoneReady = errors.New("no replica is ready")

func (b *balancer) pick() (*replica, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range b.replicas {
		b.next = (b.next + 1) % len(b.replicas)
		if b.ready[b.next] {
			return b.replicas[b.next], nil
		}
	}
	return nil, errNoneReady
}

// probe polls every replica's /readyz until the context ends.
func (b *balancer) probe(ctx context.Context) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		b.mu.Lock()
		replicas := slices.Clone(b.replicas)
		b.mu.Unlock()
		for i, r := range replicas {
			ready := r.ready() == http.StatusOK
			b.mu.Lock()
			b.ready[i] = ready
			b.mu.Unlock()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// use adds a replica that is ready.
func (b *balancer) use(r *replica) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replicas, b.ready = append(b.replicas, r), append(b.ready, true)
}

// balancedLoad is a group of callers of one account behind a balancer. Every request must be
// answered.
type balancedLoad struct {
	balancer
	store    *store.DB
	client   *http.Client
	fixture  storetest.Fixture
	callers  sync.WaitGroup
	over     atomic.Bool
	answered atomic.Int64
}

// messageMarker is in every message of a balancedLoad. No log may contain it.
const messageMarker = "words-of-a-caller"

func newBalancedLoad(t *testing.T, s *store.DB) *balancedLoad {
	t.Helper()
	f := storetest.Seed(t, s, storetest.Options{Credits: 1_000_000})
	return &balancedLoad{store: s, client: client(t), fixture: f}
}

// begin starts a caller, which sends a message in one of five sessions until end is called.
func (l *balancedLoad) begin(t *testing.T, name, directive string) {
	t.Helper()
	l.callers.Go(func() {
		for i := 0; !l.over.Load(); i++ {
			r, err := l.pick()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			session, message := fmt.Sprint(name, " ", i%5), messageMarker+directive
			got, err := ask(t.Context(), l.client, r.Chat, l.fixture.Key.Reveal(), session, message)
			if outcome := outcomeOf(got, err); outcome != "200" {
				t.Errorf("%s, request %d: %s", name, i, outcome)
				return
			}
			l.answered.Add(1)
		}
	})
}

// end stops the callers and the replicas that are left, and compares the account and the logs with
// what was answered.
func (l *balancedLoad) end(t *testing.T) {
	t.Helper()
	l.over.Store(true)
	l.callers.Wait()
	n := l.answered.Load()
	balance, held := creditsOf(t, l.store, l.fixture)
	charged, answered := chargesOf(t, l.store, l.fixture)
	if answered != n || charged != n || balance != 1_000_000-n || held != 0 {
		t.Errorf("%d requests were answered, %d turns, %d charges; balance %d, held %d", n, answered,
			charged, balance, held)
	}
	for _, r := range l.replicas {
		select {
		case <-r.exited:
		default:
			r.shutDown(t)
		}
		expectCleanLog(t, r.log.String(), messageMarker)
	}
	storetest.Audit(t, l.store)
}

// TestRollingRestart replaces two replicas one after the other, under a steady load of fast
// messages and of messages that take longer than the shutdown delay. No request is cut off or
// refused. The new replicas sign with another secret, which the old ones accept: no user is signed
// out.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	const before = "the-secret-from-before-0123456789abcdef"
	const after = "the-secret-from-then-on-0123456789abcdef"
	serve := func(url, secret, previous string) *replica {
		return start(t, url, "SHUTDOWN_DELAY=2s", "LOG_LEVEL=debug", "JWT_SECRET="+secret,
			"JWT_SECRET_PREVIOUS="+previous)
	}
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	auditing(t, s)
	l := newBalancedLoad(t, s)
	ctx, stop := context.WithCancel(t.Context())
	var probes sync.WaitGroup
	defer func() { stop(); probes.Wait() }()
	probes.Go(func() { l.probe(ctx) })
	old := []*replica{serve(url, before, after), serve(url, before, after)}
	for _, r := range old {
		l.use(r)
	}
	for i := range 4 {
		l.begin(t, fmt.Sprint("quick ", i), "[[sandbox delay=20ms]]")
		l.begin(t, fmt.Sprint("slow ", i), "[[sandbox delay=2200ms]]")
	}
	owner := newBrowser(t)
	owner.signedUp(old[0], "ada@example.com", ownersPassword)
	l.callers.Go(func() { l.useThePanel(t, owner) })
	for i, r := range old {
		answered := l.answered.Load()
		r.shutDown(t)
		next := serve(url, after, before)
		l.use(next)
		eventually(t, "the new replica is used", func() bool {
			return strings.Contains(next.log.String(), `"msg":"request"`)
		})
		if l.answered.Load() == answered {
			t.Errorf("restart %d: nothing was answered during it", i)
		}
	}
	l.end(t)
}

// useThePanel reads the account and renews the access token, over changing replicas.
func (l *balancedLoad) useThePanel(t *testing.T, owner *browser) {
	t.Helper()
	for !l.over.Load() {
		for _, query := range []string{viewerQuery, renewQuery} {
			r, err := l.pick()
			if err != nil {
				t.Error(err)
				return
			}
			got, err := owner.do(r, query, nil)
			if err != nil || got.code() != "ok" {
				t.Errorf("the owner: %s: %v %s", query, err, got.Raw)
				return
			}
			if strings.Contains(query, "renewAccess") {
				var data struct{ RenewAccess struct{ AccessToken string } }
				if err := json.Unmarshal(got.Data, &data); err != nil {
					t.Error(err)
				}
				owner.Token = data.RenewAccess.AccessToken
			}
		}
		<-time.After(20 * time.Millisecond)
	}
}
