package main

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"agentchat/internal/baseurl"
	"agentchat/internal/bridge"
	"agentchat/internal/memory"
	"agentchat/internal/server"
)

// bridgeCmd is `agentchat bridge`.
//
//nolint:lll // kong reads all of a setting from its tag
type bridgeCmd struct {
	logSettings
	URL            serviceURL    `name:"url" setting:"AGENTCHAT_URL" placeholder:"URL" help:"The address of the service, required; http only for loopback, private addresses and names without a dot."`
	Addr           listenAddress `name:"bridge-addr" setting:"BRIDGE_ADDR" placeholder:"ADDR" default:"127.0.0.1:8081" help:"The address for clients, without TLS."`
	OpsAddr        listenAddress `name:"bridge-ops-addr" setting:"BRIDGE_OPS_ADDR" placeholder:"ADDR" default:"127.0.0.1:9091" help:"The address of /livez, /readyz and /metrics. Keep it off the public network."`
	Timeout        time.Duration `name:"bridge-timeout" setting:"BRIDGE_TIMEOUT" placeholder:"DURATION" min:"10s" max:"15m" default:"130s" help:"The time limit of a whole request, longer than the service's."`
	TrustedProxies networks      `name:"trusted-proxies" setting:"TRUSTED_PROXIES" placeholder:"CIDRS" help:"CIDRs, separated by commas, of the proxies whose X-Forwarded-For is read."`
	ShutdownDelay  time.Duration `name:"shutdown-delay" setting:"SHUTDOWN_DELAY" placeholder:"DURATION" min:"0s" max:"5m" default:"0s" help:"The time for which requests are still served after /readyz becomes 503; use 10s behind a load balancer."`
}

// Help returns the help about the command.
func (*bridgeCmd) Help() string {
	return "Clients of OpenAI's APIs and of MCP use their API key of Agent Chat. The service must list the bridge in its " +
		"TRUSTED_PROXIES.\n\n" + aboutSettings
}

// Run serves until ctx ends, and then drains like serve.
func (c *bridgeCmd) Run(ctx context.Context, p *process, out *output) error {
	if err := c.URL.check(); err != nil {
		return err
	}
	if c.Addr == c.OpsAddr && !c.Addr.anyPort() {
		return usagef("BRIDGE_OPS_ADDR (--bridge-ops-addr) must differ from BRIDGE_ADDR (--bridge-addr): both are %s", c.Addr)
	}
	logger := c.logger(p.stderr)
	public, err := listen(ctx, "BRIDGE_ADDR", c.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = public.Close() }()
	private, err := listen(ctx, "BRIDGE_OPS_ADDR", c.OpsAddr)
	if err != nil {
		return err
	}
	b := bridge.New(bridge.Config{
		Service:        baseurl.URL(c.URL),
		Timeout:        c.Timeout,
		TrustedProxies: c.TrustedProxies,
		Version:        binaryVersion(),
		Logger:         logger,
	})
	ops := server.NewOps(b.Metrics(), logger)
	defer ops.Start(private)()
	service := &server.Service{
		Logger:        logger,
		Handler:       b,
		Listener:      public,
		Ops:           ops,
		Bodies:        b.Bodies(memory.Limit()),
		Connections:   server.ConnectionsFor(server.OpenFiles(), 0),
		Check:         func(context.Context) error { return nil }, // each request finds out
		Work:          func(ctx context.Context) error { <-ctx.Done(); return nil },
		Drain:         func() {},
		Wait:          b.Wait,
		ShutdownDelay: c.ShutdownDelay,
		DrainTimeout:  c.drainTimeout(),
	}
	if _, err := daemon.SdNotify(true, daemon.SdNotifyReady); err != nil {
		logger.Warn("systemd was not notified that the bridge is ready", slog.Any("error", err))
	}
	where := map[string]any{"bridge": reachable(public), "ops": reachable(private)}
	logger.Info("serving", slog.Any("bridge", where["bridge"]), slog.Any("ops", where["ops"]))
	if out.json {
		if err := out.result("", where); err != nil {
			return err
		}
	}
	return service.Run(ctx)
}

// drainTimeout is the time that a shutdown waits for requests in flight.
func (c *bridgeCmd) drainTimeout() time.Duration { return c.Timeout + drainMargin }

// serviceURL is the address of the service.
type serviceURL baseurl.URL

// UnmarshalText checks the address. Keys and messages must not cross a network in plain text.
func (s *serviceURL) UnmarshalText(text []byte) error {
	u, err := baseurl.Parse(string(text))
	switch {
	case err != nil:
		return err
	case u.Path != "":
		return errors.New("must not have a path: the service is served at the root")
	case u.Scheme == "http" && !isPrivate(u.Hostname()):
		return errors.New("must begin with https://, because keys and messages cross a network. " +
			"http is only for loopback, private addresses and names without a dot")
	}
	*s = serviceURL(u.String())
	return nil
}

// check refuses a command without an address.
func (s serviceURL) check() error {
	if s == "" {
		return usagef("AGENTCHAT_URL (--url) is required: the address of the service, like https://chat.example.com")
	}
	return nil
}

// isPrivate reports whether a host is certainly in a network of the operator.
func isPrivate(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.Unmap().IsPrivate()
	}
	return !strings.Contains(host, ".")
}
