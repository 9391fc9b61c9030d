package e2e_test

import (
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

// TestRolesOfLeastRights runs deploy/postgres/roles.sql as a superuser, and as a role that may
// create roles and databases, like that of a managed PostgreSQL. The service then does with its two
// roles what a service does.
func TestRolesOfLeastRights(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	database := newCrashableDB(t, nil) // a cluster whose superuser is at hand
	admin := database.server.AdminURL()
	execute(t, admin, "CREATE ROLE managed LOGIN CREATEROLE CREATEDB PASSWORD 'secret'")
	t.Run("superuser", func(t *testing.T) { serveWithLeastRights(t, admin, "") })
	t.Run("managed", func(t *testing.T) { serveWithLeastRights(t, admin, "managed") })
}

// serveWithLeastRights runs the script, with other names, as a role of the server. An empty role is
// the superuser.
func serveWithLeastRights(t *testing.T, admin, role string) {
	t.Helper()
	script, err := os.ReadFile(filepath.FromSlash("../../deploy/postgres/roles.sql"))
	if err != nil {
		t.Fatal(err)
	}
	name := "r_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	renamed := strings.ReplaceAll(string(script), "agentchat", name)
	cluster, inside, found := strings.Cut(renamed, `\connect `+name)
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
	// CREATE DATABASE must be alone.
	for statement := range strings.SplitSeq(withoutComments(cluster), ";") {
		execute(t, at("postgres", role), statement)
	}
	execute(t, at(name, role), inside)
	for _, of := range []string{name, name + "_owner"} {
		execute(t, at("postgres", role), "ALTER ROLE "+of+" PASSWORD 'secret'")
	}

	r := start(t, at(name, name), "MIGRATE_DATABASE_URL="+at(name, name+"_owner"), behindProxy)
	owner, export := newOwnedExport(t, r, 1)
	for range 3 {
		got, err := ask(t.Context(), client(t), r.Chat, export.key, "s", "hello")
		if outcome := outcomeOf(got, err); outcome != "200" {
			t.Errorf("a message: %s", outcome)
		}
	}
	owner.must(r, `{ viewer { usage(filter: { from: "2026-01-01T00:00:00Z",
		to: "2027-01-01T00:00:00Z" }, groupBy: [AGENT]) { messages } } }`, nil)
	owner.must(r, mutation("deleteAgent", "deletedAgentId"), map[string]any{"id": export.agent})
	s, err := store.Open(t.Context(), store.Config{URL: at(name, name)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if found, err := operator.On(s).Verify(t.Context(), 10); err != nil || found.Total > 0 {
		t.Errorf("verify: %+v %v", found, err)
	}
	const alter = "ALTER TABLE accounts ADD COLUMN more int"
	if _, err := s.SQL().ExecContext(t.Context(), alter); err == nil {
		t.Error("the serving role may change a table")
	}
	log := r.log.String()
	if strings.Contains(log, `"level":"ERROR"`) || strings.Contains(log, "permission denied") {
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
