package storetest

import (
	"database/sql"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store"
)

// rolePassword is the password of all roles of NewRole.
const rolePassword = "secret"

// NewRole creates a role with attributes such as CONNECTION LIMIT 3, and returns its name. It is
// dropped when the test ends, so create it before the databases in which it is granted rights.
func NewRole(t testing.TB, attributes string) string {
	t.Helper()
	name := "r_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	started(t)
	Superuser(t, databaseURL("postgres"), `CREATE ROLE `+name+` LOGIN PASSWORD '`+rolePassword+`' `+
		attributes)
	maintenance := AsSuperuser(t, databaseURL("postgres"))
	t.Cleanup(func() {
		admin, err := sql.Open("pgx", maintenance)
		must(t, err)
		defer func() { _ = admin.Close() }()
		_, err = admin.Exec(`DROP ROLE ` + name)
		must(t, err)
	})
	return name
}

// Superuser runs statements in a database as a superuser.
func Superuser(t testing.TB, databaseURL string, statements ...string) {
	t.Helper()
	admin, err := sql.Open("pgx", AsSuperuser(t, databaseURL))
	must(t, err)
	defer func() { _ = admin.Close() }()
	for _, statement := range statements {
		if _, err := admin.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// AsSuperuser returns a database's URL for a superuser.
func AsSuperuser(t testing.TB, databaseURL string) string {
	t.Helper()
	address, err := asSuperuser(databaseURL)
	must(t, err)
	return address
}

func asSuperuser(databaseURL string) (string, error) {
	return withUser(databaseURL, cluster.superuser.User)
}

// As returns a database's URL for a role of NewRole.
func As(t testing.TB, databaseURL, role string) string {
	t.Helper()
	address, err := withUser(databaseURL, url.UserPassword(role, rolePassword))
	must(t, err)
	return address
}

func withUser(databaseURL string, user *url.Userinfo) (string, error) {
	address, err := url.Parse(databaseURL)
	if err != nil {
		return "", err
	}
	address.User = user
	return address.String(), nil
}

// DatabaseName returns the database name in a URL.
func DatabaseName(databaseURL string) string {
	name, _, _ := strings.Cut(databaseURL[strings.LastIndex(databaseURL, "/")+1:], "?")
	return name
}

// OpenAs opens a database as a role. Migrations run as the role migrates, or as the same role for
// "".
func OpenAs(t *testing.T, url, role, migrates string) *store.DB {
	t.Helper()
	cfg := store.Config{URL: As(t, url, role)}
	if migrates != "" {
		cfg.MigrateURL = As(t, url, migrates)
	}
	s, err := store.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// RemedyOf returns the SQL at the end of an error about a missing right.
func RemedyOf(t *testing.T, err error, says string) string {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("want %q in one line: %v", says, err)
	}
	i := strings.LastIndex(err.Error(), ": ")
	return err.Error()[i+2:]
}
