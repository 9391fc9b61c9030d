package store_test

import (
	"testing"

	"agentchat/internal/store/storetest"
)

// TestReadyLeavesNothingBehind: however often readiness is checked, its table stays one page, and no setting of the check is left
// to the chats on the same connection.
func TestReadyLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	s.DB().SetMaxOpenConns(1)
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
