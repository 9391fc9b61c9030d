//go:build failpoints

package failpoint

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Hit fails once if the directory FAILPOINTS_DIR contains a file of this name, and appends .hit to
// the file's name. The content of the file selects the failure: "kill" kills the process with
// SIGKILL, "panic" panics, "wait" returns nil once the .hit file is removed, and anything else
// returns the error of a lost connection. With "always" every call returns that error.
func Hit(name string) error {
	dir := os.Getenv("FAILPOINTS_DIR")
	if dir == "" {
		return nil
	}
	armed := filepath.Join(dir, name)
	how, err := os.ReadFile(armed)
	if err == nil && strings.TrimSpace(string(how)) == "always" {
		return lost(name)
	}
	if err != nil || os.Rename(armed, armed+".hit") != nil {
		return nil // not armed, or hit by another goroutine
	}
	switch strings.TrimSpace(string(how)) {
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "wait":
		for err == nil {
			<-time.After(time.Millisecond)
			_, err = os.Stat(armed + ".hit")
		}
		return nil
	case "panic":
		panic("fail point " + name)
	default:
		return lost(name)
	}
}

func lost(name string) error { return fmt.Errorf("fail point %s: %w", name, io.ErrUnexpectedEOF) }
