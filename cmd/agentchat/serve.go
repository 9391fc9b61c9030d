package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/coreos/go-systemd/v22/daemon"

	"agentchat/internal/admin"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/server"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/turns"
	"agentchat/internal/tracing"
)

// serveCmd is `agentchat serve`.
type serveCmd struct {
	databaseSettings
	creditSettings
	serveSettings
	providerSettings
	Demo    bool `help:"Also create the demo account, agent and export if they are missing, and print a working curl command. Loopback only."` //nolint:lll // one tag
	Migrate bool `default:"true" help:"Bring the database up to date first; with =false the service refuses an outdated one."`

	env       environment
	catalogue *catalogue.Live
	// hangups receives SIGHUP.
	hangups chan os.Signal
	// read is the checksum of the models file when it was last read.
	read [sha256.Size]byte
}

// Help returns the help about settings.
func (*serveCmd) Help() string {
	return aboutSettings +
		"\n\nThe standard variables of OpenTelemetry, such as OTEL_EXPORTER_OTLP_ENDPOINT, turn on traces."
}

// Run checks the configuration and then serves until ctx ends.
func (c *serveCmd) Run(ctx context.Context, p *process, out *output) error {
	c.hangups = make(chan os.Signal, 1)
	signal.Notify(c.hangups, syscall.SIGHUP) // early: without it SIGHUP ends the process
	defer signal.Stop(c.hangups)
	if err := c.complete(parseEnv(p.env)); err != nil {
		return err
	}
	out.secrets = c.secrets()
	return serve(ctx, c, c.logger(p.stderr), out)
}

// serve opens the listeners, the database and then what depends on it, and closes them in reverse
// order. The listeners come first so that a port in use is reported before a database starts.
func serve(ctx context.Context, config *serveCmd, logger *slog.Logger, out *output) error {
	public, err := listen(ctx, "LISTEN_ADDR", config.ListenAddr)
	if err != nil {
		return err
	}
	defer func() { _ = public.Close() }()
	private, err := listen(ctx, "OPS_ADDR", config.OpsAddr)
	if err != nil {
		return err
	}
	billing, err := listenIfSet(ctx, "ADMIN_ADDR", config.AdminAddr)
	if err != nil {
		return err
	}
	stopProfiler, pprofURL, err := config.startProfiler(ctx, logger)
	if err != nil {
		return err
	}
	defer stopProfiler()
	flush, err := tracing.Start(ctx, os.Getenv, binaryVersion(), logger)
	if err != nil {
		return usagef("%v", err)
	}
	defer flush()
	metrics := server.NewMetrics()
	ops := server.NewOps(metrics.Handler(), logger)
	defer ops.Start(private)()
	db, err := config.openDatabase(ctx, logger)
	if err != nil {
		return unlessStopped(ctx, err, logger)
	}
	defer db.close()
	where := config.addresses(public, private)
	defer config.startAdmin(billing, db, where.Panel, metrics, logger)()
	where.Admin, where.Pprof = reachable(billing), pprofURL
	service, err := assemble(config, db, where.Panel, metrics, logger)
	if err != nil {
		return err
	}
	service.Listener, service.Ops = public, ops
	if config.SMTPURL != "" {
		ops.Show("mail", stateOf(db, notifications.MailKind))
	}
	if config.on() {
		ops.Show("webhooks", stateOf(db, notifications.WebhookKind))
	}
	service.Work = together(service.Work, config.reloadModels(ops, logger, lookEvery, settleFor))
	if err := where.prepare(ctx, config, db); err != nil {
		return unlessStopped(ctx, err, logger)
	}
	if err := turns.On(db.DB).Register(ctx); err != nil {
		logger.Warn("this replica is not registered; /readyz will retry it", slog.Any("error", err))
	}
	if err := where.announce(out, logger); err != nil {
		return err
	}
	err = service.Run(ctx)
	if errors.Is(err, server.ErrDied) {
		log := filepath.Join(config.DataDir, "postgres.log")
		return fmt.Errorf("the embedded database ended unexpectedly; its log is %s", log)
	}
	return err
}

// listenIfSet opens a listener that is off by default. It returns nil if it is off.
func listenIfSet(ctx context.Context, setting string, address listenAddress) (net.Listener, error) {
	if address == "" {
		return nil, nil //nolint:nilnil // off
	}
	return listen(ctx, setting, address)
}

// startProfiler serves Go's profiler at the returned URL until stop is called. It does not need the
// database.
func (c *serveCmd) startProfiler(
	ctx context.Context, logger *slog.Logger,
) (stop func(), url string, err error) {
	listener, err := listenIfSet(ctx, "PPROF_ADDR", c.PprofAddr)
	if listener == nil {
		return func() {}, "", err
	}
	return server.StartPrivate(server.NewProfiler(), listener, logger), reachable(listener), nil
}

// startAdmin serves the admin API until stop is called.
func (c *serveCmd) startAdmin(listener net.Listener, db *database, panel string,
	metrics *server.Metrics, logger *slog.Logger,
) (stop func()) {
	if listener == nil {
		return func() {}
	}
	handler := admin.NewHandler(admin.Config{
		Store:       db.Own(),
		Version:     binaryVersion(),
		Token:       string(c.AdminToken),
		PanelURL:    panel,
		CreditValue: c.CreditValue.nano,
		Logger:      logger,
		Refused:     metrics.AdminRefused,
	})
	return server.StartPrivate(handler, listener, logger)
}

// unlessStopped returns the error of a failed start, or nil if the start was interrupted.
func unlessStopped(ctx context.Context, err error, logger *slog.Logger) error {
	if ctx.Err() == nil {
		return err
	}
	logger.Info("stopped before the start was complete")
	return nil
}

// openDatabase opens the service's database and migrates or checks its schema.
func (c *serveCmd) openDatabase(ctx context.Context, logger *slog.Logger) (*database, error) {
	c.knowledgePassages, c.versionBytes = c.KnowledgePassages, c.VersionMegabytes<<20
	c.mails, c.webhooks, c.ownerWebhooks = c.SMTPURL != "", c.on(), c.OwnerWebhooks == "on"
	db, err := openForService(ctx, &c.databaseSettings, logger)
	if err != nil {
		return nil, err
	}
	prepare := db.SchemaCurrent
	if c.Migrate {
		prepare = db.Migrate
	}
	err = db.CheckConnections(ctx)
	if err == nil {
		err = prepare(ctx)
	}
	if err != nil {
		db.close()
		return nil, err
	}
	db.followPrograms() // after the migration, which a restart would roll back
	return db, nil
}

func listen(ctx context.Context, setting string, address listenAddress) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", string(address))
	if err == nil {
		return listener, nil
	}
	reason := err
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		reason = errno
	} else if dns, ok := errors.AsType[*net.DNSError](err); ok {
		reason = errors.New(dns.Err)
	}
	return nil, fmt.Errorf("cannot listen on %s, set by %s (--%s): %w",
		address, setting, flagName(setting), reason)
}

// addresses are the URLs of a running service, which `serve --json` prints.
type addresses struct {
	Panel string `json:"panel"`
	Chat  string `json:"chat"`
	Ops   string `json:"ops"`
	Admin string `json:"admin,omitempty"`
	Pprof string `json:"pprof,omitempty"`
	Demo  *demo  `json:"demo,omitempty"`
}

func (c *serveCmd) addresses(public, private net.Listener) addresses {
	where := addresses{Panel: string(c.PublicURL), Chat: reachable(public) + "/v1/agent/chat",
		Ops: reachable(private)}
	if where.Panel == "" {
		where.Panel = "http://localhost:" + strconv.Itoa(public.Addr().(*net.TCPAddr).Port)
	}
	return where
}

// reachable returns the URL of a listener for programs on this machine; "" without one.
func reachable(listener net.Listener) string {
	if listener == nil {
		return ""
	}
	address := listener.Addr().(*net.TCPAddr) // the network is "tcp"
	host := address.IP.String()
	if address.IP.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(address.Port))
}

// prepare creates the demo with --demo.
func (a *addresses) prepare(ctx context.Context, config *serveCmd, db *database) error {
	if !config.Demo {
		return nil
	}
	var err error
	if a.Demo, err = ensureDemo(ctx, config, db); err != nil {
		return fmt.Errorf("cannot prepare the demo: %w", err)
	}
	return nil
}

// announce reports that the service is ready: in the log, to systemd, and with --demo or --json on
// standard output.
func (a addresses) announce(out *output, logger *slog.Logger) error {
	if _, err := daemon.SdNotify(true, daemon.SdNotifyReady); err != nil {
		logger.Warn("systemd was not notified that the service is ready", slog.Any("error", err))
	}
	logger.Info("serving", slog.String("panel", a.Panel), slog.String("chat", a.Chat),
		slog.String("ops", a.Ops))
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
