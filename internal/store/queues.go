package store

import (
	"context"
	"sync/atomic"
	"time"
)

// queues are the batches of one process: of messages that begin, and of turns that are settled.
type queues struct {
	begins  *batcher[*Begin, *beginRow]
	settles *batcher[Settlement, SettleResult]
	// rehearsed is the time of the last successful rehearsal.
	rehearsed atomic.Pointer[time.Time]
}

// queuesOf returns the queues of a database, and has Waiting and Ready use them.
func queuesOf(s *Store) *queues { return shared(s, newQueues) }

func newQueues(chats *Store) *queues {
	var back backSizes
	q := &queues{
		begins: &batcher[*Begin, *beginRow]{
			name:          "begin_batch",
			send:          chats.beginTurns,
			together:      together,
			waited:        waitedAs(chats, "chats"),
			size:          back.sizeOf,
			came:          back.came,
			sentElsewhere: func(row *beginRow) bool { return row.Elsewhere },
		},
		settles: &batcher[Settlement, SettleResult]{
			name:   "settle_batch",
			send:   chats.settleTurns,
			size:   sizeOfReply,
			waited: waitedAs(chats, "chats"),
		},
	}
	countWaiting(chats, func() int { return q.begins.waiting() + q.settles.waiting() })
	rehearseWith(chats, func(ctx context.Context) error { return q.rehearse(ctx, chats) })
	return q
}
