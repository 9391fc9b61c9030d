package turns

import (
	"context"
	"sync/atomic"
	"time"

	"agentchat/internal/store/internal/db"
)

// queues are the batches of one process: of messages that begin, and of turns that are settled.
type queues struct {
	begins  *batcher[*Begin, *beginRow]
	settles *batcher[Settlement, SettleResult]
	// inFlight counts the turns in flight: batches gather while there are many.
	inFlight atomic.Int64
	// replica is the number of this process; 0 while it has none.
	replica atomic.Int32
	// rehearsed is the time of the last successful rehearsal.
	rehearsed atomic.Pointer[time.Time]
}

// newQueues makes the queues of a database, and registers them with its Waiting and Ready.
func newQueues(chats *db.DB) *queues {
	sizes := newResponseSizes()
	q := &queues{}
	alone := Store{db: chats, queues: q}
	q.begins = &batcher[*Begin, *beginRow]{
		name:               "begin_batch",
		send:               alone.beginTurns,
		canBatch:           canBatch,
		inFlight:           q.inFlight.Load,
		waited:             db.WaitedAs(chats, "chats"),
		size:               sizes.sizeOf,
		observe:            sizes.observe,
		otherReplicaActive: func(row *beginRow) bool { return row.OtherReplicaActive },
	}
	q.settles = &batcher[Settlement, SettleResult]{
		name:     "settle_batch",
		send:     alone.settleTurns,
		inFlight: q.inFlight.Load,
		size:     sizeOfReply,
		waited:   db.WaitedAs(chats, "chats"),
	}
	db.CountWaiting(chats, func() int { return q.begins.waiting() + q.settles.waiting() })
	db.RehearseWith(chats, func(ctx context.Context) error { return q.rehearse(ctx, chats) })
	return q
}
