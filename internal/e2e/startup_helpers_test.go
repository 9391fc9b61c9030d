package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
)

// secret is in every secret setting of these tests. No output may contain it.
const secret = "hunter2"

// startAttempt is a start of the service that must fail.
type startAttempt struct {
	t *testing.T
	// dir is the data directory, which does not exist yet.
	dir string
	// listen and ops are the addresses of the listeners.
	listen, ops string
}

// newStartAttempt chooses a data directory and addresses. They use a random loopback address if the
// system has more than one, so that no other test takes them.
func newStartAttempt(t *testing.T) *startAttempt {
	t.Helper()
	host := privateLoopback()
	a := &startAttempt{t: t, dir: filepath.Join(storetest.DataDir(t), "data")}
	a.listen, a.ops = freeAddress(t, host), freeAddress(t, host)
	return a
}

// traversableDir creates a directory that every user can enter, unlike that of t.TempDir.
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

// environment returns the attempt's environment and more variables. The last value of a name
// counts.
func (a *startAttempt) environment(more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + a.t.TempDir(),
		"LISTEN_ADDR=" + a.listen,
		"OPS_ADDR=" + a.ops,
		"AGENTCHAT_DATA_DIR=" + a.dir,
		"AGENTCHAT_POSTGRES_BIN=" + os.Getenv("AGENTCHAT_POSTGRES_BIN"),
	}, more...)
}

// onURL returns the variables for a database other than the embedded one.
func onURL(url string) []string {
	return []string{"DATABASE_URL=" + url, "JWT_SECRET=" + testJWTSecret}
}

const testJWTSecret = "0123456789abcdef0123456789abcdef"

// mustFail runs `agentchat serve` and checks that it exits with a code and one line on standard
// error that contains the texts, that it prints nothing else except its log, and that it leaves
// neither a listener nor a database behind. It returns the line.
func (a *startAttempt) mustFail(code int, env, args []string, texts ...string) string {
	t := a.t
	t.Helper()
	before := snapshot(t, a.dir)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary, append([]string{"serve"}, args...)...)
	command.Env = a.environment(env...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	started := time.Now()
	err := command.Run()
	took := time.Since(started).Round(time.Millisecond)
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != code {
		t.Errorf("exited with %v, want code %d\n%s", err, code, stderr.String())
	}
	var lines []string
	for line := range strings.Lines(stderr.String()) {
		if !strings.HasPrefix(line, "{") { // the log's lines are objects
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "agentchat: ") || stdout.Len() > 0 {
		t.Errorf("standard error is %q instead of one line; standard output is %q", stderr.String(),
			stdout.String())
	}
	line := strings.Join(lines, "\n")
	for _, text := range texts {
		if !strings.Contains(line, text) {
			t.Errorf("%q does not contain %q", line, text)
		}
	}
	if strings.Contains(stderr.String(), secret) || strings.Contains(stderr.String(), "goroutine ") {
		t.Errorf("a secret or a stack trace was printed: %s", stderr.String())
	}
	t.Logf("after %v: %s", took, line)
	a.nothingLeft(before)
	return line
}

// nothingLeft checks that both addresses are free and that the databases in the data directory are
// unchanged.
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
			a.t.Errorf("%s was created", path)
		}
	}
}

// snapshot returns the mode, size and time of each file in a data directory, except lock files.
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
	missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	if err != nil && !missing {
		t.Fatal(err)
	}
	return out
}
