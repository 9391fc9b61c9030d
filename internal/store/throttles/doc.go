// Package throttles counts attempts, such as sign-ins, so that guessing is slow.
package throttles

import "agentchat/internal/store/internal/db"

// Store has the statements of this package. It is a value on a database or on a transaction.
type Store struct{ db *db.DB }

// On returns the Store of a database, or of a transaction.
func On(d *db.DB) Store { return Store{d} }
