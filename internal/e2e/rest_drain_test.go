package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
)

// balancer sends each request to the next ready replica, like a usual load balancer.
type balancer struct {
	mu       sync.Mutex
	replicas []*replica
	ready    []bool
	next     int
}

var errNobodyReady = errors.New("no replica is ready")

func (b *balancer) pick() (*replica, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range b.replicas {
		b.next = (b.next + 1) % len(b.replicas)
		if b.ready[b.next] {
			return b.replicas[b.next], nil
		}
	}
	return nil, errNobodyReady
}

// probe polls every replica's /readyz until the test ends. A ready replica stays so until some probes in a row have failed.
func (b *balancer) probe(ctx context.Context, every time.Duration, failures int) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	failed := map[*replica]int{}
	for {
		b.mu.Lock()
		replicas := append([]*replica(nil), b.replicas...)
		b.mu.Unlock()
		for i, r := range replicas {
			ready := r.ready() == http.StatusOK
			if failed[r]++; ready {
				failed[r] = 0
			}
			b.mu.Lock()
			if b.replicas[i] == r && (ready || failed[r] >= failures) { // not replaced meanwhile
				b.ready[i] = ready
			}
			b.mu.Unlock()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func (b *balancer) replace(i int, r *replica) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replicas[i], b.ready[i] = r, false
}

// add adds a replica, and returns its number.
func (b *balancer) add(r *replica) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replicas, b.ready = append(b.replicas, r), append(b.ready, false)
	return len(b.replicas) - 1
}

func (b *balancer) isReady(i int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ready[i]
}

// balancedLoad is a group of callers of one account behind a balancer. Every request must be answered.
type balancedLoad struct {
	d        *deployment
	balancer *balancer
	caller   *apiCaller
	callers  sync.WaitGroup
	over     atomic.Bool
	answered atomic.Int64
}

// begin starts a caller, which sends a message in one of five sessions until end is called.
func (l *balancedLoad) begin(t *testing.T, name, message string) {
	t.Helper()
	l.callers.Go(func() {
		for i := 0; !l.over.Load(); i++ {
			r, err := l.balancer.pick()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			session := fmt.Sprint(name, " ", i%5)
			got, err := ask(t.Context(), l.d.client, r.Chat, l.caller.Key.Reveal(), session, l.caller.text+message)
			if err != nil || got.Status != http.StatusOK {
				t.Errorf("%s, request %d: %d %v %s", name, i, got.Status, err, got.Body)
				return
			}
			l.answered.Add(1)
		}
	})
}

// end stops the callers, and compares the account with their answers.
func (l *balancedLoad) end(t *testing.T) {
	t.Helper()
	l.over.Store(true)
	l.callers.Wait()
	answered := l.answered.Load()
	got := l.d.figures(t, l.caller)
	if got.Answered != answered || got.Balance != 1_000_000-answered || got.Held != 0 || got.Failed != 0 {
		t.Errorf("%d requests were answered; the figures are %+v", answered, got)
	}
}

// TestRESTRollingRestart: case 54. Replicas are restarted one after another under a steady load of fast messages and of messages that
// take longer than the shutdown delay. No request is cut off or refused.
func TestRESTRollingRestart(t *testing.T) {
	t.Parallel()
	env := []string{"SHUTDOWN_DELAY=2s"}
	d := newDeployment(t, 2, env...)
	defer d.finish(t)
	auditing(t, d.store)
	caller := d.newCaller(t, storetest.Options{Credits: 1_000_000})
	ctx, stop := context.WithCancel(t.Context())
	b := &balancer{replicas: append([]*replica(nil), d.replicas...), ready: []bool{true, true}}
	var background sync.WaitGroup
	defer func() { stop(); background.Wait() }()
	background.Go(func() { b.probe(ctx, 50*time.Millisecond, 1) })
	l := &balancedLoad{d: d, balancer: b, caller: caller}
	for i := range 4 {
		l.begin(t, fmt.Sprint("quick ", i), "[[sandbox delay=20ms]]")
		l.begin(t, fmt.Sprint("slow ", i), "[[sandbox delay=2200ms]]")
	}
	for turn := range 2 {
		i := turn % 2
		before := l.answered.Load()
		old := b.replicas[i]
		old.terminate()
		<-old.exited
		if code := old.command.ProcessState.ExitCode(); code != 0 {
			t.Errorf("restart %d: exit code %d\n%s", turn, code, old.log.String())
		}
		fresh := start(t, d.url, append([]string{"LOG_LEVEL=debug"}, env...)...)
		d.replicas = append(d.replicas, fresh)
		b.replace(i, fresh)
		eventually(t, "the balancer uses the new replica", func() bool { return b.isReady(i) })
		if l.answered.Load() == before {
			t.Errorf("restart %d: nothing was answered during it", turn)
		}
	}
	l.end(t)
}
