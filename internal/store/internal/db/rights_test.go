package db_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/store"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

// TestMissingRights: each error of a role that lacks rights has the SQL that helps, until the
// service can migrate and chat.
func TestMissingRights(t *testing.T) {
	t.Parallel()
	owner, serving, other := storetest.NewRole(t, ""), storetest.NewRole(t, ""), storetest.NewRole(t, "")
	url := storetest.EmptyURL(t)
	name := storetest.DatabaseName(url)
	storetest.Superuser(t, url, `REVOKE ALL ON SCHEMA public FROM PUBLIC`, `REVOKE ALL ON DATABASE `+name+` FROM PUBLIC`)

	_, err := store.Open(t.Context(), store.Config{URL: storetest.As(t, url, owner)})
	storetest.Superuser(t, url, storetest.RemedyOf(t, err, "permission denied for database"), `GRANT CONNECT ON DATABASE `+name+` TO PUBLIC`)

	s := storetest.OpenAs(t, url, serving, owner)
	storetest.Superuser(t, url, storetest.RemedyOf(t, s.Migrate(t.Context()), "the role lacks rights")) // USAGE for who serves
	if err := s.SchemaCurrent(t.Context()); !errors.Is(err, store.ErrSchemaOld) {
		t.Errorf("an empty database: %v", err)
	}
	if check, err := s.CheckMigration(t.Context()), s.Migrate(t.Context()); check == nil || err == nil || check.Error() != err.Error() {
		t.Errorf("migrating is said to fail with %v, and fails with %v", check, err)
	}
	storetest.Superuser(t, url, storetest.RemedyOf(t, s.Migrate(t.Context()), "Set MIGRATE_DATABASE_URL")) // CREATE for who migrates
	err = s.Migrate(t.Context())
	storetest.Superuser(t, url, storetest.RemedyOf(t, err, "the role lacks rights")) // the tables, for who serves
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.Seed(t, s, storetest.Options{})
	storetest.Superuser(t, url, `REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC`)
	storetest.Superuser(t, url, storetest.RemedyOf(t, s.SchemaCurrent(t.Context()), "GRANT EXECUTE"))
	if err := s.SchemaCurrent(t.Context()); err != nil {
		t.Error(err)
	}

	// A role other than the owner migrates: it must be a member of the owner.
	storetest.Superuser(t, url, `COMMENT ON FUNCTION begin_turns_1 IS 'older'`, `GRANT ALL ON SCHEMA public TO `+other)
	s = storetest.OpenAs(t, url, serving, other)
	if got := storetest.RemedyOf(t, s.Migrate(t.Context()), "may not migrate"); got != `GRANT `+owner+` TO `+other+`;` {
		t.Errorf("%q", got)
	} else {
		storetest.Superuser(t, url, got)
	}
	if err := s.Migrate(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestMigrationElsewhere tests the errors for migrating a schema other than the serving one, and
// for a missing schema.
func TestMigrationElsewhere(t *testing.T) {
	t.Parallel()
	url := storetest.EmptyURL(t)
	s, err := store.Open(t.Context(), store.Config{URL: url, MigrateURL: url + "&search_path=elsewhere"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	storetest.Superuser(t, url, storetest.RemedyOf(t, s.Migrate(t.Context()), "CREATE SCHEMA elsewhere"))
	if err := s.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "what was migrated is not what serves") {
		t.Errorf("another schema was migrated: %v", err)
	}
}

// TestRolesFile: the service works with the two roles of deploy/postgres/roles.sql, and the one
// that serves can change no table.
func TestRolesFile(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(filepath.FromSlash("../../../../deploy/postgres/roles.sql"))
	if err != nil {
		t.Fatal(err)
	}
	owner, serving := storetest.NewRole(t, ""), storetest.NewRole(t, "")
	url := storetest.EmptyURL(t)
	name := storetest.DatabaseName(url)
	const database = "CREATE DATABASE agentchat OWNER agentchat_owner ENCODING 'UTF8' TEMPLATE template0"
	renamed := strings.NewReplacer("CREATE ROLE agentchat_owner LOGIN;", "", "CREATE ROLE agentchat LOGIN;", "",
		database, "GRANT CONNECT ON DATABASE "+name+" TO "+owner, `\connect agentchat`, "",
		"DATABASE agentchat", "DATABASE "+name, "agentchat_owner", owner, "agentchat", serving)
	storetest.Superuser(t, url, renamed.Replace(string(script)))
	s := storetest.OpenAs(t, url, serving, owner)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	f := storetest.Seed(t, s, storetest.Options{})
	if err := s.Ready(t.Context()); err != nil { // it rehearses a chat
		t.Error(err)
	}
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, f.Agent.ID); err != nil {
		t.Error(err)
	}
	storetest.Audit(t, s)
	for _, statement := range []string{"DROP TABLE turns", "ALTER TABLE accounts ADD COLUMN more int",
		"TRUNCATE credit_entries", "CREATE TABLE more ()", "CREATE SCHEMA more"} {
		if _, err := s.SQL().ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v, want error 42501", statement, err)
		}
	}
}
