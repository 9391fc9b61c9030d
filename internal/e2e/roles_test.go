package e2e_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store"
	"agentchat/internal/store/operator"
	"agentchat/internal/testlong"
)

// TestRolesOfLeastRights runs deploy/postgres/roles.sql, and the service with its two roles: the one that serves can do all that a service
// does, and cannot change a table. A role that may create roles and databases can run it, as on a managed PostgreSQL.
func TestRolesOfLeastRights(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	database := newCrashableDB(t, nil) // whose superuser is at hand
	execute(t, database.server.AdminURL(), "CREATE ROLE managed LOGIN CREATEROLE CREATEDB PASSWORD 'secret'")
	t.Run("superuser", func(t *testing.T) { leastRights(t, database.server.AdminURL(), "") })
	t.Run("managed", func(t *testing.T) { leastRights(t, database.server.AdminURL(), "managed") })
}

// leastRights runs the script as a role of the server, by default as the superuser, with other names.
func leastRights(t *testing.T, admin, as string) {
	t.Helper()
	script, err := os.ReadFile(filepath.FromSlash("../../deploy/postgres/roles.sql"))
	if err != nil {
		t.Fatal(err)
	}
	name := "r_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	cluster, inside, found := strings.Cut(strings.ReplaceAll(string(script), "agentchat", name), `\connect `+name)
	if !found {
		t.Fatal("the script does not connect to its database")
	}
	at := func(database, role string) string {
		u, err := url.Parse(admin)
		if err != nil {
			t.Fatal(err)
		}
		if u.Path = "/" + database; role != "" {
			u.User = url.UserPassword(role, "secret")
		}
		return u.String()
	}
	for statement := range strings.SplitSeq(withoutComments(cluster), ";") { // CREATE DATABASE has to be alone
		execute(t, at("postgres", as), statement)
	}
	execute(t, at(name, as), inside)
	execute(t, at("postgres", as), "ALTER ROLE "+name+" PASSWORD 'secret'; ALTER ROLE "+name+"_owner PASSWORD 'secret'")

	r := start(t, at(name, name), "MIGRATE_DATABASE_URL="+at(name, name+"_owner"), "TRUSTED_PROXIES=127.0.0.1/32")
	owner, export := newOwnedExport(t, r, "10.4.0.1")
	c := client(t)
	for range 3 {
		if got, err := ask(t.Context(), c, r.Chat, export.key, "s", "hello"); err != nil || got.Status != http.StatusOK {
			t.Errorf("a chat: %v %d %s", err, got.Status, got.Body)
		}
	}
	if status := r.ready(); status != http.StatusOK {
		t.Errorf("/readyz: %d", status)
	}
	owner.must(r, `{ viewer { usage(filter: { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" }, groupBy: [AGENT]) { messages } } }`, nil)
	owner.must(r, `mutation($input: DeleteAgentInput!) { deleteAgent(input: $input) { deletedAgentId } }`, map[string]any{"id": export.agent})
	s, err := store.Open(t.Context(), store.Config{URL: at(name, name)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if found, err := operator.On(s).Verify(t.Context(), 10); err != nil || found.Total > 0 {
		t.Errorf("verify: %+v %v", found, err)
	}
	for _, statement := range []string{"DROP TABLE turns", "ALTER TABLE accounts ADD COLUMN more int", "TRUNCATE credit_entries",
		"CREATE TABLE more ()", "CREATE SCHEMA more"} {
		if _, err := s.SQL().ExecContext(t.Context(), statement); err == nil {
			t.Errorf("the serving role may %s", statement)
		}
	}
	if log := r.log.String(); strings.Contains(log, `"level":"ERROR"`) || strings.Contains(log, "permission denied") {
		t.Errorf("the log has errors: %s", log)
	}
}

func withoutComments(script string) string {
	var out strings.Builder
	for line := range strings.Lines(script) {
		if !strings.HasPrefix(line, "--") {
			out.WriteString(line)
		}
	}
	return strings.TrimRight(out.String(), "; \n")
}
