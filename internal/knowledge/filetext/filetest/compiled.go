package filetest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"agentchat/internal/knowledge/filetext"
)

// Compiled returns a directory in which a reading.Reader finds the reader of PDF files compiled. All runs of the tests share it, and the
// first one compiles here: with the race detector, that takes more memory than a process that reads may have.
func Compiled(t *testing.T) string {
	t.Helper()
	if err := compile(); err != nil {
		t.Fatal(err)
	}
	return directory()
}

// NewParser returns a parser that shares the compiled reader with them.
func NewParser() filetext.Parser { return filetext.Parser{Dir: filepath.Join(directory(), "compiled")} }

var compile = sync.OnceValue(func() error {
	parser := NewParser()
	return parser.Prepare("a.pdf")
})

func directory() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return filepath.Join(cache, "agentchat", "reading-tests")
}
