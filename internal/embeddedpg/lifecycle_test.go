package embeddedpg_test

import (
	"context"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/testlong"
)

func TestURLsAndRoles(t *testing.T) {
	t.Parallel()
	s := start(t, existing(t))
	const who = "SELECT current_user || ' ' || current_database() || ' ' || rolsuper || ' ' || rolcreatedb " +
		"FROM pg_roles WHERE rolname = current_user"
	if got := text(t, s.URL(), who); got != "agentchat agentchat false true" {
		t.Errorf("the service is %q", got)
	}
	if got := text(t, s.AdminURL(), who); got != "postgres postgres true true" {
		t.Errorf("the administrator is %q", got)
	}
	do(t, s.URL(), "CREATE DATABASE one_test")
	// Text is sorted by code points, and lower works beyond ASCII.
	if got := text(t, s.URL(),
		"SELECT string_agg(lower(c), '' ORDER BY c) FROM unnest('{Ö,b,Z,a}'::text[]) c"); got != "zabö" {
		t.Errorf("ordered %q", got)
	}
	if got := text(t, s.URL(), "SHOW server_encoding"); got != "UTF8" {
		t.Errorf("the encoding is %s", got)
	}
}

func TestOnlyLoopbackWithThePassword(t *testing.T) {
	t.Parallel()
	cfg := config(t)
	s := start(t, cfg)
	for name, want := range map[string]string{
		"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "password_encryption": "scram-sha-256",
	} {
		if got := text(t, s.AdminURL(), "SELECT current_setting($1)", name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	methods := text(t, s.AdminURL(),
		"SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules")
	if methods != "scram-sha-256" {
		t.Errorf("authentication methods: %s", methods)
	}
	u, err := url.Parse(s.URL())
	must(t, err)
	own, _ := u.User.Password()
	for _, user := range []*url.Userinfo{
		url.User("agentchat"), url.UserPassword("agentchat", "wrong"), url.User("postgres"),
		url.UserPassword("postgres", own),
	} {
		u.User = user
		if conn, err := pgx.Connect(t.Context(), u.String()); err == nil {
			_ = conn.Close(t.Context())
			t.Errorf("connected as %s", user)
		}
	}
	for file, mode := range map[string]os.FileMode{
		"postgres": 0o700, "postgres/agentchat.password": 0o600, "postgres/postgres.password": 0o600, "postgres.log": 0o600, "lock": 0o600,
	} {
		info, err := os.Stat(filepath.Join(cfg.DataDir, file))
		must(t, err)
		if info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v", file, info.Mode().Perm())
		}
	}
}

func TestTakenPortIsTriedAgain(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = taken.Close() }()
	var calls atomic.Int32
	s := start(t, embeddedpg.WithPort(existing(t), func() (int, error) {
		if calls.Add(1) == 1 {
			return taken.Addr().(*net.TCPAddr).Port, nil
		}
		return embeddedpg.FreePort()
	}))
	if calls.Load() < 2 {
		t.Error("a taken port was not refused")
	}
	write(t, s.URL())
}

func TestSettings(t *testing.T) {
	t.Parallel()
	cfg := existing(t)
	cfg.Settings["work_mem"] = "5MB"
	cfg.Settings["port"] = "5432" // cannot be changed
	cfg.Settings["listen_addresses"] = "*"
	s := start(t, cfg)
	for name, want := range map[string]string{
		"work_mem": "5MB", "fsync": "off", "listen_addresses": "127.0.0.1", "log_statement": "none",
		"log_min_error_statement": "panic", "log_parameter_max_length": "0", "log_parameter_max_length_on_error": "0",
		"max_connections": "100", "shared_buffers": "128MB", "synchronous_commit": "on",
	} {
		if got := text(t, s.AdminURL(), "SELECT current_setting($1)", name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	stop(t, s)
	cfg.Settings = nil
	s = start(t, cfg)
	if got := text(t, s.AdminURL(), "SHOW fsync"); got != "on" {
		t.Errorf("without settings of a test fsync is %q", got)
	}
}

func TestLogHasNoCustomerData(t *testing.T) {
	t.Parallel()
	cfg := existing(t)
	s := start(t, cfg)
	do(t, s.URL(),
		"CREATE TABLE secrets (word text PRIMARY KEY); INSERT INTO secrets VALUES ('hush-1')")
	conn, err := pgx.Connect(t.Context(), s.URL())
	must(t, err)
	for _, sql := range []string{
		"INSERT INTO secrets VALUES ($1)", "SELECT $1::text::int FROM secrets", "SELECT word FROM secrets WHERE nosuch = $1",
	} {
		if _, err := conn.Exec(t.Context(), sql, "hush-1"); err == nil {
			t.Errorf("%s succeeded", sql)
		}
	}
	must(t, conn.Close(t.Context()))
	stop(t, s)
	log, err := os.ReadFile(filepath.Join(cfg.DataDir, "postgres.log"))
	must(t, err)
	if !strings.Contains(string(log), "ready to accept connections") {
		t.Errorf("not PostgreSQL's log: %s", log)
	}
	for _, secret := range []string{"hush", "secrets", "nosuch"} {
		if strings.Contains(string(log), secret) {
			t.Errorf("the log contains %q: %s", secret, log)
		}
	}
}

func TestStopEndsSessions(t *testing.T) {
	t.Parallel()
	s := start(t, existing(t))
	conn, err := pgx.Connect(t.Context(), s.URL())
	must(t, err)
	tx, err := conn.Begin(t.Context())
	must(t, err)
	stop(t, s)
	if _, err := tx.Exec(t.Context(), "SELECT 1"); err == nil {
		t.Error("the session outlives its server")
	}
}

func TestStopAfterItsTimeIsHard(t *testing.T) {
	testlong.Only(t) // waits out real timeouts
	t.Parallel()
	cfg := existing(t)
	s, err := embeddedpg.Start(t.Context(), cfg)
	must(t, err)
	write(t, s.URL())
	must(t, syscall.Kill(s.PID(), syscall.SIGSTOP)) // it does not react to SIGTERM
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Stop(ctx); err == nil {
		t.Error("a stopped process has ended")
	} else {
		oneLine(t, err.Error(), "did not stop in time")
	}
	note(t, start(t, cfg).URL())
}

// TestCtrlCDoesNotReachPostgreSQL sends SIGINT to the whole process group of the service, as Ctrl-C
// on a terminal does. The service then still finishes its turns.
func TestCtrlCDoesNotReachPostgreSQL(t *testing.T) {
	t.Parallel()
	cfg := existing(t)
	h := startHelper(t, order{Kind: "service", DataDir: cfg.DataDir}, nil).ready(t)
	must(t, syscall.Kill(-h.cmd.Process.Pid, syscall.SIGINT))
	write(t, h.URL)
	note(t, h.URL)
	h.end(t)
}

func TestInterruptedStartLeavesNothing(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	cfg := config(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := embeddedpg.Start(ctx, cfg); err == nil {
		t.Fatal("a start that was interrupted succeeded")
	}
	left, err := filepath.Glob(filepath.Join(cfg.DataDir, "postgres*"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	start(t, cfg)
}
