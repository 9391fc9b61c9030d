package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func writeFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every wrong value ends the start with exit code 2 and one line that names the variable and the
// flag, before anything is started: the data directory is not made, and nothing is announced.
func TestServeRefusesWrongValues(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 400)
	cases := []struct {
		name, value string
		say         string // beside the name; empty for nothing more
	}{
		{"LISTEN_ADDR", "8080", "host:port"}, {"LISTEN_ADDR", "localhost:http", "port"},
		{"LISTEN_ADDR", "127.0.0.1:70000", "port"},
		{"LISTEN_ADDR", "127.0.0.1:-1", "port"}, {"LISTEN_ADDR", "http://127.0.0.1:8080", ""}, {"LISTEN_ADDR", "a b:80", "host"},
		{"PPROF_ADDR", "6060", "host:port"}, {"PPROF_ADDR", "0.0.0.0:6060", "loopback"},
		{"PPROF_ADDR", ":6060", "loopback"}, {"PPROF_ADDR", "10.0.0.1:6060", "loopback"},
		{"PPROF_ADDR", "[::]:6060", "loopback"}, {"PPROF_ADDR", "chat.example.com:6060", "loopback"},
		{"OPS_ADDR", "9090", "host:port"}, {"OPS_ADDR", "[::1:9090", ""},
		{"PUBLIC_URL", "chat.example.com", "https://"}, {"PUBLIC_URL", "ftp://example.com", ""}, {"PUBLIC_URL", "https://", ""},
		{"PUBLIC_URL", "https://chat.example.com/app", "path"}, {"PUBLIC_URL", "https://chat.example.com/?a=b", "query"},
		{"JWT_SECRET", "short-secret", "32 bytes"}, {"JWT_SECRET", strings.Repeat("s", 31), "32 bytes"},
		{"SIGN_UP", "yes", "open, closed"}, {"SIGN_UP", "OPEN", "open, closed"}, {"REQUIRE_SECOND_FACTOR", "maybe", "true, false"},
		{"STARTING_CREDITS", "-1", "whole number"}, {"STARTING_CREDITS", "1.5", "whole number"}, {"STARTING_CREDITS", "1e3", ""},
		{"STARTING_CREDITS", "9007199254740992", "9007199254740991"}, {"STARTING_CREDITS", "99999999999999999999", ""},
		{"KNOWLEDGE_PASSAGES", "0", "1 to 10000000"}, {"KNOWLEDGE_PASSAGES", "many", "whole number"},
		{"DATABASE_POOLER", "session", "none, transaction"}, {"DATABASE_POOLER", "transaction", "need DATABASE_URL"},
		{"MIGRATE_DATABASE_URL", "db:5432", "PostgreSQL URL"}, {"MIGRATE_DATABASE_URL", "postgres://db/agentchat", "need DATABASE_URL"},
		{"DATABASE_MAX_CONNS", "-1", "0 to 1000"}, {"DATABASE_MAX_CONNS", "many", ""}, {"DATABASE_MAX_CONNS", "1001", ""},
		{"MODEL_TIMEOUT", "55", "1s to 10m"}, {"MODEL_TIMEOUT", "999ms", ""},
		{"MODEL_TIMEOUT", "10m1s", ""}, {"MODEL_TIMEOUT", "-5s", ""},
		{"SHUTDOWN_DELAY", "soon", "0s to 5m"}, {"SHUTDOWN_DELAY", "-1s", ""}, {"SHUTDOWN_DELAY", "6m", ""},
		{"REFUSED_RETENTION", "7d", "1m to 8760h"}, {"REFUSED_RETENTION", "59s", ""}, {"REFUSED_RETENTION", "-1h", ""},
		{"ALLOWED_ORIGINS", "*", "exact origins"}, {"ALLOWED_ORIGINS", "null", ""},
		{"ALLOWED_ORIGINS", "https://a.example.com/", ""},
		{"ALLOWED_ORIGINS", "https://a.example.com,", ""}, {"ALLOWED_ORIGINS", "https://A.example.com", ""},
		{"ALLOWED_ORIGINS", "https://a.example.com:443", ""}, {"ALLOWED_ORIGINS", "https://*.example.com/x", ""},
		{"ALLOWED_ORIGINS", "a.example.com", ""}, {"ALLOWED_ORIGINS", "https://a.example.com https://b.example.com", ""},
		{"TRUSTED_PROXIES", "10.0.0.1", "10.1.2.3/32"}, {"TRUSTED_PROXIES", "10.0.0.0/33", ""},
		{"TRUSTED_PROXIES", "10.0.0.1/8", ""},
		{"TRUSTED_PROXIES", "proxy.example.com", ""}, {"TRUSTED_PROXIES", "10.0.0.0/8,,", ""},
		{"CREDITS_HELP", long, "300"}, {"CREDITS_HELP", "two\nlines", "one line"},
		{"CREDITS_HELP", "http://example.com", "https"},
		{"SUPPORT_CONTACT", "javascript://x", "https"}, {"SUPPORT_CONTACT", "bell\a", ""},
		{"LOG_LEVEL", "verbose", "debug, info, warn, error"}, {"LOG_FORMAT", "xml", "text, json"},
		{"GEMINI_API_KEY", "key with spaces", "space"}, {"OPENAI_API_KEY", "kéy", ""},
		{"GEMINI_BASE_URL", "localhost:9999", ""}, {"OPENAI_BASE_URL", "https://user:hunter2@example.com/v1", "user name or password"},
		{"DATABASE_URL", "localhost", "postgres://"}, {"DATABASE_URL", "mysql://u:hunter2@localhost/x", "postgres://"},
		{"DATABASE_URL", "postgres://u:hunter2/x@localhost/db", "percent-encoded"},
		{"DATABASE_URL", "host=localhost password=hunter2", ""},
		{"DATABASE_URL", "postgres://u:hunter2@localhost:port/db", ""},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslmode=verify_full", "sslmode=verify_full: it must be disable"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslmode=verify-full&sslrootcert=/none/root.crt",
			"sslrootcert: unable to read CA file: open /none/root.crt: no such file"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslrootcert=/dev/null&password=hunter2", "sslrootcert: unable to add CA"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslcert=/none/c&sslkey=/none/k", "sslcert: unable to read sslkey: open /none/k"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslcert=/none/c", "sslcert: both"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?connect_timeout=soon", "connect_timeout"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?target_session_attrs=first", "target_session_attrs: unknown"},
		{"DATABASE_URL", "postgres://u:hunter2@a:1,b:2/db?port=1,2,3", "could not match"},
		{"AGENTCHAT_POSTGRES_BIN", "/does/not/exist", "no such file"},
		{"MODELS_FILE", "/does/not/exist", ""},
	}
	for _, c := range cases {
		t.Run(c.name+"="+c.value[:min(len(c.value), 30)], func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			base := slices.DeleteFunc(settings(dir), func(line string) bool { return strings.HasPrefix(line, c.name+"=") })
			viaEnv := invoke(t, append(base, c.name+"="+c.value), "", "serve")
			viaFlag := invoke(t, base, "", "serve", "--"+flagName(c.name)+"="+c.value)
			for _, r := range []result{viaEnv, viaFlag} {
				r.expectLine(t, exitUsage, c.name+" (--"+flagName(c.name)+")", c.say)
				for _, secret := range []string{"hunter2", "short-secret", "key with spaces", strings.Repeat("s", 31)} {
					if strings.Contains(r.stderr, secret) {
						t.Errorf("stderr contains a secret: %q", r.stderr)
					}
				}
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("something was started: the data directory is there (%v)", err)
			}
		})
	}
}

func TestServeRefusesWrongCombinations(t *testing.T) {
	t.Parallel()
	const url = "DATABASE_URL=postgres://u:hunter2@127.0.0.1:1/x"
	secretFile := writeFile(t, testSecret+"\n")
	models := writeFile(t, "providers:\n  - name: x\n    kind: nonsense\nmodels:\n  - name: m\n")
	cases := []struct {
		name string
		env  []string
		args []string
		say  []string
	}{
		{"no secret with DATABASE_URL", []string{url}, nil, []string{"JWT_SECRET", "required with DATABASE_URL"}},
		{"a secret in a missing file", []string{"JWT_SECRET_FILE=/does/not/exist"}, nil, []string{"JWT_SECRET_FILE", "/does/not/exist", "no such file"}},
		{"a secret in a directory", []string{"DATABASE_URL_FILE=/"}, nil, []string{"DATABASE_URL_FILE", "directory"}},
		{"a secret twice", []string{"JWT_SECRET=" + testSecret, "JWT_SECRET_FILE=" + secretFile}, nil,
			[]string{"JWT_SECRET_FILE", "twice"}},
		{"a database twice", []string{url, "DATABASE_URL_FILE=" + writeFile(t, "postgres://u:p@127.0.0.1:1/x")}, nil, []string{"DATABASE_URL_FILE", "twice"}},
		{"a provider's key twice", []string{"GEMINI_API_KEY=k", "GEMINI_API_KEY_FILE=" + secretFile}, nil,
			[]string{"GEMINI_API_KEY_FILE"}},
		{"an empty secret file", []string{"JWT_SECRET_FILE=" + writeFile(t, " \n")}, nil, []string{"JWT_SECRET_FILE", "empty"}},
		{"a huge secret file", []string{"JWT_SECRET_FILE=" + writeFile(t, strings.Repeat("x", 70<<10))}, nil,
			[]string{"JWT_SECRET_FILE", "64 KiB"}},
		{"a short secret in a file", []string{"JWT_SECRET_FILE=" + writeFile(t, "short-secret\n")}, nil,
			[]string{"JWT_SECRET", "32 bytes"}},
		{"demo for everybody", []string{"LISTEN_ADDR=0.0.0.0:0"}, []string{"--demo"}, []string{"--demo", "loopback"}},
		{"demo on all addresses", []string{"LISTEN_ADDR=:0"}, []string{"--demo"}, []string{"--demo", "loopback"}},
		{"demo on a name", []string{"LISTEN_ADDR=chat.example.com:8080"}, []string{"--demo"}, []string{"--demo", "loopback"}},
		{"one address for both", []string{"LISTEN_ADDR=127.0.0.1:8081", "OPS_ADDR=127.0.0.1:8081"}, nil,
			[]string{"OPS_ADDR", "LISTEN_ADDR"}},
		{"one address for the profiler and another",
			[]string{"OPS_ADDR=127.0.0.1:8081", "PPROF_ADDR=127.0.0.1:8081"}, nil,
			[]string{"PPROF_ADDR (--pprof-addr)", "OPS_ADDR (--ops-addr)"}},
		{"a bad models file", []string{"MODELS_FILE=" + models}, nil, []string{"MODELS_FILE (--models-file)", ":3"}},
		{"a misspelt variable of ours", []string{"AGENTCHAT_DATADIR=x"}, nil,
			[]string{"AGENTCHAT_DATADIR", "AGENTCHAT_DATA_DIR"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			r := invoke(t, append(settings(dir), c.env...), "", append([]string{"serve"}, c.args...)...)
			r.expectLine(t, exitUsage, c.say...)
			if strings.Contains(r.stderr, "hunter2") || strings.Contains(r.stderr, "short-secret") {
				t.Errorf("stderr contains a secret: %q", r.stderr)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("something was started: the data directory is there (%v)", err)
			}
		})
	}
}

// configOf reads a service's configuration without starting it.
func configOf(t *testing.T, env ...string) *serveCmd {
	t.Helper()
	var grammar cli
	parsed, helped := parseEnv(env), false
	parser, err := newParser(&grammar, parsed, process{stdout: io.Discard, stderr: io.Discard}, &helped)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"serve"}); err != nil {
		t.Fatal(err)
	}
	if err := grammar.Serve.complete(parsed); err != nil {
		t.Fatalf("config: %v", err)
	}
	return &grammar.Serve
}

func TestConfigValues(t *testing.T) {
	t.Parallel()
	secret := writeFile(t, testSecret+" \r\n\n")
	c := configOf(t, "JWT_SECRET_FILE="+secret, "PUBLIC_URL=https://chat.example.com/", "MODEL_TIMEOUT=2m", "SHUTDOWN_DELAY=10s",
		"ALLOWED_ORIGINS=https://a.example.com, http://localhost:5173", "TRUSTED_PROXIES=10.0.0.0/8, fd00::/8",
		"STARTING_CREDITS=0", "AGENTCHAT_DATA_DIR=relative", "CREDITS_HELP=https://example.com/credits?plan=1")
	if string(c.JWTSecret) != testSecret {
		t.Errorf("the secret's file was read as %d bytes: only the white space around it is left out", len(c.JWTSecret))
	}
	if c.PublicURL != "https://chat.example.com" {
		t.Errorf("PUBLIC_URL = %q", c.PublicURL)
	}
	if c.ModelTimeout != 2*time.Minute || c.ShutdownDelay != 10*time.Second || c.StartingCredits != 0 {
		t.Errorf("durations and credits: %v %v %d", c.ModelTimeout, c.ShutdownDelay, c.StartingCredits)
	}
	if got := strings.Join(c.AllowedOrigins, "|"); got != "https://a.example.com|http://localhost:5173" {
		t.Errorf("ALLOWED_ORIGINS = %s", got)
	}
	if len(c.TrustedProxies) != 2 || c.TrustedProxies[1].String() != "fd00::/8" {
		t.Errorf("TRUSTED_PROXIES = %v", c.TrustedProxies)
	}
	if !filepath.IsAbs(c.DataDir) || filepath.Base(c.DataDir) != "relative" {
		t.Errorf("AGENTCHAT_DATA_DIR = %s", c.DataDir)
	}
	if !c.signUpOpen() {
		t.Error("with the sandbox alone, strangers cannot sign up")
	}
	// The contract: at most 30 s + MODEL_TIMEOUT + 5 s for the turns under way.
	if want := 30*time.Second + 2*time.Minute + 5*time.Second; c.drainTimeout() != want {
		t.Errorf("drain = %v, want %v", c.drainTimeout(), want)
	}
	if c.responseTimeout() <= c.drainTimeout() {
		t.Errorf("a response may take %v, which cuts turns that the drain would still wait for", c.responseTimeout())
	}
}

func TestDefaultDataDir(t *testing.T) {
	t.Parallel()
	want := "data"
	if os.Geteuid() == 0 {
		want = "agentchat"
	}
	if dir := configOf(t).DataDir; filepath.Base(dir) != want || !filepath.IsAbs(dir) {
		t.Errorf("the default data directory is %s", dir)
	}
}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"127.0.0.1:80": true, "127.8.9.1:80": true, "[::1]:80": true, "localhost:80": true,
		":80": false, "0.0.0.0:80": false, "[::]:80": false, "10.0.0.1:80": false,
		"localhost.example.com:80": false, "example.com:80": false,
	} {
		if got := listenAddress(address).isLoopback(); got != want {
			t.Errorf("isLoopback(%q) = %v", address, got)
		}
	}
}

// A flag wins over its variable, and an empty variable counts as not set.
func TestFlagsWin(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	dir := filepath.Join(t.TempDir(), "data")
	env := append(settings(dir), "LISTEN_ADDR=nonsense", "LOG_LEVEL=", "MODEL_TIMEOUT=")
	r := invoke(t, env, "", "serve", "--listen-addr="+taken.Addr().String())
	r.expectLine(t, exitFailed, "cannot listen on "+taken.Addr().String(), "LISTEN_ADDR", "--listen-addr",
		"address already in use")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a database was started although the port is taken (%v)", err)
	}
	ops := invoke(t, append(settings(dir), "OPS_ADDR="+taken.Addr().String()), "", "serve")
	ops.expectLine(t, exitFailed, "OPS_ADDR", "address already in use")
}

// A database that cannot be reached gives one line, without the password in any of its spellings.
func TestUnreachableDatabase(t *testing.T) {
	t.Parallel()
	url := "postgres://someone:hunter%402@127.0.0.1:1/x"
	for _, command := range [][]string{
		{"serve"}, {"migrate"}, {"account", "create", "--email", "ada@example.com", "--name", "Ada"},
		{"credits", "grant", "--email", "ada@example.com", "--amount", "1", "--note", "n", "--reference", "r"},
	} {
		t.Run(strings.Join(command[:1], " "), func(t *testing.T) {
			t.Parallel()
			r := invoke(t, onDatabase(t, url), "a good password\n", command...)
			r.expectLine(t, exitFailed, "127.0.0.1:1", "connection refused")
			if strings.Contains(r.stderr, "hunter") {
				t.Errorf("stderr contains the password: %q", r.stderr)
			}
		})
	}
}

// The operator's paths are not on the public port, and the chat API is not on the operator's.
func expectSeparateListeners(t *testing.T, s *service) {
	t.Helper()
	base := strings.TrimSuffix(s.Chat, "/v1/agent/chat")
	for _, path := range []string{"/livez", "/readyz", "/metrics"} {
		if code := status(t, base+path); code != http.StatusNotFound {
			t.Errorf("%s on the public port = %d", path, code)
		}
		if code := status(t, s.Ops+path); code != http.StatusOK {
			t.Errorf("%s on the operator's port = %d", path, code)
		}
	}
	if code := status(t, s.Ops+"/v1/agent/chat"); code != http.StatusNotFound {
		t.Errorf("the chat API on the operator's port = %d", code)
	}
}
