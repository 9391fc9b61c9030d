package storetest

import (
	"testing"

	"agentchat/internal/store"
)

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
