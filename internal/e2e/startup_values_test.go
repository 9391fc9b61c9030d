package e2e_test

import (
	"strings"
	"testing"
)

// TestStartRefusesValues: a wrong value gives exit code 2 and one line that names the variable and what to write instead, before
// anything is opened. cmd/agentchat tests the values themselves; this test runs the program.
func TestStartRefusesValues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env, args, says []string
	}{
		"a database URL without scheme":   {env: onURL("localhost/" + secret), says: []string{"DATABASE_URL", "postgres://"}},
		"a database URL of another kind":  {env: onURL("mysql://u:hunter2@localhost/x"), says: []string{"DATABASE_URL", "postgres://"}},
		"a database DSN":                  {env: onURL("host=localhost password=hunter2"), says: []string{"DATABASE_URL", "postgres://"}},
		"a database URL, slash":           {env: onURL("postgres://u:hunter2/x@localhost/db"), says: []string{"percent-encoded"}},
		"a database URL, port":            {env: onURL("postgres://u:hunter2@localhost:port/db"), says: []string{"DATABASE_URL"}},
		"a database URL, parameter":       {env: onURL("postgres://u:hunter2@localhost/db?sslmode=maybe"), says: []string{"parameters"}},
		"a secret too short":              {env: []string{"JWT_SECRET=hunter2"}, says: []string{"JWT_SECRET", "32 bytes"}},
		"no secret with a database":       {env: []string{"DATABASE_URL=postgres://u:hunter2@127.0.0.1:1/x"}, says: []string{"JWT_SECRET", "required"}},
		"an unknown flag":                 {args: []string{"--colour=red"}, says: []string{"--colour"}},
		"an unexpected argument":          {args: []string{"now"}, says: []string{"now"}},
		"a flag without its value":        {args: []string{"--models-file"}, says: []string{"--models-file", "needs a value"}},
		"a misspelled variable":           {env: []string{"AGENTCHAT_DATADIR=x"}, says: []string{"AGENTCHAT_DATADIR", "AGENTCHAT_DATA_DIR"}},
		"a duration without unit":         {env: []string{"SHUTDOWN_DELAY=10"}, says: []string{"SHUTDOWN_DELAY", "--shutdown-delay", "0s to 5m"}},
		"a model timeout too long":        {env: []string{"MODEL_TIMEOUT=1h"}, says: []string{"MODEL_TIMEOUT", "1s to 10m"}},
		"an invalid port":                 {env: []string{"LISTEN_ADDR=127.0.0.1:99999"}, says: []string{"LISTEN_ADDR", "65535"}},
		"an address without port":         {env: []string{"OPS_ADDR=9090"}, says: []string{"OPS_ADDR", "host:port"}},
		"one address for both":            {env: []string{"LISTEN_ADDR=127.0.0.1:9090", "OPS_ADDR=127.0.0.1:9090"}, says: []string{"OPS_ADDR", "LISTEN_ADDR"}},
		"an invalid network":              {env: []string{"TRUSTED_PROXIES=10.0.0.1"}, says: []string{"TRUSTED_PROXIES", "10.1.2.3/32"}},
		"an origin with a path":           {env: []string{"ALLOWED_ORIGINS=https://panel.example.com/"}, says: []string{"ALLOWED_ORIGINS", "exact origins"}},
		"every origin":                    {env: []string{"ALLOWED_ORIGINS=*"}, says: []string{"ALLOWED_ORIGINS"}},
		"an unknown level":                {env: []string{"LOG_LEVEL=loud"}, says: []string{"LOG_LEVEL", "debug, info, warn, error"}},
		"an unknown format":               {env: []string{"LOG_FORMAT=xml"}, says: []string{"LOG_FORMAT", "text, json"}},
		"sign-up neither open nor closed": {env: []string{"SIGN_UP=maybe"}, says: []string{"SIGN_UP", "open, closed"}},
		"negative credits":                {env: []string{"STARTING_CREDITS=-1"}, says: []string{"STARTING_CREDITS", "whole number"}},
		"a public demo":                   {env: []string{"LISTEN_ADDR=0.0.0.0:0"}, args: []string{"--demo"}, says: []string{"--demo", "loopback"}},
		"a missing secret file":           {env: []string{"JWT_SECRET_FILE=/does/not/exist"}, says: []string{"JWT_SECRET_FILE", "no such file"}},
		"a secret that is a directory":    {env: []string{"GEMINI_API_KEY_FILE=/"}, says: []string{"GEMINI_API_KEY_FILE", "directory"}},
		"a missing models file":           {env: []string{"MODELS_FILE=/does/not/exist"}, says: []string{"MODELS_FILE", "no such file"}},
		"a provider's key with a space":   {env: []string{"GEMINI_API_KEY=hunter2 hunter2"}, says: []string{"GEMINI_API_KEY", "space"}},
		"a missing PostgreSQL":            {env: []string{"AGENTCHAT_POSTGRES_BIN=/does/not/exist"}, says: []string{"AGENTCHAT_POSTGRES_BIN"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newStartAttempt(t).mustFail(2, c.env, c.args, c.says...)
		})
	}
}

// TestStartRefusesFiles: secrets that are given twice or unusable, and models files with an error, reported with its line.
func TestStartRefusesFiles(t *testing.T) {
	t.Parallel()
	const url = "postgres://u:hunter2@127.0.0.1:1/x"
	models := strings.Join([]string{"providers:", "  - name: local", "    kind: openai", "    base_url: http://127.0.0.1:1",
		"models:", "  - name: small", "    provider: locl", "    credits: 1", ""}, "\n")
	for name, c := range map[string]struct {
		setting, content string
		env, says        []string
	}{
		"a secret twice":                {"JWT_SECRET_FILE", testJWTSecret, []string{"JWT_SECRET=" + testJWTSecret}, []string{"JWT_SECRET", "twice"}},
		"a database twice":              {"DATABASE_URL_FILE", url, onURL(url), []string{"DATABASE_URL", "twice"}},
		"a provider's key twice":        {"GEMINI_API_KEY_FILE", secret, []string{"GEMINI_API_KEY=hunter2"}, []string{"GEMINI_API_KEY", "twice"}},
		"an empty secret":               {"JWT_SECRET_FILE", "\n", nil, []string{"JWT_SECRET_FILE", "empty"}},
		"a short secret":                {"JWT_SECRET_FILE", "hunter2\n", nil, []string{"JWT_SECRET", "32 bytes"}},
		"a huge secret":                 {"JWT_SECRET_FILE", strings.Repeat(secret, 10_000), nil, []string{"JWT_SECRET_FILE", "64 KiB"}},
		"a bad URL":                     {"DATABASE_URL_FILE", "mysql://u:hunter2@localhost/x\n", nil, []string{"DATABASE_URL", "postgres://"}},
		"models of an unknown provider": {"MODELS_FILE", models, nil, []string{"MODELS_FILE", ":7", "locl"}},
		"models that are not YAML":      {"MODELS_FILE", "providers:\n  - name: x\n\tkind: gemini\n", nil, []string{"MODELS_FILE", ":3"}},
		"models with an unknown field":  {"MODELS_FILE", strings.Replace(models, "credits", "price", 1), nil, []string{"MODELS_FILE", ":8", "price"}},
		"models with a negative price":  {"MODELS_FILE", strings.NewReplacer("locl", "local", "credits: 1", "credits: -1").Replace(models), nil, []string{"MODELS_FILE", "credits"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newStartAttempt(t)
			a.mustFail(2, append(c.env, c.setting+"="+a.file(c.content)), nil, c.says...)
		})
	}
}
