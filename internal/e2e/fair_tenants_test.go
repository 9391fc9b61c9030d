package e2e_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// A quiet tenant sends one chat after another on these connections; a noisy one may make its p95 at most this much longer.
const (
	quietConns  = 5
	quietTimes  = 2
	quietPlus   = 10 * time.Millisecond
	quietRounds = 4
	quietTime   = 3 * time.Second
)

// noise is what a noisy tenant does on each of its connections until ctx ends; want are the outcomes that it may get.
type noise struct {
	conns int
	want  []string
	send  func(ctx context.Context, replica int) string
	// refused says that it must get RATE_LIMITED, too.
	refused bool
}

// tenants are a quiet and a noisy one on two replicas.
type tenants struct {
	*pair
	t     *testing.T
	http  *http.Client
	quiet storetest.Fixture
	// conns are the connections of the quiet tenant, and noisyOn is how many replicas the noisy one uses.
	conns, noisyOn int
	token          string
}

func newTenants(t *testing.T, env ...string) *tenants {
	t.Helper()
	n := &tenants{pair: newPair(t, append(env, behindProxy)...), t: t, http: client(t), conns: quietConns, noisyOn: 1}
	n.quiet = storetest.Seed(t, n.store, storetest.Options{Credits: 1 << 40})
	b := newBrowser(t)
	b.signedUp(n.replicas[0], "noisy@example.com", "correct horse battery staple")
	n.token = b.Token
	return n
}

// chats has the quiet tenant chat with a replica for a while, and returns how long each chat took.
func (n *tenants) chats(replica int, length time.Duration) (took []time.Duration) {
	n.t.Helper()
	ctx, cancel := context.WithTimeout(n.t.Context(), length)
	defer cancel()
	var conns sync.WaitGroup
	var mu sync.Mutex
	for range n.conns {
		conns.Go(func() {
			for ctx.Err() == nil {
				at := time.Now()
				got, err := ask(n.t.Context(), n.http, n.chat(replica), n.quiet.Key.Reveal(), uuid.NewString(), "hello")
				if err != nil || got.Status != http.StatusOK {
					n.t.Errorf("the quiet tenant's chat: %v %d %s", err, got.Status, got.Body)
				}
				mu.Lock()
				took = append(took, time.Since(at))
				mu.Unlock()
			}
		})
	}
	conns.Wait()
	return took
}

// beside runs the noise while the work is done, and returns the noise's outcomes.
func (n *tenants) beside(x noise, work func()) map[string]int {
	n.t.Helper()
	ctx, cancel := context.WithCancel(n.t.Context())
	outcomes, mu, conns := map[string]int{}, sync.Mutex{}, sync.WaitGroup{}
	begun := make(chan struct{}, x.conns)
	for i := range x.conns {
		conns.Go(func() {
			begun <- struct{}{}
			for ctx.Err() == nil {
				outcome := x.send(ctx, i%n.noisyOn)
				if ctx.Err() != nil {
					return
				}
				mu.Lock()
				outcomes[outcome]++
				mu.Unlock()
			}
		})
	}
	for range x.conns {
		<-begun
	}
	work()
	cancel()
	conns.Wait()
	return outcomes
}

// measure compares the quiet tenant's chats beside the noises, all at once, with those alone, in rounds one after the other.
func (n *tenants) measure(noises ...noise) {
	t := n.t
	t.Helper()
	stop := auditing(t, n.store)
	n.chats(0, time.Second) // before anything is measured
	_ = n.besideAll(noises, func() { n.chats(n.noisyOn-1, time.Second) })
	stop() // the audits take more time than the chats
	var quiet, busy []time.Duration
	outcomes := make([]map[string]int, len(noises))
	for round := range quietRounds {
		replica := round % n.noisyOn
		quiet = append(quiet, n.chats(replica, quietTime)...)
		for i, got := range n.besideAll(noises, func() {
			busy = append(busy, n.chats(replica, quietTime)...)
			if status := n.replicas[replica].ready(); status != http.StatusOK {
				t.Errorf("/readyz answers %d", status)
			}
		}) {
			if outcomes[i] == nil {
				outcomes[i] = map[string]int{}
			}
			for outcome, count := range got {
				outcomes[i][outcome] += count
			}
		}
	}
	for i, x := range noises {
		x.check(t, outcomes[i])
	}
	storetest.Audit(t, n.store)
	alone, beside := percentile(quiet, 95), percentile(busy, 95)
	t.Logf("the p95 is %v beside it, %v alone; the p99 %v, %v; chats a second %.0f, %.0f; the noisy tenant got %v", beside, alone,
		percentile(busy, 99), percentile(quiet, 99), float64(len(busy))/(quietRounds*quietTime).Seconds(), float64(len(quiet))/(quietRounds*quietTime).Seconds(), outcomes)
	if beside > quietTimes*alone+quietPlus {
		t.Errorf("the p95 is %v beside it and %v alone, want at most %d times that and %v", beside, alone, quietTimes, quietPlus)
	}
}

// besideAll runs all noises at once while the work is done.
func (n *tenants) besideAll(noises []noise, work func()) []map[string]int {
	n.t.Helper()
	outcomes := make([]map[string]int, len(noises))
	for i, x := range noises {
		inner := work
		work = func() { outcomes[i] = n.beside(x, inner) }
	}
	work()
	return outcomes
}

// check checks the outcomes of a noise.
func (x noise) check(t *testing.T, outcomes map[string]int) {
	t.Helper()
	for outcome := range outcomes {
		if !slices.Contains(x.want, outcome) {
			t.Errorf("the noisy tenant got %v, want %v", outcomes, x.want)
		}
	}
	if x.refused && outcomes["RATE_LIMITED"] == 0 {
		t.Errorf("the noisy tenant was not refused: %v", outcomes)
	}
}

// percentile returns the p-th percentile.
func percentile(took []time.Duration, p int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)-1, len(sorted)*p/100)].Round(10 * time.Microsecond)
}
