package e2e_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/testlong"
)

// TestRolesOfLeastRights runs deploy/postgres/roles.sql as a role that may create roles and
// databases, like that of a managed PostgreSQL, and starts the service with the script's roles.
// TestRolesFile tests what these may do.
func TestRolesOfLeastRights(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	script, err := os.ReadFile(filepath.FromSlash("../../deploy/postgres/roles.sql"))
	if err != nil {
		t.Fatal(err)
	}
	database := newCrashableDB(t, nil) // a cluster whose superuser is at hand
	admin := database.server.AdminURL()
	at := func(database, role string) string {
		u, err := url.Parse(admin)
		if err != nil {
			t.Fatal(err)
		}
		u.Path, u.User = "/"+database, url.UserPassword(role, "secret")
		return u.String()
	}
	execute(t, admin, "CREATE ROLE managed LOGIN CREATEROLE CREATEDB PASSWORD 'secret'")
	// The cluster has an agentchat of its own.
	renamed := strings.ReplaceAll(string(script), "agentchat", "shop")
	before, inside, _ := strings.Cut(renamed, `\connect shop`)
	for statement := range strings.SplitAfterSeq(before, ";\n") { // CREATE DATABASE must be alone
		execute(t, at("postgres", "managed"), statement)
	}
	execute(t, at("shop", "managed"), inside)
	for _, role := range []string{"shop", "shop_owner"} {
		execute(t, at("postgres", "managed"), "ALTER ROLE "+role+" PASSWORD 'secret'")
	}

	r := start(t, at("shop", "shop"), "MIGRATE_DATABASE_URL="+at("shop", "shop_owner"), behindProxy)
	_, export := newOwnedExport(t, r, 1)
	got, err := ask(t.Context(), client(t), r.Chat, export.key, "s", "hello")
	if outcome := outcomeOf(got, err); outcome != "200" {
		t.Errorf("a message: %s", outcome)
	}
	log := r.log.String()
	if strings.Contains(log, `"level":"ERROR"`) || strings.Contains(log, "permission denied") {
		t.Errorf("the log has errors: %s", log)
	}
}
