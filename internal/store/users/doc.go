// Package users stores users, their sign-ins, second factors, links and passwords.
//
// The methods of Store are for callers of the store. Functions that take a transaction are steps of
// changes that other packages below internal/store make.
package users

import "agentchat/internal/store/internal/db"

// Store runs the statements of this package on a database or in a transaction.
type Store struct{ db *db.DB }

// On returns the Store of a database, or of a transaction.
func On(d *db.DB) Store { return Store{d} }
