// Package tests stores the test cases, test runs and test settings of agents, and decides whether a
// draft has passed the tests it needs to be published.
package tests

import "agentchat/internal/store/internal/db"

// Store runs the statements of this package on a database or in a transaction.
type Store struct{ db *db.DB }

// On returns the Store of a database, or of a transaction.
func On(d *db.DB) Store { return Store{d} }
