// Package ratings stores and reads the ratings of replies.
package ratings

import "agentchat/internal/store/internal/db"

// Store runs the statements of this package on a database or in a transaction.
type Store struct{ db *db.DB }

// On returns the Store of a database, or of a transaction.
func On(d *db.DB) Store { return Store{d} }
