// Package share bounds how much each client uses at once, so that one cannot take what all need.
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
	// Places is how many of one key are in at once.
	Places int
	// Waiting is how many of one key wait for a place.
	Waiting int
	// Total is how many of all keys are in or wait; 0 for any number.
	Total int
}

// Shares gives every key the same number of places. It is safe for concurrent use, and forgets keys that are not in use.
type Shares struct {
	limits Limits
	mu     sync.Mutex
	total  int
	keys   map[string]*places
}

type places struct {
	*semaphore.Weighted
	// used is how many are in or wait.
	used int
}

// New returns Shares.
func New(limits Limits) *Shares { return &Shares{limits: limits, keys: map[string]*places{}} }

// Enter takes a place of the key, and waits for it in turn. The caller must call leave, once. The error is ErrFull, or the
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

// join returns the key's places, nil if too many are in or wait.
func (s *Shares) join(key string) *places {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.keys[key]
	if p == nil {
		p = &places{Weighted: semaphore.NewWeighted(int64(s.limits.Places))}
	}
	if p.used == s.limits.Places+s.limits.Waiting || s.limits.Total > 0 && s.total == s.limits.Total {
		return nil
	}
	s.keys[key] = p
	p.used++
	s.total++
	return p
}

func (s *Shares) quit(key string, p *places) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total--
	if p.used--; p.used == 0 {
		delete(s.keys, key)
	}
}
