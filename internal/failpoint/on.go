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

// Hit fails once when the folder that FAILPOINTS_DIR names has a file of this name: by kill -9 of the process, by a panic,
// or with the error of a connection that was lost, as the file says. The file's name then ends with .hit. When the file says
// wait, Hit fails nothing, and returns once that file is gone.
func Hit(name string) error {
	dir := os.Getenv("FAILPOINTS_DIR")
	if dir == "" {
		return nil
	}
	armed := filepath.Join(dir, name)
	how, err := os.ReadFile(armed)
	if err != nil || os.Rename(armed, armed+".hit") != nil {
		return nil // not armed, or another goroutine's
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
		return fmt.Errorf("fail point %s: %w", name, io.ErrUnexpectedEOF)
	}
}
