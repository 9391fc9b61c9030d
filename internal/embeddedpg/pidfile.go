package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// pidFile is the content of postmaster.pid (src/include/utils/pidfile.h): PostgreSQL's process,
// data directory, start time, port, socket directory, address, shared memory key and status, one
// per line. It adds the last lines as it starts.
type pidFile struct {
	pid    int
	port   int
	status string // starting, ready, standby, stopping; empty early on
}

// errPIDFile means that postmaster.pid is empty or broken.
var errPIDFile = errors.New("postmaster.pid is not valid")

func (c *cluster) pidPath() string { return filepath.Join(c.pgdata, "postmaster.pid") }

// readPIDFile returns fs.ErrNotExist if there is no file and errPIDFile if its first line is not a
// process id.
func (c *cluster) readPIDFile() (pidFile, error) {
	text, err := os.ReadFile(c.pidPath())
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

// isPostmaster reports whether the process is the server of the cluster: its command line names the
// directory, as launch wrote it. The id alone proves nothing: after a crash it may belong to
// another program. A zombie has no command line. (Root in a container cannot read /proc/PID/cwd of
// another user's process.)
func isPostmaster(ctx context.Context, pid int, cluster string) bool {
	if pid <= 1 {
		return false
	}
	if _, err := os.Stat("/proc/self/cmdline"); err == nil {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return err == nil && namesCluster(strings.Split(strings.TrimRight(string(text), "\x00"), "\x00"),
			cluster)
	}
	// Elsewhere ps prints the command line with single spaces between arguments.
	out, err := exec.CommandContext(ctx, "ps", "-ww", "-o", "command=", "-p",
		strconv.Itoa(pid)).Output()
	if err != nil {
		return false
	}
	program, rest, ok := strings.Cut(strings.TrimSpace(string(out)), " -D ")
	return ok && filepath.Base(program) == "postgres" && strings.HasPrefix(rest, cluster+" ")
}

func namesCluster(argv []string, cluster string) bool {
	return len(argv) >= 3 && filepath.Base(argv[0]) == "postgres" && argv[1] == "-D" &&
		argv[2] == cluster
}
