package foreign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/agentfile"
	"agentchat/internal/child"
	"agentchat/internal/fair"
	"agentchat/internal/fault"
)

const (
	// Command is the first argument of a process that runs Child.
	Command = "read-agent"

	// maxTime and maxMemory are the limits of a process: resident memory in bytes.
	maxTime   = 10 * time.Second
	maxMemory = 256 << 20
	// heapLimit is the heap size from which the garbage collector takes precedence, in bytes.
	heapLimit = 192 << 20
	// maxAnswer is the largest answer of a process, in bytes: an agent's settings and notes.
	maxAnswer = 2 << 20
	// crashed is the exit code of a Go program that crashed.
	crashed = 2
)

// Reader reads files of other systems, one at a time; accounts take turns. It is safe for concurrent use.
type Reader struct{ busy *fair.Queue }

// NewReader returns a reader.
func NewReader() *Reader { return &Reader{fair.NewQueue(1, 1, 0, nil)} }

// Draft is the draft that a file describes. File has its knowledge, which only our own files have.
type Draft struct {
	agent.Agent

	File  *agentfile.File
	Notes []Note
	More  int
}

// Read reads an account's file of a format; an empty one is detected. Faults: InvalidInput, which
// names the line; Unavailable if ctx ends first.
func (r *Reader) Read(ctx context.Context, account uuid.UUID, format Format, content []byte) (out Draft, err error) {
	if format == "" {
		if format, err = Detect(content); err != nil {
			return out, err
		}
	}
	if format != AgentChat {
		var found Result
		if found, err = r.readForeign(ctx, account, format, content); err != nil {
			return out, err
		}
		out.Notes, out.More = found.Notes, found.More
		content = []byte(found.Head.Text(false))
	}
	out.Agent, out.File, err = agentfile.Read(content)
	return out, err
}

func (r *Reader) readForeign(
	ctx context.Context, account uuid.UUID, format Format, content []byte,
) (Result, error) {
	if len(content) > MaxFile {
		return Result{}, invalid("A file of another system may have at most 2 MiB. Choose a smaller one.")
	}
	leave, err := r.busy.Enter(ctx, account)
	if err != nil {
		return Result{}, fault.Wrap(fault.Unavailable, err)
	}
	defer leave()
	runtime.LockOSThread() // see child.Start
	defer runtime.UnlockOSThread()
	p, err := child.Start(string(filepath.Separator), maxTime, maxMemory, Command, string(format))
	if err != nil {
		return Result{}, fmt.Errorf("the process for an agent's file did not start: %w", err)
	}
	done := make(chan struct{})
	ended := make(chan error, 1)
	go func() { ended <- p.Watch(ctx, done) }()
	found, err := exchange(p, content)
	close(done)
	stopped := <-ended
	outOfMemory, state := p.End()
	exit, _ := errors.AsType[*exec.ExitError](state)
	switch {
	case err == nil || fault.Is(err, fault.InvalidInput):
		return found, err
	case errors.Is(stopped, child.ErrStopped):
		err = fault.Wrap(fault.Unavailable, context.Cause(ctx))
	case errors.Is(stopped, child.ErrTime):
		err = invalid("The file takes too long to read. Remove what the agent does not need.")
	case stopped != nil || outOfMemory:
		err = invalid("The file takes too much memory to read. Remove what the agent does not need.")
	case exit != nil && exit.ExitCode() == crashed:
		err = errUnusual
	default:
		err = fmt.Errorf("the process for an agent's file was lost: %w", errors.Join(err, state))
	}
	return Result{}, err
}

var errUnusual = invalid("The file is damaged or unusual. Export it again.")

// answer is the JSON that a process returns. Refusal is the reason why there is no result.
type answer struct {
	Refusal string `json:"refusal,omitempty"`
	Result
}

// exchange sends the file to the process and reads its answer, which it checks like untrusted input.
func exchange(p *child.Process, content []byte) (Result, error) {
	if _, err := p.In.Write(content); err != nil {
		return Result{}, err
	}
	if err := p.In.Close(); err != nil {
		return Result{}, err
	}
	text, err := io.ReadAll(io.LimitReader(p.Out, maxAnswer))
	if err != nil {
		return Result{}, err
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return Result{}, err
	}
	if a.Refusal != "" {
		return Result{}, invalid(strings.Join(strings.Fields(a.Refusal), " "))
	}
	valid := len(a.Notes) <= MaxNotes && a.More >= 0
	for _, n := range a.Notes {
		valid = valid && (n.Kind == Changed || n.Kind == LeftOut) && n.Line > 0
	}
	if !valid {
		return Result{}, errUnusual
	}
	return a.Result, nil
}

// Child reads one file. It is the main function of a process whose first argument is Command; the
// second one is the format. It returns the exit code.
func Child(args []string, in io.Reader, out io.Writer) int {
	runtime.GOMAXPROCS(1) // the other processors are for chats
	debug.SetMemoryLimit(heapLimit)
	if err := childRead(args, in, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func childRead(args []string, in io.Reader, out io.Writer) error {
	if err := errors.Join(child.Restrict(maxTime), child.RestrictFiles()); err != nil {
		return err
	}
	content, err := io.ReadAll(io.LimitReader(in, MaxFile))
	if err != nil {
		return err
	}
	var a answer
	a.Result, err = safely(Format(strings.Join(args, "")), content)
	switch {
	case fault.Is(err, fault.InvalidInput):
		a.Refusal = fault.ClientMessage(err)
	case err != nil:
		return err
	}
	return json.NewEncoder(out).Encode(a)
}

// safely turns a panic into a refusal, because the same file would cause it again.
func safely(format Format, content []byte) (out Result, err error) {
	defer func() {
		if recover() != nil {
			out, err = Result{}, errUnusual
		}
	}()
	return parse(format, content)
}
