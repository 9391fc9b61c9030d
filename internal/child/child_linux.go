package child

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// maxData bounds the memory that a process can allocate between two checks of its size, in bytes.
	// It counts mapped memory, and Go maps 64 MB at a time: compiling takes 370 MB. A limit on the
	// address space would not work, because Go reserves more than a gigabyte.
	maxData = 768 << 20
	// maxOpen is the most open files, including those of the compiled reader.
	maxOpen = 32
	// niceness gives chats priority.
	niceness = 10
)

// executable returns the path of this program, even after its file was replaced by a newer one.
func executable() (string, error) { return "/proc/self/exe", nil }

// attributes makes a process die with this one and lead its own group. With namespaces, it sees no
// network.
func attributes(namespaces bool) *syscall.SysProcAttr {
	out := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if namespaces {
		out.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
	}
	return out
}

// kill kills a process and its group.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// resident returns the resident memory of a process, in bytes; 0 if it has ended.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// Restrict limits the processor time, memory and files of this process, which gets hostile input. The
// system kills it first when it runs out of memory.
func Restrict(cpu time.Duration) error {
	// Fails if /proc is hidden; the other limits still hold.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, niceness)
	closeInherited()
	seconds := uint64(cpu.Seconds())
	return errors.Join(
		unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds + 1}),
		unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxData, Max: maxData}),
		unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: maxOpen, Max: maxOpen}),
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
	)
}

// RestrictFiles prevents this process from writing files.
func RestrictFiles() error { return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}) }

// closeInherited closes files that the parent passed on by mistake. It leaves open the files of
// Go's poller and of its processor limit.
func closeInherited() {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, entry := range open {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || fd <= 2 {
			continue
		}
		target, err := os.Readlink("/proc/self/fd/" + entry.Name())
		if err == nil && !strings.HasPrefix(target, "anon_inode:") &&
			!strings.HasPrefix(target, "/sys/fs/cgroup/") {
			_ = unix.Close(fd)
		}
	}
}
