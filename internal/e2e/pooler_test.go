package e2e_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // database/sql's driver

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// pooler is a PgBouncer in transaction mode in front of the tests' PostgreSQL.
type pooler struct{ host, port string }

// newPooler starts PgBouncer until the test ends, with more lines of configuration.
func newPooler(t testing.TB, databaseURL string, more ...string) *pooler {
	t.Helper()
	p, stop, err := startPooler(databaseURL, more...)
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("AGENTCHAT_TEST_DEPLOY") == "" {
		t.Skip("PgBouncer is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	p.wait(t)
	return p
}

func startPooler(databaseURL string, more ...string) (p *pooler, stop func(), err error) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		return nil, nil, err
	}
	direct, err := url.Parse(databaseURL)
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	p = &pooler{}
	p.host, p.port, _ = net.SplitHostPort(listener.Addr().String())
	_ = listener.Close()
	dir, err := os.MkdirTemp("", "agentchat-pooler-")
	if err != nil {
		return nil, nil, err
	}
	password, _ := direct.User.Password()
	settings := fmt.Sprintf(`[databases]
* = host=%s port=%s user=%s password=%s
[pgbouncer]
listen_addr = %s
listen_port = %s
unix_socket_dir =
auth_type = any
admin_users = %[3]s
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 8
%[7]s
`, direct.Hostname(), direct.Port(), direct.User.Username(), password, p.host, p.port,
		strings.Join(more, "\n"))
	path := filepath.Join(dir, "pgbouncer.ini")
	// PgBouncer reads it as another user.
	err = errors.Join(os.WriteFile(path, []byte(settings), 0o644), os.Chmod(dir, 0o755))
	if err != nil {
		return nil, nil, err
	}
	command := exec.Command(program, "-q", path)
	if os.Geteuid() == 0 { // it refuses to run as root
		command = exec.Command(program, "-q", "-u", "nobody", path)
	}
	if err := command.Start(); err != nil {
		return nil, nil, err
	}
	return p, func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		_ = os.RemoveAll(dir)
	}, nil
}

// wait returns once PgBouncer accepts connections.
func (p *pooler) wait(t testing.TB) {
	t.Helper()
	eventually(t, "PgBouncer accepts connections", func() bool {
		conn, err := net.Dial("tcp", net.JoinHostPort(p.host, p.port))
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
}

// url returns a database's URL through the pooler.
func (p *pooler) url(t testing.TB, databaseURL string) string {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = net.JoinHostPort(p.host, p.port)
	return u.String()
}

// execute runs SQL on a database.
func execute(t testing.TB, databaseURL, text string) {
	t.Helper()
	db, err := sql.Open("pgx", databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(context.Background(), text); err != nil {
		t.Fatal(err)
	}
}

// roleSettings matches the SQL that a start prints to bring the service's settings to the
// connections of a pooler.
var roleSettings = regexp.MustCompile(
	`ALTER ROLE "[^"]+" IN DATABASE "[^"]+" SET [a-z_]+ = '[^']*';`)

// TestStartBehindAPooler: each start that fails behind a pooler ends with what to do, and doing
// that helps.
func TestStartBehindAPooler(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	direct := storetest.EmptyURL(t)
	address, err := url.Parse(direct)
	if err != nil {
		t.Fatal(err)
	}
	// The service sets its own encoding, also through a pooler.
	execute(t, direct, "ALTER DATABASE "+address.Path[1:]+" SET client_encoding = 'LATIN1'")
	p := newPooler(t, direct)
	lenient := newPooler(t, direct, "ignore_startup_parameters = "+strings.Join([]string{
		"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "plan_cache_mode",
		"random_page_cost", "enable_seqscan", "jit", "default_transaction_isolation", "search_path",
		"array_nulls", "bytea_output", "extra_float_digits", "IntervalStyle",
		"default_transaction_read_only", "idle_session_timeout",
	}, ","))
	remedy := "set DATABASE_POOLER=transaction, or name PostgreSQL itself in DATABASE_URL"
	startFails(t, p.url(t, direct), nil, remedy)
	for range 2 { // the second client meets the statements that the first one prepared
		startFails(t, lenient.url(t, direct), nil, remedy)
	}
	pooled := []string{"DATABASE_POOLER=transaction"}
	line := startFails(t, p.url(t, direct), pooled, "the role lacks settings",
		"SET plan_cache_mode = 'force_generic_plan'", "RECONNECT")
	commands := roleSettings.FindAllString(line, -1)
	if len(commands) != 7 {
		t.Fatalf("%d commands in %q", len(commands), line)
	}
	execute(t, direct, strings.Join(commands, "\n"))
	console := regexp.MustCompile(`/t_[0-9a-f]+`).ReplaceAllString(p.url(t, direct), "/pgbouncer")
	execute(t, console, "RECONNECT")
	startFails(t, p.url(t, direct), pooled, "set MIGRATE_DATABASE_URL")

	r := start(t, p.url(t, direct), "DATABASE_POOLER=transaction", "MIGRATE_DATABASE_URL="+direct)
	f := storetest.Seed(t, storetest.Open(t, direct), storetest.Options{})
	const text = "zażółć 😀"
	for n := range 3 {
		got, err := ask(t.Context(), client(t), r.Chat, f.Key.Reveal(), "s", text)
		if err != nil || got.Status != http.StatusOK || !strings.Contains(got.Reply, text) {
			t.Errorf("message %d: %v %d %s", n, err, got.Status, got.Body)
		}
	}
	var same bool
	readRow(t, storetest.Open(t, direct), `SELECT bool_and(message = $1) FROM turns`, []any{text},
		&same)
	if !same {
		t.Error("the stored messages differ from the sent ones")
	}
}

// poolers are started because of AGENTCHAT_TEST_POOLER, by the address of their PostgreSQL.
var poolers struct {
	mu      sync.Mutex
	started map[string]*pooler
	stops   []func()
}

// behindPooler returns a database's URL through a pooler, with the variables that a replica needs
// there.
func behindPooler(t testing.TB, databaseURL string) (pooled string, env []string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	poolers.mu.Lock()
	defer poolers.mu.Unlock()
	p := poolers.started[u.Host]
	if p == nil {
		var stop func()
		if p, stop, err = startPooler(databaseURL); err != nil {
			t.Fatal(err)
		}
		if poolers.started == nil {
			poolers.started = map[string]*pooler{}
		}
		poolers.started[u.Host], poolers.stops = p, append(poolers.stops, stop)
		p.wait(t)
	}
	name := strings.TrimPrefix(u.Path, "/")
	for setting, value := range map[string]string{
		"statement_timeout":                   "3500",
		"lock_timeout":                        "3000",
		"idle_in_transaction_session_timeout": "7000",
		"plan_cache_mode":                     "force_generic_plan",
		"random_page_cost":                    "1",
		"enable_seqscan":                      "off",
		"jit":                                 "off",
		"search_path":                         "public",
	} {
		execute(t, databaseURL, fmt.Sprintf(`ALTER DATABASE %s SET %s = '%s'`, name, setting, value))
	}
	env = []string{"DATABASE_POOLER=transaction", "MIGRATE_DATABASE_URL=" + databaseURL}
	return p.url(t, databaseURL), env
}

// setsPooler reports whether a variable says how the database is reached.
func setsPooler(variable string) bool {
	return strings.HasPrefix(variable, "DATABASE_POOLER=") ||
		strings.HasPrefix(variable, "MIGRATE_DATABASE_URL=")
}

// stopPoolers ends the poolers that AGENTCHAT_TEST_POOLER started.
func stopPoolers() {
	for _, stop := range poolers.stops {
		stop()
	}
}
