package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
)

// cluster is a PostgreSQL cluster in a data directory.
type cluster struct {
	cfg    Config
	dir    string // the data directory, canonical once makeDataDir has run
	pgdata string // PostgreSQL's own directory in it
	asRoot bool
	log    *slog.Logger
}

// newCluster creates the data directory of a configuration.
func newCluster(cfg Config) (*cluster, error) {
	if cfg.DataDir == "" {
		return nil, errors.New("no data directory: set AGENTCHAT_DATA_DIR")
	}
	dir, err := filepath.Abs(cfg.DataDir)
	if err != nil {
		return nil, fmt.Errorf("the data directory %s cannot be found: %w", cfg.DataDir, err)
	}
	c := &cluster{cfg: cfg, dir: dir, asRoot: os.Geteuid() == 0, log: cfg.Logger}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	return c, c.makeDataDir()
}

func (c *cluster) lockPath() string  { return filepath.Join(c.dir, "lock") }
func (c *cluster) usersPath() string { return filepath.Join(c.dir, "lock.commands") }
func (c *cluster) logPath() string   { return filepath.Join(c.dir, "postgres.log") }

// acquire starts the cluster under the lock, which the server then holds until Stop.
func (c *cluster) acquire(ctx context.Context, lock *fileLock, service bool) (*Server, error) {
	s, err := c.open(ctx)
	if err != nil {
		lock.release()
		return nil, err
	}
	s.locks = append(s.locks, lock)
	s.service = service
	s.watch()
	return s, nil
}

func (c *cluster) open(ctx context.Context) (*Server, error) {
	state, err := c.inspect()
	if err != nil {
		return nil, err
	}
	acct, err := c.account(state)
	if err != nil {
		return nil, err
	}
	bin, err := c.choose(ctx, state.major, acct)
	if err != nil {
		return nil, err
	}
	if state.major == 0 {
		err = c.initCluster(ctx, bin, acct)
	} else {
		err = c.fixOwner(state, acct)
	}
	if err != nil {
		return nil, err
	}
	passwords, err := c.readPasswords()
	if err != nil {
		return nil, err
	}
	s := &Server{
		cluster:   c,
		passwords: passwords,
		running:   running{bin: bin, acct: acct},
		version:   bin.version,
		follow:    make(chan pauseFunc, 1),
		look:      make(chan struct{}, 1),
		done:      make(chan struct{}),
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	s.pid = s.pm.pid
	return s, nil
}

// run starts the server, on its previous port if it had one.
func (s *Server) run(ctx context.Context) error {
	path := s.bin.path("postgres")
	program := takeSnapshot(path, "") // before it runs, because it may be replaced at any moment
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("PostgreSQL cannot be found: %w", err)
	}
	pm, port, err := s.cluster.launch(ctx, s.bin, s.acct, s.port)
	if err != nil {
		return err
	}
	s.at(port)
	libraries, err := ensureDatabase(ctx, s.adminURL, s.passwords.app)
	if err != nil {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
		defer cancel()
		return oneLine(err, pm.shutdown(stop))
	}
	s.pm, s.program, s.libraries, s.started = pm, resolved, libraries, takeSnapshot(path, libraries)
	maps.Copy(s.started, program)
	return nil
}

// at sets the server's addresses.
func (s *Server) at(port int) {
	if port == s.port {
		return
	}
	s.port = port
	s.url = address(appRole, s.passwords.app, port, appDatabase)
	s.adminURL = address(superuser, s.passwords.superuser, port, superuser)
}

// waitForUsers waits until no command uses the running server, or until ctx ends. Until its lock is
// released, no other command can start to use the server.
func (c *cluster) waitForUsers(ctx context.Context) *fileLock {
	for {
		lock, err := takeLock(c.usersPath(), exclusive)
		if err == nil {
			return lock
		}
		if !errors.Is(err, errLocked) || pause(ctx, pollEvery) != nil {
			return nil
		}
	}
}
