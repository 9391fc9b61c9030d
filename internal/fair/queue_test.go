package fair

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
)

// enter joins the queue in order, and calls in when the work may begin.
func enter(t *testing.T, q *Queue, tenant uuid.UUID, in func(leave func())) {
	t.Helper()
	waiting := q.Waiting()
	go func() {
		leave, err := q.Enter(t.Context(), tenant)
		if err == nil {
			in(leave)
		}
	}()
	for q.Waiting() == waiting && t.Context().Err() == nil {
		runtime.Gosched()
	}
}

// TestTenantsTakeTurns shows that a tenant with one piece of work waits for at most one of another
// tenant.
func TestTenantsTakeTurns(t *testing.T) {
	t.Parallel()
	q := NewQueue(1, 1, 0, nil)
	busy, quiet := uuid.New(), uuid.New()
	leave, err := q.Enter(t.Context(), busy)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	done := make(chan struct{})
	work := func(name string) func(func()) {
		return func(leave func()) {
			order = append(order, name) // one at a time
			leave()
			done <- struct{}{}
		}
	}
	for range 5 {
		enter(t, q, busy, work("busy"))
	}
	enter(t, q, quiet, work("quiet"))
	enter(t, q, quiet, work("quiet"))
	leave()
	for range 7 {
		<-done
	}
	if want := []string{"busy", "quiet", "busy", "quiet", "busy", "busy", "busy"}; !slices.Equal(order, want) {
		t.Errorf("%v, want %v", order, want)
	}
	if len(q.tenants) != 0 || len(q.next) != 0 || q.free != 1 {
		t.Errorf("left: %d tenants, %d next, %d free", len(q.tenants), len(q.next), q.free)
	}
}

// TestOneTenantsSlots shows that a tenant gets at most its number of slots, even if more are free.
func TestOneTenantsSlots(t *testing.T) {
	t.Parallel()
	q := NewQueue(3, 2, 0, nil)
	busy := uuid.New()
	for range 2 {
		if _, err := q.Enter(t.Context(), busy); err != nil {
			t.Fatal(err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := q.Enter(ended, busy); !errors.Is(err, context.Canceled) {
		t.Errorf("the third got %v", err)
	}
	if _, err := q.Enter(t.Context(), uuid.New()); err != nil {
		t.Errorf("another tenant got %v", err)
	}
	if n := q.Waiting(); n != 0 {
		t.Errorf("%d wait", n)
	}
}

// TestTenantsPause shows that a tenant with much waiting work pauses after each piece, and that
// others do not wait for that.
func TestTenantsPause(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for pauseAbove, want := range map[int][]time.Duration{0: {0, 10 * ms, 20 * ms, 30 * ms, 40 * ms}, 2: {0, 30 * ms, 60 * ms, 70 * ms, 80 * ms}} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			q := NewQueue(1, 1, pauseAbove, nil)
			work := func(tenant uuid.UUID, in *[]time.Duration) {
				leave, err := q.Enter(t.Context(), tenant)
				if err != nil {
					t.Error(err)
					return
				}
				*in = append(*in, time.Since(began)) // one at a time
				<-time.After(10 * ms)
				leave()
			}
			var busy, quiet []time.Duration
			tenant := uuid.New()
			for range 5 {
				go work(tenant, &busy)
			}
			if pauseAbove > 0 {
				<-time.After(15 * ms)
				go work(uuid.New(), &quiet)
			}
			<-time.After(time.Second)
			if !slices.Equal(busy, want) ||
				pauseAbove > 0 && !slices.Equal(quiet, []time.Duration{15 * ms}) {
				t.Errorf("pauseAbove %d: the busy one %v, want %v; the quiet one %v", pauseAbove, busy, want,
					quiet)
			}
		})
	}
}

// TestManyTenants shows that the work that runs never exceeds the slots, and that every slot is
// freed, even when some stop waiting.
func TestManyTenants(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var waits, inside, most atomic.Int64
	q := NewQueue(4, 3, 2, func(time.Duration) { waits.Add(1) })
	tenants := []uuid.UUID{uuid.New(), uuid.New(), uuid.New()}
	var work sync.WaitGroup
	for range 3_000 {
		tenant, patience := tenants[random.IntN(len(tenants))],
			time.Duration(random.IntN(2_000))*time.Microsecond
		work.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			leave, err := q.Enter(ctx, tenant)
			if err != nil {
				return
			}
			for n := inside.Add(1); ; {
				if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			inside.Add(-1)
			leave()
		})
	}
	work.Wait()
	if most.Load() > 4 || waits.Load() == 0 || q.free != 4 || len(q.tenants) != 0 || len(q.next) != 0 {
		t.Errorf("at most %d inside, %d let in, %d free, %d tenants, %d next", most.Load(), waits.Load(),
			q.free, len(q.tenants), len(q.next))
	}
}
