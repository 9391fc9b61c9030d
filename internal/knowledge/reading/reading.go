// Package reading reads files in a process of its own, which is this program again: files are hostile, and what reads them may use up all
// memory or never end. The process gets the file on its standard input and answers with the text on its standard output. It has no
// environment, no connection and no other file.
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
	// Command is the first argument of a process that reads a file. Child is what it does.
	Command = "read-file"

	// MaxTime is how long a file may be read.
	MaxTime = 2 * time.Minute
	// MaxMemory is how much memory a process may have while it reads, in bytes.
	MaxMemory = 256 << 20
	// maxCompiling is the same while the reader of PDF files is compiled, once on a machine, before a process is given a file.
	maxCompiling = 448 << 20

	// watched is how often the memory of a process is looked at. Its own limits bound what it can take in between.
	watched = 50 * time.Millisecond

	ready     = "ready\n"
	maxHeader = 64 << 10
)

// ErrLost is in the chain of an error that says nothing about the file: its process was ended from outside, or could not be started.
// Reading it again may help.
var ErrLost = errors.New("the process that read the file was lost")

var (
	errMemory  = fault.New(fault.InvalidInput, "The file needs more than 256 MB of memory to be read. Save it smaller, or split it.")
	errTime    = fault.New(fault.InvalidInput, "The file takes longer than two minutes to read. Split it, or save it in another format.")
	errStopped = errors.New("reading was stopped")
)

// Reader reads files, one at a time. It is safe for concurrent use.
type Reader struct {
	dir  string
	busy chan struct{}
}

// New returns a reader that keeps what it needs in a directory: the compiled reader of PDF files (20 MB), which takes seconds to compile
// otherwise. Empty means nowhere.
func New(dir string) *Reader { return &Reader{dir: dir, busy: make(chan struct{}, 1)} }

// Read returns the text of a file. Faults: InvalidInput, with a sentence for the file's owner, if it cannot be read, however often one
// tries. Other errors have ErrLost in their chain, or are those of the context.
func (r *Reader) Read(ctx context.Context, name string, file []byte) (filetext.Text, error) {
	select {
	case r.busy <- struct{}{}:
		defer func() { <-r.busy }()
	case <-ctx.Done():
		return filetext.Text{}, context.Cause(ctx)
	}
	if ending := filepath.Ext(name); len(name) > knowledge.MaxName || strings.ContainsFunc(name, func(c rune) bool { return c < ' ' }) {
		name = "file" + strings.Join(strings.Fields(ending), "") // what it is called makes no other difference
	}
	// The system ends the process when the thread that started it ends, so that none outlives the service.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p, err := r.start()
	if err != nil {
		return filetext.Text{}, fmt.Errorf("%w: %w", ErrLost, err)
	}
	return p.read(ctx, name, file)
}

// start starts a process, in namespaces of its own where the system has them.
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
	p := &process{stderr: &tail{}}
	p.cmd = exec.Command(program, Command, compiled) //nolint:noctx // its whole group is ended, see watch
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

// process is one that reads a file.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Reader
	stderr *tail
	// ready is set when it is about to be given the file.
	ready atomic.Bool
}

func (p *process) read(ctx context.Context, name string, file []byte) (filetext.Text, error) {
	done := make(chan struct{})
	ended := make(chan error, 1)
	go func() { ended <- p.watch(ctx, done) }()
	text, err := p.exchange(name, file)
	close(done)
	stopped := <-ended
	kill(p.cmd) // it has ended, or will not be needed; until Wait, its id is no one else's
	_ = p.in.Close()
	state := p.cmd.Wait()
	switch {
	case err == nil || fault.Is(err, fault.InvalidInput):
		return text, err
	case errors.Is(stopped, errStopped):
		return filetext.Text{}, context.Cause(ctx)
	case stopped != nil && p.ready.Load():
		return filetext.Text{}, stopped
	case p.ready.Load() && p.stderr.outOfMemory():
		return filetext.Text{}, errMemory
	}
	return filetext.Text{}, fmt.Errorf("%w: %w", ErrLost, errors.Join(err, state))
}

// watch ends the process when it takes too much memory or too long, or is no longer wanted, and returns why; nil if it did not.
func (p *process) watch(ctx context.Context, done <-chan struct{}) error {
	late := time.NewTimer(MaxTime)
	defer late.Stop()
	look := time.NewTicker(watched)
	defer look.Stop()
	for {
		var why error
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			why = errStopped
		case <-late.C:
			why = errTime
		case <-look.C:
			most := int64(maxCompiling)
			if p.ready.Load() {
				most = MaxMemory
			}
			if resident(p.cmd.Process.Pid) > most {
				why = errMemory
			}
		}
		if why != nil {
			kill(p.cmd)
			return why
		}
	}
}

// header is the line in front of a text.
type header struct {
	// Refusal says why there is no text; empty if there is.
	Refusal string `json:"refusal,omitempty"`
	Pages   int    `json:"pages"`
	// Size is that of the text, in bytes.
	Size int `json:"size"`
}

// exchange gives the process the file and takes its answer. What it answers is checked as if the file had said it.
func (p *process) exchange(name string, file []byte) (filetext.Text, error) {
	if _, err := io.WriteString(p.in, name+"\n"); err != nil {
		return filetext.Text{}, err
	}
	out := bufio.NewReaderSize(p.out, maxHeader)
	if line, err := out.ReadSlice('\n'); err != nil {
		return filetext.Text{}, err
	} else if string(line) != ready {
		return filetext.Text{}, errors.New("it did not get ready")
	}
	p.ready.Store(true)
	if _, err := p.in.Write(file); err != nil {
		return filetext.Text{}, err
	}
	if err := p.in.Close(); err != nil {
		return filetext.Text{}, err
	}
	line, err := out.ReadSlice('\n')
	if err != nil {
		return filetext.Text{}, err
	}
	var h header
	if err := json.Unmarshal(line, &h); err != nil {
		return filetext.Text{}, err
	}
	if h.Refusal != "" {
		return filetext.Text{}, fault.New(fault.InvalidInput, strings.Join(strings.Fields(knowledge.Clean(h.Refusal)), " "))
	}
	if h.Size < 0 || h.Size > utf8.UTFMax*knowledge.MaxCharacters || h.Pages < 0 {
		return filetext.Text{}, errors.New("its answer is too long")
	}
	text := make([]byte, h.Size)
	if _, err := io.ReadFull(out, text); err != nil {
		return filetext.Text{}, err
	}
	answer := filetext.Text{Text: knowledge.Clean(string(text)), Pages: h.Pages}
	if sentence := knowledge.Refusal(answer.Text, answer.Pages); sentence != "" {
		return filetext.Text{}, fault.New(fault.InvalidInput, sentence)
	}
	return answer, nil
}

// tail keeps the beginning of what a process writes on its standard error, where Go says why it ends.
type tail struct{ text []byte }

// Write keeps what has room.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[:min(len(p), 4<<10-len(t.text))]...)
	return len(p), nil
}

func (t *tail) outOfMemory() bool {
	return strings.Contains(string(t.text), "out of memory") || strings.Contains(string(t.text), "cannot allocate memory")
}
