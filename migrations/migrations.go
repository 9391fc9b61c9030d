// Package migrations embeds the schema's migrations: plain SQL in goose's format, applied in order,
// each in one transaction. A released migration never changes (released.sha256). Later ones only add,
// so that the previous release also works on the new schema.
//
// They run while an earlier release serves, so none may hold a lock for longer than a second on a
// million rows. Indexes on long tables are created CONCURRENTLY, in a migration without a
// transaction whose statements can all be run again. Columns are added without a computed default,
// and constraints NOT VALID.
package migrations

import "embed"

// Files holds the migrations at its top level.
//
//go:embed *.sql
var Files embed.FS
