package store_test

import (
	"testing"
	"time"

	"agentchat/internal/store"
)

// secretText is in every text of the agents that are deleted here; none of it may be left.
const secretText = "SECRET-of-a-customer"

func countRows(t testing.TB, s *store.Store, text string, args ...any) (n int) {
	t.Helper()
	if err := s.DB().QueryRowContext(t.Context(), text, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func purgeAgents(t *testing.T, s *store.Store) {
	t.Helper()
	if _, err := s.PurgeDeletedAgents(t.Context(), 100); err != nil {
		t.Error(err)
	}
}

func third[T any](_ T, err error) error { return err }

// waitForLocks waits until n statements of this database wait for others' locks.
func waitForLocks(t *testing.T, s *store.Store, n int) {
	t.Helper()
	ticker, deadline := time.NewTicker(2*time.Millisecond), time.After(3*time.Second)
	defer ticker.Stop()
	for countRows(t, s, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`) < n {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("fewer than %d statements wait", n)
		}
	}
}
