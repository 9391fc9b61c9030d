package storetest

import (
	"encoding/json"
	"testing"

	"agentchat/internal/store"
)

// PagesRead runs a statement twice more and rolls back. It returns the number of pages that the
// second run has read, with cached plans.
func PagesRead(t *testing.T, s *store.DB, query string, args []any) float64 {
	t.Helper()
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	for _, step := range []string{`DELETE FROM turns WHERE state = 'FAILED'`, `SAVEPOINT before`} {
		if _, err := tx.ExecContext(t.Context(), step); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tx.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), `ROLLBACK TO before`); err != nil {
		t.Fatal(err)
	}
	var text string
	if err := tx.QueryRowContext(t.Context(), `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) `+query,
		args...).Scan(&text); err != nil {
		t.Fatal(err)
	}
	var top []struct{ Plan PlanNode }
	if err := json.Unmarshal([]byte(text), &top); err != nil {
		t.Fatal(err)
	}
	return top[0].Plan.Hit + top[0].Plan.Read
}
