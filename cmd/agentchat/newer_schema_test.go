package main

import (
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestNewerSchema tests that a binary and its commands work with the next release's schema, because
// replicas are upgraded one by one.
func TestNewerSchema(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	if _, err := s.SQL().ExecContext(t.Context(),
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--migrate=false"}} {
		startService(t, onDatabase(t, url), args...) // waits until it is ready
	}
	for _, args := range [][]string{{"migrate"}, {"verify"}} {
		if r := invoke(t, onDatabase(t, url), "", args...); r.code != exitOK {
			t.Errorf("%s: %+v", strings.Join(args, " "), r)
		}
	}
}
