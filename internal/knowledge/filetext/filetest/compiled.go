package filetest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"agentchat/internal/knowledge/filetext"
)

var compiling sync.Mutex

// Compiled returns a directory in which a reading.Reader finds the reader of PDF files compiled. All runs of the tests share it, and the
// first one compiles here: with the race detector, that takes more memory than a process that reads may have.
func Compiled(t *testing.T) string {
	t.Helper()
	compiling.Lock()
	defer compiling.Unlock()
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = t.TempDir()
	}
	dir = filepath.Join(dir, "agentchat", "reading-tests")
	parser := filetext.Parser{Dir: filepath.Join(dir, "compiled")}
	if err := parser.Prepare("a.pdf"); err != nil {
		t.Fatal(err)
	}
	return dir
}
