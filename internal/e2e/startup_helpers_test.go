package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// secret stands for every secret in these tests: it may be in no output.
const secret = "hunter2"

// attempt is one try to start the service that should be refused.
type startAttempt struct {
	t *testing.T
	// dir is the data directory; it is not there yet.
	dir string
	// listen and ops are the addresses.
	listen, ops string
	// path is the program; uid is who runs it, 0 for the present user.
	path string
	uid  uint32
}

// newStartAttempt chooses a data directory and addresses. The addresses are on a loopback address of their own where the system
// has those, so that no other test can take them meanwhile.
func newStartAttempt(t *testing.T) *startAttempt {
	t.Helper()
	host := "127.0.0.1"
	if runtime.GOOS == "linux" {
		host = fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(200), rand.IntN(250), 2+rand.IntN(250))
	}
	a := &startAttempt{t: t, dir: filepath.Join(traversableDir(t), "data"), path: binary}
	a.listen, a.ops = freeAddress(t, host), freeAddress(t, host)
	return a
}

// traversableDir is a new directory that every user can pass, unlike t.TempDir's.
func traversableDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "agentchat-e2e-") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func freeAddress(t *testing.T, host string) string {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// environment is that of the attempt with more variables, of which the last of a name counts.
func (a *startAttempt) environment(more ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + a.t.TempDir(), "LISTEN_ADDR=" + a.listen, "OPS_ADDR=" + a.ops,
		"AGENTCHAT_DATA_DIR=" + a.dir, "AGENTCHAT_POSTGRES_BIN=" + os.Getenv("AGENTCHAT_POSTGRES_BIN")}, more...)
}

// onURL are variables for another database than the embedded one.
func onURL(url string) []string {
	return []string{"DATABASE_URL=" + url, "JWT_SECRET=" + testJWTSecret}
}

const testJWTSecret = "0123456789abcdef0123456789abcdef"

// refused runs `agentchat serve` and checks that it ends by itself with an exit code and one line on standard error that holds
// the texts, that it says nothing else but what its log may, and that it leaves nothing behind: no listener and no database.
func (a *startAttempt) mustFail(code int, env, args []string, says ...string) {
	t := a.t
	t.Helper()
	before := snapshot(t, a.dir)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, a.path, append([]string{"serve"}, args...)...)
	command.Env = a.environment(env...)
	if a.uid != 0 {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: a.uid, Gid: a.uid}}
		command.Dir = "/"
	}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	started := time.Now()
	err := command.Run()
	took := time.Since(started).Round(time.Millisecond)
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != code {
		t.Errorf("ended with %v, want exit code %d\n%s", err, code, stderr.String())
	}
	var lines []string
	for line := range strings.Lines(stderr.String()) {
		if !strings.HasPrefix(line, "{") { // the log's lines are objects
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "agentchat: ") || stdout.Len() > 0 {
		t.Errorf("want one line on standard error, got %q and on standard output %q", stderr.String(), stdout.String())
	}
	line := strings.Join(lines, "\n")
	for _, text := range says {
		if !strings.Contains(line, text) {
			t.Errorf("%q does not say %q", line, text)
		}
	}
	if strings.Contains(stderr.String(), secret) || strings.Contains(stderr.String(), "goroutine ") {
		t.Errorf("a secret or a stack is told: %s", stderr.String())
	}
	t.Logf("after %v: %s", took, line)
	a.nothingLeft(before)
}

// nothingLeft checks that both addresses are free and that the data directory holds the database that it held before.
func (a *startAttempt) nothingLeft(before map[string]string) {
	a.t.Helper()
	for _, address := range []string{a.listen, a.ops} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			a.t.Errorf("%s is not free again: %v", address, err)
			continue
		}
		_ = l.Close()
	}
	after := snapshot(a.t, a.dir)
	for path, was := range before {
		if after[path] != was {
			a.t.Errorf("%s was %q and is %q", path, was, after[path])
		}
	}
	for path := range after {
		if _, was := before[path]; !was {
			a.t.Errorf("%s was made", path)
		}
	}
}

// snapshot is all that a data directory holds of databases: path to mode, size and time. Lock files are none of it.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || rel == "." || rel == "lock" || rel == "lock.commands" {
			return err
		}
		info, err := e.Info()
		if err == nil {
			out[rel] = fmt.Sprint(info.Mode(), " ", info.Size(), " ", info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		t.Fatal(err)
	}
	return out
}

// file writes a file that everybody may read and returns its path.
func (a *startAttempt) file(content string) string {
	a.t.Helper()
	path := filepath.Join(traversableDir(a.t), "file")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// asNobody makes another user run the program, from a place that this user can reach. It is for tests that root runs.
func (a *startAttempt) asNobody() {
	a.t.Helper()
	a.uid = 65534
	dir := traversableDir(a.t)
	a.path = filepath.Join(dir, "agentchat")
	from, err := os.Open(binary)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	to, err := os.OpenFile(a.path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		a.t.Fatal(err)
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close(), os.Chmod(a.path, 0o755)); err != nil {
		a.t.Fatal(err)
	}
}
