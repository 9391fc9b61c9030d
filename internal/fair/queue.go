// Package fair shares what is scarce between accounts.
package fair

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Queue has slots for short pieces of work. Owners who wait take turns, one piece of work each, so that an owner with much to do waits
// behind its own work and not in front of others'. It is safe for concurrent use.
type Queue struct {
	// crowd is how much work of one owner may wait before the owner rests; 0 for any amount.
	crowd  int
	waited func(time.Duration)

	mu sync.Mutex
	// slots is how many there are, each how many of them one owner may have, and free how many nobody has.
	slots, each, free int
	// owners are those with work here, and turns those of them whose work waits, the next one first.
	owners map[uuid.UUID]*owner
	turns  []*owner
}

// RestTimes is how many times as long as a piece of work took its owner rests, if it has to.
const RestTimes = 2

type owner struct {
	inside int
	// rests is how many times the owner rests now: none of its work is let in.
	rests int
	// doors has one for each piece of work that waits, the oldest first. It is closed to let the work in.
	doors []chan struct{}
}

// NewQueue returns a queue with so many slots, at most each of them for one owner; at least one of both. An owner with more than crowd
// pieces of work that wait rests after each for twice as long as it took; 0 for never. waited, if not nil, is told how long each waited.
func NewQueue(slots, each, crowd int, waited func(time.Duration)) *Queue {
	q := &Queue{crowd: crowd, waited: waited, owners: map[uuid.UUID]*owner{}}
	q.Resize(slots, each)
	return q
}

// Resize changes how many slots there are. Work that is inside stays there.
func (q *Queue) Resize(slots, each int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	slots = max(slots, 1)
	q.free += slots - q.slots
	q.slots, q.each = slots, max(each, 1)
	q.admit()
}

// Enter waits for a slot; leave gives it back and must be called once. It returns the context's error when that ends first.
func (q *Queue) Enter(ctx context.Context, id uuid.UUID) (leave func(), err error) {
	start, door := time.Now(), make(chan struct{})
	o := q.join(id, door)
	select {
	case <-door:
	case <-ctx.Done():
		if q.giveUp(id, o, door) {
			return nil, ctx.Err()
		}
	}
	if q.waited != nil {
		q.waited(time.Since(start))
	}
	entered := time.Now()
	return func() { q.leave(id, o, time.Since(entered)) }, nil
}

// Waiting is how many pieces of work wait.
func (q *Queue) Waiting() (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, o := range q.turns {
		n += len(o.doors)
	}
	return n
}

func (q *Queue) join(id uuid.UUID, door chan struct{}) *owner {
	q.mu.Lock()
	defer q.mu.Unlock()
	o := q.owners[id]
	if o == nil {
		o = &owner{}
		q.owners[id] = o
	}
	if len(o.doors) == 0 {
		q.turns = append(q.turns, o)
	}
	o.doors = append(o.doors, door)
	q.admit()
	return o
}

// admit lets those in whose turn it is, while there are slots. The caller holds the lock.
func (q *Queue) admit() {
	for q.free > 0 {
		i := slices.IndexFunc(q.turns, func(o *owner) bool { return o.inside < q.each && o.rests == 0 })
		if i < 0 {
			return
		}
		o := q.turns[i]
		q.turns = slices.Delete(q.turns, i, i+1)
		q.free--
		o.inside++
		close(o.doors[0])
		if o.doors = o.doors[1:]; len(o.doors) > 0 {
			q.turns = append(q.turns, o)
		}
	}
}

func (q *Queue) leave(id uuid.UUID, o *owner, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free++
	o.inside--
	if q.crowd > 0 && len(o.doors) > q.crowd {
		o.rests++
		time.AfterFunc(RestTimes*took, func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			o.rests--
			q.admit()
		})
	}
	q.forget(id, o)
	q.admit()
}

// giveUp takes a piece of work out again, unless it was let in meanwhile.
func (q *Queue) giveUp(id uuid.UUID, o *owner, door chan struct{}) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(o.doors, door)
	if i < 0 {
		return false
	}
	if o.doors = slices.Delete(o.doors, i, i+1); len(o.doors) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(other *owner) bool { return other == o })
	}
	q.forget(id, o)
	return true
}

func (q *Queue) forget(id uuid.UUID, o *owner) {
	if o.inside == 0 && len(o.doors) == 0 {
		delete(q.owners, id)
	}
}
