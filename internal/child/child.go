// Package child starts this same program again as a process that reads a hostile file: parsing one
// may use up all memory or never end. The process gets the file on its standard input and answers on
// its standard output. It has no environment, no network and no other files.
package child

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

// watched is the time between two checks of a process. Its own limits bound what it can allocate in
// between.
const watched = 50 * time.Millisecond

// The reasons why Watch kills a process.
var (
	ErrTime    = errors.New("the process took too long")
	ErrMemory  = errors.New("the process took too much memory")
	ErrStopped = errors.New("the process was stopped")
)

// Process is a process that reads one file.
type Process struct {
	In  io.WriteCloser
	Out io.Reader

	cmd    *exec.Cmd
	stderr *tail
	// deadline is in nanoseconds since 1970. memory is the most resident memory, in bytes.
	deadline, memory atomic.Int64
}

// Start starts a process with these arguments in a directory, in its own namespaces if the system
// supports them. Call it on a locked thread: the system kills the process when the thread that started
// it ends, so that it does not outlive the service.
func Start(dir string, within time.Duration, memory int64, args ...string) (*Process, error) {
	p, err := start(true, dir, args)
	if err != nil {
		p, err = start(false, dir, args)
	}
	if err == nil {
		p.SetTime(within)
		p.SetMemory(memory)
	}
	return p, err
}

func start(namespaces bool, dir string, args []string) (*Process, error) {
	program, err := executable()
	if err != nil {
		return nil, err
	}
	p := &Process{stderr: &tail{}}
	p.cmd = exec.Command(program, args...) //nolint:noctx // Watch kills its whole group
	p.cmd.Args[0] = "agentchat"
	p.cmd.Env, p.cmd.Dir, p.cmd.Stderr = []string{}, dir, p.stderr
	p.cmd.SysProcAttr = attributes(namespaces)
	if p.In, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.Out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return p, p.cmd.Start()
}

// SetTime sets the time that the process may take from now on.
func (p *Process) SetTime(within time.Duration) {
	p.deadline.Store(time.Now().Add(within).UnixNano())
}

// SetMemory sets the most resident memory that the process may have from now on, in bytes.
func (p *Process) SetMemory(most int64) { p.memory.Store(most) }

// Resident returns the resident memory of the process, in bytes; 0 if it is unknown.
func (p *Process) Resident() int64 { return resident(p.cmd.Process.Pid) }

// Watch kills the process if it uses too much memory or time, or if the context ends. It returns
// the reason, or nil if it did not kill the process before done was closed.
func (p *Process) Watch(ctx context.Context, done <-chan struct{}) error {
	look := time.NewTicker(watched)
	defer look.Stop()
	for {
		var why error
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			why = ErrStopped
		case now := <-look.C:
			switch {
			case now.UnixNano() > p.deadline.Load():
				why = ErrTime
			case p.Resident() > p.memory.Load():
				why = ErrMemory
			}
		}
		if why != nil {
			kill(p.cmd)
			return why
		}
	}
}

// End kills the process unless it has ended, and returns how it ended. OutOfMemory reports whether it
// ended because it ran out of memory.
func (p *Process) End() (outOfMemory bool, err error) {
	kill(p.cmd) // until Wait, its id cannot be reused
	_ = p.In.Close()
	err = p.cmd.Wait()
	return p.stderr.outOfMemory(), err
}

// tail stores the beginning of a process's standard error, where Go reports a crash.
type tail struct{ text []byte }

// Write stores as much as fits.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[:min(len(p), 4<<10-len(t.text))]...)
	return len(p), nil
}

func (t *tail) outOfMemory() bool {
	return strings.Contains(string(t.text), "out of memory") ||
		strings.Contains(string(t.text), "cannot allocate memory")
}
