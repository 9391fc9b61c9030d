//go:build !linux

package reading

import (
	"os"
	"os/exec"
	"syscall"
)

func executable() (string, error) { return os.Executable() }

// attributes has nothing to say where there are no namespaces. A process ends when its standard input does.
func attributes(bool) *syscall.SysProcAttr { return nil }

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// resident is not known here, where only time and the runtime's own limit bound a process.
func resident(int) int64 { return 0 }

func limitProcess() error { return nil }

func limitFiles() error { return nil }
