package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// readiness returns what /readyz answers: "200 ready", or 503 and the reason.
func (r *replica) readiness() string {
	r.t.Helper()
	resp, err := http.Get(r.Ops + "/readyz")
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var body struct{ Status string }
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		r.t.Fatal(err)
	}
	return fmt.Sprint(resp.StatusCode, " ", body.Status)
}

func (r *replica) expectReadiness(when, want string) {
	r.t.Helper()
	if got := r.readiness(); got != want {
		r.t.Errorf("/readyz %s: %s, want %s", when, got, want)
	}
}

// TestReadyzOnAStandby: while the database is a standby, the service is not ready, because chats cannot write; after the promotion it is
// ready again.
func TestReadyzOnAStandby(t *testing.T) {
	t.Parallel()
	database := newCrashableDB(t, nil)
	r := start(t, database.url)
	database.stop()
	r.expectReadiness("without a database", "503 database_unavailable")
	signal := filepath.Join(database.config.DataDir, "postgres", "standby.signal")
	if err := os.WriteFile(signal, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	database.start()
	// The first answers may still come from connections of before.
	eventually(t, "/readyz says that the database is a standby", func() bool { return r.readiness() == "503 read_only" })
	admin := storetest.Open(t, database.server.AdminURL())
	if _, err := admin.DB().ExecContext(t.Context(), `SELECT pg_promote()`); err != nil {
		t.Fatal(err)
	}
	eventually(t, "/readyz is ready after the promotion", func() bool { return r.readiness() == "200 ready" })
}

// TestReadyzWithAFullDisk: without disk space PostgreSQL goes on updating rows in place, but stores no new message for long.
func TestReadyzWithAFullDisk(t *testing.T) {
	t.Parallel()
	disk := newSmallDisk(t, 200)
	database := newCrashableDBIn(t, disk.dir, map[string]string{"max_wal_size": "64MB", "min_wal_size": "32MB", "shared_buffers": "16MB"})
	r := start(t, database.url)
	const tries, want = 5, "503 disk_full"
	for try := 1; ; try++ { // PostgreSQL may give space back between the two, as with old WAL files
		disk.fill(t)
		got := r.readiness()
		if got == want {
			break
		}
		if try == tries {
			t.Fatalf("/readyz with a full disk: %s, want %s", got, want)
		}
	}
	disk.empty(t)
	r.expectReadiness("with space again", "200 ready")
}

// TestReadyzWithAPausedDatabase: a database that is paused keeps its connections, and answers nothing.
func TestReadyzWithAPausedDatabase(t *testing.T) {
	t.Parallel()
	database := newCrashableDB(t, nil)
	r := start(t, database.url)
	resume := database.pause()
	r.expectReadiness("while the database is paused", "503 database_timeout")
	resume()
	eventually(t, "ready again", func() bool { return r.readiness() == "200 ready" })
}

// TestReadyzWithAnotherSchema: a schema older than the binary needs is not ready, and a newer one is.
func TestReadyzWithAnotherSchema(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, r := storetest.Open(t, url), start(t, url)
	change := func(statement string) {
		t.Helper()
		if _, err := s.DB().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	change(`UPDATE goose_db_version SET version_id = version_id + 1000 WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	r.expectReadiness("with a newer schema", "200 ready")
	change(`DELETE FROM goose_db_version WHERE version_id > 1000`)
	r.expectReadiness("with an older schema", "503 schema_old")
	change(`DROP TABLE readiness`)
	r.expectReadiness("with a schema from before the check", "503 schema_old")
}

// TestReadyzWithRefusedWrites: when the database's role may no longer write, chats fail, and the service is not ready.
func TestReadyzWithRefusedWrites(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, url)
	f := storetest.Seed(t, s, storetest.Options{})
	var superuser bool
	if err := s.DB().QueryRowContext(t.Context(), `SELECT current_setting('is_superuser')::bool`).Scan(&superuser); err != nil || superuser {
		t.Skipf("a superuser may always write (%v)", err)
	}
	r := start(t, url)
	if _, err := s.DB().ExecContext(t.Context(), `REVOKE INSERT, UPDATE ON ALL TABLES IN SCHEMA public FROM CURRENT_USER`); err != nil {
		t.Fatal(err)
	}
	r.expectReadiness("without the right to write", "503 permission_denied")
	if got, err := ask(t.Context(), client(t), r.Chat, f.Key.Reveal(), uuid.NewString(), "hello"); err != nil || got.Status < 500 {
		t.Errorf("a chat without the right to write: %d %s %v", got.Status, got.Body, err)
	}
}
