package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// postmaster is PostgreSQL's main process, whether it is a child of this process or not.
type postmaster struct {
	pid     int
	cluster string
	process *os.Process // where the system offers it, a handle that no later process with the same id can take over
	ended   chan struct{}

	letGo     chan struct{} // ends the watch over a process that is not a child
	letGoOnce sync.Once
}

// newChild watches over a server that this process started.
func newChild(cmd *exec.Cmd, cluster string) *postmaster {
	p := &postmaster{pid: cmd.Process.Pid, cluster: cluster, process: cmd.Process,
		ended: make(chan struct{}), letGo: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(p.ended)
	}()
	return p
}

// findPostmaster watches over a server that somebody else started; nil when the process is not the cluster's server. The
// handle is opened before the process is looked at, so that both are about the same process.
func findPostmaster(ctx context.Context, pid int, cluster string) *postmaster {
	process, err := os.FindProcess(pid)
	if err != nil {
		return nil
	}
	if !isPostmaster(ctx, pid, cluster) {
		_ = process.Release()
		return nil
	}
	p := &postmaster{pid: pid, cluster: cluster, process: process, ended: make(chan struct{}), letGo: make(chan struct{})}
	go func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if !isPostmaster(context.Background(), pid, cluster) {
					close(p.ended)
					return
				}
			case <-p.letGo:
				return
			}
		}
	}()
	return p
}

// release ends the watch and leaves the process alone. Nothing may be asked of p afterwards.
func (p *postmaster) release() {
	p.letGoOnce.Do(func() { close(p.letGo) })
}

func (p *postmaster) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// shutdown stops the server: fast, when ctx ends immediately (without a checkpoint; the next start recovers), and by force
// if that does not help either. A server that had to be stopped harder is an error.
func (p *postmaster) shutdown(ctx context.Context) error {
	defer p.release()
	if p.signalAndWait(ctx, syscall.SIGINT) {
		return nil
	}
	for _, sig := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGKILL} {
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), killWait)
		gone := p.signalAndWait(short, sig)
		cancel()
		if gone {
			return fmt.Errorf("PostgreSQL (process %d) did not stop in time and was ended with %s: %w", p.pid, sig, ctx.Err())
		}
	}
	return fmt.Errorf("PostgreSQL (process %d) cannot be stopped: %w", p.pid, ctx.Err())
}

// signalAndWait sends a signal and reports whether the server ended before ctx did.
func (p *postmaster) signalAndWait(ctx context.Context, sig syscall.Signal) bool {
	if p.hasEnded() {
		return true
	}
	_ = p.process.Signal(sig) // an error is a process that has just ended, or one that the wait below shows to be there
	select {
	case <-p.ended:
		return true
	case <-ctx.Done():
		return p.hasEnded()
	}
}

// runner starts the server of a cluster, or takes it over.
type runner struct {
	*home
	bin      binaries
	acct     account
	password string
}

// retryable are the ends of a start that another try may mend: the port was taken meanwhile, processes of a server that was
// killed have not noticed yet, or an orphan was only just starting.
var retryable = []string{
	"could not bind", "could not create any TCP/IP sockets", "Address already in use",
	"pre-existing shared memory block", "postmaster.pid\" already exists",
}

// bringUp returns the cluster's server when it accepts connections, and its port.
func (r *runner) bringUp(ctx context.Context) (*postmaster, int, error) {
	var deadline time.Time
	for {
		pm, port, err := r.adopt(ctx)
		if pm != nil || err != nil {
			return pm, port, err
		}
		pm, port, output, err := r.launch(ctx)
		if err == nil {
			return pm, port, nil
		}
		again := false
		for _, text := range retryable {
			again = again || strings.Contains(output, text)
		}
		if deadline.IsZero() {
			deadline = time.Now().Add(retryWait)
		}
		if !again || time.Now().After(deadline) {
			return nil, 0, err
		}
		r.log.Warn("PostgreSQL did not start, trying again", slog.Any("error", err))
		if err := pause(ctx, watchEvery); err != nil {
			return nil, 0, fmt.Errorf("starting PostgreSQL was interrupted: %w", err)
		}
	}
}

// adopt takes over the server that a killed service left behind, if there is one and it is as this one would start it. One
// that is not, or that does not answer, is stopped. Without one, what it may have left is made harmless.
func (r *runner) adopt(ctx context.Context) (*postmaster, int, error) {
	pf, err := r.settledPIDFile(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil && !errors.Is(err, errPIDFile) {
		return nil, 0, fmt.Errorf("the cluster %s cannot be read: %w", r.cluster, err)
	}
	pm := findPostmaster(ctx, pf.pid, r.cluster)
	if pm == nil {
		return nil, 0, r.disown()
	}
	_, want := arguments(r.cfg.Settings, r.cluster, r.bin.dir, 0)
	wait, cancel := context.WithTimeout(ctx, adoptWait)
	port, err := r.waitReady(wait, pm)
	if err == nil {
		err = verify(wait, address(superuser, r.password, port, superuser), r.cluster, want)
	}
	cancel()
	if err == nil {
		r.log.Info("took over the PostgreSQL that an earlier service left running", slog.Int("pid", pm.pid), slog.Int("port", port))
		return pm, port, nil
	}
	if err := ctx.Err(); err != nil {
		pm.release()
		return nil, 0, fmt.Errorf("taking PostgreSQL over was interrupted: %w", err)
	}
	r.log.Info("stopping the PostgreSQL that an earlier service left running", slog.Int("pid", pm.pid), slog.Any("reason", err))
	stop, cancel := context.WithTimeout(ctx, stopWait)
	defer cancel()
	if err := pm.shutdown(stop); err != nil && !pm.hasEnded() {
		return nil, 0, err
	}
	return nil, 0, r.disown()
}

// settledPIDFile reads postmaster.pid, giving a server that is only just writing it a moment.
func (r *runner) settledPIDFile(ctx context.Context) (pidFile, error) {
	deadline := time.Now().Add(2 * time.Second)
	for {
		pf, err := r.readPIDFile()
		if !errors.Is(err, errPIDFile) || time.Now().After(deadline) {
			return pf, err
		}
		if err := pause(ctx, pollEvery); err != nil {
			return pidFile{}, err
		}
	}
}

// launch starts the server as a child. On failure output is what it logged.
func (r *runner) launch(ctx context.Context) (pm *postmaster, port int, output string, err error) {
	pick := freePort
	if r.cfg.port != nil {
		pick = r.cfg.port
	}
	if port, err = pick(); err != nil {
		return nil, 0, "", fmt.Errorf("no port is free on 127.0.0.1: %w", err)
	}
	logFile, offset, err := openLog(r.logPath())
	if err != nil {
		return nil, 0, "", fmt.Errorf("PostgreSQL's log %s cannot be written: %w", r.logPath(), err)
	}
	defer func() { _ = logFile.Close() }()

	args, _ := arguments(r.cfg.Settings, r.cluster, r.bin.dir, port)
	cmd := exec.Command(r.bin.path("postgres"), args...) //nolint:noctx // it outlives ctx, and Stop ends it
	cmd.Dir, cmd.Env, cmd.SysProcAttr = r.cluster, environment(r.cluster), r.acct.attributes()
	cmd.Stdout, cmd.Stderr = logFile, logFile
	if err := cmd.Start(); err != nil {
		return nil, 0, "", fmt.Errorf("PostgreSQL %s cannot be run as %s: %w", r.bin.version, r.acct.name, err)
	}
	pm = newChild(cmd, r.cluster)
	if port, err = r.waitReady(ctx, pm); err == nil {
		r.log.Info("PostgreSQL is running", slog.String("version", r.bin.version), slog.Int("pid", pm.pid), slog.Int("port", port))
		return pm, port, "", nil
	}
	if !pm.hasEnded() {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
		defer cancel()
		return nil, 0, "", oneLine(fmt.Errorf("starting PostgreSQL was interrupted: %w", err), pm.shutdown(stop))
	}
	output = readLogFrom(r.logPath(), offset)
	return nil, 0, output, fmt.Errorf("PostgreSQL %s did not start: %s", r.bin.version, lastLines(output, 5))
}

// errEnded says that the server ended while it was waited for.
var errEnded = errors.New("PostgreSQL has ended")

// waitReady waits until the server says in postmaster.pid that it accepts connections, however long its recovery takes.
func (r *runner) waitReady(ctx context.Context, pm *postmaster) (port int, err error) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	notice := time.NewTicker(noticeEvery)
	defer notice.Stop()
	for {
		if pf, err := r.readPIDFile(); err == nil && pf.pid == pm.pid && pf.status == "ready" && pf.port != 0 {
			return pf.port, nil
		}
		select {
		case <-tick.C:
		case <-notice.C:
			r.log.Info("PostgreSQL is still starting (it may be recovering from a crash)", slog.Int("pid", pm.pid))
		case <-pm.ended:
			return 0, errEnded
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// freePort is a port on 127.0.0.1 that nobody uses at this moment.
func freePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0") //nolint:noctx // a local address needs no look-up
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return 0, fmt.Errorf("listening on %s", l.Addr())
	}
	return addr.Port, nil
}
