package main

import (
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentchat/internal/credit"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/gemini"
	"agentchat/internal/llm/openai"
)

const (
	maxModelTimeout   = 10 * time.Minute
	maxShutdownDelay  = 5 * time.Minute
	maxDatabaseConns  = 1000
	rootDataDir       = "/var/lib/agentchat"
	ordinaryDataDir   = "./data"
	signUpOpen        = "open"
	signUpClosed      = "closed"
	sessionWait       = 30 * time.Second
	bodyTimeout       = 15 * time.Second
	drainMargin       = 5 * time.Second
	responseMargin    = 30 * time.Second
	defaultPublicHost = "http://localhost:"
)

// databaseConfig says which database a command uses.
type databaseConfig struct {
	// url is empty for the embedded database.
	url      string
	dataDir  string
	binDir   string
	maxConns int
}

// embedded reports whether the database is a child of this process.
func (c databaseConfig) embedded() bool { return c.url == "" }

// logConfig says what is logged and how; format is empty for "as the stream suggests".
type logConfig struct {
	level  slog.Level
	format string
}

func (s databaseSettings) config(r *reader) (databaseConfig, logConfig) {
	var c databaseConfig
	c.url = optional(r, "DATABASE_URL", r.secret("DATABASE_URL", s.DatabaseURL, s.DatabaseURLFile), parseDatabaseURL)
	c.dataDir = read(r, "AGENTCHAT_DATA_DIR", s.DataDir, parseDataDir)
	c.binDir = optional(r, "AGENTCHAT_POSTGRES_BIN", s.PostgresBin, existingDir)
	c.maxConns = int(read(r, "DATABASE_MAX_CONNS", s.MaxConns, parseInt(0, maxDatabaseConns)))
	log := logConfig{
		level:  read(r, "LOG_LEVEL", s.LogLevel, parseLevel),
		format: optional(r, "LOG_FORMAT", s.LogFormat, parseChoice("text", "json")),
	}
	return c, log
}

// parseDataDir makes the path absolute, so that messages name it whole and a later change of directory does not move it.
func parseDataDir(text string) (string, error) {
	if text == "" {
		text = ordinaryDataDir
		if os.Geteuid() == 0 {
			text = rootDataDir
		}
	}
	return filepath.Abs(text)
}

// serveConfig is the whole configuration of the service, checked.
type serveConfig struct {
	database databaseConfig
	log      logConfig
	demo     bool
	migrate  bool

	listenAddr string
	opsAddr    string
	// publicURL is empty for http://localhost and the port, which is known once the listener is open.
	publicURL string
	// jwtSecret is empty for the one that is made and kept in the data directory.
	jwtSecret []byte

	catalogue       *catalogue.Catalogue
	signUp          string
	startingCredits int64
	allowedOrigins  []string
	trustedProxies  []netip.Prefix
	creditsHelp     string
	supportContact  string
	modelTimeout    time.Duration
	holdGrace       time.Duration
	reapInterval    time.Duration
	shutdownDelay   time.Duration
}

// config checks every setting of the service, and reads what they name, before anything is started.
func (c *serveCmd) config(env environment) (serveConfig, error) {
	var r reader
	out := serveConfig{
		demo: c.Demo, migrate: c.Migrate,
		listenAddr:      read(&r, "LISTEN_ADDR", c.ListenAddr, parseAddress),
		opsAddr:         read(&r, "OPS_ADDR", c.OpsAddr, parseAddress),
		publicURL:       optional(&r, "PUBLIC_URL", c.PublicURL, parsePublicURL),
		jwtSecret:       optional(&r, "JWT_SECRET", r.secret("JWT_SECRET", c.JWTSecret, c.JWTSecretFile), parseSecret),
		signUp:          optional(&r, "SIGN_UP", c.SignUp, parseChoice(signUpOpen, signUpClosed)),
		startingCredits: c.creditSettings.config(&r),
		allowedOrigins:  optional(&r, "ALLOWED_ORIGINS", c.AllowedOrigins, parseOrigins),
		trustedProxies:  optional(&r, "TRUSTED_PROXIES", c.TrustedProxies, parsePrefixes),
		creditsHelp:     read(&r, "CREDITS_HELP", c.CreditsHelp, parseHelpText),
		supportContact:  read(&r, "SUPPORT_CONTACT", c.SupportContact, parseHelpText),
		modelTimeout:    read(&r, "MODEL_TIMEOUT", c.ModelTimeout, parseDuration(time.Second, maxModelTimeout)),
		holdGrace:       read(&r, "HOLD_GRACE", c.HoldGrace, parseDuration(time.Second, maxModelTimeout)),
		reapInterval:    read(&r, "REAP_INTERVAL", c.ReapInterval, parseDuration(50*time.Millisecond, 5*time.Minute)),
		shutdownDelay:   read(&r, "SHUTDOWN_DELAY", c.ShutdownDelay, parseDuration(0, maxShutdownDelay)),
	}
	out.database, out.log = c.databaseSettings.config(&r)
	models := c.models(&r)
	if r.err == nil {
		r.err = out.checkTogether()
	}
	if r.err != nil {
		return serveConfig{}, r.err
	}
	return out, out.loadCatalogue(models, env)
}

func (s creditSettings) config(r *reader) int64 {
	return read(r, "STARTING_CREDITS", s.StartingCredits, parseInt(0, credit.MaxBalance))
}

// checkTogether checks what no setting shows alone.
func (c serveConfig) checkTogether() error {
	switch {
	case c.demo && !isLoopback(c.listenAddr):
		return usagef("--demo is only for this machine, because its password and key are printed: "+
			"LISTEN_ADDR (--listen-addr) must be a loopback address like 127.0.0.1:8080, not %q", c.listenAddr)
	case !c.database.embedded() && len(c.jwtSecret) == 0:
		return usagef("JWT_SECRET (--jwt-secret) is required with DATABASE_URL, the same for all replicas: at least %d bytes, "+
			"for instance from: openssl rand -base64 48", minSecretBytes)
	case c.listenAddr == c.opsAddr && !anyPort(c.listenAddr):
		return usagef("OPS_ADDR (--ops-addr) must not be LISTEN_ADDR (--listen-addr): both are %s", c.listenAddr)
	}
	return nil
}

// anyPort reports whether an address leaves the choice of the port to the system.
func anyPort(address string) bool { return strings.HasSuffix(address, ":0") }

// models checks the settings of the providers.
func (s serveSettings) models(r *reader) catalogue.Config {
	return catalogue.Config{
		ModelsFile: s.ModelsFile,
		Factories:  map[catalogue.Kind]catalogue.Factory{catalogue.KindGemini: gemini.New, catalogue.KindOpenAI: openai.New},
		Gemini: catalogue.ProviderConfig{
			APIKey:  optional(r, "GEMINI_API_KEY", r.secret("GEMINI_API_KEY", s.GeminiAPIKey, s.GeminiKeyFile), parseProviderKey),
			BaseURL: optional(r, "GEMINI_BASE_URL", s.GeminiBaseURL, parseBaseURL),
		},
		OpenAI: catalogue.ProviderConfig{
			APIKey:  optional(r, "OPENAI_API_KEY", r.secret("OPENAI_API_KEY", s.OpenAIAPIKey, s.OpenAIKeyFile), parseProviderKey),
			BaseURL: optional(r, "OPENAI_BASE_URL", s.OpenAIBaseURL, parseBaseURL),
		},
	}
}

// loadCatalogue reads the models and decides what depends on them.
func (c *serveConfig) loadCatalogue(models catalogue.Config, env environment) error {
	models.Secret = env.secret
	loaded, err := catalogue.Load(models)
	switch {
	case err != nil && models.ModelsFile != "":
		return usagef("MODELS_FILE (--models-file) cannot be used: %v", err)
	case err != nil:
		return usagef("%v", err)
	}
	c.catalogue = loaded
	if c.signUp == "" {
		c.signUp = signUpOpen
		if loaded.HasProvider() {
			c.signUp = signUpClosed // strangers would spend the operator's money
		}
	}
	return nil
}

// responseTimeout is how long one exchange may take: its body, the wait for its session, its model, and the writing.
func (c serveConfig) responseTimeout() time.Duration {
	return bodyTimeout + sessionWait + c.modelTimeout + responseMargin
}

// drainTimeout is how long a shutdown waits for the turns under way.
func (c serveConfig) drainTimeout() time.Duration { return sessionWait + c.modelTimeout + drainMargin }

var errInterrupted = errors.New("interrupted")
