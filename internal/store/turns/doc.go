// Package turns stores the turn: begin, settle, and the batches of both.
package turns

import "agentchat/internal/store/internal/db"

// Store runs the statements of this package on a database or in a transaction. Those
// of one database share their queues.
type Store struct {
	db     *db.DB
	queues *queues
}

// On returns the Store of a database, or of a transaction. Since the first call, Ready of the
// database rehearses a turn, and Waiting counts what waits here.
func On(d *db.DB) Store { return Store{d, db.Shared(d, newQueues)} }
