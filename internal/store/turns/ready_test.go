package turns_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

// TestReadyLeavesNothingBehind: however often readiness is checked, its table stays one page, and
// no setting of the check is left to the chats on the same connection.
//
// It runs alone: while a transaction is open, in whatever database of the server, PostgreSQL keeps
// old versions of the row.
func TestReadyLeavesNothingBehind(t *testing.T) { //nolint:paralleltest // see above
	s, err := store.Open(t.Context(), store.Config{URL: storetest.URL(t), MaxConns: 1}) // for chats and readiness
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	settings := func() (text string) {
		t.Helper()
		err := s.SQL().QueryRowContext(t.Context(), `SELECT current_setting('work_mem') || ' ' || current_setting('temp_tablespaces')`).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	before := settings()
	for range 250 { // a page has room for about 200 versions of the row
		if err := s.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if after := settings(); after != before {
		t.Errorf("the settings were %q and are %q", before, after)
	}
	if size := storetest.CountRows(t, s, `SELECT pg_relation_size('readiness')`); size != 8192 {
		t.Errorf("the table has %d bytes, want 8192 (a page)", size)
	}
}

// TestReadyRehearsesAChat: whatever of a chat is broken, readiness says so, with the reason. The
// service's own rows and functions are there in each case, so that only trying finds it, and in
// some only a new connection.
func TestReadyRehearsesAChat(t *testing.T) {
	t.Parallel()
	const failing = `CREATE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''broken''; END'; `
	for name, c := range map[string]struct{ change, reason string }{
		"a function fails": {`CREATE OR REPLACE FUNCTION variables_violation_1(instructions text, declared jsonb, given jsonb, longest int)
			RETURNS text[] LANGUAGE plpgsql STABLE AS 'BEGIN RAISE EXCEPTION ''broken''; END'`, store.TurnFailed},
		"a function refuses": {`CREATE OR REPLACE FUNCTION variables_violation_1(instructions text, declared jsonb, given jsonb, longest int)
			RETURNS text[] LANGUAGE sql STABLE AS 'SELECT ARRAY[''variable_missing'', ''name'']'`, store.TurnFailed},
		"a trigger fails": {failing + `CREATE TRIGGER failing BEFORE INSERT ON credit_entries FOR EACH ROW EXECUTE FUNCTION failing()`,
			store.TurnFailed},
		"a trigger of the commit fails": {failing + `CREATE CONSTRAINT TRIGGER failing AFTER UPDATE ON turns DEFERRABLE INITIALLY DEFERRED
			FOR EACH ROW EXECUTE FUNCTION failing()`, store.TurnFailed},
		"a function may not be executed": {`REVOKE EXECUTE ON FUNCTION settle_turns_1 FROM PUBLIC, CURRENT_USER`, store.PermissionDenied},
		"a function inside may not be":   {`REVOKE EXECUTE ON FUNCTION counters_of_1 FROM PUBLIC, CURRENT_USER`, store.PermissionDenied},
		"a table may not be written":     {`REVOKE INSERT ON limit_counters FROM CURRENT_USER`, store.PermissionDenied},
		"a column is missing":            {`ALTER TABLE turns DROP COLUMN streamed`, store.SchemaOld},
		"there are no new connections":   {`DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' CONNECTION LIMIT 0'; END $$`, store.TooManyConnections},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := storetest.URL(t)
			s, admin := storetest.Open(t, url), storetest.Open(t, url)
			if one := storetest.CountRows(t, s, `SELECT count(*) FROM pg_roles WHERE rolname = CURRENT_USER AND rolsuper`); one > 0 {
				t.Skip("a superuser may do all of this")
			}
			if err := s.Ready(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := storetest.CountRows(t, s, `SELECT (SELECT count(*) FROM accounts) + (SELECT count(*) FROM turns)`); n != 0 {
				t.Errorf("it left %d rows", n)
			}
			storetest.Bulk(t, admin, c.change)
			turns.On(s).ForgetRehearsal()
			refused, ok := errors.AsType[*store.NotReadyError](s.Ready(t.Context()))
			if !ok || refused.Reason != c.reason {
				t.Errorf("ready: %v, want %s", refused, c.reason)
			}
		})
	}
}

// TestReadyBesideBusyChats: chats that have all their connections do not make the service look
// broken.
func TestReadyBesideBusyChats(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.URL(t))
	for range s.SQL().Stats().MaxOpenConnections {
		conn, err := s.SQL().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.Ready(ctx); err != nil {
		t.Error(err)
	}
}
