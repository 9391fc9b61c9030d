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

// Queue has slots for short pieces of work. Owners take turns, one piece of work each: an owner
// with much work waits behind its own work, and others do not wait until it is done. It is safe for
// concurrent use.
type Queue struct {
	// pauseAbove is the amount of waiting work above which an owner pauses after each piece; 0 for no
	// pauses.
	pauseAbove int
	waited     func(time.Duration)

	mu sync.Mutex
	// slots is the total, each the most that one owner may hold, and free the number unused.
	slots, each, free int
	owners            map[uuid.UUID]*owner
	// next holds the owners with waiting work, in the order in which they get a slot.
	next []*owner
}

// PauseTimes is the length of a pause after a piece of work, as a multiple of the work's duration.
const PauseTimes = 2

type owner struct {
	inside int
	// pauses counts the current pauses of the owner. During a pause, its work waits.
	pauses int
	// waiting holds a channel for each waiting piece of work, the oldest first. It is closed when the
	// work gets its slot.
	waiting []chan struct{}
}

// NewQueue returns a queue with a number of slots, where one owner holds at most each; both are
// at least 1. While more than pauseAbove pieces of an owner's work wait, the owner pauses after
// each piece, for twice its duration; 0 means never. waited, if not nil, receives the waiting time
// of each piece.
func NewQueue(slots, each, pauseAbove int, waited func(time.Duration)) *Queue {
	q := &Queue{pauseAbove: pauseAbove, waited: waited, owners: map[uuid.UUID]*owner{}}
	q.Resize(slots, each)
	return q
}

// Resize changes the number of slots. Work in a slot keeps it.
func (q *Queue) Resize(slots, each int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	slots = max(slots, 1)
	q.free += slots - q.slots
	q.slots, q.each = slots, max(each, 1)
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

func (q *Queue) join(id uuid.UUID, ready chan struct{}) *owner {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := q.owners[id]
	if o == nil {
		o = &owner{}
		q.owners[id] = o
	}
	if len(o.waiting) == 0 {
		q.next = append(q.next, o)
	}
	o.waiting = append(o.waiting, ready)
	q.letIn()
	return o
}

// letIn assigns the free slots to the next owners. The caller holds the lock.
func (q *Queue) letIn() {
	for q.free > 0 {
		i := slices.IndexFunc(q.next, func(o *owner) bool { return o.inside < q.each && o.pauses == 0 })
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

func (q *Queue) leave(id uuid.UUID, o *owner, took time.Duration) {
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
func (q *Queue) giveUp(id uuid.UUID, o *owner, ready chan struct{}) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(o.waiting, ready)
	if i < 0 {
		return false
	}
	if o.waiting = slices.Delete(o.waiting, i, i+1); len(o.waiting) == 0 {
		q.next = slices.DeleteFunc(q.next, func(other *owner) bool { return other == o })
	}
	q.forget(id, o)
	return true
}

func (q *Queue) forget(id uuid.UUID, o *owner) {
	if o.inside == 0 && len(o.waiting) == 0 {
		delete(q.owners, id)
	}
}
