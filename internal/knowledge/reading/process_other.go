//go:build !linux

package reading

import (
	"os"
	"os/exec"
	"syscall"
)

func executable() (string, error) { return os.Executable() }

// attributes returns nothing, because there are no namespaces here. A process ends when its
// standard input is closed.
func attributes(bool) *syscall.SysProcAttr { return nil }

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// resident is unknown here. Only the time limit and the runtime's own memory limit bound a process.
func resident(int) int64 { return 0 }

func limitProcess() error { return nil }

func limitFiles() error { return nil }
