package turns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

func want[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// batchTest sends items in virtual time. Each call takes 10 ms, and 200 ms if it is of an item that
// is named slow.
type batchTest struct {
	// idle means that nothing is in flight at first. Otherwise x and y are, until 10 and 11 ms.
	idle     bool
	arrivals []arrival
	// inFlight is the number of turns in flight.
	inFlight int64
	// leaves holds the times at which callers stop waiting.
	leaves map[string]int
	// otherReplica is true if each batch meets another replica. Batches take longer with took, return
	// failure, or panic.
	otherReplica bool
	took         int
	failure      error
	panics       bool
	// want lists each call, and each item that failed, with its time.
	want string
}

// arrival is the items that an account sends at a time in milliseconds, one after the other.
type arrival struct {
	at             int
	account, items string
}

// TestBatches: items that arrive while others are in flight are batched. Accounts take turns.
func TestBatches(t *testing.T) {
	t.Parallel()
	rests := []arrival{{0, "busy", "a"}, {1, "busy", "b c"}, {13, "busy", "d e"}}
	for name, c := range map[string]batchTest{
		"at most two of a busy account": {
			arrivals: []arrival{{2, "busy", "a1 a2 a3"}, {3, "quiet", "q"}},
			want:     "10 a1 q a2; 20 a3",
		},
		"as many as of the account with the fewest": {
			arrivals: []arrival{{2, "busy", "b0 b1 b2 b3 b4 b5"}, {3, "quiet", "q0 q1 q2"}},
			want:     "10 b0 q0 b1 q1 b2 q2; 20 b3 b4; 30 b5",
		},
		"not with items of another kind": {
			arrivals: []arrival{{2, "busy", "a1"}, {3, "other", "!b"}, {4, "quiet", "a2"}},
			want:     "10 a1 a2; 20 !b",
		},
		"too long together": {
			arrivals: []arrival{{2, "busy", "t1 t2 t3 t4 long s1 s2"}},
			want:     "10 t1 t2; 20 t3 t4; 30 long; 40 s1 s2",
		},
		"a caller left before": {
			arrivals: []arrival{{2, "busy", "a b c"}},
			leaves:   map[string]int{"b": 5},
			want:     "5 b unavailable; 10 a c",
		},
		"a caller leaves meanwhile": {
			arrivals: []arrival{{2, "busy", "a b"}},
			leaves:   map[string]int{"b": 15},
			want:     "10 a b; 15 b unavailable",
		},
		"an undone batch": {
			arrivals: []arrival{{2, "busy", "a b"}},
			failure:  errors.New("a constraint"),
			want:     "10 a b; 20 a; 20 b",
		},
		"a batch that panicked": {
			arrivals: []arrival{{2, "busy", "a b"}},
			panics:   true,
			want:     "10 a b; 20 a; 20 b",
		},
		"a batch with an unknown outcome": {
			arrivals: []arrival{{2, "busy", "a b"}},
			failure:  fault.Wrap(fault.Unavailable, nil),
			want:     "10 a b; 20 a unavailable; 20 b unavailable",
		},
		"slow items of other accounts": {
			idle:     true,
			arrivals: []arrival{{0, "x", "slow1"}, {1, "y", "slow2"}, {2, "busy", "a"}},
			want:     "0 slow1; 1 slow2; 50 a",
		},
		"a slow item of one account": {
			idle:     true,
			arrivals: []arrival{{0, "busy", "slow a"}, {55, "other", "b"}},
			want:     "0 slow; 50 a; 55 b",
		},
		"one replica": {
			idle:     true,
			arrivals: rests,
			want:     "0 a; 10 b c; 20 d e",
		},
		"two replicas": { // the account pauses for twice the time of its batch
			idle:         true,
			arrivals:     rests,
			otherReplica: true,
			want:         "0 a; 10 b c; 40 d e",
		},
		"two replicas, a long batch": {
			idle:         true,
			arrivals:     rests,
			otherReplica: true,
			took:         90,
			want:         "0 a; 10 b c; 150 d e",
		},
		"two replicas, an account in the pause": {
			idle:         true,
			arrivals:     append(rests, arrival{25, "quiet", "q"}),
			otherReplica: true,
			want:         "0 a; 10 b c; 25 d q e",
		},
		"many turns in flight": {
			idle:     true,
			inFlight: manyInFlight + 1,
			arrivals: []arrival{{0, "busy", "a"}, {1, "quiet", "b"}, {13, "busy", "c"}},
			want:     "2 a b; 15 c",
		},
		"many turns in flight, and enough items": {
			idle:     true,
			inFlight: manyInFlight + 1,
			arrivals: []arrival{{0, "busy", "a b c d e f g h"}},
			want:     "0 a b c d e f g h",
		},
		"fewer turns in flight": {
			idle:     true,
			inFlight: manyInFlight,
			arrivals: []arrival{{0, "busy", "a"}, {1, "quiet", "b"}},
			want:     "0 a; 1 b",
		},
		"two replicas, an account before the pause": {
			idle:         true,
			arrivals:     append(rests, arrival{12, "quiet", "q"}),
			otherReplica: true,
			want:         "0 a; 10 b c; 20 q d e",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				want(t, c.run(t), c.want)
			})
		})
	}
}

// run returns what was sent, as in want.
func (c batchTest) run(t *testing.T) string {
	t.Helper()
	type event struct {
		at   int64
		what string
	}
	var mu sync.Mutex
	var events []event
	began := time.Now()
	note := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, event{time.Since(began).Milliseconds(), what})
	}
	pass := func(ms int) { <-time.After(time.Duration(ms) * time.Millisecond) } // of the bubble's time
	b := &batcher[string, string]{
		waited:             func(time.Duration) {},
		inFlight:           func() int64 { return c.inFlight },
		canBatch:           func(a, b string) bool { return (a[0] == '!') == (b[0] == '!') },
		otherReplicaActive: func(string) bool { return c.otherReplica },
	}
	b.size = func(_ uuid.UUID, item string) int64 {
		return map[byte]int64{'t': maxBatchBytes/3 + 1, 'l': 2 * maxBatchBytes}[item[0]]
	}
	b.send = func(_ context.Context, items []string) ([]string, error) {
		note(strings.Join(items, " "))
		switch {
		case strings.HasPrefix(items[0], "slow"):
			pass(200)
		case len(items) > 1:
			pass(max(c.took, 10))
			if c.panics {
				panic("a batch")
			}
			return items, c.failure
		default:
			pass(10)
		}
		return items, nil
	}
	var callers sync.WaitGroup
	arrivals := c.arrivals
	if !c.idle {
		arrivals = append([]arrival{{0, "x", "x"}, {1, "y", "y"}}, arrivals...)
	}
	for _, a := range arrivals {
		account := uuid.NewSHA1(uuid.Nil, []byte(a.account))
		for i, item := range strings.Fields(a.items) {
			ctx, leave := context.WithCancel(db.ForAccount(t.Context(), account))
			if at, ok := c.leaves[item]; ok {
				time.AfterFunc(time.Duration(at)*time.Millisecond, leave)
			}
			callers.Go(func() {
				defer leave()
				pass(a.at)
				<-time.After(time.Duration(i) * time.Microsecond)
				if got, err := b.do(ctx, item); err != nil {
					note(fmt.Sprint(item, " ", fault.KindOf(err)))
				} else if got != item {
					t.Errorf("%s for %s", got, item)
				}
			})
		}
	}
	callers.Wait()
	<-time.After(maxPause)
	synctest.Wait()
	if b.workers != 0 || len(b.unbatched) != 0 || b.queue.Len() != 0 {
		t.Errorf("left: %d workers, %v, %d items", b.workers, b.unbatched, b.queue.Len())
	}
	slices.SortFunc(events, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.what, b.what))
	})
	var out []string
	for _, e := range events {
		out = append(out, fmt.Sprint(e.at, " ", e.what))
	}
	return strings.TrimPrefix(strings.Join(out, "; "), "0 x; 1 y; ")
}
