package main

import (
	"io"
	"net"
	"os"
	"path/filepath"
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

// configOf returns the settings of `agentchat serve` without starting it.
func configOf(t *testing.T, env ...string) *serveCmd {
	t.Helper()
	config, err := parseServe(env)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// parseServe parses and checks the settings of `agentchat serve` as a process does.
func parseServe(env []string, flags ...string) (*serveCmd, error) {
	args, helped, variables := append([]string{"serve"}, flags...), false, parseEnv(env)
	var grammar cli
	parser, err := newParser(&grammar, variables, process{stdout: io.Discard, stderr: io.Discard}, &helped)
	if err != nil {
		return nil, err
	}
	if err := refuseFlags(parser.Model.Node, args); err != nil {
		return nil, err
	}
	if _, err := parser.Parse(args); err != nil {
		return nil, err
	}
	if err := variables.refuseUnknown(parser.Model.Node); err != nil {
		return nil, err
	}
	return &grammar.Serve, grammar.Serve.complete(variables)
}

func TestConfigValues(t *testing.T) {
	t.Parallel()
	secret := writeFile(t, testSecret+" \r\n\n")
	c := configOf(t, "JWT_SECRET_FILE="+secret, "PUBLIC_URL=https://chat.example.com/",
		"MODEL_TIMEOUT=2m", "SHUTDOWN_DELAY=10s",
		"ALLOWED_ORIGINS=https://a.example.com, http://localhost:5173", "TRUSTED_PROXIES=10.0.0.0/8, fd00::/8",
		"STARTING_CREDITS=0", "AGENTCHAT_DATA_DIR=relative", "CREDITS_HELP=https://example.com/credits?plan=1")
	if string(c.JWTSecret) != testSecret {
		t.Errorf("the secret's file was read as %d bytes: only the white space around it is left out",
			len(c.JWTSecret))
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
	// The contract: at most 30 s + MODEL_TIMEOUT + 5 s for turns in flight.
	if want := 30*time.Second + 2*time.Minute + 5*time.Second; c.drainTimeout() != want {
		t.Errorf("drain = %v, want %v", c.drainTimeout(), want)
	}
	if c.responseTimeout() <= c.drainTimeout() {
		t.Errorf("a response may take %v, which cuts turns that the drain would still wait for",
			c.responseTimeout())
	}
}

// TestWhiteSpaceDoesNotCount tests that white space around a value is trimmed: files often end with
// a line break.
func TestWhiteSpaceDoesNotCount(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r\n", " ", "\t\n\n"} {
		c := configOf(t, "DATABASE_URL= postgres://u:p@127.0.0.1:1/x?sslmode=disable"+end,
			"JWT_SECRET="+testSecret+end,
			"LISTEN_ADDR=127.0.0.1:0"+end, "MODEL_TIMEOUT=2m"+end, "SIGN_UP=closed"+end, "STARTING_CREDITS=7"+end,
			"OPENAI_API_KEY_FILE="+writeFile(t, "\ufeff sk-1"+end)+end, "CREDITS_HELP="+end)
		if c.DatabaseURL != "postgres://u:p@127.0.0.1:1/x?sslmode=disable" ||
			string(c.JWTSecret) != testSecret || c.ListenAddr != "127.0.0.1:0" ||
			c.ModelTimeout != 2*time.Minute || c.SignUp != "closed" || c.StartingCredits != 7 ||
			c.OpenAIAPIKey != "sk-1" ||
			c.CreditsHelp != "Ask the operator of this service" {
			t.Errorf("with %q at the end: %+v", end, c)
		}
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

// TestFlagsWin tests that a flag wins over its variable, that an empty variable counts as not set,
// and that nothing starts if a port is taken.
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

// TestUnreachableDatabase tests that the error is one line without any spelling of the password.
func TestUnreachableDatabase(t *testing.T) {
	t.Parallel()
	url := "postgres://someone:hunter%402@127.0.0.1:1/x"
	for _, command := range []string{"serve", "migrate", "account unlock --email ada@example.com"} {
		r := invoke(t, onDatabase(t, url), "", strings.Fields(command)...)
		r.expectLine(t, exitFailed, "127.0.0.1:1", "connection refused")
		if strings.Contains(r.stderr, "hunter") {
			t.Errorf("%s: stderr contains the password: %q", command, r.stderr)
		}
	}
}
