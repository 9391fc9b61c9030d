// Package fair shares slots between accounts in turn, so that an account with much work waits
// behind its own work.
package fair

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Queue has slots for short pieces of work. Tenants take turns, one piece of work each: a tenant
// with much work waits behind its own work, and others do not wait until it is done. It is safe for
// concurrent use.
type Queue struct {
	// pauseAbove is the amount of waiting work above which a tenant pauses after each piece; 0 for no
	// pauses.
	pauseAbove int
	waited     func(time.Duration)

	mu sync.Mutex
	// slots is the total, perTenant the most that one tenant may hold, and free the number unused.
	slots, perTenant, free int
	tenants                map[uuid.UUID]*tenant
	// next holds the tenants with waiting work, in the order in which they get a slot.
	next []*tenant
}

// PauseTimes is the length of a pause after a piece of work, as a multiple of the work's duration.
const PauseTimes = 2

type tenant struct {
	inside int
	// pauses counts the current pauses of the tenant. During a pause, its work waits.
	pauses int
	// waiting holds a channel for each waiting piece of work, the oldest first. It is closed when the
	// work gets its slot.
	waiting []chan struct{}
}

// NewQueue returns a queue with a number of slots, where one tenant holds at most perTenant; both
// are at least 1. While more than pauseAbove pieces of a tenant's work wait, the tenant pauses
// after each piece, for twice its duration; 0 means never. waited, if not nil, receives the waiting
// time of each piece.
func NewQueue(slots, perTenant, pauseAbove int, waited func(time.Duration)) *Queue {
	q := &Queue{pauseAbove: pauseAbove, waited: waited, tenants: map[uuid.UUID]*tenant{}}
	q.Resize(slots, perTenant)
	return q
}

// Resize changes the number of slots. Work in a slot keeps it.
func (q *Queue) Resize(slots, perTenant int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	slots = max(slots, 1)
	q.free += slots - q.slots
	q.slots, q.perTenant = slots, max(perTenant, 1)
	q.letIn()
}

// Enter waits for a slot. The caller must call leave once to return it. If ctx ends first, Enter
// returns its error.
func (q *Queue) Enter(ctx context.Context, id uuid.UUID) (leave func(), err error) {
	start, ready := time.Now(), make(chan struct{})
	o := q.join(id, ready)
	select {
	case <-ready:
	case <-ctx.Done():
		if q.giveUp(id, o, ready) {
			return nil, ctx.Err()
		}
	}
	if q.waited != nil {
		q.waited(time.Since(start))
	}
	entered := time.Now()
	return func() { q.leave(id, o, time.Since(entered)) }, nil
}

// Waiting returns the number of waiting pieces of work.
func (q *Queue) Waiting() (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, o := range q.next {
		n += len(o.waiting)
	}
	return n
}

func (q *Queue) join(id uuid.UUID, ready chan struct{}) *tenant {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := q.tenants[id]
	if o == nil {
		o = &tenant{}
		q.tenants[id] = o
	}
	if len(o.waiting) == 0 {
		q.next = append(q.next, o)
	}
	o.waiting = append(o.waiting, ready)
	q.letIn()
	return o
}

// letIn assigns the free slots to the next tenants. The caller holds the lock.
func (q *Queue) letIn() {
	for q.free > 0 {
		i := slices.IndexFunc(q.next, func(o *tenant) bool {
			return o.inside < q.perTenant && o.pauses == 0
		})
		if i < 0 {
			return
		}
		o := q.next[i]
		q.next = slices.Delete(q.next, i, i+1)
		q.free--
		o.inside++
		close(o.waiting[0])
		if o.waiting = o.waiting[1:]; len(o.waiting) > 0 {
			q.next = append(q.next, o)
		}
	}
}

func (q *Queue) leave(id uuid.UUID, o *tenant, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free++
	o.inside--
	if q.pauseAbove > 0 && len(o.waiting) > q.pauseAbove {
		o.pauses++
		time.AfterFunc(PauseTimes*took, func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			o.pauses--
			q.letIn()
		})
	}
	q.forget(id, o)
	q.letIn()
}

// giveUp removes a waiting piece of work, unless it has just got its slot.
func (q *Queue) giveUp(id uuid.UUID, o *tenant, ready chan struct{}) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(o.waiting, ready)
	if i < 0 {
		return false
	}
	if o.waiting = slices.Delete(o.waiting, i, i+1); len(o.waiting) == 0 {
		q.next = slices.DeleteFunc(q.next, func(other *tenant) bool { return other == o })
	}
	q.forget(id, o)
	return true
}

func (q *Queue) forget(id uuid.UUID, o *tenant) {
	if o.inside == 0 && len(o.waiting) == 0 {
		delete(q.tenants, id)
	}
}
