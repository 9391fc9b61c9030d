package embeddedpg_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// openDir returns a directory that every user can pass, unlike t.TempDir when root runs the tests.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "embeddedpg-")
	must(t, err)
	must(t, os.Chmod(dir, 0o711))
	t.Cleanup(func() {
		endOrphans(t, dir)
		_ = os.RemoveAll(dir)
	})
	resolved, err := filepath.EvalSymlinks(dir)
	must(t, err)
	return resolved
}

// writeProgram creates a file that every user may run. No process may fork while it is open: the
// child would keep it open for writing until it runs its own program, and until then the file could
// not be run ("text file busy").
func writeProgram(t *testing.T, path string, content []byte) {
	t.Helper()
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, content, 0o755)
	syscall.ForkLock.RUnlock()
	must(t, err)
	must(t, os.Chmod(path, 0o755)) // whatever the umask
}

func copyProgram(t *testing.T, from, to string) string {
	t.Helper()
	data, err := os.ReadFile(from)
	must(t, err)
	writeProgram(t, to, data)
	return to
}

// snapshot lists every file below the directory with its mode, size and time of change. It is empty
// without a directory.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil && path == dir {
			return nil
		}
		must(t, err)
		info, err := e.Info()
		must(t, err)
		all[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime())
		return nil
	}))
	return all
}
