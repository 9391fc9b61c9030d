package embeddedpg_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/store/storetest"
)

// helperVariable makes the test binary run as a small service or command; its value is the order.
// Only a real process can be killed.
const helperVariable = "AGENTCHAT_EMBEDDEDPG_HELPER"

// order is the task of a helper. The helper answers with one line of JSON, and runs until its
// standard input ends.
type order struct {
	Kind    string // service or command
	DataDir string
	BinDir  string
	NPMDirs []string
	Path    string // replaces PATH when set
}

type answer struct {
	URL   string
	PID   int
	Owner bool
	Error string
}

func TestMain(m *testing.M) {
	if text := os.Getenv(helperVariable); text != "" {
		os.Exit(runHelper(text))
	}
	code := m.Run()
	_ = os.RemoveAll(templateDir)
	os.Exit(code)
}

func runHelper(text string) int {
	signal.Ignore(syscall.SIGINT) // like a service that finishes its turns
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	cfg := embeddedpg.Config{DataDir: o.DataDir, BinDir: o.BinDir, NPMDirs: o.NPMDirs,
		Settings: embeddedpg.QuickSettings(),
		Logger:   slog.New(slog.NewTextHandler(os.Stderr, nil))}
	if o.Path != "" {
		cfg = embeddedpg.WithPath(embeddedpg.WithPlaces(cfg), o.Path)
	}
	start := embeddedpg.Start
	if o.Kind == "command" {
		start = embeddedpg.Attach
	}
	s, err := start(context.Background(), cfg)
	if err != nil {
		_ = json.NewEncoder(os.Stdout).Encode(answer{Error: err.Error()})
		return 1
	}
	_ = json.NewEncoder(os.Stdout).Encode(answer{URL: s.URL(), PID: s.PID(), Owner: s.Owner()})
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Stop(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// helper is a running helper process.
type helper struct {
	answer
	cmd   *exec.Cmd
	stdin io.Closer
	lines *bufio.Scanner
}

// startHelper starts a helper in a new process group, as cred when that is not nil.
func startHelper(t *testing.T, o order, cred *syscall.Credential) *helper {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	dir := ""
	if cred != nil {
		dir = openDir(t)
		must(t, os.Chmod(dir, 0o755))
		exe = copyProgram(t, exe, filepath.Join(dir, "helper"))
	}
	text, err := json.Marshal(o)
	must(t, err)
	cmd := exec.Command(exe)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), helperVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: cred}
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	h := &helper{cmd: cmd, stdin: stdin, lines: bufio.NewScanner(stdout)}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return h
}

// readAnswer waits for the helper's answer.
func (h *helper) readAnswer(t *testing.T) {
	t.Helper()
	if !h.lines.Scan() {
		t.Fatalf("the helper ended without an answer: %v", h.lines.Err())
	}
	must(t, json.Unmarshal(h.lines.Bytes(), &h.answer))
}

// ready is readAnswer for a helper that must succeed.
func (h *helper) ready(t *testing.T) *helper {
	t.Helper()
	h.readAnswer(t)
	if h.Error != "" {
		t.Fatal(h.Error)
	}
	return h
}

// kill sends SIGKILL and waits for the end.
func (h *helper) kill(t *testing.T) {
	t.Helper()
	must(t, h.cmd.Process.Kill())
	_ = h.cmd.Wait()
}

// end makes the helper stop its server and waits until it exits.
func (h *helper) end(t *testing.T) {
	t.Helper()
	must(t, h.stdin.Close())
	must(t, h.cmd.Wait())
}

// endOrphans ends servers that a failed test has left running in the directory.
func endOrphans(t *testing.T, dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*", "postgres", "postmaster.pid"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		pid, _, _, err := embeddedpg.ParsePIDFile(string(text))
		if err == nil && embeddedpg.IsPostmaster(context.Background(), pid, filepath.Dir(file)) {
			t.Logf("ending the server %d that was left running", pid)
			_ = syscall.Kill(pid, syscall.SIGQUIT)
		}
	}
}

// config returns a configuration with a data directory for one test.
func config(t *testing.T) embeddedpg.Config {
	t.Helper()
	dir, err := filepath.EvalSymlinks(storetest.DataDir(t))
	must(t, err)
	t.Cleanup(func() { endOrphans(t, dir) })
	return embeddedpg.Config{DataDir: filepath.Join(dir, "data"), Settings: embeddedpg.QuickSettings(),
		Logger: slog.New(slog.NewTextHandler(t.Output(), nil))}
}

// templateDir contains the data directory of a stopped cluster.
var templateDir string

var template = sync.OnceValue(func() (err error) {
	if templateDir, err = os.MkdirTemp("", "embeddedpg-template-"); err != nil {
		return err
	}
	if err = os.Chmod(templateDir, 0o711); err != nil {
		return err
	}
	s, err := embeddedpg.Start(context.Background(),
		embeddedpg.Config{DataDir: filepath.Join(templateDir, "data"),
			Settings: embeddedpg.QuickSettings(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	return s.Stop(context.Background())
})

// existing returns config with a copy of a cluster, because creating one takes most of a start.
func existing(t *testing.T) embeddedpg.Config {
	t.Helper()
	must(t, template())
	cfg := config(t)
	out, err := exec.CommandContext(t.Context(), "cp", "-a", filepath.Join(templateDir, "data"),
		cfg.DataDir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return cfg
}

// start starts the server and stops it at the end of the test.
func start(t *testing.T, cfg embeddedpg.Config) *embeddedpg.Server {
	t.Helper()
	s, err := embeddedpg.Start(t.Context(), cfg)
	must(t, err)
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t *testing.T, s *embeddedpg.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	must(t, s.Stop(ctx))
}

// refused starts the server, which must fail with one line that contains all of the texts.
func refused(t *testing.T, cfg embeddedpg.Config, texts ...string) {
	t.Helper()
	s, err := embeddedpg.Start(t.Context(), cfg)
	if err == nil {
		stop(t, s)
		t.Fatal("started, but should have been refused")
	}
	oneLine(t, err.Error(), texts...)
}

func oneLine(t *testing.T, line string, texts ...string) {
	t.Helper()
	t.Log(line)
	if strings.Contains(line, "\n") {
		t.Errorf("more than one line: %q", line)
	}
	for _, text := range texts {
		if !strings.Contains(line, text) {
			t.Errorf("%q lacks %q", line, text)
		}
	}
}

// text runs a query that returns one text.
func text(t *testing.T, url, sql string, args ...any) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	var out string
	must(t, conn.QueryRow(t.Context(), sql, args...).Scan(&out))
	return out
}

// do runs statements without results.
func do(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	_, err = conn.Exec(t.Context(), sql)
	must(t, err)
}

// backend returns the process of a session that stays open until the test ends; a closed one may
// have ended already.
func backend(t *testing.T, url string) (pid int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return int(conn.PgConn().PID())
}

// write leaves a mark in the database, and note checks it.
func write(t *testing.T, url string) {
	t.Helper()
	do(t, url, "CREATE TABLE mark (note text); INSERT INTO mark VALUES ('kept')")
}

func note(t *testing.T, url string) {
	t.Helper()
	if got := text(t, url, "SELECT note FROM mark"); got != "kept" {
		t.Errorf("the mark is %q", got)
	}
}

// eventually polls until the condition is true.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("timed out waiting for: %s", what)
		}
	}
}

// closed waits until the channel is closed or has a value.
func closed(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(time.Minute):
		t.Fatalf("timed out waiting for: %s", what)
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
