package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Every setting is kept as its text until a command asks for it, so that a wrong one is told in our words, with the name of
// its flag and of its variable, whichever it came from.

// databaseSettings are those of every command that uses the database.
//
//nolint:lll // kong reads all of a setting from its tag
type databaseSettings struct {
	DatabaseURL     string `name:"database-url" setting:"DATABASE_URL" placeholder:"URL" help:"A PostgreSQL 14+ URL. Without it a private PostgreSQL runs in the data directory."`
	DatabaseURLFile string `name:"database-url-file" setting:"DATABASE_URL_FILE" placeholder:"FILE" help:"A file that holds the URL."`
	DataDir         string `name:"data-dir" aliases:"agentchat-data-dir" setting:"AGENTCHAT_DATA_DIR" placeholder:"DIR" help:"The embedded database's files and the generated secret; default ./data, as root /var/lib/agentchat."`
	PostgresBin     string `name:"postgres-bin" aliases:"agentchat-postgres-bin" setting:"AGENTCHAT_POSTGRES_BIN" placeholder:"DIR" help:"Where initdb and postgres are, for the embedded database; default: looked for."`
	MaxConns        string `name:"database-max-conns" setting:"DATABASE_MAX_CONNS" placeholder:"N" default:"0" help:"Connections to the database at most; 0 is two a core and at least 4."`
	LogFormat       string `name:"log-format" setting:"LOG_FORMAT" placeholder:"FORMAT" help:"text or json; default text on a terminal, else json."`
	LogLevel        string `name:"log-level" setting:"LOG_LEVEL" placeholder:"LEVEL" default:"info" help:"What is logged: debug, info, warn or error."`
}

// creditSettings are those of every command that opens accounts.
//
//nolint:lll // kong reads all of a setting from its tag
type creditSettings struct {
	StartingCredits string `name:"starting-credits" setting:"STARTING_CREDITS" placeholder:"N" default:"100" help:"Credits that a new account is given."`
}

// serveSettings are those of the service alone.
//
//nolint:lll // kong reads all of a setting from its tag
type serveSettings struct {
	ListenAddr     string `name:"listen-addr" setting:"LISTEN_ADDR" placeholder:"ADDR" default:"127.0.0.1:8080" help:"Where the panel, GraphQL and REST are served."`
	OpsAddr        string `name:"ops-addr" setting:"OPS_ADDR" placeholder:"ADDR" default:"127.0.0.1:9090" help:"Where /livez, /readyz and /metrics are served; never on the public port."`
	PublicURL      string `name:"public-url" setting:"PUBLIC_URL" placeholder:"URL" help:"The address that people use; default http://localhost: and the port."`
	JWTSecret      string `name:"jwt-secret" setting:"JWT_SECRET" placeholder:"SECRET" help:"At least 32 bytes that sign access tokens; required with DATABASE_URL, else made once and kept."`
	JWTSecretFile  string `name:"jwt-secret-file" setting:"JWT_SECRET_FILE" placeholder:"FILE" help:"A file that holds the secret."`
	SignUp         string `name:"sign-up" setting:"SIGN_UP" placeholder:"open|closed" help:"Whether strangers may open accounts; default open, but closed once a provider other than the sandbox is configured."`
	GeminiAPIKey   string `name:"gemini-api-key" setting:"GEMINI_API_KEY" placeholder:"KEY" help:"A key of Google's Gemini."`
	GeminiKeyFile  string `name:"gemini-api-key-file" setting:"GEMINI_API_KEY_FILE" placeholder:"FILE" help:"A file that holds that key."`
	GeminiBaseURL  string `name:"gemini-base-url" setting:"GEMINI_BASE_URL" placeholder:"URL" help:"Gemini's address, for a proxy or a test."`
	OpenAIAPIKey   string `name:"openai-api-key" setting:"OPENAI_API_KEY" placeholder:"KEY" help:"A key of an OpenAI-compatible server."`
	OpenAIKeyFile  string `name:"openai-api-key-file" setting:"OPENAI_API_KEY_FILE" placeholder:"FILE" help:"A file that holds that key."`
	OpenAIBaseURL  string `name:"openai-base-url" setting:"OPENAI_BASE_URL" placeholder:"URL" help:"The address of an OpenAI-compatible server."`
	ModelsFile     string `name:"models-file" setting:"MODELS_FILE" placeholder:"FILE" help:"A YAML file of providers, models and prices; default: those built in."`
	AllowedOrigins string `name:"allowed-origins" setting:"ALLOWED_ORIGINS" placeholder:"ORIGINS" help:"Exact origins, with commas, whose pages may call /graphql; never /v1."`
	TrustedProxies string `name:"trusted-proxies" setting:"TRUSTED_PROXIES" placeholder:"CIDRS" help:"CIDRs, with commas, from which X-Forwarded-For is read."`
	CreditsHelp    string `name:"credits-help" setting:"CREDITS_HELP" placeholder:"TEXT" default:"Ask whoever runs this service" help:"What the panel says at low credits: a text or an https address."`
	SupportContact string `name:"support-contact" setting:"SUPPORT_CONTACT" placeholder:"TEXT" default:"Ask whoever runs this service" help:"What the panel says at a forgotten password: a text or an https address."`
	ModelTimeout   string `name:"model-timeout" setting:"MODEL_TIMEOUT" placeholder:"DURATION" default:"55s" help:"The longest time for one reply, retries included: 1s to 10m."`
	HoldGrace      string `name:"hold-grace" setting:"HOLD_GRACE" placeholder:"DURATION" default:"60s" help:"How long after MODEL_TIMEOUT a turn whose process died keeps its credits held: 1s to 10m."`
	ReapInterval   string `name:"reap-interval" setting:"REAP_INTERVAL" placeholder:"DURATION" default:"15s" help:"How often such turns are looked for: 50ms to 5m."`
	ShutdownDelay  string `name:"shutdown-delay" setting:"SHUTDOWN_DELAY" placeholder:"DURATION" default:"0s" help:"How long requests are served after /readyz turned 503: 0s to 5m; 10s behind a balancer."`
}

// reader turns settings into values. The first error is kept, and the values after it do not matter.
type reader struct{ err error }

// read parses one setting. The error that parse returns says what is wrong, and holds the value only if that is no secret.
func read[T any](r *reader, name, text string, parse func(string) (T, error)) T {
	value, err := parse(text)
	if err != nil && r.err == nil {
		r.err = usagef("%s (--%s) %v", name, flagName(name), err)
	}
	return value
}

// optional is read for a setting that may be absent: the zero value then.
func optional[T any](r *reader, name, text string, parse func(string) (T, error)) T {
	if text == "" {
		var zero T
		return zero
	}
	return read(r, name, text, parse)
}

// flagName is the flag of a variable.
func flagName(setting string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(setting, ownPrefix), "_", "-"))
}

// maxSecretFile bounds what is read from a secret's file.
const maxSecretFile = 64 << 10

// secret returns a secret's text from its variable or its file; "" when it has neither.
func (r *reader) secret(name, text, file string) string {
	if file == "" {
		return text
	}
	if text != "" {
		if r.err == nil {
			r.err = usagef("%s is given twice: as %s and as %s_FILE; leave one out", name, name, name)
		}
		return ""
	}
	return read(r, name+"_FILE", file, readSecretFile)
}

func readSecretFile(path string) (string, error) {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return "", fmt.Errorf("cannot be read: %s: %w", path, plainFileError(err))
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxSecretFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot be read: %s: %w", path, plainFileError(err))
	case len(content) > maxSecretFile:
		return "", fmt.Errorf("is no secret: %s is longer than 64 KiB", path)
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	if text == "" {
		return "", fmt.Errorf("holds nothing: %s is empty", path)
	}
	return text, nil
}
