// Package share bounds how much each key uses at once, such as an account or a network: how many slots it has, and how many of it wait
// for one. Package fair, in contrast, has slots that all accounts take in turns.
package share

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/semaphore"
)

// ErrFull is the error of Enter when as many as may wait are waiting.
var ErrFull = errors.New("share: too many are waiting")

// Limits are the bounds of a Shares.
type Limits struct {
	// Slots is how many of one key are in at once.
	Slots int
	// Waiting is how many of one key wait for a slot.
	Waiting int
	// Total is how many of all keys are in or wait; 0 for any number.
	Total int
}

// Shares gives every key the same number of slots. It is safe for concurrent use, and forgets keys that are not in use.
type Shares struct {
	limits Limits
	mu     sync.Mutex
	total  int
	keys   map[string]*slots
}

type slots struct {
	*semaphore.Weighted
	// used is how many are in or wait.
	used int
}

// New returns Shares.
func New(limits Limits) *Shares { return &Shares{limits: limits, keys: map[string]*slots{}} }

// Enter takes a slot of the key, and waits for it in turn. The caller must call leave, once. The error is ErrFull, or the
// context's if that ends first.
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

// join returns the key's slots, nil if too many are in or wait.
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
