package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"syscall"

	"agentchat/internal/server"
)

// serveCmd is `agentchat serve`.
type serveCmd struct {
	databaseSettings
	creditSettings
	serveSettings
	Demo    bool `help:"Also make sure of the demo account, agent and export, and print a working curl line. Loopback only."`
	Migrate bool `default:"true" help:"Bring the database up to date first; with =false an old one is refused."`
}

// Run checks the configuration and then serves until ctx ends.
func (c *serveCmd) Run(ctx context.Context, p *process, out *output) error {
	config, err := c.config(parseEnv(p.env))
	if err != nil {
		return err
	}
	out.secrets = config.database.secrets()
	return serve(ctx, config, config.log.logger(p.stderr), out)
}

// serve opens the listeners, so that a port that is taken is told before a database is started, then everything from the
// database upwards; it closes them in the opposite order.
func serve(ctx context.Context, config serveConfig, logger *slog.Logger, out *output) error {
	public, err := listen(ctx, "LISTEN_ADDR", config.listenAddr)
	if err != nil {
		return err
	}
	defer func() { _ = public.Close() }()
	private, err := listen(ctx, "OPS_ADDR", config.opsAddr)
	if err != nil {
		return err
	}
	metrics := server.NewMetrics()
	ops := server.NewOps(metrics.Handler(), logger)
	defer ops.Start(private)()

	db, err := config.openDatabase(ctx, logger)
	if err != nil {
		return unlessStopped(ctx, err, logger)
	}
	defer db.close()
	where := config.addresses(public, private)
	service, err := assemble(config, db, where.Panel, metrics, logger)
	if err != nil {
		return err
	}
	service.Listener, service.Ops = public, ops
	if err := where.prepare(ctx, config, db); err != nil {
		return unlessStopped(ctx, err, logger)
	}
	if err := where.announce(out, logger); err != nil {
		return err
	}
	err = service.Run(ctx)
	if errors.Is(err, server.ErrDied) {
		log := filepath.Join(config.database.dataDir, "postgres.log")
		return fmt.Errorf("the embedded database ended by itself; its log is %s", log)
	}
	return err
}

// unlessStopped passes an error of the start on, unless the start was stopped: that is what was asked for, and no failure.
func unlessStopped(ctx context.Context, err error, logger *slog.Logger) error {
	if ctx.Err() == nil {
		return err
	}
	logger.Info("stopped before the start was through")
	return nil
}

// openDatabase opens the service's database and sees to its schema.
func (c serveConfig) openDatabase(ctx context.Context, logger *slog.Logger) (*database, error) {
	db, err := openForService(ctx, c.database, logger)
	if err != nil {
		return nil, err
	}
	prepare := db.SchemaCurrent
	if c.migrate {
		prepare = db.Migrate
	}
	if err := prepare(ctx); err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

func listen(ctx context.Context, setting, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err == nil {
		return listener, nil
	}
	reason := err
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		reason = errno
	} else if dns, ok := errors.AsType[*net.DNSError](err); ok {
		reason = errors.New(dns.Err)
	}
	return nil, fmt.Errorf("cannot listen on %s, which %s (--%s) says: %w", address, setting, flagName(setting), reason)
}

// addresses tells where a running service is. It is what `serve --json` prints.
type addresses struct {
	Panel string `json:"panel"`
	Chat  string `json:"chat"`
	Ops   string `json:"ops"`
	Demo  *demo  `json:"demo,omitempty"`
}

func (c serveConfig) addresses(public, private net.Listener) addresses {
	where := addresses{Panel: c.publicURL, Chat: reachable(public) + "/v1/agent/chat", Ops: reachable(private)}
	if where.Panel == "" {
		where.Panel = defaultPublicHost + strconv.Itoa(public.Addr().(*net.TCPAddr).Port)
	}
	return where
}

// reachable is a listener's address as a program on this machine can use it.
func reachable(listener net.Listener) string {
	address := listener.Addr().(*net.TCPAddr) // the network is "tcp"
	host := address.IP.String()
	if address.IP.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(address.Port))
}

// prepare makes the demo when it is asked for.
func (a *addresses) prepare(ctx context.Context, config serveConfig, db *database) error {
	if !config.demo {
		return nil
	}
	var err error
	if a.Demo, err = ensureDemo(ctx, config, db); err != nil {
		return fmt.Errorf("cannot prepare the demo: %w", err)
	}
	return nil
}

// announce tells that the service answers from now on. Without a demo it is a line of the log alone, so that standard output
// stays free.
func (a addresses) announce(out *output, logger *slog.Logger) error {
	logger.Info("serving", slog.String("panel", a.Panel), slog.String("chat", a.Chat), slog.String("ops", a.Ops))
	if a.Demo == nil && !out.json {
		return nil
	}
	return out.result(a.text(), a)
}

func (a addresses) text() string {
	if a.Demo == nil {
		return ""
	}
	return fmt.Sprintf(`
Agent Chat is running.

  Panel     %s
  Sign in   %s
  Password  %s

Try the demo agent:

  %s
`, a.Panel, a.Demo.Email, a.Demo.Password, a.Demo.curl(a.Chat))
}
