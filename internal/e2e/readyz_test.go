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

// readiness returns the response of /readyz: "200 ready", or 503 and the reason.
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

// TestReadyz breaks the database of a running service in several ways, one after the other. /readyz
// names each reason, and the service is ready again without a restart.
func TestReadyz(t *testing.T) {
	t.Parallel()
	database := newCrashableDB(t, nil)
	f := storetest.Seed(t, database.open(), storetest.Options{})
	r := start(t, database.url)
	resume := func() {}
	run := func(statement string) func() {
		return func() { execute(t, database.url, statement) }
	}
	for _, step := range []struct {
		name, want string
		do         func()
	}{
		{"the database is paused", "503 database_timeout", func() { resume = database.pause() }},
		{"the database continues", "200 ready", func() { resume() }},
		{"there is no database", "503 database_unavailable", database.stop},
		{"the database is a standby", "503 read_only", func() {
			path := filepath.Join(database.config.DataDir, "postgres", "standby.signal")
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			database.start()
		}},
		{"the standby is promoted", "200 ready", func() {
			execute(t, database.server.AdminURL(), `SELECT pg_promote()`)
		}},
		{"the role may not write", "503 permission_denied",
			run(`REVOKE INSERT, UPDATE ON ALL TABLES IN SCHEMA public FROM CURRENT_USER`)},
		{"the role may write again", "200 ready",
			run(`GRANT INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO CURRENT_USER`)},
		{"the schema is newer", "200 ready",
			run(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, true)`)},
		{"the schema is older", "503 schema_old", run(`DELETE FROM goose_db_version WHERE version_id IN
			(SELECT version_id FROM goose_db_version ORDER BY version_id DESC LIMIT 2)`)},
		{"the schema is older than this check", "503 schema_old", run(`DROP TABLE readiness`)},
	} {
		step.do()
		// For a moment the service still has connections to the earlier server.
		eventually(t, "/readyz when "+step.name, func() bool { return r.readiness() == step.want })
		if step.want != "200 ready" {
			continue
		}
		eventually(t, "a message is answered when "+step.name, func() bool {
			got, err := ask(t.Context(), client(t), r.Chat, f.Key.Reveal(), uuid.NewString(), "hello")
			return err == nil && got.Status == http.StatusOK
		})
	}
}
