// Package migrations embeds the schema's migrations. They are plain SQL in goose's format and are applied in order, each in
// one transaction; a released migration is never changed.
package migrations

import "embed"

// Files holds the migrations at its top level.
//
//go:embed *.sql
var Files embed.FS
