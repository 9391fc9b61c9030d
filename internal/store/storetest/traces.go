package storetest

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/store"
)

// Traces counts the rows of each table that contain a marker, in any column, as text or as bytes.
func Traces(t testing.TB, s *store.DB, marker string) map[string]int {
	t.Helper()
	ctx, left := t.Context(), map[string]int{}
	var tables string
	must(t, s.SQL().QueryRowContext(ctx, `SELECT string_agg(c.oid::regclass::text, ' ') FROM pg_class c
		WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`).Scan(&tables))
	for table := range strings.FieldsSeq(tables) {
		var n int
		const having = `SELECT count(*) FROM %s x WHERE position($1 IN x::text) > 0
			OR position($2 IN x::text) > 0`
		row := s.SQL().QueryRowContext(ctx, fmt.Sprintf(having, table), marker,
			hex.EncodeToString([]byte(marker)))
		must(t, row.Scan(&n))
		if n > 0 {
			left[table] = n
		}
	}
	return left
}
