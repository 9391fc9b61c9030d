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

// probe polls every replica's /readyz until the test ends.
func (b *balancer) probe(ctx context.Context) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		b.mu.Lock()
		replicas := append([]*replica(nil), b.replicas...)
		b.mu.Unlock()
		for i, r := range replicas {
			ready := r.ready() == http.StatusOK
			b.mu.Lock()
			if b.replicas[i] == r { // not replaced meanwhile
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

func (b *balancer) isReady(i int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ready[i]
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
	var background, load sync.WaitGroup
	defer func() { stop(); background.Wait() }()
	background.Go(func() { b.probe(ctx) })
	var over atomic.Bool
	var answered, failed atomic.Int64
	work := func(name, message string) {
		for i := 0; !over.Load(); i++ {
			r, err := b.pick()
			if err != nil {
				failed.Add(1)
				t.Errorf("%s: %v", name, err)
				return
			}
			got, err := ask(t.Context(), d.client, r.Chat, caller.Key.Reveal(), fmt.Sprint(name, " ", i%5), caller.text+message)
			if err != nil || got.Status != http.StatusOK {
				failed.Add(1)
				t.Errorf("%s, request %d: %d %v %s", name, i, got.Status, err, got.Body)
				return
			}
			answered.Add(1)
		}
	}
	for i := range 4 {
		load.Go(func() { work(fmt.Sprint("quick ", i), "[[sandbox delay=20ms]]") })
		load.Go(func() { work(fmt.Sprint("slow ", i), "[[sandbox delay=2200ms]]") })
	}
	for turn := range 2 {
		i := turn % 2
		before := answered.Load()
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
		if answered.Load() == before {
			t.Errorf("restart %d: nothing was answered during it", turn)
		}
	}
	over.Store(true)
	load.Wait()
	if got := d.figures(t, caller); got.Answered != answered.Load() || got.Balance != 1_000_000-answered.Load() || got.Held != 0 || got.Failed != 0 {
		t.Errorf("%d requests were answered; the figures are %+v", answered.Load(), got)
	}
}
