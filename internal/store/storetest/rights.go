package storetest

import (
	"strings"
	"testing"

	"agentchat/internal/store"
)

// OpenAs opens a database as a role. Migrations run as the role migrates, or as the same role for
// "".
func OpenAs(t *testing.T, url, role, migrates string) *store.DB {
	t.Helper()
	cfg := store.Config{URL: As(t, url, role)}
	if migrates != "" {
		cfg.MigrateURL = As(t, url, migrates)
	}
	s, err := store.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// RemedyOf returns the SQL at the end of an error about a missing right.
func RemedyOf(t *testing.T, err error, says string) string {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("want %q in one line: %v", says, err)
	}
	i := strings.LastIndex(err.Error(), ": ")
	return err.Error()[i+2:]
}
