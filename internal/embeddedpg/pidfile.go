package embeddedpg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// pidFile is what PostgreSQL writes into postmaster.pid (src/include/utils/pidfile.h): its process, data directory, start
// time, port, socket directory, address, shared memory key and status, one a line. The last lines come as it starts.
type pidFile struct {
	pid    int
	port   int
	status string // starting, ready, standby, stopping; empty early on
}

// errPIDFile says that postmaster.pid is empty or broken.
var errPIDFile = errors.New("postmaster.pid cannot be understood")

func (h *home) pidPath() string { return filepath.Join(h.cluster, "postmaster.pid") }

// readPIDFile returns fs.ErrNotExist when there is none and errPIDFile when its first line is no process id.
func (h *home) readPIDFile() (pidFile, error) {
	text, err := os.ReadFile(h.pidPath())
	if err != nil {
		return pidFile{}, err
	}
	return parsePIDFile(string(text))
}

func parsePIDFile(text string) (pidFile, error) {
	lines := strings.Split(text, "\n")
	line := func(n int) string {
		if n >= len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[n])
	}
	pid, err := strconv.Atoi(line(0))
	if err != nil || pid <= 1 {
		return pidFile{}, errPIDFile
	}
	port, _ := strconv.Atoi(line(3))
	return pidFile{pid: pid, port: port, status: line(7)}, nil
}

// noProcess is a process id above every system's highest, so that it belongs to no process, ever.
const noProcess = "2147483646"

// disown makes a postmaster.pid that a crash left behind harmless. PostgreSQL refuses to start when the process named in it
// exists, even where that is some other program by now. Only the first line changes: from another one PostgreSQL still
// tells whether processes of the crashed server use its shared memory, and then does not start.
func (h *home) disown() error {
	if err := h.rewritePIDFile(); err != nil {
		return fmt.Errorf("the remains of a server in %s cannot be cleared: %w", h.cluster, err)
	}
	return nil
}

func (h *home) rewritePIDFile() error {
	text, err := os.ReadFile(h.pidPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, rest, ok := bytes.Cut(text, []byte("\n"))
	if _, err := parsePIDFile(string(text)); err != nil || !ok {
		return os.Remove(h.pidPath()) // nothing in it that could be kept
	}
	if strings.HasPrefix(string(text), noProcess+"\n") {
		return nil
	}
	f, err := os.OpenFile(h.pidPath(), os.O_WRONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.Write(append([]byte(noProcess+"\n"), rest...))
	}
	return errors.Join(err, f.Close())
}

// isPostmaster reports whether the process is the server of the cluster: its command line names the directory the way this
// package starts it. Nobody else's process is ever taken for it, and a dead one that nobody has waited for has no command
// line. (The command line is used because /proc/PID/cwd of another user's process is closed to root in a container.)
func isPostmaster(ctx context.Context, pid int, cluster string) bool {
	if pid <= 1 {
		return false
	}
	if _, err := os.Stat("/proc/self/cmdline"); err == nil {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return err == nil && namesCluster(strings.Split(strings.TrimRight(string(text), "\x00"), "\x00"), cluster)
	}
	// Elsewhere ps prints the command line with single spaces between arguments.
	out, err := exec.CommandContext(ctx, "ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return false
	}
	program, rest, ok := strings.Cut(strings.TrimSpace(string(out)), " -D ")
	return ok && filepath.Base(program) == "postgres" && strings.HasPrefix(rest, cluster+" ")
}

func namesCluster(argv []string, cluster string) bool {
	return len(argv) >= 3 && filepath.Base(argv[0]) == "postgres" && argv[1] == "-D" && argv[2] == cluster
}
