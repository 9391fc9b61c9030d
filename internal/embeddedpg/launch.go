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
	"time"
)

// retryable are the errors of a start for which a retry may succeed: the port was taken meanwhile,
// or processes of a killed server still use its shared memory.
var retryable = []string{
	"could not bind", "could not create any TCP/IP sockets", "Address already in use",
	"pre-existing shared memory block", "postmaster.pid\" already exists",
}

// launch starts the cluster's server, on a port or, for 0, on a free one, and returns it with its
// port when it accepts connections. It first stops a server that a killed service left behind.
func (c *cluster) launch(ctx context.Context, bin binaries, acct account,
	port int) (*postmaster, int, error) {
	deadline := time.Time{}
	for {
		if err := c.clearRemains(ctx); err != nil {
			return nil, 0, err
		}
		pm, port, output, err := c.launchOnce(ctx, bin, acct, port)
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
		c.log.Warn("PostgreSQL did not start, trying again", slog.Any("error", err))
		if err := pause(ctx, retryEvery); err != nil {
			return nil, 0, fmt.Errorf("starting PostgreSQL was interrupted: %w", err)
		}
	}
}

// clearRemains waits for the commands that use a killed service's server, and stops it. If the
// server is gone, it removes its postmaster.pid. With that file PostgreSQL would not start if
// another program has its process id now. Without it, PostgreSQL still finds processes of a killed
// server by their shared memory.
func (c *cluster) clearRemains(ctx context.Context) error {
	pf, err := c.readPIDFile()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil && !errors.Is(err, errPIDFile) {
		return fmt.Errorf("the cluster %s cannot be read: %w", c.pgdata, err)
	}
	if orphan := findOrphan(ctx, pf.pid, c.pgdata); orphan != nil {
		c.log.Info("stopping the PostgreSQL that a killed service left running",
			slog.Int("pid", orphan.pid))
		wait, cancel := context.WithTimeout(ctx, lockWait)
		users := c.waitForUsers(wait)
		cancel()
		stop, cancel := context.WithTimeout(ctx, stopWait)
		err := orphan.shutdown(stop)
		cancel()
		users.release()
		if err != nil && !orphan.hasEnded() {
			return err
		}
	}
	if err := os.Remove(c.pidPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the remains of a killed server in %s cannot be removed: %w", c.pgdata, err)
	}
	return nil
}

// launchOnce starts the server as a child. On failure, output is its log.
func (c *cluster) launchOnce(
	ctx context.Context,
	bin binaries,
	acct account,
	fixed int,
) (pm *postmaster, port int, output string, err error) {
	pick := freePort
	if c.cfg.port != nil {
		pick = c.cfg.port
	}
	if port = fixed; port == 0 {
		port, err = pick()
	}
	if err != nil {
		return nil, 0, "", fmt.Errorf("no port is free on 127.0.0.1: %w", err)
	}
	logFile, offset, err := openLog(c.logPath())
	if err != nil {
		return nil, 0, "", fmt.Errorf("PostgreSQL's log %s cannot be written: %w", c.logPath(), err)
	}
	defer func() { _ = logFile.Close() }()

	//nolint:noctx // the server outlives ctx; Stop ends it
	cmd := exec.Command(bin.path("postgres"), arguments(c.cfg.Settings, c.pgdata, port)...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = c.pgdata, environment(c.pgdata), acct.attributes()
	cmd.Stdout, cmd.Stderr = logFile, logFile
	if err := cmd.Start(); err != nil {
		return nil, 0, "", fmt.Errorf("PostgreSQL %s cannot be run as %s: %w", bin.version, acct.name,
			err)
	}
	pm = newChild(cmd)
	if err = c.waitReady(ctx, pm); err == nil {
		c.log.Info("PostgreSQL is running", slog.String("version", bin.version), slog.Int("pid", pm.pid),
			slog.Int("port", port))
		return pm, port, "", nil
	}
	if !pm.hasEnded() {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
		defer cancel()
		return nil, 0, "", oneLine(fmt.Errorf("starting PostgreSQL was interrupted: %w", err),
			pm.shutdown(stop))
	}
	output = readLogFrom(c.logPath(), offset)
	return nil, 0, output, fmt.Errorf("PostgreSQL %s did not start: %s", bin.version,
		lastLines(output, 5))
}

// waitReady waits until postmaster.pid says that the server accepts connections, however long its
// recovery takes.
func (c *cluster) waitReady(ctx context.Context, pm *postmaster) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	notice := time.NewTicker(noticeEvery)
	defer notice.Stop()
	for {
		if pf, err := c.readPIDFile(); err == nil && pf.pid == pm.pid && pf.status == "ready" {
			return nil
		}
		select {
		case <-tick.C:
		case <-notice.C:
			c.log.Info("PostgreSQL is still starting (it may be recovering from a crash)",
				slog.Int("pid", pm.pid))
		case <-pm.ended:
			return errors.New("PostgreSQL has ended")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// freePort returns a port on 127.0.0.1 that is free at this moment.
func freePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0") //nolint:noctx // a local address needs no look-up
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil // the network is "tcp4"
}
