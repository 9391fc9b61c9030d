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
	"agentchat/internal/testlong"
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

// TestReadyz breaks the database of a running service in several ways, one after the other. /readyz names each reason,
// and the service is ready again without a restart.
func TestReadyz(t *testing.T) {
	t.Parallel()
	database := newCrashableDB(t, nil)
	f := storetest.Seed(t, database.open(), storetest.Options{})
	r := start(t, database.url)
	resume := func() {}
	for _, step := range []struct {
		when, want string
		do         func()
	}{
		{"while the database is paused", "503 database_timeout", func() { resume = database.pause() }},
		{"after the pause", "200 ready", func() { resume() }},
		{"without a database", "503 database_unavailable", database.stop},
		{"on a standby, where chats cannot write", "503 read_only", func() {
			signal := filepath.Join(database.config.DataDir, "postgres", "standby.signal")
			if err := os.WriteFile(signal, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			database.start()
		}},
		{"after the promotion", "200 ready", func() { execute(t, database.server.AdminURL(), `SELECT pg_promote()`) }},
		{"without the right to write", "503 permission_denied", func() {
			execute(t, database.url, `REVOKE INSERT, UPDATE ON ALL TABLES IN SCHEMA public FROM CURRENT_USER`)
		}},
		{"with the right again", "200 ready", func() {
			execute(t, database.url, `GRANT INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO CURRENT_USER`)
		}},
		{"with a newer schema", "200 ready", func() {
			execute(t, database.url, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, true)`)
		}},
		{"with an older schema", "503 schema_old", func() {
			execute(t, database.url, `DELETE FROM goose_db_version WHERE version_id IN
				(SELECT version_id FROM goose_db_version ORDER BY version_id DESC LIMIT 2)`)
		}},
		{"with a schema from before the check", "503 schema_old", func() {
			execute(t, database.url, `DROP TABLE readiness`)
		}},
	} {
		step.do()
		// For a moment the service still has connections to the earlier server.
		eventually(t, "/readyz "+step.when, func() bool { return r.readiness() == step.want })
		if step.want == "200 ready" {
			eventually(t, "a chat is answered "+step.when, func() bool {
				got, err := ask(t.Context(), client(t), r.Chat, f.Key.Reveal(), uuid.NewString(), "hello")
				return err == nil && got.Status == http.StatusOK
			})
		}
	}
}

// TestReadyzWithAFullDisk: without disk space PostgreSQL goes on updating rows in place, but stores no new message for long.
func TestReadyzWithAFullDisk(t *testing.T) {
	testlong.Only(t)
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
