package reading

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// maxData bounds the memory that a process can take between two looks at it, in bytes. It counts what is mapped, not what is used, and
	// Go maps 64 MB at a time: compiling comes to 370 MB. The address space is no measure, since Go reserves more than a gigabyte.
	maxData = 768 << 20
	// maxOpen bounds open files: what a process has, and those with the compiled reader.
	maxOpen = 32
	// niceness lets chats go first.
	niceness = 10
)

// executable is this program, even if its file was replaced by a newer one.
func executable() (string, error) { return "/proc/self/exe", nil }

// attributes are those of a process that ends with this one, leads a group of its own and, with namespaces, sees no network.
func attributes(namespaces bool) *syscall.SysProcAttr {
	out := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if namespaces {
		out.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
	}
	return out
}

// kill ends a process with its group.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// resident returns how much memory a process has, in bytes; 0 if it has ended.
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

// limitProcess makes this process one that can do little, and is the first that the system ends when it is out of memory.
func limitProcess() error {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // where /proc is hidden, all else still holds
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, niceness)
	closeInherited()
	seconds := uint64(MaxTime.Seconds())
	return errors.Join(
		unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds + 1}),
		unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxData, Max: maxData}),
		unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: maxOpen, Max: maxOpen}),
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
	)
}

// limitFiles keeps this process from writing files.
func limitFiles() error { return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{}) }

// closeInherited closes the files that somebody passed on by mistake. It leaves Go those by which it waits, and looks at its share of the
// processors.
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
		if err == nil && !strings.HasPrefix(target, "anon_inode:") && !strings.HasPrefix(target, "/sys/fs/cgroup/") {
			_ = unix.Close(fd)
		}
	}
}
