package embeddedpg

import (
	"errors"
	"io"
	"os"
	"strings"
)

// If PostgreSQL's log is longer than maxLog bytes, it is shortened to its last keepLog bytes.
const (
	maxLog  = 8 << 20
	keepLog = 1 << 20
)

// openLog opens PostgreSQL's log for its standard error. It appends, so that the file can be
// shortened while PostgreSQL writes. size is the offset of the first line of this start.
func openLog(path string) (f *os.File, size int64, err error) {
	if err := trimLog(path, maxLog, keepLog); err != nil {
		return nil, 0, err
	}
	f, err = openOwn(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// trimLog shortens a file that is longer than most bytes to its last keep bytes, from the beginning
// of a line. Lines that are written at that moment may be lost.
func trimLog(path string, most, keep int64) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || info.Size() <= most {
		return err
	}
	tail, err := io.ReadAll(io.NewSectionReader(f, info.Size()-keep, keep))
	if err != nil {
		return err
	}
	if _, rest, ok := strings.Cut(string(tail), "\n"); ok {
		tail = []byte(rest)
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(tail, 0)
	return err
}

// readLogFrom reads the log from offset, at most 64 KiB.
func readLogFrom(path string, offset int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	text, _ := io.ReadAll(io.NewSectionReader(f, offset, 64<<10))
	return string(text)
}

// lastLines joins the last non-empty lines of a program's output into one line.
func lastLines(text string, n int) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "; ")
}
