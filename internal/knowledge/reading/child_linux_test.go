package reading_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"agentchat/internal/knowledge/reading"
)

// children returns the reading processes that use a directory.
func children(dir string) (out []int) {
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range found {
		line, err := os.ReadFile(path)
		if err == nil && bytes.Contains(line, []byte(reading.Command)) &&
			bytes.Contains(line, []byte(dir)) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			out = append(out, pid)
		}
	}
	return out
}

// TestProcessIsRestricted examines a process that compiles, before it receives its file, and kills
// it as the OOM killer does.
func TestProcessIsRestricted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ended := make(chan error, 1)
	inherited, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = inherited.Close() }()
	if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, inherited.Fd(), syscall.F_SETFD, 0); errno != 0 {
		t.Fatal(errno)
	}
	go func() {
		_, err := reading.New(dir).Read(t.Context(), "a.pdf", "", []byte("a"))
		ended <- err
	}()
	pid, deadline := 0, time.After(60*time.Second)
	for pid == 0 {
		select {
		case err := <-ended:
			t.Fatal(err)
		case <-deadline:
			t.Fatal("there is no process")
		case <-time.After(time.Millisecond):
		}
		for _, child := range children(dir) {
			if score, _ := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", child)); string(score) == "1000\n" && limited(child) {
				pid = child
			}
		}
	}
	of := func(name string) string { return fmt.Sprintf("/proc/%d/%s", pid, name) }
	if environment, err := os.ReadFile(of("environ")); err != nil || len(environment) > 0 {
		t.Errorf("environment %q, %v", environment, err)
	}
	if wd, _ := os.Readlink(of("cwd")); wd != filepath.Join(dir, "empty") {
		t.Errorf("it is in %q", wd)
	}
	theirs, _ := os.Readlink(of("ns/net"))
	if ours, _ := os.Readlink("/proc/self/ns/net"); theirs == ours {
		t.Log("this system has no namespaces for the process")
	}
	files, _ := os.ReadDir(of("fd"))
	for _, f := range files {
		if target, _ := os.Readlink(of("fd/" + f.Name())); target == os.DevNull && f.Name() > "2" {
			t.Errorf("it has %s as %s", target, f.Name())
		}
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, reading.ErrLost) {
		t.Error(err)
	}
	if left := children(dir); len(left) > 0 {
		t.Errorf("%d are left", len(left))
	}
}

// limited reports whether a process has set its limits.
func limited(pid int) bool {
	limits, _ := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	for line := range bytes.Lines(limits) {
		if bytes.HasPrefix(line, []byte("Max core file size")) {
			hard := bytes.Fields(line)[5] // the soft one is 0 on many systems
			return string(hard) == "0"
		}
	}
	return false
}
