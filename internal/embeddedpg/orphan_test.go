package embeddedpg_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"agentchat/internal/embeddedpg"
	"agentchat/internal/testlong"
)

// TestServerOfAKilledServiceIsReplaced shows that the next start stops the PostgreSQL that a killed
// service has left running, and starts its own.
func TestServerOfAKilledServiceIsReplaced(t *testing.T) {
	t.Parallel()
	cfg := existing(t)
	h := startHelper(t, order{Kind: "service", DataDir: cfg.DataDir}, nil).ready(t)
	write(t, h.URL)
	h.kill(t)
	cfg.Settings["work_mem"] = "7MB"
	s := start(t, cfg)
	if s.PID() == h.PID || embeddedpg.IsPostmaster(t.Context(), h.PID,
		filepath.Join(cfg.DataDir, "postgres")) {
		t.Errorf("the killed service's server %d is still running", h.PID)
	}
	if got := text(t, s.URL(), "SHOW work_mem"); got != "7MB" {
		t.Errorf("work_mem is %s", got)
	}
	note(t, s.URL())
}

func TestOrphanThatDoesNotAnswerIsStartedAnew(t *testing.T) {
	testlong.Only(t) // waits out real timeouts
	t.Parallel()
	cfg := existing(t)
	h := startHelper(t, order{Kind: "service", DataDir: cfg.DataDir}, nil).ready(t)
	write(t, h.URL)
	h.kill(t)
	must(t, syscall.Kill(h.PID, syscall.SIGSTOP))
	s := start(t, cfg)
	if s.PID() == h.PID {
		t.Error("a server that does not answer is still used")
	}
	note(t, s.URL())
}

// crashed starts and kills a server. It returns the path of its postmaster.pid, and the first line
// and the rest of its earlier text.
func crashed(t *testing.T, cfg embeddedpg.Config) (path, pid, rest string) {
	t.Helper()
	s := start(t, cfg)
	write(t, s.URL())
	path = filepath.Join(cfg.DataDir, "postgres", "postmaster.pid")
	content, err := os.ReadFile(path)
	must(t, err)
	must(t, syscall.Kill(s.PID(), syscall.SIGKILL))
	closed(t, "Done", s.Done())
	stop(t, s)
	pid, rest, _ = strings.Cut(string(content), "\n")
	return path, pid, rest
}

// asPostgreSQL starts another program as the user that runs PostgreSQL.
func asPostgreSQL(t *testing.T, clusterDir, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(name, args...)
	if os.Geteuid() == 0 {
		uid := ownerOf(t, clusterDir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
	must(t, cmd.Start())
	return cmd
}

// TestRemainingPIDFile starts a cluster whose PostgreSQL was killed, with different contents of its
// postmaster.pid.
func TestRemainingPIDFile(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]func(t *testing.T, clusterDir, pid string) string{
		"unchanged":   func(_ *testing.T, _, pid string) string { return pid + "\n" },
		"empty":       func(*testing.T, string, string) string { return "" },
		"half a line": func(*testing.T, string, string) string { return "12" },
		"another program": func(t *testing.T, clusterDir, _ string) string {
			t.Helper()
			sleep := asPostgreSQL(t, clusterDir, "sleep", "600")
			ended := make(chan struct{})
			go func() {
				_ = sleep.Wait()
				close(ended)
			}()
			t.Cleanup(func() {
				if isClosed(ended) {
					t.Error("a process that is not PostgreSQL was ended")
				}
				_ = sleep.Process.Kill()
				<-ended
			})
			return strconv.Itoa(sleep.Process.Pid) + "\n"
		},
		// PostgreSQL would take a process that its parent has not waited for as a running server.
		"a dead child": func(t *testing.T, clusterDir, _ string) string {
			t.Helper()
			dead := asPostgreSQL(t, clusterDir, "true")
			t.Cleanup(func() { _ = dead.Wait() })
			return strconv.Itoa(dead.Process.Pid) + "\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := existing(t)
			path, pid, rest := crashed(t, cfg)
			first := content(t, filepath.Dir(path), pid)
			if strings.HasSuffix(first, "\n") {
				first += rest
			}
			must(t, os.WriteFile(path, []byte(first), 0o600))
			note(t, start(t, cfg).URL())
		})
	}
}

func TestIsPostmaster(t *testing.T) {
	t.Parallel()
	cfg := existing(t)
	s := start(t, cfg)
	dir := filepath.Join(cfg.DataDir, "postgres")
	if !embeddedpg.IsPostmaster(t.Context(), s.PID(), dir) {
		t.Error("the server is not recognized")
	}
	for what, pid := range map[string]int{"this process": os.Getpid(), "init": 1, "no id": 0,
		"a group": -s.PID()} {
		if embeddedpg.IsPostmaster(t.Context(), pid, dir) {
			t.Errorf("%s is taken for the server", what)
		}
	}
	if embeddedpg.IsPostmaster(t.Context(), s.PID(), dir+"2") {
		t.Error("the server is taken for another cluster's")
	}
	if embeddedpg.IsPostmaster(t.Context(), backend(t, s.URL()), dir) {
		t.Error("one of the server's sessions is taken for it")
	}
}

func TestKilledInTheMiddleOfInitdb(t *testing.T) {
	t.Parallel()
	testlong.Only(t)
	cfg := config(t)
	h := startHelper(t, order{Kind: "service", DataDir: cfg.DataDir}, nil)
	unfinished := filepath.Join(cfg.DataDir, "postgres.init-*")
	eventually(t, "initdb is running", func() bool {
		found, _ := filepath.Glob(filepath.Join(unfinished, "data", "PG_VERSION"))
		return len(found) > 0
	})
	h.kill(t)
	if _, err := os.Stat(filepath.Join(cfg.DataDir, "postgres")); err == nil {
		t.Skip("initdb was faster than the kill")
	}
	s := start(t, cfg)
	write(t, s.URL())
	note(t, s.URL())
	stop(t, s)
	note(t, start(t, cfg).URL())
}
