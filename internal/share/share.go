// Package share limits the concurrent use by each key, such as an account or a network: its slots,
// and the number of requests that wait for one. Package fair, in contrast, shares one set of slots
// among all accounts.
package share

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/semaphore"
)

// ErrFull is the error of Enter when too many requests wait.
var ErrFull = errors.New("share: too many requests are waiting")

// Limits are the limits of Shares.
type Limits struct {
	// Slots is the number of slots per key.
	Slots int
	// Waiting is the largest number of requests that wait for a slot, per key.
	Waiting int
	// Total is the largest number that hold a slot or wait, over all keys; 0 for no limit.
	Total int
}

// Shares gives every key the same number of slots. It is safe for concurrent use, and drops keys
// that are not in use.
type Shares struct {
	limits Limits
	mu     sync.Mutex
	total  int
	keys   map[string]*slots
}

type slots struct {
	*semaphore.Weighted
	// used counts the requests that hold a slot or wait.
	used int
}

// New returns Shares.
func New(limits Limits) *Shares { return &Shares{limits: limits, keys: map[string]*slots{}} }

// Enter waits in turn for a slot of the key. The caller must call leave, once. The error is
// ErrFull, or the context's if that ends first.
func (s *Shares) Enter(ctx context.Context, key string) (leave func(), err error) {
	p := s.join(key)
	if p == nil {
		return nil, ErrFull
	}
	if err := p.Acquire(ctx, 1); err != nil {
		s.quit(key, p)
		return nil, err
	}
	return func() {
		p.Release(1)
		s.quit(key, p)
	}, nil
}

// join returns the key's slots, or nil if too many requests hold one or wait.
func (s *Shares) join(key string) *slots {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.keys[key]
	if p == nil {
		p = &slots{Weighted: semaphore.NewWeighted(int64(s.limits.Slots))}
	}
	if p.used == s.limits.Slots+s.limits.Waiting || s.limits.Total > 0 && s.total == s.limits.Total {
		return nil
	}
	s.keys[key] = p
	p.used++
	s.total++
	return p
}

func (s *Shares) quit(key string, p *slots) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total--
	if p.used--; p.used == 0 {
		delete(s.keys, key)
	}
}
