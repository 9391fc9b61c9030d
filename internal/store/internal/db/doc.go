// Package db runs the statements of the store. Only packages below internal/store can import it, so
// SQL stays there. What callers of the store use are methods of DB; what packages of nouns use are
// functions.
//
// SQL is written by hand, with bound parameters ($1, $2, …). bun begins transactions and scans rows
// into the structs of the nouns by column name. Its query builder is not used: it writes values
// into the statement's text. A value of no noun, such as a password hash, has a struct here.
//
// Chats, the panel, sign-ins with background work, and readiness each have their own connections.
// Accounts take turns at those of chats and of the panel, one statement at a time (ForAccount,
// package fair). When the server has no free connection, the pools shrink for a while, and the
// statement waits for one that is already open.
//
// # Turns
//
// The rules of a turn are three functions of the database, begin_turns, settle_turns and
// reap_turns, defined in sql/functions. The first two take one or more items, and return an outcome
// for each. Messages that arrive while another call begins turns share the next call, and so do
// turns that are settled (batch.go). Each kind has its own queue. No timer collects them: a single
// item is sent at once.
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
// locked table by table, each in the order of their keys.
//
// # Rules
//
// Methods on owned rows take the owner's account id and have it in their WHERE; another account's
// row is not found.
//
// Faults of every method: Unavailable when the database is away or overloaded; Internal for
// anything unforeseen.
package db
