package filetest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"agentchat/internal/knowledge/filetext"
)

// Compiled returns a directory in which a reading.Reader finds the compiled PDF reader. All test
// runs share it. The first run compiles here, because with the race detector, compiling takes more
// memory than a reading process may have.
func Compiled(t *testing.T) string {
	t.Helper()
	if err := compile(); err != nil {
		t.Fatal(err)
	}
	return directory()
}

// Link makes a directory for a reading.Reader in which it finds the same compiled reader. It ignores
// errors, after which each Reader compiles its own.
func Link(dir string) {
	if compile() == nil && os.MkdirAll(dir, 0o700) == nil {
		_ = os.Symlink(filepath.Join(directory(), "compiled"), filepath.Join(dir, "compiled"))
	}
}

// NewParser returns a parser that uses the same compiled reader.
func NewParser() filetext.Parser {
	return filetext.Parser{Dir: filepath.Join(directory(), "compiled")}
}

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
