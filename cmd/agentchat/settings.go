package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentchat/internal/baseurl"
	"agentchat/internal/httpapi"
	"agentchat/internal/llm/catalogue"
)

// Time limits of a request that are not settings.
const (
	sessionWait    = 30 * time.Second
	drainMargin    = 5 * time.Second
	responseMargin = 30 * time.Second
)

const (
	transactionPooler = "transaction"
	rootDataDir       = "/var/lib/agentchat"
	ordinaryDataDir   = "./data"
)

// logSettings are the settings of every command that logs.
//
//nolint:lll // kong reads all of a setting from its tag
type logSettings struct {
	LogFormat string `name:"log-format" type:"choice" choices:"text|json" setting:"LOG_FORMAT" placeholder:"FORMAT" help:"text or json; default text on a terminal, else json."`
	LogLevel  string `name:"log-level" type:"choice" choices:"debug|info|warn|error" setting:"LOG_LEVEL" placeholder:"LEVEL" default:"info" help:"The lowest level that is logged: debug, info, warn or error."`
}

// databaseSettings are the settings of every command that uses the database.
//
//nolint:lll // kong reads all of a setting from its tag
type databaseSettings struct {
	DatabaseURL    databaseURL `name:"database-url" setting:"DATABASE_URL" secret:"" placeholder:"URL" help:"The URL of a PostgreSQL 14+ database in UTF-8. Without it, a private PostgreSQL runs in the data directory."`
	DatabasePooler string      `name:"database-pooler" type:"choice" choices:"none|transaction" setting:"DATABASE_POOLER" placeholder:"none|transaction" default:"none" help:"transaction when DATABASE_URL leads to a pooler such as PgBouncer in transaction mode."`
	MigrateURL     databaseURL `name:"migrate-database-url" setting:"MIGRATE_DATABASE_URL" secret:"" placeholder:"URL" help:"The URL for migrations: past a pooler, or with the role that owns the tables; default DATABASE_URL."`
	DataDir        string      `name:"data-dir" aliases:"agentchat-data-dir" setting:"AGENTCHAT_DATA_DIR" placeholder:"DIR" help:"The directory of the private database and the generated secret; default ./data, as root /var/lib/agentchat."`
	PostgresBin    string      `name:"postgres-bin" type:"existingdir" aliases:"agentchat-postgres-bin" setting:"AGENTCHAT_POSTGRES_BIN" placeholder:"DIR" help:"The directory of initdb, pg_ctl and postgres, for the private database; default: searched for."`
	MaxConns       int         `name:"database-max-conns" setting:"DATABASE_MAX_CONNS" placeholder:"N" min:"0" max:"1000" default:"0" help:"The most connections to the database; 0 means three per core plus 3, at least 9."`
	logSettings

	// knowledgePassages is KNOWLEDGE_PASSAGES in commands that add knowledge.
	knowledgePassages int
	// versionBytes is VERSION_MEGABYTES in bytes, in commands that publish agents.
	versionBytes int
	// mails, webhooks and ownerWebhooks report whether events are sent as mail, as webhooks and to
	// owners' webhooks.
	mails, webhooks, ownerWebhooks bool
}

// creditSettings are the settings of every command that opens accounts.
//
//nolint:lll // kong reads all of a setting from its tag
type creditSettings struct {
	StartingCredits int64 `name:"starting-credits" setting:"STARTING_CREDITS" placeholder:"N" min:"0" max:"9007199254740991" default:"100" help:"Credits of a new account, once per email address."`
}

// knowledgeSettings are the settings of every command that adds knowledge.
//
//nolint:lll // kong reads all of a setting from its tag
type knowledgeSettings struct {
	KnowledgePassages int `name:"knowledge-passages" setting:"KNOWLEDGE_PASSAGES" placeholder:"N" min:"1" max:"10000000" default:"100000" help:"The most passages of knowledge of an account."`
}

// versionSettings are the settings for published versions.
//
//nolint:lll // kong reads all of a setting from its tag
type versionSettings struct {
	VersionMegabytes int `name:"version-megabytes" setting:"VERSION_MEGABYTES" placeholder:"N" min:"1" max:"1000000" default:"200" help:"The most megabytes of published versions of an account. Beyond it, publishing is refused until agents are deleted."`
}

// marginSettings are the settings of every command that shows margins.
//
//nolint:lll // kong reads all of a setting from its tag
type marginSettings struct {
	CreditValue creditValue `name:"credit-value" setting:"CREDIT_VALUE" placeholder:"DOLLARS" help:"US dollars per credit, at most 9 decimals; for margins only."`
}

// secretSettings are the settings of commands that sign or check tokens.
//
//nolint:lll // kong reads all of a setting from its tag
type secretSettings struct {
	JWTSecret         jwtSecret `name:"jwt-secret" setting:"JWT_SECRET" secret:"" placeholder:"SECRET" help:"At least 32 bytes that sign access tokens; required with DATABASE_URL, otherwise generated once and kept."`
	JWTSecretPrevious jwtSecret `name:"jwt-secret-previous" setting:"JWT_SECRET_PREVIOUS" secret:"" placeholder:"SECRET" help:"Another secret, older or newer, whose tokens are accepted while the secret is replaced."`
}

// serveSettings are the settings of the service alone.
//
//nolint:lll // kong reads all of a setting from its tag
type serveSettings struct {
	secretSettings
	knowledgeSettings
	versionSettings
	marginSettings
	mailSettings
	topUpSettings
	webhookSettings
	ownerWebhookSettings
	ListenAddr        listenAddress `name:"listen-addr" setting:"LISTEN_ADDR" placeholder:"ADDR" default:"127.0.0.1:8080" help:"The address of the panel, GraphQL and REST."`
	OpsAddr           listenAddress `name:"ops-addr" setting:"OPS_ADDR" placeholder:"ADDR" default:"127.0.0.1:9090" help:"The address of /livez, /readyz and /metrics. Keep it off the public network."`
	AdminAddr         listenAddress `name:"admin-addr" setting:"ADMIN_ADDR" placeholder:"ADDR" help:"The address of /admin/v1, for a billing system; off by default."`
	AdminToken        adminToken    `name:"admin-token" setting:"ADMIN_TOKEN" secret:"" placeholder:"TOKEN" help:"The token for /admin/v1, at least 32 characters."`
	PprofAddr         listenAddress `name:"pprof-addr" setting:"PPROF_ADDR" placeholder:"ADDR" help:"The loopback address of Go's profiler, /debug/pprof/; off by default."`
	PublicURL         baseurl.URL   `name:"public-url" setting:"PUBLIC_URL" placeholder:"URL" help:"The address that users open. With https, browsers accept only https for a year; default http://localhost: and the port."`
	BridgeURL         baseurl.URL   `name:"bridge-url" setting:"BRIDGE_URL" placeholder:"URL" help:"The public address of agentchat bridge, which the panel shows."`
	SignUp            string        `name:"sign-up" type:"choice" choices:"open|closed" setting:"SIGN_UP" placeholder:"open|closed" help:"Whether anyone may open an account; default open, but closed once a provider other than the sandbox is configured."`
	RequireSecond     string        `name:"require-second-factor" type:"choice" choices:"true|false" setting:"REQUIRE_SECOND_FACTOR" placeholder:"true|false" default:"false" help:"Whether every user of the panel needs a second factor."`
	AllowedOrigins    origins       `name:"allowed-origins" setting:"ALLOWED_ORIGINS" placeholder:"ORIGINS" help:"Exact origins, separated by commas, whose pages may call /graphql, never /v1."`
	TrustedProxies    networks      `name:"trusted-proxies" setting:"TRUSTED_PROXIES" placeholder:"CIDRS" help:"CIDRs, separated by commas, of the proxies whose X-Forwarded-For is read."`
	CreditsHelp       helpLine      `name:"credits-help" setting:"CREDITS_HELP" placeholder:"TEXT" default:"Ask the operator of this service" help:"Shown in the panel when credits run low: text or an https address."`
	SupportContact    helpLine      `name:"support-contact" setting:"SUPPORT_CONTACT" placeholder:"TEXT" default:"Ask the operator of this service" help:"Shown in the panel for a forgotten password: text or an https address."`
	ModelTimeout      time.Duration `name:"model-timeout" setting:"MODEL_TIMEOUT" placeholder:"DURATION" min:"1s" max:"10m" default:"55s" help:"The time limit of one reply, including retries."`
	BackgroundTimeout time.Duration `name:"background-timeout" setting:"BACKGROUND_TIMEOUT" placeholder:"DURATION" min:"0s" max:"10m" default:"10m" help:"The time limit of a background reply, at least MODEL_TIMEOUT; 0 refuses background messages."`
	HoldGrace         time.Duration `name:"hold-grace" setting:"HOLD_GRACE" placeholder:"DURATION" min:"1s" max:"10m" default:"60s" help:"The time after MODEL_TIMEOUT or BACKGROUND_TIMEOUT for which credits of a pending turn stay held."`
	ReapInterval      time.Duration `name:"reap-interval" setting:"REAP_INTERVAL" placeholder:"DURATION" min:"50ms" max:"5m" default:"15s" help:"The interval at which the service releases such credits."`
	RefusedRetention  time.Duration `name:"refused-retention" setting:"REFUSED_RETENTION" placeholder:"DURATION" min:"1m" max:"8760h" default:"168h" help:"The time for which rejected requests are kept for the panel."`
	RetentionDays     int           `name:"retention-days" setting:"RETENTION_DAYS" placeholder:"N" min:"0" max:"36500" default:"0" help:"Delete conversations without a new message for this many days, or for fewer if owners choose; 0 for no limit."`
	ShutdownDelay     time.Duration `name:"shutdown-delay" setting:"SHUTDOWN_DELAY" placeholder:"DURATION" min:"0s" max:"5m" default:"0s" help:"The time for which requests are still served after /readyz becomes 503; use 10s behind a load balancer."`
}

// complete makes the data directory absolute, so that messages contain the whole path and a change
// of the working directory does not matter.
func (s *databaseSettings) complete() error {
	if s.DataDir == "" {
		s.DataDir = ordinaryDataDir
		if os.Geteuid() == 0 {
			s.DataDir = rootDataDir
		}
	}
	dir, err := filepath.Abs(s.DataDir)
	if err != nil {
		return fmt.Errorf("cannot find the data directory %s: %w", s.DataDir, err)
	}
	s.DataDir = dir
	if s.embedded() && (s.DatabasePooler == transactionPooler || s.MigrateURL != "") {
		return usagef("DATABASE_POOLER (--database-pooler) and " +
			"MIGRATE_DATABASE_URL (--migrate-database-url) need DATABASE_URL (--database-url)")
	}
	return nil
}

// secrets returns the passwords that no output may contain.
func (s *databaseSettings) secrets() []string {
	return append(s.DatabaseURL.secrets(), s.MigrateURL.secrets()...)
}

// embedded reports whether the service runs its own PostgreSQL.
func (s *databaseSettings) embedded() bool { return s.DatabaseURL == "" }

// complete checks the settings as a whole and reads the models. Nothing is started yet.
func (c *serveCmd) complete(env environment) error {
	err := cmp.Or(c.databaseSettings.complete(), c.check())
	if err != nil {
		return err
	}
	c.env, c.read = env, sumOf(c.ModelsFile)
	models, err := c.loadCatalogue(env)
	if err == nil {
		c.catalogue = catalogue.NewLive(models)
	}
	return err
}

// signUpOpen reports whether anyone may open an account now. By default sign-up closes once a
// provider charges for models.
func (c *serveCmd) signUpOpen() bool {
	if c.SignUp == "" {
		return !c.catalogue.Now().HasProvider()
	}
	return c.SignUp == "open"
}

// check checks the settings that depend on each other.
func (c *serveCmd) check() error {
	switch {
	case c.Demo && !c.ListenAddr.isLoopback():
		return usagef("--demo is only for this machine, because its password and key are printed: "+
			"LISTEN_ADDR (--listen-addr) must be a loopback address like 127.0.0.1:8080, not %q", c.ListenAddr)
	case c.Demo && c.SandboxModels == "off":
		return usagef("--demo needs the sandbox's models: leave out SANDBOX_MODELS (--sandbox-models) or --demo")
	case !c.embedded() && c.JWTSecret == "":
		return errNoSecret
	case (c.AdminAddr == "") != (c.AdminToken == ""):
		return usagef("ADMIN_ADDR (--admin-addr) and ADMIN_TOKEN (--admin-token) belong together: set both or neither")
	case c.PprofAddr != "" && !c.PprofAddr.isLoopback():
		return usagef("PPROF_ADDR (--pprof-addr) must be a loopback address like 127.0.0.1:6060, not %q",
			c.PprofAddr)
	case c.BackgroundTimeout > 0 && c.BackgroundTimeout < c.ModelTimeout:
		return usagef("BACKGROUND_TIMEOUT (--background-timeout) must be 0, or at least MODEL_TIMEOUT (--model-timeout): %s",
			c.ModelTimeout)
	case strings.Count(string(c.PublicURL), "/") > len("//"):
		return usagef("PUBLIC_URL (--public-url) must not have a path: the service is served at the root")
	}
	return cmp.Or(c.checkAddresses(), c.mailSettings.check(c.PublicURL != ""), c.topUpSettings.check(),
		c.webhookSettings.check())
}

// checkAddresses refuses two listeners on one address.
func (c *serveCmd) checkAddresses() error {
	taken := map[listenAddress]string{}
	for _, l := range []struct {
		setting string
		address listenAddress
	}{
		{"LISTEN_ADDR", c.ListenAddr}, {"OPS_ADDR", c.OpsAddr},
		{"ADMIN_ADDR", c.AdminAddr}, {"PPROF_ADDR", c.PprofAddr},
	} {
		if l.address == "" || l.address.anyPort() {
			continue
		}
		if other := taken[l.address]; other != "" {
			return usagef("%s (--%s) must differ from %s (--%s): both are %s",
				l.setting, flagName(l.setting), other, flagName(other), l.address)
		}
		taken[l.address] = l.setting
	}
	return nil
}

// responseTimeout is the time limit of a request: its body, the wait for its session, the model,
// and the response.
func (c *serveCmd) responseTimeout() time.Duration {
	return httpapi.BodyTimeout + sessionWait + c.ModelTimeout + responseMargin
}

// drainTimeout is the time that a shutdown waits for turns in flight.
func (c *serveCmd) drainTimeout() time.Duration {
	return sessionWait + c.ModelTimeout +
		drainMargin
}

// flagName returns the flag of a variable.
func flagName(setting string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(setting, ownPrefix), "_", "-"))
}
