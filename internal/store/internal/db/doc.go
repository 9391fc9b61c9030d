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
// # Rules
//
// Methods on owned rows take the owner's account id and have it in their WHERE; another account's
// row is not found.
//
// Faults of every method: Unavailable when the database is away or overloaded; Internal for
// anything unforeseen.
package db
