package storetest

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/operator"
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

// AtOnce runs work n times concurrently and returns the number of successes. Every failure must be
// of the wanted kind.
func AtOnce(t *testing.T, n int, want fault.Kind, work func() error) int {
	t.Helper()
	errs := make(chan error, n)
	for range n {
		go func() { errs <- work() }()
	}
	succeeded := 0
	for range n {
		switch err := <-errs; {
		case err == nil:
			succeeded++
		case !fault.Is(err, want):
			t.Errorf("got %v, want %s", err, want)
		}
	}
	return succeeded
}

// RefusedWith fails the test unless an error is a conflict whose text contains part.
func RefusedWith(t *testing.T, name string, err error, part string) {
	t.Helper()
	if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: %v, want conflict with %q", name, err, part)
	}
}

// maxViolations is the number of violations that a failing test reports.
const maxViolations = 20

// Audit checks that the ledger is exact.
func Audit(t testing.TB, s *store.DB) {
	t.Helper()
	found, err := operator.On(s).Verify(t.Context(), maxViolations)
	must(t, err)
	for _, v := range found.Violations {
		t.Errorf("audit: %s: account %s: %s", v.Kind, v.AccountID, v.Figures)
	}
	if more := found.Total - int64(len(found.Violations)); more > 0 {
		t.Errorf("audit: %d more violations", more)
	}
}

// Unguard drops the constraints, unique indexes and triggers that protect the ledger, so that a
// test can corrupt it.
func Unguard(t testing.TB, s *store.DB) {
	t.Helper()
	_, err := s.SQL().ExecContext(t.Context(), `DO $$
DECLARE
    command text;
BEGIN
    FOR command IN
        SELECT format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I CASCADE', conrelid::regclass, conname) FROM pg_constraint
        WHERE conrelid::regclass::text IN ('accounts', 'agents', 'conversations', 'turns', 'credit_entries') AND contype <> 'n'
    LOOP
        EXECUTE command;
    END LOOP;
    FOR command IN
        SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index
        WHERE indisunique AND indrelid::regclass::text IN ('conversations', 'turns', 'credit_entries')
    LOOP
        EXECUTE command;
    END LOOP;
    DROP TRIGGER credit_entries_append_only ON credit_entries;
END $$`)
	must(t, err)
}
