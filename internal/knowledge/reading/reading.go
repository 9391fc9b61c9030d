// Package reading reads files in a separate process, which runs this same program: files are
// hostile, and parsing one may use up all memory or never end. The process gets the file on its
// standard input and writes the text to its standard output. It has no environment, no network and
// no other files.
package reading

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

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

	// watched is the time between two checks of a process's memory. Its own limits bound what it can
	// allocate in between.
	watched = 50 * time.Millisecond

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
	errStopped = errors.New("reading was stopped")
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
	// The system kills the process when the thread that started it ends, so that it does not outlive
	// the service.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p, err := r.start()
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
	p, err := r.start()
	if err == nil {
		p.time = prepareTime
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

// start starts a process, in its own namespaces if the system supports them.
func (r *Reader) start() (*process, error) {
	p, err := r.startIn(true)
	if err != nil {
		p, err = r.startIn(false)
	}
	return p, err
}

func (r *Reader) startIn(namespaces bool) (*process, error) {
	empty, compiled := string(filepath.Separator), ""
	if r.dir != "" {
		empty, compiled = filepath.Join(r.dir, "empty"), filepath.Join(r.dir, "compiled")
		for _, dir := range []string{empty, compiled} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return nil, err
			}
		}
	}
	program, err := executable()
	if err != nil {
		return nil, err
	}
	p := &process{stderr: &tail{}, time: MaxTime, quick: r.quick}
	p.cmd = exec.Command(program, Command, compiled) //nolint:noctx // watch kills its whole group
	if p.quick {
		p.cmd.Args = append(p.cmd.Args, quickArg)
	}
	p.memory.Store(maxCompiling)
	p.cmd.Args[0] = "agentchat"
	p.cmd.Env, p.cmd.Dir, p.cmd.Stderr = []string{}, empty, p.stderr
	p.cmd.SysProcAttr = attributes(namespaces)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return p, p.cmd.Start()
}

// process is a process that reads one file.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Reader
	stderr *tail
	quick  bool
	// time is the longest time that it may take.
	time time.Duration
	// ready is set right before the process gets the file.
	ready atomic.Bool
	// memory is the most resident memory that it may have now, in bytes.
	memory atomic.Int64
}

func (p *process) read(
	ctx context.Context, name, encoding string, file []byte,
) (knowledge.FileText, error) {
	done := make(chan struct{})
	ended := make(chan error, 1)
	go func() { ended <- p.watch(ctx, done) }()
	text, err := p.exchange(name, encoding, file)
	close(done)
	stopped := <-ended
	kill(p.cmd) // it has ended or is not needed; until Wait, its id cannot be reused
	_ = p.in.Close()
	state := p.cmd.Wait()
	switch {
	case err == nil || fault.Is(err, fault.InvalidInput) || errors.Is(err, ErrNotQuick):
		return text, err
	case errors.Is(stopped, errStopped):
		return knowledge.FileText{}, context.Cause(ctx)
	case stopped == nil && p.stderr.outOfMemory():
		stopped = filetext.ErrMemory
	}
	switch {
	case stopped != nil && p.ready.Load() && p.quick:
		return knowledge.FileText{}, ErrNotQuick
	case stopped != nil && p.ready.Load():
		return knowledge.FileText{}, stopped
	}
	if stopped != nil { // its text alone, because the file is not to blame
		err = errors.Join(errors.New(stopped.Error()), err)
	}
	return knowledge.FileText{}, fmt.Errorf("%w: %w", ErrLost, errors.Join(err, state))
}

// watch kills the process if it uses too much memory or time, or if the context ends. It returns
// the reason, or nil if it did not kill the process.
func (p *process) watch(ctx context.Context, done <-chan struct{}) error {
	late := time.NewTimer(p.time)
	defer late.Stop()
	look := time.NewTicker(watched)
	defer look.Stop()
	begun := false // to read the file
	for {
		if p.quick && !begun && p.ready.Load() {
			begun = true
			late.Reset(quickTime)
		}
		var why error
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			why = errStopped
		case <-late.C:
			why = errTime
		case <-look.C:
			if resident(p.cmd.Process.Pid) > p.memory.Load() {
				why = filetext.ErrMemory
			}
		}
		if why != nil {
			kill(p.cmd)
			return why
		}
	}
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
	if _, err := io.WriteString(p.in, name+"\n"+encoding+"\n"); err != nil {
		return answer, err
	}
	out := bufio.NewReaderSize(p.out, maxHeader)
	if line, err := out.ReadSlice('\n'); err != nil {
		return answer, err
	} else if string(line) != ready {
		return answer, errors.New("the process did not become ready")
	}
	p.memory.Store(MaxMemory)
	if p.quick {
		p.memory.Store(resident(p.cmd.Process.Pid) + quickMemory)
	}
	p.ready.Store(true)
	if _, err := p.in.Write(file); err != nil {
		return answer, err
	}
	if err := p.in.Close(); err != nil {
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

// tail stores the beginning of a process's standard error, where Go reports a crash.
type tail struct{ text []byte }

// Write stores as much as there is room for.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[:min(len(p), 4<<10-len(t.text))]...)
	return len(p), nil
}

func (t *tail) outOfMemory() bool {
	return strings.Contains(string(t.text), "out of memory") ||
		strings.Contains(string(t.text), "cannot allocate memory")
}
