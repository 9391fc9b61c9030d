// Package storetest gives every test a database on a real PostgreSQL for as long as it runs, copied
// from a template with the current schema. The server is the one that AGENTCHAT_TEST_DATABASE_URL
// names, with a superuser's URL, or a private cluster of the test process.
package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver of the maintenance connection

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store"
)

// ServerVariable is the environment variable with the URL of a superuser on the tests' server.
const ServerVariable = "AGENTCHAT_TEST_DATABASE_URL"

// cluster is the server that all tests of this process share. It starts with the first test that
// needs it.
var cluster struct {
	once   sync.Once
	err    error
	dir    string
	server *embeddedpg.Server
	admin  *sql.DB
	// url is of a role that has only the service's rights, superuser of a superuser.
	url, superuser *url.URL
	template       string
	// strategy is a clause of CREATE DATABASE. empty holds the statements that delete what a test has
	// written.
	strategy, empty string
}

// Main runs the tests and stops the cluster afterwards. Call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()
	Stop()
	os.Exit(code)
}

// Stop stops the cluster if it runs, for a TestMain that does more than Main.
func Stop() {
	for _, p := range idle.places {
		_ = p.drop()
	}
	if cluster.admin != nil {
		_ = cluster.admin.Close()
	}
	if cluster.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_ = cluster.server.Stop(ctx)
	}
	if cluster.dir != "" {
		_ = os.RemoveAll(cluster.dir)
	}
}

// URL returns the URL of a new database with the current schema, dropped when the test ends.
func URL(t testing.TB) string {
	t.Helper()
	return create(t, func() string { return cluster.template })
}

// EmptyURL returns the URL of a new, empty database, dropped when the test ends.
func EmptyURL(t testing.TB) string {
	t.Helper()
	return create(t, func() string { return "template0" })
}

// Turkish is New in a database that sorts and compares in Turkish, where I is the capital of ı. The
// test is skipped without a PostgreSQL that can: 15 or newer, built with ICU.
func Turkish(t testing.TB) *store.DB {
	t.Helper()
	started(t)
	const able = `SELECT current_setting('server_version_num')::int >= 150000
		AND EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'tr-x-icu')`
	var can bool
	if err := cluster.admin.QueryRowContext(t.Context(), able).Scan(&can); err != nil {
		t.Fatal(err)
	}
	if !can {
		t.Skip("this PostgreSQL does not know Turkish")
	}
	s := Open(t, create(t,
		func() string { return `template0 ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'tr'` }))
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// New returns a store on an empty database with the current schema. Other tests have used both
// before: a test of connections, plans or statistics needs Open and URL.
func New(t testing.TB) *store.DB {
	t.Helper()
	return take(t).store
}

// Counted is New with the number of the store's statements, which earlier tests have increased.
func Counted(t testing.TB) (*store.DB, *Statements) {
	t.Helper()
	p := take(t)
	return p.store, p.statements
}

// Ends makes a test wait, when it ends, for work that still uses a store of New. If that takes more
// than two seconds, no other test gets the store.
func Ends(t testing.TB, s *store.DB, wait func(context.Context) error) {
	t.Helper()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if wait(ctx) != nil {
			_ = s.Close()
		}
	})
}

// Replica returns another store on the same database, as another replica has. It is closed when the
// test ends.
func Replica(t testing.TB, s *store.DB) *store.DB {
	t.Helper()
	var name string
	must(t, s.SQL().QueryRowContext(t.Context(), `SELECT current_database()`).Scan(&name))
	return Open(t, databaseURL(name))
}

// Replicas returns the stores of two replicas: that of New, and another one on the same database.
func Replicas(t testing.TB) (one, two *store.DB) {
	t.Helper()
	one = New(t)
	return one, Replica(t, one)
}

// Open returns another store, as another replica has, on a database of URL. It is closed when the
// test ends.
func Open(t testing.TB, databaseURL string) *store.DB {
	t.Helper()
	s, err := open(t.Context(), databaseURL, nil)
	if err != nil {
		t.Fatalf("open the test database: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func open(ctx context.Context, databaseURL string, tracer pgx.QueryTracer) (*store.DB, error) {
	address, err := url.Parse(databaseURL)
	if err != nil {
		return nil, err
	}
	query := address.Query()
	// A busy machine may need longer than the service would wait.
	query.Set("connect_timeout", "60")
	address.RawQuery = query.Encode()
	return store.Open(ctx, store.Config{URL: address.String(), Tracer: tracer})
}

// started starts the cluster if no test has yet.
func started(t testing.TB) {
	t.Helper()
	cluster.once.Do(func() { cluster.err = start() })
	if cluster.err != nil {
		t.Fatalf("start the test database: %v", cluster.err)
	}
}

// create creates a database, which is dropped when the test ends. template is called after the
// cluster has started.
func create(t testing.TB, template func() string) string {
	t.Helper()
	started(t)
	name, err := newDatabase(template())
	if err != nil {
		t.Fatalf("create a test database: %v", err)
	}
	t.Cleanup(func() {
		if err := drop(name); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
	})
	return databaseURL(name)
}

func newDatabase(template string) (name string, err error) {
	name = "t_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	_, err = cluster.admin.Exec(fmt.Sprintf(`CREATE DATABASE %s TEMPLATE %s%s`, name, template,
		cluster.strategy))
	return name, err
}

func drop(name string) error {
	_, err := cluster.admin.Exec(fmt.Sprintf(`DROP DATABASE IF EXISTS %s WITH (FORCE)`, name))
	if err != nil { // FORCE may not end an autovacuum worker; the plain form ends it and waits
		_, err = cluster.admin.Exec(`DROP DATABASE IF EXISTS ` + name)
	}
	return err
}

func databaseURL(name string) string {
	u := *cluster.url
	u.Path = "/" + name
	return u.String()
}

// start starts the server, or connects to the named one, and creates the template.
func start() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var err error
	if named := os.Getenv(ServerVariable); named != "" {
		err = useServer(ctx, named)
	} else {
		err = startServer(ctx)
	}
	if err != nil {
		return err
	}
	if cluster.admin, err = sql.Open("pgx", cluster.url.String()); err != nil {
		return err
	}
	// PostgreSQL creates databases one at a time anyway.
	cluster.admin.SetMaxOpenConns(4)
	return useTemplate(ctx)
}

func startServer(ctx context.Context) error {
	var err error
	if cluster.dir, err = NewDir(); err != nil {
		return err
	}
	if cluster.server, err = embeddedpg.Start(ctx, ClusterConfig(cluster.dir)); err != nil {
		return err
	}
	if cluster.url, err = url.Parse(cluster.server.URL()); err != nil {
		return err
	}
	cluster.superuser, err = url.Parse(cluster.server.AdminURL())
	return err
}

// useServer creates the role of the tests if the server has none. Several programs can do so at
// once.
func useServer(ctx context.Context, superuser string) error {
	var err error
	if cluster.superuser, err = url.Parse(superuser); err != nil {
		return err
	}
	admin, err := sql.Open("pgx", superuser)
	if err != nil {
		return err
	}
	defer func() { _ = admin.Close() }()
	const role = "agentchat_tests"
	if _, err := admin.ExecContext(ctx, `DO $$ BEGIN CREATE ROLE `+role+` LOGIN CREATEDB PASSWORD '`+
		rolePassword+`';
		EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`); err != nil {
		return err
	}
	served := *cluster.superuser
	served.User = url.UserPassword(role, rolePassword)
	cluster.url = &served
	return nil
}

// DataDir returns a new directory for a cluster of the test, removed when the test ends.
func DataDir(t testing.TB) string {
	t.Helper()
	dir, err := NewDir()
	if err != nil {
		t.Fatalf("create a data directory: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// NewDir creates a directory that the unprivileged user who runs PostgreSQL for root can enter but
// not read. The parent of t.TempDir is closed to other users.
func NewDir() (string, error) {
	dir, err := os.MkdirTemp(memoryDir(), "agentchat-test-")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o711)
}

// memoryDir returns Linux's file system in memory if it has enough room, and otherwise "", the
// default. A cluster has a thousand files and each database 300 more, which file systems on disks
// create and remove slowly.
func memoryDir() string {
	const dir, room = "/dev/shm", 4 << 30
	var fs syscall.Statfs_t
	if syscall.Statfs(dir, &fs) != nil || fs.Bavail*uint64(fs.Bsize) < room {
		return ""
	}
	return dir
}

// ClusterConfig configures a cluster of tests. Tests that kill a server or read its log start their
// own.
func ClusterConfig(dir string) embeddedpg.Config {
	return embeddedpg.Config{
		DataDir: dir, BinDir: os.Getenv("AGENTCHAT_POSTGRES_BIN"),
		NPMDirs: []string{repositoryDir("deploy", "postgres")},
		// A crash of the machine may lose the tests' data; nothing else changes.
		Settings: map[string]string{"fsync": "off", "full_page_writes": "off", "max_connections": "800"},
	}
}

// repositoryDir finds a folder of the repository from any package's directory.
func repositoryDir(elem ...string) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return filepath.Join(append([]string{dir}, elem...)...)
		}
		dir = filepath.Dir(dir)
	}
}
