package e2e_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// secret is in every secret setting of these tests. No output may contain it.
const secret = "hunter2"

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

// startFails runs `agentchat serve` on a database and checks that it exits with code 1 and one line
// on standard error that contains the texts, and that it prints nothing else except its log. It
// returns the line.
func startFails(t *testing.T, databaseURL string, env []string, texts ...string) string {
	t.Helper()
	serve := command(t, binary, databaseURL, "serve")
	serve.Env = append(serve.Env, env...)
	var stdout, stderr bytes.Buffer
	serve.Stdout, serve.Stderr = &stdout, &stderr
	err := serve.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 {
		t.Errorf("exited with %v, want code 1\n%s", err, stderr.String())
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
	return line
}
