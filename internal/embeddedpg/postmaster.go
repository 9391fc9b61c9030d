package embeddedpg

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// postmaster is PostgreSQL's main process: a child of this process, or an orphan that a killed
// service left behind.
type postmaster struct {
	pid int
	// A handle that, if the system supports it, stays safe when the process id is reused.
	process *os.Process
	ended   chan struct{}
}

// newChild returns the postmaster of a server that this process started, and waits for its end.
func newChild(cmd *exec.Cmd) *postmaster {
	p := &postmaster{pid: cmd.Process.Pid, process: cmd.Process, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(p.ended)
	}()
	return p
}

// findOrphan returns the server of the cluster in pgdata, or nil if the process is another program
// or gone. It opens the handle before it checks the process, so that both refer to the same
// process.
func findOrphan(ctx context.Context, pid int, pgdata string) *postmaster {
	process, err := os.FindProcess(pid)
	if err != nil {
		return nil
	}
	if !isPostmaster(ctx, pid, pgdata) {
		_ = process.Release()
		return nil
	}
	p := &postmaster{pid: pid, process: process, ended: make(chan struct{})}
	go func() { // ends with the process, which the caller stops
		for isPostmaster(context.WithoutCancel(ctx), pid, pgdata) {
			_ = pause(context.Background(), pollEvery)
		}
		close(p.ended)
	}()
	return p
}

func (p *postmaster) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// shutdown stops the server: by a fast shutdown, when ctx ends by an immediate one (without a
// checkpoint; the next start recovers), and if that fails, by force. It returns an error if the
// fast shutdown was not enough.
func (p *postmaster) shutdown(ctx context.Context) error {
	if p.signalAndWait(ctx, syscall.SIGINT) {
		return nil
	}
	for _, sig := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGKILL} {
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), killWait)
		gone := p.signalAndWait(short, sig)
		cancel()
		if gone {
			return fmt.Errorf("PostgreSQL (process %d) did not stop in time and was ended with %s: %w",
				p.pid, sig, ctx.Err())
		}
	}
	return fmt.Errorf("PostgreSQL (process %d) cannot be stopped: %w", p.pid, ctx.Err())
}

// signalAndWait sends a signal and reports whether the server ended before ctx did.
func (p *postmaster) signalAndWait(ctx context.Context, sig syscall.Signal) bool {
	if p.hasEnded() {
		return true
	}
	// Fails if the process has just ended; otherwise the wait below times out.
	_ = p.process.Signal(sig)
	select {
	case <-p.ended:
		return true
	case <-ctx.Done():
		return p.hasEnded()
	}
}
