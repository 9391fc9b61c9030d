package turns

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/failpoint"
	"agentchat/internal/fair"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

const (
	// maxBatch bounds a batch: little more is saved by a larger one, and a message waits for all
	// others of its batch.
	maxBatch = 32
	// For contendedFor after items of several accounts waited, a batch has at most as many items of an
	// account as the account with the fewest has, or maxContended: an account with few messages waits
	// for every message in its batches.
	maxContended = 2
	contendedFor = time.Second
	// maxUnbatched is the most items of different accounts sent one by one, in parallel, while no batch
	// runs. With a limit of 1, a few callers were slower than without batches: each waited for the
	// server to flush its log for the previous item.
	maxUnbatched = 2
	// busyFor is the time after a batch during which an item is not sent at once, because more items
	// are likely to arrive.
	busyFor = 5 * time.Millisecond
	// maxPause bounds how long an account pauses after a batch of its own while another replica sends
	// its items, too. Two replicas with one batch after the other would keep the database's processors
	// busy with this account alone.
	maxPause = 50 * time.Millisecond
	// While more than manyInFlight turns are in flight, a worker gathers: it waits up to gatherFor
	// until gatherUpTo items wait, and nothing is sent at once. The database then does the work of a
	// call, and flushes its log, for several chats at a time.
	manyInFlight = 8
	gatherUpTo   = 8
	gatherFor    = 2 * time.Millisecond
	// slowAfter is the time after which an unbatched item is assumed to wait for a lock. The lock
	// timeout of a batch is set in its SQL.
	slowAfter = 50 * time.Millisecond
)

// batchers is the owner of all batches in the queue of a pool.
var batchers = uuid.Max

// batcher batches items that arrive while others of their kind are in flight: one call, one commit
// and one log flush for all of them. With few turns in flight each item is sent at once and alone;
// with many, it waits a moment for others. Accounts take turns in a batch, as in the pool's queue.
// The batcher runs goroutines only while it has items.
type batcher[I, O any] struct {
	// name is that of the fail points.
	name string
	// send sends items in one call and returns the result of each.
	send func(context.Context, []I) ([]O, error)
	// canBatch reports whether two items may be in one call; nil if all may.
	canBatch func(a, b I) bool
	// size estimates an item's request and response bytes; observe records the actual response. Both
	// may be nil.
	size    func(uuid.UUID, I) int64
	observe func(O)
	// otherReplicaActive, if not nil, reports that another replica sent items of the same account
	// during the batch.
	otherReplicaActive func(O) bool
	// inFlight counts the turns in flight; nil for none.
	inFlight func() int64
	// waited records the waiting time of each item of a batch.
	waited func(time.Duration)

	mu    sync.Mutex
	queue fair.RoundRobin[*batched[I, O]]
	// workers counts the unbatched items and batches in flight. batch is true if one of them is a
	// batch: nothing else is sent until it ends.
	workers int
	batch   bool
	// unbatched counts the unbatched items in flight of each account. The next one would wait for the
	// account's row, so it waits here.
	unbatched map[uuid.UUID]int
	// gathered is closed once gatherUpTo items wait; nil if no worker gathers.
	gathered chan struct{}
	// The times when the last batch ended, when items of several accounts last waited, and when
	// another replica last sent items of the same account.
	batched, contended, otherReplica time.Time
}

// batched is an item with its waiting caller.
type batched[I, O any] struct {
	ctx   context.Context
	item  I
	since time.Time
	// done is closed once the others are set. If its batch was undone, the caller sends the item
	// alone.
	done   chan struct{}
	out    O
	err    error
	undone bool
}

// do sends an item, alone or with others. When ctx ends before the item is sent, it never is; later
// the outcome is unknown, as with a call whose answer was lost.
func (b *batcher[I, O]) do(ctx context.Context, item I) (O, error) {
	account := db.AccountOf(ctx)
	b.mu.Lock()
	idle := b.workers < maxUnbatched && !b.batch && b.unbatched[account] == 0
	if idle {
		b.workers++
	}
	if idle && b.queue.Len() == 0 && time.Since(b.batched) > busyFor && !b.many() {
		b.mu.Unlock()
		return b.sendUnbatched(ctx, item)
	}
	w := &batched[I, O]{ctx: ctx, item: item, since: time.Now(), done: make(chan struct{})}
	b.queue.Add(account, w)
	if b.gathered != nil && b.queue.Len() >= gatherUpTo {
		close(b.gathered)
		b.gathered = nil
	}
	if idle {
		go b.work()
	}
	b.mu.Unlock()
	var none O
	select {
	case <-w.done:
	case <-ctx.Done():
		return none, db.Translate(ctx.Err())
	}
	if w.undone {
		return b.sendOne(ctx, item)
	}
	return w.out, w.err
}

func (b *batcher[I, O]) sendOne(ctx context.Context, item I) (out O, err error) {
	outs, err := b.send(ctx, []I{item})
	if err != nil {
		return out, err
	}
	b.record(outs[0])
	return outs[0], nil
}

// sendUnbatched sends an item alone. A call that waits long, for a lock, does not keep others from
// being sent.
func (b *batcher[I, O]) sendUnbatched(ctx context.Context, item I) (O, error) {
	account := db.AccountOf(ctx)
	b.count(account, 1)
	next := sync.OnceFunc(func() {
		b.count(account, -1)
		b.next()
	})
	defer next()
	defer time.AfterFunc(slowAfter, next).Stop()
	return b.sendOne(ctx, item)
}

func (b *batcher[I, O]) count(account uuid.UUID, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unbatched == nil {
		b.unbatched = map[uuid.UUID]int{}
	}
	if b.unbatched[account] += n; b.unbatched[account] == 0 {
		delete(b.unbatched, account)
	}
}

func (b *batcher[I, O]) waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.queue.Len()
}

// next starts a worker for the items that have arrived meanwhile, or ends this one.
func (b *batcher[I, O]) next() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queue.Len() > 0 && !b.batch {
		go b.work()
		return
	}
	b.workers--
}

// many reports whether many turns are in flight.
func (b *batcher[I, O]) many() bool { return b.inFlight != nil && b.inFlight() > manyInFlight }

// gather waits for more items while many turns are in flight.
func (b *batcher[I, O]) gather() {
	b.mu.Lock()
	enough := b.batch || b.queue.Len() >= gatherUpTo || !b.many()
	if !enough && b.gathered == nil {
		b.gathered = make(chan struct{})
	}
	gathered := b.gathered
	b.mu.Unlock()
	if enough {
		return
	}
	timer := time.NewTimer(gatherFor)
	defer timer.Stop()
	select {
	case <-gathered:
	case <-timer.C:
	}
}

// work sends the items that wait, and those that other goroutines are about to add.
func (b *batcher[I, O]) work() {
	runtime.Gosched()
	b.gather()
	switch batch := b.take(); len(batch) {
	case 0:
	case 1:
		w := batch[0]
		w.out, w.err = recoverAsError(func() (O, error) { return b.sendUnbatched(w.ctx, w.item) })
		close(w.done)
	default:
		began, account := time.Now(), db.AccountOf(batch[0].ctx)
		if active := b.sendBatch(batch); !b.ended(account, active) {
			b.next()
			return
		}
		// The account pauses, as if it had an unbatched item in flight. Other accounts continue, and their
		// batches include its waiting items.
		b.count(account, 1)
		time.AfterFunc(min(fair.PauseTimes*time.Since(began), maxPause), func() {
			b.count(account, -1)
			b.next()
		})
	}
}

// ended ends a batch whose items are all of one account, and reports whether the account must
// pause.
func (b *batcher[I, O]) ended(account uuid.UUID, otherReplicaActive bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.batch, b.batched = false, time.Now()
	if otherReplicaActive {
		b.otherReplica = b.batched
	}
	return time.Since(b.otherReplica) < contendedFor && time.Since(b.contended) >= contendedFor &&
		b.queue.Only(account)
}

// take returns the next items whose callers still wait. If no item is left, it ends the worker and
// returns nil. It also does so while another worker sends a batch: that worker takes them next.
func (b *batcher[I, O]) take() (batch []*batched[I, O]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queue.Tenants() > 1 {
		b.contended = time.Now()
	}
	each := maxBatch
	if time.Since(b.contended) < contendedFor {
		each = maxContended
		if b.queue.Tenants() > 1 {
			each = max(each, b.queue.Fewest())
		}
	}
	for len(batch) == 0 && b.queue.Len() > 0 && !b.batch {
		for _, w := range b.queue.Take(maxBatch, each, b.fits()) {
			b.waited(time.Since(w.since))
			if w.ctx.Err() == nil {
				batch = append(batch, w)
			}
		}
	}
	if len(batch) == 0 {
		b.workers--
		return nil
	}
	b.batch = len(batch) > 1
	return batch
}

// fits returns what decides, item by item, whether the next one fits into a batch. The first one
// does.
func (b *batcher[I, O]) fits() func(*batched[I, O]) bool {
	var first *batched[I, O]
	bytes := int64(0)
	return func(w *batched[I, O]) bool {
		size := int64(0)
		if b.size != nil {
			size = b.size(db.AccountOf(w.ctx), w.item)
		}
		full := bytes+size > maxBatchBytes
		if first != nil && (full || b.canBatch != nil && !b.canBatch(first.item, w.item)) {
			return false
		}
		first = cmp.Or(first, w)
		bytes += size
		return true
	}
}

func (b *batcher[I, O]) record(out O) {
	if b.observe != nil {
		b.observe(out)
	}
}

// sendBatch sends a batch on a context of its own, because no caller's end may cut off the others'.
// It reports whether another replica sent items of the same account meanwhile.
func (b *batcher[I, O]) sendBatch(batch []*batched[I, O]) (otherReplicaActive bool) {
	ctx, cancel := context.WithTimeout(db.ForAccount(context.Background(), batchers), db.StatementDeadline)
	defer cancel()
	items := make([]I, len(batch))
	for i, w := range batch {
		items[i] = w.item
	}
	outs, err := recoverAsError(func() ([]O, error) { return b.sendMany(ctx, items) })
	for i, w := range batch {
		switch {
		case err == nil:
			w.out = outs[i]
			b.record(w.out)
			active := b.otherReplicaActive != nil && b.otherReplicaActive(w.out)
			otherReplicaActive = otherReplicaActive || active
		case isAway(err):
			w.err = err
		default: // perhaps for another item
			w.undone = true
		}
		close(w.done)
	}
	return otherReplicaActive
}

func (b *batcher[I, O]) sendMany(ctx context.Context, items []I) ([]O, error) {
	if err := failpoint.Hit(b.name + ".before"); err != nil {
		return nil, err
	}
	outs, err := b.send(ctx, items)
	if hit := failpoint.Hit(b.name + ".after"); hit != nil {
		return nil, db.Translate(hit)
	}
	return outs, err
}

// recoverAsError returns a panic as an error: in a goroutine without a caller it would end the
// process.
func recoverAsError[T any](run func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.Wrap(fault.Internal, fmt.Errorf("sending turns panicked: %v\n%s", p, debug.Stack()))
		}
	}()
	return run()
}

// isAway reports an error of the database itself, after which it is unknown what was committed.
func isAway(err error) bool {
	undone := db.IsRace(err) || db.ViolatedCode(err, db.CodeLockTimeout) || db.ViolatedCode(err, db.CodeQueryCanceled)
	return fault.Is(err, fault.Unavailable) && !undone
}
