package storetest

import (
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
)

// SecretText marks every text of the agents that tests delete.
const SecretText = "SECRET-of-a-customer"

// CountRows returns the number that a query selects.
func CountRows(t testing.TB, s *store.DB, text string, args ...any) (n int) {
	t.Helper()
	if err := s.SQL().QueryRowContext(t.Context(), text, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// PurgeAgents erases up to 100 deleted agents.
func PurgeAgents(t *testing.T, s *store.DB) {
	t.Helper()
	if _, err := erasure.On(s).PurgeDeletedAgents(t.Context(), 100); err != nil {
		t.Error(err)
	}
}

// ErrOnly drops the result of a call and returns its error.
func ErrOnly[T any](_ T, err error) error { return err }

// WaitForLocks waits until n statements of this database wait for locks.
func WaitForLocks(t *testing.T, s *store.DB, n int) {
	t.Helper()
	ticker, deadline := time.NewTicker(2*time.Millisecond), time.After(3*time.Second)
	defer ticker.Stop()
	for CountRows(t, s, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`) < n {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("fewer than %d statements wait", n)
		}
	}
}
