// Package webhooks stores the webhooks of accounts, and their events as rows of the outbox.
//
//	       resume, from now on
//	   +------------------------+
//	   v                        |
//	   ON --- pause --------> PAUSED    waiting events stay
//	   |
//	   +----- a 410, or 3 days of failures only ----> FAILING   waiting events fail; resume: ON
//	   |
//	any state --- the operator stops it -----------> STOPPED   waiting events fail; allow: ON
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
