package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
)

// binary is the path of the program under test, which TestMain builds once.
var binary string

// failing returns the path of the program with fail points, which is built when a test first needs it.
var failing = sync.OnceValue(func() string {
	path := filepath.Join(filepath.Dir(binary), "agentchat-failpoints")
	build(path, "-tags", "failpoints")
	return path
})

// build builds the program with the flags of make build, so that both share the build cache.
func build(path string, flags ...string) {
	command := exec.Command("go", append(append([]string{"build", "-trimpath"}, flags...), "-o", path, "agentchat/cmd/agentchat")...)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("build the program: %v\n%s", err, out))
	}
}

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "agentchat-e2e-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	defer storetest.Stop()
	defer stopPoolers()
	binary = filepath.Join(dir, "agentchat")
	build(binary)
	// Many tests wait for a timeout of the service. By default only as many tests as there are processors would run at a time.
	if err := flag.Set("test.parallel", strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))); err != nil {
		panic(err)
	}
	return m.Run()
}

// replica is one process of the service.
type replica struct {
	t       testing.TB
	command *exec.Cmd
	exited  chan struct{}
	log     lockedBuffer
	// Chat, Ops, Panel and Admin are its addresses.
	Chat, Ops, Panel, Admin string
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// forget discards what was written so far, so that a long test does not run out of memory.
func (b *lockedBuffer) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf = bytes.Buffer{}
}

// start starts a replica on a database and waits until it is ready. With AGENTCHAT_TEST_BATCHES=off it sends every turn alone,
// with AGENTCHAT_TEST_POOLER=transaction its statements through a PgBouncer in that mode.
func start(t testing.TB, databaseURL string, env ...string) *replica {
	t.Helper()
	if os.Getenv("AGENTCHAT_TEST_POOLER") == "transaction" && databaseURL != "" && !slices.ContainsFunc(env, setsPooler) {
		pooled, more := behindPooler(t, databaseURL)
		databaseURL, env = pooled, append(env, more...)
	}
	if os.Getenv("AGENTCHAT_TEST_BATCHES") == "off" {
		return startAlone(t, databaseURL, env...)
	}
	return startProgram(t, binary, databaseURL, env...)
}

// startProgram starts a replica with another build of the program.
func startProgram(t testing.TB, program, databaseURL string, env ...string) *replica {
	t.Helper()
	r := &replica{t: t, exited: make(chan struct{})}
	r.command = exec.Command(program, "serve", "--json")
	r.command.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "AGENTCHAT_DATA_DIR=" + t.TempDir(), "DATABASE_URL=" + databaseURL,
		"LISTEN_ADDR=127.0.0.1:0", "OPS_ADDR=127.0.0.1:0",
		"JWT_SECRET=0123456789abcdef0123456789abcdef", "LOG_FORMAT=json", "DATABASE_MAX_CONNS=7",
	}, env...)
	r.command.Dir = t.TempDir()
	r.command.Stderr = &r.log
	stdout, err := r.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.kill)
	var where struct{ Chat, Ops, Panel, Admin string }
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &where) != nil {
		_ = r.command.Wait()
		close(r.exited)
		t.Fatalf("the service did not start: %v\n%s", err, r.log.String())
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		_ = r.command.Wait()
		close(r.exited)
	}()
	r.Chat, r.Ops, r.Panel, r.Admin = where.Chat, where.Ops, where.Panel, where.Admin
	eventually(t, "ready", func() bool { return r.ready() == http.StatusOK })
	return r
}

func (r *replica) ready() int {
	resp, err := http.Get(r.Ops + "/readyz")
	if err != nil {
		return 0
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// kill ends the process at once, like a crash.
func (r *replica) kill() {
	_ = r.command.Process.Kill()
	<-r.exited
}

// peakMemory returns the process's peak memory in bytes, or 0 on a system without /proc.
func (r *replica) peakMemory(t *testing.T) int {
	t.Helper()
	return peakMemory(t, r.command.Process)
}

// peakMemory is that of any process. The figure that Wait reports would include what this process had when it started the other.
func peakMemory(t *testing.T, process *os.Process) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.Pid))
	if err != nil {
		t.Log("this system has no /proc: the peak memory is unknown")
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib int
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib << 10
}

// terminate asks the process to shut down gracefully.
func (r *replica) terminate() { _ = r.command.Process.Signal(syscall.SIGTERM) }

// answer is a response of the chat API.
type answer struct {
	Status  int
	Header  http.Header
	Body    []byte
	Session string `json:"session_id"`
	Message string `json:"message_id"`
	Reply   string `json:"reply"`
	Model   string `json:"model"`
	Version int    `json:"agent_version"`
	Usage   struct {
		Credits          int64
		CreditsRemaining int64 `json:"credits_remaining"`
	} `json:"usage"`
	Error struct {
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	} `json:"error"`
}

// outcome returns the error's code, or the status if there is no error.
func (a answer) outcome() string {
	if a.Error.Code != "" {
		return a.Error.Code
	}
	return strconv.Itoa(a.Status)
}

// client returns an HTTP client that keeps enough connections for the workers of a test.
func client(t testing.TB) *http.Client {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 128}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 2 * time.Minute}
}

// ask sends one message. An empty session leaves session_id out; header holds pairs of names and values.
func ask(ctx context.Context, c *http.Client, chat, key, session, message string, header ...string) (answer, error) {
	body := map[string]any{"message": message}
	if session != "" {
		body["session_id"] = session
	}
	return askWith(ctx, c, chat, key, body, header...)
}

// askWith sends one message with any fields.
func askWith(ctx context.Context, c *http.Client, chat, key string, body map[string]any, header ...string) (answer, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, chat, bytes.NewReader(data))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	out := answer{Status: resp.StatusCode, Header: resp.Header}
	if out.Body, err = io.ReadAll(resp.Body); err != nil {
		return out, err
	}
	return out, json.Unmarshal(out.Body, &out)
}

// parallel runs n calls on a number of workers and counts their results. If a call ends its worker, as t.Fatal does, the other
// workers run the remaining calls.
func parallel(workers, n int, call func(i int) string) map[string]int {
	var next atomic.Int64
	var mu sync.Mutex
	counts := map[string]int{}
	var work sync.WaitGroup
	for range workers {
		work.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				outcome := call(i)
				mu.Lock()
				counts[outcome]++
				mu.Unlock()
			}
		})
	}
	work.Wait()
	return counts
}

// eventually polls until a condition holds that nothing signals.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(60 * time.Second)
	for pause := 2 * time.Millisecond; !holds(); pause = min(2*pause, 64*time.Millisecond) {
		select {
		case <-time.After(pause):
		case <-deadline:
			t.Fatalf("not within 60 s: %s", what)
		}
	}
}

// newRandom returns a source of random numbers.
func newRandom() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), 0)) }
