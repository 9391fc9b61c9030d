// Package webhooks stores the webhooks of accounts and what is posted to them, which are rows of
// the outbox.
//
//	       resume, from now on
//	   +------------------------+
//	   v                        |
//	   ON --- pause --------> PAUSED    what waits stays
//	   |
//	   +----- a 410, or failures only for 3 days ---> FAILING   what waits has failed; resume: ON
//	   |
//	any state --- the operator stops it -----------> STOPPED   what waits has failed; allowed: ON
//
// Only a webhook that is ON gets new events. Answered messages are not queued one by one: the
// ledger is their queue, which Gather reads. Changes of a webhook lock its row before rows of the
// outbox.
package webhooks

import "agentchat/internal/store/internal/db"

// Store runs the statements of this package on a database or in a transaction.
type Store struct{ db *db.DB }

// On returns the Store of a database, or of a transaction.
func On(d *db.DB) Store { return Store{d} }
