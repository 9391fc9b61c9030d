package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/knowledge/filetext/filetest"
	"agentchat/internal/store/storetest"
)

// execVariable makes the test binary run as the program, for tests that need a separate process.
const execVariable = "AGENTCHAT_TEST_EXEC"

func TestMain(m *testing.M) {
	if code, ok := childProcess(os.Args); ok {
		os.Exit(code)
	}
	if os.Getenv(execVariable) != "" {
		main()
		return
	}
	storetest.Main(m)
}

const (
	waitLimit  = 60 * time.Second
	testSecret = "0123456789abcdef0123456789abcdef"
)

// until polls until done reports true.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	limit := time.NewTimer(waitLimit)
	defer limit.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-limit.C:
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

// result is the outcome of a finished run.
type result struct {
	code           int
	stdout, stderr string
}

// object decodes the one line of JSON on standard output.
func (r result) object(t *testing.T) map[string]any {
	t.Helper()
	return decodeLine(t, r.stdout)
}

func decodeLine(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil || strings.Count(text, "\n") != 1 {
		t.Fatalf("not one line of JSON: %q (%v)", text, err)
	}
	return out
}

// invoke runs the program to its end.
func invoke(t *testing.T, env []string, stdin string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx,
		process{args: args, env: env, stdin: strings.NewReader(stdin), stdout: &stdout, stderr: &stderr})
	return result{code: code, stdout: stdout.String(), stderr: stderr.String()}
}

// expectLine checks that a run failed with an exit code and one line on standard error that holds
// all of the texts.
func (r result) expectLine(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 ||
		!strings.HasPrefix(r.stderr, "agentchat: ") {
		t.Errorf("exit code %d, stdout %q, stderr %q; want code %d and one line", r.code, r.stdout, r.stderr, code)
	}
	for _, text := range texts {
		if !strings.Contains(r.stderr, text) {
			t.Errorf("stderr %q does not say %q", r.stderr, text)
		}
	}
}

// settings returns the environment of a service on free ports with an embedded database in dir.
func settings(dir string, more ...string) []string {
	return append([]string{
		"LISTEN_ADDR=127.0.0.1:0", "OPS_ADDR=127.0.0.1:0", "AGENTCHAT_DATA_DIR=" + dir,
		"AGENTCHAT_POSTGRES_BIN=" + os.Getenv("AGENTCHAT_POSTGRES_BIN"),
	}, more...)
}

// onDatabase returns the environment of a service on free ports with a database of a server.
func onDatabase(t *testing.T, url string, more ...string) []string {
	t.Helper()
	more = append([]string{"DATABASE_URL=" + url, "JWT_SECRET=" + testSecret}, more...)
	dir := filepath.Join(t.TempDir(), "data")
	filetest.Link(readingDir(dir))
	return settings(dir, more...)
}

// safeBuffer is a buffer that one goroutine writes and another reads.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// service is a running `agentchat serve --json`.
type service struct {
	addresses
	cancel context.CancelFunc
	ended  chan struct{}
	code   int
	stdout safeBuffer
	stderr safeBuffer
}

// startService starts a service in this process and waits until it has announced itself.
func startService(t *testing.T, env []string, args ...string) *service {
	t.Helper()
	return startCommand(t, env, append([]string{"serve", "--json"}, args...)...)
}

// startCommand starts a command that serves, in this process.
func startCommand(t *testing.T, env []string, args ...string) *service {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &service{cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		s.code = run(ctx, process{
			args: args, env: env,
			stdin: strings.NewReader(""), stdout: &s.stdout, stderr: &s.stderr,
		})
	}()
	t.Cleanup(func() { s.stop(t) })
	until(t, "the service is announced", func() bool {
		select {
		case <-s.ended:
			t.Fatalf("the service ended with code %d: %s", s.code, s.stderr.String())
		default:
		}
		return strings.HasSuffix(s.stdout.String(), "\n")
	})
	if err := json.Unmarshal([]byte(s.stdout.String()), &s.addresses); err != nil {
		t.Fatalf("the announcement %q: %v", s.stdout.String(), err)
	}
	until(t, "the service is ready", func() bool { return status(t, s.Ops+"/readyz") == http.StatusOK })
	return s
}

// stop ends the service like a signal and returns its exit code.
func (s *service) stop(t *testing.T) int {
	t.Helper()
	s.cancel()
	select {
	case <-s.ended:
	case <-time.After(waitLimit):
		t.Fatal("the service does not end")
	}
	return s.code
}

func status(t *testing.T, url string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

// reply is a response of the chat API.
type reply struct {
	Reply string
	Usage struct {
		CreditsRemaining int64 `json:"credits_remaining"`
	}
	Error struct{ Code string }
}

// say sends one message over HTTP.
func say(t *testing.T, address, key, session, message string) (int, reply) {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"message": message, "session_id": session})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("POST %s: %v", address, err)
	}
	defer func() { _ = response.Body.Close() }()
	var out reply
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
		t.Fatalf("POST %s did not answer with JSON: %v", address, err)
	}
	return response.StatusCode, out
}
