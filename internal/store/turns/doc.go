// Package turns stores the turn: begin, settle, and the batches of both.
//
// The rules of a turn are three functions of the database, begin_turns, settle_turns and
// reap_turns, defined in internal/db/sql/functions. The first two take one or more items, and
// return an outcome for each. Messages that arrive while another call begins turns share the next
// call, and so do turns that are settled (batch.go). Each kind has its own queue. A single item is
// sent at once, unless many turns are in flight: then it waits up to 2 ms for others.
//
//	 callers              queue                 connections of chats
//
//	account A --+     A: a3 a2 a1                +--> alone, while there is no batch, at most 2 side by side
//	account A --+     B: b1         a1 b1 c1 a2  |
//	account B --+-->  C: c1        ------------> +--> together, one batch at a time, at most 32
//	account C --+                                          |
//	                                                       +-- a row:     the caller has its turn, or the reason why not
//	                                                       +-- undone:    a race or a lock for 250 ms: each caller sends alone
//	                                                       +-- no answer: the database is away; what was committed is unknown to all
//
// Accounts take turns. While several wait, a batch has at most two messages of each, or as many as
// the account with the fewest has. An account whose messages another replica sends at the same time
// pauses after a batch of its own. A batch runs on a context of its own: a caller that leaves
// before it is sent takes its message along, and later changes nothing for the others. Rows are
// locked in the order replica, export, conversation, turn, counter, account, and those of each
// table in the order of their keys.
package turns

import "agentchat/internal/store/internal/db"

// Store runs the statements of this package on a database or in a transaction. Those of one
// database share their queues.
type Store struct {
	db     *db.DB
	queues *queues
}

// On returns the Store of a database, or of a transaction. Since the first call, Ready of the
// database rehearses a turn, and Waiting counts what waits here.
func On(d *db.DB) Store { return Store{d, db.Shared(d, newQueues)} }
