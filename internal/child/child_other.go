//go:build !linux

package child

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

func executable() (string, error) { return os.Executable() }

// attributes returns nothing, because there are no namespaces here. A process ends when its
// standard input is closed.
func attributes(bool) *syscall.SysProcAttr { return nil }

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// resident is unknown here. Only the time limit and the runtime's own memory limit bound a process.
func resident(int) int64 { return 0 }

// Restrict does nothing here.
func Restrict(time.Duration) error { return nil }

// RestrictFiles does nothing here.
func RestrictFiles() error { return nil }
