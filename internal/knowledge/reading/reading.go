// Package reading reads the text of files in a child process.
package reading

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"agentchat/internal/child"
	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext"
)

const (
	// Command is the first argument of a process that runs Child.
	Command = "read-file"

	// MaxTime is the longest time for reading a file.
	MaxTime = 2 * time.Minute
	// MaxMemory is the most resident memory of a process while it reads a file, in bytes.
	MaxMemory = 256 << 20
	// quickTime and quickMemory are the limits of a quick reader's process from when it gets the file.
	// The memory is above what the process has then, in bytes.
	quickTime   = 10 * time.Second
	quickMemory = 64 << 20
	// maxCompiling is the most resident memory before a process gets the file, in bytes: the PDF
	// reader is compiled then, once per machine.
	maxCompiling = 448 << 20
	// prepareTime is the longest time for Prepare, whose process yields to all others.
	prepareTime = 10 * time.Minute

	// failureFile is the file with the error of Prepare.
	failureFile = "failure"

	ready     = "ready\n"
	maxHeader = 64 << 10
)

// ErrLost marks an error that says nothing about the file: the process was killed from outside, or
// could not be started. Reading the file again may succeed.
var ErrLost = errors.New("the process that read the file was lost")

// ErrNotQuick is the error of a quick reader for a file that takes more time or memory.
var ErrNotQuick = errors.New("the file is not quick to read")

var (
	errTime = fault.New(fault.InvalidInput,
		"The file takes too long to process. Split it or save it in another format.")
	errUnusual = fault.New(fault.InvalidInput,
		"The file is damaged or unusual. Save it in another format.")
)

// Reader reads files, one at a time. It is safe for concurrent use.
type Reader struct {
	dir   string
	quick bool
	busy  chan struct{}
}

// New returns a reader that stores the compiled PDF reader (20 MB), which takes seconds to compile,
// in dir. If dir is empty, nothing is stored.
func New(dir string) *Reader { return &Reader{dir: dir, busy: make(chan struct{}, 1)} }

// NewQuick returns a reader for files of knowledge.IsQuick, which needs less memory. Read returns
// ErrNotQuick for a file that New's reader must read.
func NewQuick(dir string) *Reader {
	r := New(dir)
	r.quick = true
	return r
}

// Read returns the text of a file; see filetext.Parser.Read. Fault: InvalidInput, with a sentence for
// the file's owner, if the file can never be read. Other errors have ErrLost in their chain, or are
// those of the context.
func (r *Reader) Read(
	ctx context.Context, name, encoding string, file []byte,
) (knowledge.FileText, error) {
	select {
	case r.busy <- struct{}{}:
		defer func() { <-r.busy }()
	case <-ctx.Done():
		return knowledge.FileText{}, context.Cause(ctx)
	}
	if ending := filepath.Ext(name); len(name) > knowledge.MaxName ||
		strings.ContainsFunc(name, func(c rune) bool { return c < ' ' }) {
		name = "file" + strings.Join(strings.Fields(ending), "") // only the extension matters
	}
	runtime.LockOSThread() // see child.Start
	defer runtime.UnlockOSThread()
	p, err := r.start(MaxTime)
	if err != nil {
		return knowledge.FileText{}, fmt.Errorf("%w: %w", ErrLost, err)
	}
	return p.read(ctx, name, encoding, file)
}

// Prepare compiles the PDF reader if its directory does not have it, in a process of its own. It
// needs maxCompiling of memory, and takes seconds. Without a directory it does nothing. Failure
// returns the reason of the last error, other than the end of the context.
func (r *Reader) Prepare(ctx context.Context) error {
	if r.dir == "" {
		return nil
	}
	runtime.LockOSThread() // as in Read
	defer runtime.UnlockOSThread()
	p, err := r.start(prepareTime)
	if err == nil {
		_, err = p.read(ctx, "empty.pdf", "", nil)
	}
	failure := filepath.Join(r.dir, failureFile)
	switch {
	case err == nil, fault.Is(err, fault.InvalidInput): // it read the file, which is empty
		_ = os.Remove(failure)
		return nil
	case ctx.Err() == nil:
		_ = os.WriteFile(failure, []byte(err.Error()), 0o600)
	}
	return err
}

// Failure returns the reason why the last Prepare in a directory failed; empty if it did not.
func Failure(dir string) string {
	text, _ := os.ReadFile(filepath.Join(dir, failureFile))
	return strings.Join(strings.Fields(string(text)), " ")
}

// start starts a process that reads one file.
func (r *Reader) start(within time.Duration) (*process, error) {
	empty, compiled := string(filepath.Separator), ""
	if r.dir != "" {
		empty, compiled = filepath.Join(r.dir, "empty"), filepath.Join(r.dir, "compiled")
		for _, dir := range []string{empty, compiled} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return nil, err
			}
		}
	}
	args := []string{Command, compiled}
	if r.quick {
		args = append(args, quickArg)
	}
	started, err := child.Start(empty, within, maxCompiling, args...)
	return &process{Process: started, quick: r.quick}, err
}

// process is a process that reads one file.
type process struct {
	*child.Process
	quick bool
	// ready is set right before the process gets the file.
	ready bool
}

func (p *process) read(
	ctx context.Context, name, encoding string, file []byte,
) (knowledge.FileText, error) {
	done := make(chan struct{})
	ended := make(chan error, 1)
	go func() { ended <- p.Watch(ctx, done) }()
	text, err := p.exchange(name, encoding, file)
	close(done)
	stopped := <-ended
	outOfMemory, state := p.End()
	switch {
	case err == nil || fault.Is(err, fault.InvalidInput) || errors.Is(err, ErrNotQuick):
		return text, err
	case errors.Is(stopped, child.ErrStopped):
		return knowledge.FileText{}, context.Cause(ctx)
	case errors.Is(stopped, child.ErrTime):
		stopped = errTime
	case stopped != nil || outOfMemory:
		stopped = filetext.ErrMemory
	}
	switch {
	case stopped != nil && p.ready && p.quick:
		return knowledge.FileText{}, ErrNotQuick
	case stopped != nil && p.ready:
		return knowledge.FileText{}, stopped
	}
	if stopped != nil { // its text alone, because the file is not to blame
		err = errors.Join(errors.New(stopped.Error()), err)
	}
	return knowledge.FileText{}, fmt.Errorf("%w: %w", ErrLost, errors.Join(err, state))
}

// header is the line before a text.
type header struct {
	// Refusal is the reason why there is no text; empty if there is one.
	Refusal string `json:"refusal,omitempty"`
	// NotQuick reports ErrNotQuick.
	NotQuick bool `json:"notQuick,omitempty"`
	Pages    int  `json:"pages"`
	// Encoding and Notes are those of knowledge.FileText.
	Encoding string           `json:"encoding,omitempty"`
	Notes    []knowledge.Note `json:"notes,omitempty"`
	// Size is the size of the text, in bytes.
	Size int `json:"size"`
}

// exchange sends the file to the process and reads the response. It validates the response like
// untrusted input.
func (p *process) exchange(
	name, encoding string, file []byte,
) (answer knowledge.FileText, err error) {
	if _, err := io.WriteString(p.In, name+"\n"+encoding+"\n"); err != nil {
		return answer, err
	}
	out := bufio.NewReaderSize(p.Out, maxHeader)
	if line, err := out.ReadSlice('\n'); err != nil {
		return answer, err
	} else if string(line) != ready {
		return answer, errors.New("the process did not become ready")
	}
	p.SetMemory(MaxMemory)
	if p.quick {
		p.SetMemory(p.Resident() + quickMemory)
		p.SetTime(quickTime)
	}
	p.ready = true
	if _, err := p.In.Write(file); err != nil {
		return answer, err
	}
	if err := p.In.Close(); err != nil {
		return answer, err
	}
	line, err := out.ReadSlice('\n')
	if err != nil {
		return answer, err
	}
	var h header
	if err := json.Unmarshal(line, &h); err != nil {
		return answer, err
	}
	answer = knowledge.FileText{Pages: h.Pages, Encoding: h.Encoding, Notes: h.Notes}
	if answer.CheckReading() != nil { // the same file would cause it again
		return knowledge.FileText{}, errUnusual
	}
	if h.NotQuick && p.quick {
		return answer, ErrNotQuick
	}
	if h.Refusal != "" {
		return answer, fault.New(fault.InvalidInput,
			strings.Join(strings.Fields(knowledge.Clean(h.Refusal)), " "))
	}
	if h.Size < 0 || h.Size > utf8.UTFMax*knowledge.MaxCharacters || h.Pages < 0 {
		return answer, errors.New("the response of the process is too long")
	}
	text := make([]byte, h.Size)
	if _, err := io.ReadFull(out, text); err != nil {
		return answer, err
	}
	answer.Text = knowledge.Clean(string(text))
	if sentence := knowledge.Refusal(answer.Text, answer.Pages); sentence != "" {
		return answer, fault.New(fault.InvalidInput, sentence)
	}
	return answer, nil
}
