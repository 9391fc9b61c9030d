// Package migrations embeds the schema's migrations. They are plain SQL in goose's format and are applied in order, each in
// one transaction; a released migration is never changed.
//
// They are applied beside a running service: none may hold a lock for longer than a second on a million rows. An index of a table
// that may be long is made CONCURRENTLY, in a migration without a transaction whose statements may all be run again; a column is
// added without a default that has to be computed; a constraint is added NOT VALID.
package migrations

import "embed"

// Files holds the migrations at its top level.
//
//go:embed *.sql
var Files embed.FS
