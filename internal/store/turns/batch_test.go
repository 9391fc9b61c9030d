package turns

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// sender is a batcher of names, whose calls wait until the test lets them go.
type sender struct {
	batcher[string, string]
	mu   sync.Mutex
	sent []string
	// taken counts the items taken for a batch or sent alone. The batcher's lock guards it.
	taken int
	// entered gets each call, which then waits for gate.
	entered, gate chan string
	// failure is the error that a batch returns.
	failure error
	panics  bool
}

func newSender() *sender {
	s := &sender{entered: make(chan string), gate: make(chan string)}
	s.waited = func(time.Duration) { s.taken++ }
	s.patience = time.Hour // on a busy machine they may take long
	s.send = func(ctx context.Context, items []string) ([]string, error) {
		if len(items) == 1 {
			s.batcher.mu.Lock()
			s.taken++
			s.batcher.mu.Unlock()
			s.entered <- items[0]
			<-s.gate
			return []string{"alone " + items[0]}, nil
		}
		s.entered <- strings.Join(items, " ")
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, db.Translate(ctx.Err())
		}
		out := make([]string, len(items))
		for i, item := range items {
			out[i] = "together " + item
		}
		if s.panics {
			panic("a batch")
		}
		return out, s.failure
	}
	return s
}

// do sends an item for an account and reports its outcome on the channel.
func (s *sender) do(ctx context.Context, account uuid.UUID, item string) chan string {
	out := make(chan string, 1)
	before := s.arrived()
	go func() {
		got, err := s.batcher.do(db.ForAccount(ctx, account), item)
		if err != nil {
			got = string(fault.KindOf(err))
		}
		out <- got
	}()
	s.mu.Lock()
	s.sent = append(s.sent, item)
	s.mu.Unlock()
	for s.arrived() == before && ctx.Err() == nil {
		runtime.Gosched()
	}
	return out
}

// arrived counts the items that wait, were taken or were sent alone: it never falls.
func (s *sender) arrived() int {
	s.batcher.mu.Lock()
	defer s.batcher.mu.Unlock()
	return s.taken + s.queue.Len()
}

// begun starts unbatched items of different accounts, so that what comes next waits.
func (s *sender) begun(t *testing.T) {
	t.Helper()
	for i := range maxUnbatched {
		s.do(t.Context(), uuid.New(), fmt.Sprint("first ", i))
		<-s.entered
	}
}

// becomesIdle waits until nothing is left of what was sent.
func (s *sender) becomesIdle(t *testing.T) {
	t.Helper()
	idle := func() bool {
		s.batcher.mu.Lock()
		defer s.batcher.mu.Unlock()
		return s.workers == 0 && len(s.unbatched) == 0 && s.queue.Len() == 0
	}
	for !idle() && t.Context().Err() == nil {
		runtime.Gosched()
	}
}

func want[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Items that arrive while others are in flight are batched. Accounts take turns, and a batch holds
// only items that can be batched together.
func TestBatch(t *testing.T) {
	t.Parallel()
	s := newSender()
	s.canBatch = func(a, b string) bool { return a[0] == b[0] }
	s.begun(t)
	busy, quiet := uuid.New(), uuid.New()
	gone, leave := context.WithCancel(t.Context())
	left := s.do(gone, quiet, "a left")
	var replies []chan string
	for _, item := range []string{"a1", "a2", "a3"} {
		replies = append(replies, s.do(t.Context(), busy, item))
	}
	replies = append(replies, s.do(t.Context(), quiet, "aq"), s.do(t.Context(), uuid.New(), "b"))
	leave()
	want(t, <-left, string(fault.Unavailable))
	s.gate <- ""
	want(t, <-s.entered, "a1 aq a2") // maxContended of one account
	for range maxUnbatched {         // the other unbatched items, and the batch
		s.gate <- ""
	}
	got := []string{<-s.entered}
	s.gate <- ""
	got = append(got, <-s.entered)
	s.gate <- ""
	slices.Sort(got)
	want(t, strings.Join(got, ","), "a3,b") // b may not be together with the others
	for i, reply := range []string{"together a1", "together a2", "alone a3", "together aq", "alone b"} {
		want(t, <-replies[i], reply)
	}
	s.becomesIdle(t)
}

// An account that another replica sends, too, pauses after a batch, for twice as long as it took.
// Other accounts do not wait for that.
func TestBatchRests(t *testing.T) {
	t.Parallel()
	busy, quiet := uuid.New(), uuid.New()
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		active      bool
		took, quiet time.Duration
		at          time.Duration
		want        string
	}{
		"alone replica":        {at: 20 * ms, want: "d e"},
		"two replicas":         {active: true, at: 40 * ms, want: "d e"},
		"a long batch":         {active: true, took: 90 * ms, at: 150 * ms, want: "d e"},
		"with another account": {active: true, quiet: 25 * ms, at: 25 * ms, want: "d q e"},
		"after another one":    {active: true, quiet: 12 * ms, at: 20 * ms, want: "q d e"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began, sent := time.Now(), map[string]time.Duration{}
				pass := func(d time.Duration) { <-time.After(d) } // of the bubble's time
				b := &batcher[string, string]{waited: func(time.Duration) {}, otherReplicaActive: func(string) bool { return c.active }}
				b.send = func(_ context.Context, items []string) ([]string, error) {
					if len(items) > 1 {
						sent[strings.Join(items, " ")] = time.Since(began)
						pass(max(c.took, 10*ms))
					} else {
						pass(10 * ms)
					}
					return items, nil
				}
				var callers sync.WaitGroup
				do := func(at time.Duration, account uuid.UUID, item string) {
					callers.Go(func() {
						pass(at)
						if _, err := b.do(db.ForAccount(t.Context(), account), item); err != nil {
							t.Error(err)
						}
					})
				}
				for i, item := range []string{"a", "b", "c"} { // a goes alone, and then b and c together
					do(time.Duration(i)*ms, busy, item)
				}
				do(13*ms, busy, "d")
				do(14*ms, busy, "e")
				if c.quiet > 0 {
					do(c.quiet, quiet, "q")
				}
				callers.Wait()
				if at, ok := sent[c.want]; !ok || at != c.at {
					t.Errorf("batches %v, want %q after %v", sent, c.want, c.at)
				}
				pass(maxPause)
				synctest.Wait()
				if b.workers != 0 || len(b.unbatched) != 0 || b.queue.Len() != 0 {
					t.Errorf("left: %d workers, %v, %d items", b.workers, b.unbatched, b.queue.Len())
				}
			})
		})
	}
}

// A batch that was undone, or panicked, leaves each item to its caller; one whose outcome is
// unknown fails for all.
func TestBatchFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failure error
		panics  bool
		want    []string
	}{
		"undone":   {failure: errors.New("a constraint"), want: []string{"alone a", "alone b"}},
		"panicked": {panics: true, want: []string{"alone a", "alone b"}},
		"unknown":  {failure: fault.Wrap(fault.Unavailable, nil), want: []string{string(fault.Unavailable), string(fault.Unavailable)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSender()
			s.failure, s.panics = c.failure, c.panics
			s.begun(t)
			a, b := s.do(t.Context(), uuid.Nil, "a"), s.do(t.Context(), uuid.Nil, "b")
			s.gate <- ""
			want(t, <-s.entered, "a b")
			go func() {
				for range s.entered { // those sent alone
				}
			}()
			go func() {
				for t.Context().Err() == nil {
					s.gate <- ""
				}
			}()
			want(t, <-a, c.want[0])
			want(t, <-b, c.want[1])
		})
	}
}

// A caller that leaves while its batch is in flight does not affect the other callers.
func TestLeavingABatch(t *testing.T) {
	t.Parallel()
	s := newSender()
	s.begun(t)
	ctx, leave := context.WithCancel(t.Context())
	a, b := s.do(ctx, uuid.Nil, "a"), s.do(t.Context(), uuid.Nil, "b")
	s.gate <- ""
	want(t, <-s.entered, "a b")
	leave()
	want(t, <-a, string(fault.Unavailable))
	go func() {
		for range maxUnbatched { // the batch, and the other unbatched items
			s.gate <- ""
		}
	}()
	want(t, <-b, "together b")
	s.becomesIdle(t)
}

// Statements that wait long do not keep others from being sent.
func TestSlowItemsDelayNoOthers(t *testing.T) {
	t.Parallel()
	s := newSender()
	s.patience = slowAfter
	s.begun(t)
	last := s.do(t.Context(), uuid.Nil, "last")
	want(t, <-s.entered, "last")
	for range maxUnbatched + 1 {
		s.gate <- ""
	}
	want(t, <-last, "alone last")
}

// An account's next item waits while one is in flight, unless that one takes long. Items of other
// accounts do not wait.
func TestUnbatchedItemsOfOneAccount(t *testing.T) {
	t.Parallel()
	s := newSender()
	s.patience = slowAfter
	account := uuid.New()
	first := s.do(t.Context(), account, "first")
	want(t, <-s.entered, "first")
	second := s.do(t.Context(), account, "second")
	want(t, <-s.entered, "second") // once the first has taken long
	third := s.do(t.Context(), uuid.New(), "third")
	want(t, <-s.entered, "third")
	for range 3 {
		s.gate <- ""
	}
	want(t, <-first, "alone first")
	want(t, <-second, "alone second")
	want(t, <-third, "alone third")
	s.becomesIdle(t)
}

// An account with many items has as many items in a batch as the one with the fewest.
func TestPlacesInABatch(t *testing.T) {
	t.Parallel()
	s := newSender()
	s.begun(t)
	busy, quiet := uuid.New(), uuid.New()
	for i := range 6 {
		s.do(t.Context(), busy, fmt.Sprint("b", i))
	}
	for i := range 3 {
		s.do(t.Context(), quiet, fmt.Sprint("q", i))
	}
	s.gate <- ""
	want(t, <-s.entered, "b0 q0 b1 q1 b2 q2")
	go func() {
		for range s.entered { // the others
		}
	}()
	for range maxUnbatched {
		s.gate <- ""
	}
	s.gate <- ""
}
