package main

import (
	"errors"
	"strings"
	"testing"
)

// refusesSettings checks that the settings are refused with one line that contains the texts and no
// secret.
func refusesSettings(t *testing.T, env, flags []string, texts ...string) {
	t.Helper()
	_, err := parseServe(env, flags...)
	usage, ok := errors.AsType[*usageError](err)
	if !ok || strings.Contains(usage.message, "\n") {
		t.Errorf("%q %q: %v, not a usage error of one line", env, flags, err)
		return
	}
	for _, text := range texts {
		if !strings.Contains(usage.message, text) {
			t.Errorf("%q %q: %q lacks %q", env, flags, usage, text)
		}
	}
	for _, secret := range []string{"hunter2", "short-secret", "key with spaces",
		strings.Repeat("s", 31), testToken} {
		if strings.Contains(usage.message, secret) {
			t.Errorf("%q %q: the error contains a secret: %q", env, flags, usage)
		}
	}
}

// TestWrongValues tests that a wrong value is refused, from the variable and from the flag, with
// the names of both.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 400)
	for _, c := range []struct {
		name, value string
		say         string // besides the names; may be empty
	}{
		{"LISTEN_ADDR", "8080", "host:port"}, {"LISTEN_ADDR", "localhost:http", "port"},
		{"LISTEN_ADDR", "127.0.0.1:70000", "port"},
		{"LISTEN_ADDR", "127.0.0.1:-1", "port"},
		{"LISTEN_ADDR", "http://127.0.0.1:8080", ""},
		{"LISTEN_ADDR", "a b:80", "host"},
		{"PPROF_ADDR", "6060", "host:port"}, {"PPROF_ADDR", "0.0.0.0:6060", "loopback"},
		{"PPROF_ADDR", ":6060", "loopback"}, {"PPROF_ADDR", "10.0.0.1:6060", "loopback"},
		{"PPROF_ADDR", "[::]:6060", "loopback"}, {"PPROF_ADDR", "chat.example.com:6060", "loopback"},
		{"OPS_ADDR", "9090", "host:port"}, {"OPS_ADDR", "[::1:9090", ""},
		{"PUBLIC_URL", "chat.example.com", "https://"},
		{"PUBLIC_URL", "ftp://example.com", ""},
		{"PUBLIC_URL", "https://", ""},
		{"PUBLIC_URL", "https://chat.example.com/app", "path"},
		{"PUBLIC_URL", "https://chat.example.com/?a=b", "query"},
		{"JWT_SECRET", "short-secret", "32 bytes"}, {"JWT_SECRET", strings.Repeat("s", 31), "32 bytes"},
		{"SIGN_UP", "yes", "open, closed"},
		{"SIGN_UP", "OPEN", "open, closed"},
		{"REQUIRE_SECOND_FACTOR", "maybe", "true, false"},
		{"STARTING_CREDITS", "-1", "whole number"},
		{"STARTING_CREDITS", "1.5", "whole number"},
		{"STARTING_CREDITS", "1e3", ""},
		{"STARTING_CREDITS", "9007199254740992", "9007199254740991"},
		{"STARTING_CREDITS", "99999999999999999999", ""},
		{"CREDIT_VALUE", "0.0000000001", "must be a number of dollars from 0 to 10000 with at most 9 decimals, not"},
		{"CREDIT_VALUE", "1e-3", "9 decimals"}, {"CREDIT_VALUE", "-1", ""}, {"CREDIT_VALUE", "10001", ""},
		{"KNOWLEDGE_PASSAGES", "0", "1 to 10000000"}, {"KNOWLEDGE_PASSAGES", "many", "whole number"},
		{"DATABASE_POOLER", "session", "none, transaction"},
		{"DATABASE_POOLER", "transaction", "need DATABASE_URL"},
		{"MIGRATE_DATABASE_URL", "db:5432", "PostgreSQL URL"},
		{"MIGRATE_DATABASE_URL", "postgres://db/agentchat", "need DATABASE_URL"},
		{"DATABASE_MAX_CONNS", "-1", "0 to 1000"},
		{"DATABASE_MAX_CONNS", "many", ""},
		{"DATABASE_MAX_CONNS", "1001", ""},
		{"MODEL_TIMEOUT", "55", "1s to 10m"}, {"MODEL_TIMEOUT", "999ms", ""},
		{"BACKGROUND_TIMEOUT", "54s", "at least MODEL_TIMEOUT"}, {"BACKGROUND_TIMEOUT", "10m1s", "0s to 10m"},
		{"MODEL_TIMEOUT", "10m1s", ""}, {"MODEL_TIMEOUT", "-5s", ""},
		{"SHUTDOWN_DELAY", "soon", "0s to 5m"}, {"SHUTDOWN_DELAY", "-1s", ""}, {"SHUTDOWN_DELAY", "6m", ""},
		{"REFUSED_RETENTION", "7d", "1m to 8760h"},
		{"REFUSED_RETENTION", "59s", ""},
		{"REFUSED_RETENTION", "-1h", ""},
		{"ALLOWED_ORIGINS", "*", "exact origins"}, {"ALLOWED_ORIGINS", "null", ""},
		{"ALLOWED_ORIGINS", "https://a.example.com/", ""},
		{"ALLOWED_ORIGINS", "https://a.example.com,", ""}, {"ALLOWED_ORIGINS", "https://A.example.com", ""},
		{"ALLOWED_ORIGINS", "https://a.example.com:443", ""}, {"ALLOWED_ORIGINS", "https://*.example.com/x", ""},
		{"ALLOWED_ORIGINS", "a.example.com", ""},
		{"ALLOWED_ORIGINS", "https://a.example.com https://b.example.com", ""},
		{"TRUSTED_PROXIES", "10.0.0.1", "10.1.2.3/32"}, {"TRUSTED_PROXIES", "10.0.0.0/33", ""},
		{"TRUSTED_PROXIES", "10.0.0.1/8", ""},
		{"TRUSTED_PROXIES", "proxy.example.com", ""}, {"TRUSTED_PROXIES", "10.0.0.0/8,,", ""},
		{"OWNER_WEBHOOKS", "yes", "on, off"}, {"OUTGOING_ALLOW", "10.0.0.0/8", "10.0.0.0/8:443"},
		{"CREDITS_HELP", long, "300"}, {"CREDITS_HELP", "two\nlines", "one line"},
		{"CREDITS_HELP", "http://example.com", "https"},
		{"SUPPORT_CONTACT", "javascript://x", "https"}, {"SUPPORT_CONTACT", "bell\a", ""},
		{"LOG_LEVEL", "verbose", "debug, info, warn, error"}, {"LOG_FORMAT", "xml", "text, json"},
		{"GEMINI_API_KEY", "key with spaces", "space"}, {"OPENAI_API_KEY", "kéy", ""},
		{"GEMINI_BASE_URL", "localhost:9999", ""},
		{"OPENAI_BASE_URL", "https://user:hunter2@example.com/v1", "user name or password"},
		{"DATABASE_URL", "localhost", "postgres://"},
		{"DATABASE_URL", "mysql://u:hunter2@localhost/x", "postgres://"},
		{"DATABASE_URL", "postgres://u:hunter2/x@localhost/db", "percent-encoded"},
		{"DATABASE_URL", "host=localhost password=hunter2", ""},
		{"DATABASE_URL", "postgres://u:hunter2@localhost:port/db", ""},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslmode=verify_full",
			"sslmode=verify_full: it must be disable"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslmode=verify-full&sslrootcert=/none/root.crt",
			"sslrootcert: unable to read CA file: open /none/root.crt: no such file"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslrootcert=/dev/null&password=hunter2",
			"sslrootcert: unable to add CA"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslcert=/none/c&sslkey=/none/k",
			"sslcert: unable to read sslkey: open /none/k"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?sslcert=/none/c", "sslcert: both"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?connect_timeout=soon", "connect_timeout"},
		{"DATABASE_URL", "postgres://u:hunter2@localhost/db?target_session_attrs=first",
			"target_session_attrs: unknown"},
		{"DATABASE_URL", "postgres://u:hunter2@a:1,b:2/db?port=1,2,3", "could not match"},
		{"AGENTCHAT_POSTGRES_BIN", "/does/not/exist", "no such file"},
		{"MODELS_FILE", "/does/not/exist", ""},
	} {
		names := c.name + " (--" + flagName(c.name) + ")"
		refusesSettings(t, []string{c.name + "=" + c.value}, nil, names, c.say)
		refusesSettings(t, nil, []string{"--" + flagName(c.name) + "=" + c.value}, names, c.say)
	}
}

// TestWrongCombinations tests settings that do not fit together, and those without a flag.
func TestWrongCombinations(t *testing.T) {
	t.Parallel()
	const (
		database = "DATABASE_URL=postgres://u:hunter2@127.0.0.1:1/x"
		secret   = "JWT_SECRET=" + testSecret
		smtp     = "SMTP_URL=smtp://u:hunter2@mail.example.com:587"
		from     = "MAIL_FROM=chat@example.com"
		shop     = "TOP_UP_URL=https://pay.example.com/?account={account}&token={token}"
		shopKey  = "TOP_UP_SECRET=hunter2-hunter2-hunter2-hunter2-"
		hook     = "WEBHOOK_URL=https://u:hunter2@shop.example.com/"
		hookKey  = webhookKey + "x"
		admin    = "ADMIN_ADDR=127.0.0.1:0"
	)
	file := func(name, content string) string { return name + "_FILE=" + writeFile(t, content) }
	models := "providers:\n  - name: x\n    kind: nonsense\nmodels:\n  - name: m\n"
	for _, c := range []struct {
		env []string
		say string
	}{
		{[]string{database}, "JWT_SECRET (--jwt-secret) is required with DATABASE_URL"},
		{[]string{"JWT_SECRET_FILE=/does/not/exist"},
			"JWT_SECRET_FILE cannot be read: /does/not/exist: no such file"},
		{[]string{"DATABASE_URL_FILE=/"}, "directory"},
		{[]string{secret, file("JWT_SECRET", testSecret)}, "as JWT_SECRET and as JWT_SECRET_FILE"},
		{[]string{database, file("DATABASE_URL", "postgres://u:p@127.0.0.1:1/x")}, "as DATABASE_URL_FILE"},
		{[]string{"GEMINI_API_KEY=k", file("GEMINI_API_KEY", "k")}, "as GEMINI_API_KEY_FILE"},
		{[]string{file("JWT_SECRET", " \n")}, "JWT_SECRET_FILE has no value"},
		{[]string{file("JWT_SECRET", strings.Repeat("x", 70<<10))}, "longer than 64 KiB"},
		{[]string{file("JWT_SECRET", "short-secret\n")}, "JWT_SECRET (--jwt-secret) must be at least 32 bytes"},
		{[]string{"LISTEN_ADDR=127.0.0.1:1", "OPS_ADDR=127.0.0.1:1"},
			"OPS_ADDR (--ops-addr) must differ from LISTEN_ADDR"},
		{[]string{"OPS_ADDR=127.0.0.1:1", "PPROF_ADDR=127.0.0.1:1"},
			"PPROF_ADDR (--pprof-addr) must differ from OPS_ADDR"},
		{[]string{"LISTEN_ADDR=127.0.0.1:1", "ADMIN_ADDR=127.0.0.1:1", "ADMIN_TOKEN=" + testToken}, "must differ"},
		{[]string{"MODELS_FILE=" + writeFile(t, models)}, ":3"},
		{[]string{"AGENTCHAT_DATADIR=x"},
			"AGENTCHAT_DATADIR is not a setting; those with this prefix are AGENTCHAT_API_KEY, AGENTCHAT_API_KEY_FILE, AGENTCHAT_DATA_DIR"},

		{[]string{`DATABASE_URL="postgres://u:hunter2@localhost/db"`}, `DATABASE_URL is in quotes (")`},
		{[]string{`LISTEN_ADDR='127.0.0.1:0'`}, `LISTEN_ADDR is in quotes (')`},
		{[]string{`CREDITS_HELP="Write to hunter2"`}, `CREDITS_HELP is in quotes (")`},
		{[]string{file("JWT_SECRET", "\"hunter2"+testSecret+"\"\n")},
			`which JWT_SECRET_FILE names, is in quotes (")`},
		{[]string{`JWT_SECRET_FILE="/hunter2"`}, `JWT_SECRET_FILE is in quotes (")`},

		{[]string{smtp, "PUBLIC_URL=https://chat.example.com"}, "SMTP_URL needs MAIL_FROM"},
		{[]string{smtp, from}, "SMTP_URL needs PUBLIC_URL"},
		{[]string{"SMTP_URL=smtp://u:hunter2@host:port", from}, "SMTP_URL is not the URL of a mail server"},
		{[]string{file("SMTP_URL", "http://u:hunter2@host"), from}, "SMTP_URL is not the URL"},
		{[]string{smtp, "MAIL_FROM=nobody"}, "MAIL_FROM must be an email address"},
		{[]string{smtp, from, "MAIL_REPLY_TO=a@b@c"}, "MAIL_REPLY_TO must be an email address"},
		{[]string{from}, "need SMTP_URL"},

		{[]string{shop}, "belong together"},
		{[]string{shop, "TOP_UP_SECRET="}, "belong together"},
		{[]string{shopKey}, "belong together"},
		{[]string{shop, "TOP_UP_SECRET=hunter2"}, "TOP_UP_SECRET must be at least 32 bytes long; this one has 7"},
		{[]string{shopKey, "TOP_UP_URL=javascript:alert('{account}{token}')"},
			"TOP_UP_URL (--top-up-url) is not the URL of a shop"},
		{[]string{shopKey, strings.Replace(shop, "{token}", "token", 1)}, "must contain {account} and {token}"},

		{[]string{hook}, "WEBHOOK_URL and WEBHOOK_SECRET belong together"},
		{[]string{hook, "WEBHOOK_SECRET="}, "belong together"},
		{[]string{hookKey}, "belong together"},
		{[]string{hook, "WEBHOOK_SECRET=hunter2"}, "WEBHOOK_SECRET must be at least 32 bytes"},
		{[]string{hook, "WEBHOOK_SECRET=whsec_" + strings.Repeat("h", 40)},
			"WEBHOOK_SECRET must be at least 32 bytes"},
		{[]string{hook, "WEBHOOK_SECRET=whsec_hunter2" + strings.Repeat("!", 40)},
			"WEBHOOK_SECRET must be base64 after whsec_"},
		{[]string{hookKey, "WEBHOOK_URL=http://u:hunter2@shop.example.com"},
			"WEBHOOK_URL must begin with https://"},

		{[]string{admin}, "belong together"},
		{[]string{"ADMIN_TOKEN=" + testToken}, "belong together"},
		{[]string{admin, "ADMIN_TOKEN=short"}, "at least 32"},
		{[]string{admin, "ADMIN_TOKEN=" + testToken + " x"}, "a space"},
		{[]string{"ADMIN_ADDR=here", "ADMIN_TOKEN=" + testToken}, "host:port"},
	} {
		refusesSettings(t, c.env, nil, c.say)
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "chat.example.com:8080"} {
		refusesSettings(t, []string{"LISTEN_ADDR=" + address}, []string{"--demo"}, "--demo", "loopback")
	}
	for _, flags := range [][]string{
		{"--smtp-url=smtp://u:hunter2@host"},
		{"--smtp-url", "smtp://u:hunter2@host"},
		{"--mail-from=a@example.com"},
		{"--top-up-secret=hunter2"},
		{"--webhook-secret=hunter2"},
	} { // all users of the machine can see flags
		refusesSettings(t, nil, flags, "cannot be set on the command line", "_FILE")
	}
}

// TestSecretsFromFiles tests that every secret can be read from the file that NAME_FILE names, and
// that a flag wins over it.
func TestSecretsFromFiles(t *testing.T) {
	t.Parallel()
	all, _ := serveSettingsOf(t)
	for _, flag := range all {
		if !flag.Tag.Has("secret") || flag.Tag.Has("noflag") {
			continue
		}
		name := settingName(flag.Value)
		refused := name + " (--" + flag.Name + ")"
		refusesSettings(t, []string{name + "_FILE=" + writeFile(t, "\x01\n")}, nil, refused)
		refusesSettings(t, []string{name + "_FILE=/does/not/exist"}, []string{"--" + flag.Name + "=\x02"}, refused)
	}
}
