package store_test

import (
	"testing"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestReadyLeavesNothingBehind: however often readiness is checked, its table stays one page, and no setting of the check is left
// to the chats on the same connection.
//
// It runs alone: while a transaction is open, in whatever database of the server, PostgreSQL keeps old versions of the row.
func TestReadyLeavesNothingBehind(t *testing.T) { //nolint:paralleltest // see above
	s, err := store.Open(t.Context(), store.Config{URL: storetest.URL(t), MaxConns: 1}) // for chats and readiness
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	settings := func() (text string) {
		t.Helper()
		err := s.DB().QueryRowContext(t.Context(), `SELECT current_setting('work_mem') || ' ' || current_setting('temp_tablespaces')`).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	before := settings()
	for range 250 { // a page has room for some 200 versions of the row
		if err := s.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if after := settings(); after != before {
		t.Errorf("the settings were %q and are %q", before, after)
	}
	if size := countRows(t, s, `SELECT pg_relation_size('readiness')`); size != 8192 {
		t.Errorf("the table has %d bytes, want one page of 8192", size)
	}
}
