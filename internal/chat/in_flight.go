package chat

import (
	"context"
	"sync"

	"github.com/google/uuid"
)

// turnsInFlight are the messages that are being answered or wait for their session.
type turnsInFlight struct {
	mu    sync.Mutex
	turns map[uuid.UUID]*turn
	// empty is closed when the last turn leaves; nil without a waiter.
	empty chan struct{}
}

func newTurnsInFlight() *turnsInFlight { return &turnsInFlight{turns: map[uuid.UUID]*turn{}} }

func (u *turnsInFlight) enter(t *turn) (leave func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.turns[t.id] = t
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.turns, t.id)
		if len(u.turns) == 0 && u.empty != nil {
			close(u.empty)
			u.empty = nil
		}
	}
}

// find returns a turn of this process; nil for one of another process, or that has ended.
func (u *turnsInFlight) find(id uuid.UUID) *turn {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.turns[id]
}

func (u *turnsInFlight) count() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.turns)
}

// wait returns when no turn is in flight, or with the context's error.
func (u *turnsInFlight) wait(ctx context.Context) error {
	for {
		u.mu.Lock()
		if len(u.turns) == 0 {
			u.mu.Unlock()
			return nil
		}
		if u.empty == nil {
			u.empty = make(chan struct{})
		}
		empty := u.empty
		u.mu.Unlock()
		select {
		case <-empty:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// delete marks turns whose conversation was deleted.
func (u *turnsInFlight) delete(ids []uuid.UUID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, id := range ids {
		if t, ok := u.turns[id]; ok {
			t.delete()
		}
	}
}
