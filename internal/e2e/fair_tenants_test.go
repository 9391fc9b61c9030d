package e2e_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// A quiet tenant sends one chat after another on these connections; a noisy one may make its p95 at most this much longer.
const (
	quietConns = 5
	quietTimes = 2
	quietPlus  = 10 * time.Millisecond
	quietTime  = 3 * time.Second
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
	t     *faultRow
	http  *http.Client
	quiet storetest.Fixture
	// noisyOn is how many replicas the noisy tenant uses.
	noisyOn int
	token   string
}

func newTenants(t *testing.T, row *faultRow, env ...string) *tenants {
	t.Helper()
	n := &tenants{pair: newPair(row, append(env, behindProxy)...), t: row, http: client(row), noisyOn: 1}
	n.quiet = storetest.Seed(row, n.store, storetest.Options{Credits: 1 << 40})
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
	for range quietConns {
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

// measure compares the quiet tenant's chats beside the noises with those alone.
func (n *tenants) measure(noises ...noise) {
	n.t.Helper()
	alone, beside := n.both(nil, noises)
	if beside > quietTimes*alone+quietPlus {
		n.t.Errorf("the p95 is %v beside it and %v alone, want at most %d times that and %v", beside, alone, quietTimes, quietPlus)
	}
}

// both returns the p95 of the quiet tenant's chats beside the first noises, all at once, and beside the second, in rounds one after the
// other.
func (n *tenants) both(first, second []noise) (without, beside time.Duration) {
	t := n.t
	t.Helper()
	stop := t.audit(n.store)
	n.chats(0, time.Second) // before anything is measured
	_ = n.besideAll(second, func() { n.chats(n.noisyOn-1, time.Second) })
	stop() // the audits take more time than the chats
	var took [2][]time.Duration
	sides := [][]noise{first, second}
	outcomes := [][]map[string]int{make([]map[string]int, len(first)), make([]map[string]int, len(second))}
	for round := range faults.Times(2, 8) {
		for side, noises := range sides {
			got := n.besideAll(noises, func() {
				took[side] = append(took[side], n.chats(round%n.noisyOn, quietTime)...)
				if status := n.replicas[round%n.noisyOn].ready(); status != http.StatusOK {
					t.Errorf("/readyz answers %d", status)
				}
			})
			add(outcomes[side], got)
		}
		t.ran(1)
	}
	for side, noises := range sides {
		for i, x := range noises {
			x.check(t, outcomes[side][i])
		}
	}
	t.auditOnce(n.store)
	without, beside = percentile(took[0], 95), percentile(took[1], 95)
	t.measured("p95 of the quiet tenant %.1f ms beside it, %.1f ms without; %d and %d chats; the noisy one got %v", beside.Seconds()*1000,
		without.Seconds()*1000, len(took[1]), len(took[0]), outcomes)
	return without, beside
}

// add adds the outcomes of a round to those of each noise.
func add(sums, round []map[string]int) {
	for i := range round {
		if sums[i] == nil {
			sums[i] = map[string]int{}
		}
		for outcome, count := range round[i] {
			sums[i][outcome] += count
		}
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
func (x noise) check(t *faultRow, outcomes map[string]int) {
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
