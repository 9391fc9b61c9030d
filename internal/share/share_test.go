package share_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/share"
)

// enter takes a slot, and fails the test without one.
func enter(t *testing.T, s *share.Shares, key string) (leave func()) {
	t.Helper()
	leave, err := s.Enter(t.Context(), key)
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return leave
}

func wantFull(t *testing.T, s *share.Shares, key string) {
	t.Helper()
	if _, err := s.Enter(t.Context(), key); !errors.Is(err, share.ErrFull) {
		t.Errorf("%s: %v, want ErrFull", key, err)
	}
}

func TestSlotsPerKey(t *testing.T) {
	t.Parallel()
	s := share.New(share.Limits{Slots: 2})
	first := enter(t, s, "a")
	enter(t, s, "a")
	wantFull(t, s, "a")
	enter(t, s, "b")
	first()
	enter(t, s, "a")
	wantFull(t, s, "a")
}

func TestTotal(t *testing.T) {
	t.Parallel()
	s := share.New(share.Limits{Slots: 2, Total: 3})
	first := enter(t, s, "a")
	enter(t, s, "b")
	enter(t, s, "b")
	wantFull(t, s, "c")
	first()
	enter(t, s, "c")
	wantFull(t, s, "d")
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	s := share.New(share.Limits{Slots: 1, Waiting: 1})
	leave := enter(t, s, "a")
	entered := make(chan func())
	go func() {
		next, err := s.Enter(t.Context(), "a")
		if err != nil {
			t.Error(err)
		}
		entered <- next
	}()
	for s.Used("a") < 2 {
		runtime.Gosched()
	}
	wantFull(t, s, "a")
	leave()
	(<-entered)()
	leave = enter(t, s, "a")
	left, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Enter(left, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("a client that has left: %v", err)
	}
	leave()
	enter(t, s, "a")()
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s := share.New(share.Limits{Slots: 3, Waiting: 1000})
	var in, most atomic.Int64
	var work sync.WaitGroup
	for range 500 {
		work.Go(func() {
			leave, err := s.Enter(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			defer leave()
			n := in.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			in.Add(-1)
		})
	}
	work.Wait()
	if most.Load() > 3 {
		t.Errorf("%d held a slot at once", most.Load())
	}
	if n := s.Keys(); n != 0 {
		t.Errorf("%d keys are remembered", n)
	}
}
