package e2e_test

import (
	"bufio"
	"bytes"
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

	"agentchat/internal/knowledge/filetext/filetest"
	"agentchat/internal/store/storetest"
)

// binary is the path of the program under test, which TestMain builds once.
var binary string

// failing returns the path of the program with fail points. The first call builds it.
var failing = sync.OnceValue(func() string {
	path := filepath.Join(filepath.Dir(binary), "agentchat-failpoints")
	build(".", path, "-tags", "failpoints")
	return path
})

// build builds the program of the source tree that contains dir. It uses the flags of make build, so
// that both share the build cache.
func build(dir, path string, flags ...string) {
	args := slices.Concat([]string{"build", "-trimpath"}, flags, []string{"-o", path})
	command := exec.Command("go", append(args, "agentchat/cmd/agentchat")...)
	command.Dir, command.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
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
	build(".", binary)
	// Many tests wait for a timeout of the service, so a machine can run more of them than it has
	// processors.
	atOnce := strconv.Itoa(max(4, runtime.GOMAXPROCS(0)))
	if err := flag.Set("test.parallel", atOnce); err != nil {
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

// forget discards the text, so that a long test does not run out of memory.
func (b *lockedBuffer) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf = bytes.Buffer{}
}

// start starts a replica on a database and waits until it is ready. AGENTCHAT_TEST_BATCHES=off
// makes it send every turn alone; AGENTCHAT_TEST_POOLER=transaction puts a PgBouncer in that mode
// in between.
func start(t testing.TB, databaseURL string, env ...string) *replica {
	t.Helper()
	pooled := os.Getenv("AGENTCHAT_TEST_POOLER") == "transaction"
	if pooled && databaseURL != "" && !slices.ContainsFunc(env, setsPooler) {
		throughPooler, more := behindPooler(t, databaseURL)
		databaseURL, env = throughPooler, append(env, more...)
	}
	if os.Getenv("AGENTCHAT_TEST_BATCHES") == "off" {
		return startUnbatched(t, databaseURL, env...)
	}
	return startProgram(t, binary, databaseURL, env...)
}

// startUnbatched starts a replica that sends every turn to the database alone.
func startUnbatched(t testing.TB, databaseURL string, env ...string) *replica {
	t.Helper()
	dir := t.TempDir()
	for _, batch := range []string{"begin_batch", "settle_batch"} {
		arm(t, dir, batch+".before", "always")
	}
	return startProgram(t, failing(), databaseURL, append(env, "FAILPOINTS_DIR="+dir)...)
}

const testJWTSecret = "0123456789abcdef0123456789abcdef"

// command returns a command of the program, in an environment of its own.
func command(t testing.TB, program, databaseURL string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(program, args...)
	dataDir := t.TempDir()
	filetest.Link(filepath.Join(dataDir, "reading"))
	c.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + t.TempDir(),
		"AGENTCHAT_DATA_DIR=" + dataDir,
		"DATABASE_URL=" + databaseURL,
		"DATABASE_MAX_CONNS=7",
		"LISTEN_ADDR=127.0.0.1:0",
		"OPS_ADDR=127.0.0.1:0",
		"JWT_SECRET=" + testJWTSecret,
		"LOG_FORMAT=json",
	}
	c.Dir = t.TempDir()
	return c
}

// startProgram starts a replica with another build of the program.
func startProgram(t testing.TB, program, databaseURL string, env ...string) *replica {
	t.Helper()
	r := &replica{t: t, exited: make(chan struct{})}
	r.command = command(t, program, databaseURL, "serve", "--json")
	r.command.Env = append(r.command.Env, env...)
	r.command.Stderr = &r.log
	stdout, err := r.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.kill)
	var addresses struct{ Chat, Ops, Panel, Admin string }
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &addresses) != nil {
		_ = r.command.Wait()
		close(r.exited)
		t.Fatalf("the service did not start: %v\n%s", err, r.log.String())
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		_ = r.command.Wait()
		close(r.exited)
	}()
	r.Chat, r.Ops, r.Panel, r.Admin = addresses.Chat, addresses.Ops, addresses.Panel, addresses.Admin
	eventually(t, "ready", func() bool { return r.ready() == http.StatusOK })
	return r
}

// ready returns the status of /readyz, or 0 without a response.
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

// terminate asks the process to shut down gracefully.
func (r *replica) terminate() { _ = r.command.Process.Signal(syscall.SIGTERM) }

// shutDown terminates the process and expects it to exit with code 0.
func (r *replica) shutDown(t testing.TB) {
	t.Helper()
	r.terminate()
	<-r.exited
	if code := r.command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d\n%s", code, r.log.String())
	}
}

// peakMemory returns the peak memory of a process in bytes, or 0 on a system without /proc. The
// figure from Wait would include the memory that the test process had when it started the other
// one.
func peakMemory(t testing.TB, process *os.Process) int {
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

// metric reads unlabeled metrics from the ops listener.
func (r *replica) metric(names ...string) (values map[string]float64, err error) {
	resp, err := http.Get(r.Ops + "/metrics")
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	values = map[string]float64{}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), " ")
		if !slices.Contains(names, name) {
			continue
		}
		if values[name], err = strconv.ParseFloat(text, 64); err != nil {
			return nil, err
		}
	}
	if len(values) != len(names) {
		return nil, fmt.Errorf("got the metrics %v, want %v", values, names)
	}
	return values, lines.Err()
}

// arm sets a failure at a fail point of the replicas that use the directory.
func arm(t testing.TB, dir, point, how string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, point), []byte(how), 0o600); err != nil {
		t.Fatal(err)
	}
}

// wasHit reports whether an armed fail point was reached. A process that waits there continues.
func wasHit(dir, point string) bool { return os.Remove(filepath.Join(dir, point+".hit")) == nil }

// parallel runs n calls on a number of workers and counts their results. If a call ends its worker,
// as t.Fatal does, the other workers run the remaining calls.
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
