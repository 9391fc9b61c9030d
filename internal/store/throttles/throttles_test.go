package throttles_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/throttles"
)

func TestMain(m *testing.M) { storetest.Main(m) }

var throttleKey = [32]byte{1, 2, 3}

func throttle(t *testing.T, s *store.DB, key [32]byte) throttles.Attempt {
	t.Helper()
	a, err := throttles.On(s).Throttle(t.Context(), key, uuid.Nil, 3, 15*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ageHits moves all counted attempts into the past.
func ageHits(t *testing.T, s *store.DB, interval string) {
	t.Helper()
	storetest.Exec(t, s,
		`UPDATE throttles SET hits = ARRAY(SELECT h - $1::interval FROM unnest(hits) h),
		expires_at = expires_at - $1::interval`, interval)
}

// TestThrottle makes attempts at random times: at most three are let through in every 15 minutes,
// wherever they begin, and the others get the time until the oldest of these leaves the window.
func TestThrottle(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	const window, slack = 15 * time.Minute, 30 * time.Second
	var counted []time.Duration
	now := time.Duration(0)
	for range 60 {
		step := time.Duration(random.IntN(300)) * time.Second
		now += step
		ageHits(t, s, step.String())
		free := -window
		if len(counted) >= 3 {
			free = counted[len(counted)-3] + window - now
		}
		a := throttle(t, s, throttleKey)
		wrong := a.Allowed != (free < 0) ||
			!a.Allowed && (a.RetryAfter > free || a.RetryAfter < free-slack)
		if wrong && free.Abs() > slack { // within it the time that the statements took decides
			t.Fatalf("%v: %v until the next one is free, and this one is %+v", now, free, a)
		}
		if a.Allowed {
			counted = append(counted, now)
		}
	}
	if len(counted) < 10 || len(counted) == 60 {
		t.Errorf("%d of 60 attempts were counted: the walk shows nothing", len(counted))
	}
	if a := throttle(t, s, [32]byte{9}); !a.Allowed {
		t.Error("one key counts for another")
	}
}

func TestGiveBack(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var first, last throttles.Attempt
	for i := range 3 {
		last = throttle(t, s, throttleKey)
		if i == 0 {
			first = last
		}
	}
	for _, a := range []throttles.Attempt{first, first, {At: time.Now().Add(time.Hour)}} {
		if err := throttles.On(s).GiveBack(t.Context(), throttleKey, a.At); err != nil {
			t.Fatal(err)
		}
	}
	if a := throttle(t, s, throttleKey); !a.Allowed {
		t.Errorf("after one was given back: %+v", a)
	}
	if a := throttle(t, s, throttleKey); a.Allowed {
		t.Error("one that was given back twice counts twice")
	}
	if err := throttles.On(s).GiveBack(t.Context(), throttleKey, last.At); err != nil {
		t.Fatal(err)
	}
	if err := throttles.On(s).GiveBack(t.Context(), [32]byte{9}, last.At); err != nil {
		t.Errorf("a key without attempts: %v", err)
	}
	if a := throttle(t, s, throttleKey); !a.Allowed {
		t.Errorf("after the last was given back: %+v", a)
	}
}

// However many attempts come at once at two replicas, exactly the limit is let through.
func TestThrottleIsExactOverReplicas(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	replicas := []*store.DB{storetest.Open(t, url), storetest.Open(t, url)}
	var allowed atomic.Int64
	var work sync.WaitGroup
	for i := range 20 {
		work.Go(func() {
			for range 10 {
				if throttle(t, replicas[i%2], throttleKey).Allowed {
					allowed.Add(1)
				}
			}
		})
	}
	work.Wait()
	if got := allowed.Load(); got != 3 {
		t.Errorf("%d of 200 were let through, want 3", got)
	}
}

func TestPurgeThrottles(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	throttle(t, s, [32]byte{1})
	throttle(t, s, [32]byte{2})
	ageHits(t, s, "15 minutes")
	throttle(t, s, [32]byte{3})
	for _, want := range []int{1, 1, 0} {
		if n, err := throttles.On(s).PurgeThrottles(t.Context(), 1); n != want || err != nil {
			t.Errorf("purged %d, %v, want %d", n, err, want)
		}
	}
	if left := storetest.CountRows(t, s, `SELECT count(*) FROM throttles`); left != 1 {
		t.Errorf("%d counts are left", left)
	}
}
