package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Values in quotes are refused by name, wherever they come from, and not repeated.
func TestServeRefusesQuotes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ setting, say string }{
		{`DATABASE_URL="postgres://u:hunter2@localhost/db"`, `DATABASE_URL is in quotes (")`},
		{`LISTEN_ADDR='127.0.0.1:0'`, `LISTEN_ADDR is in quotes (')`},
		{`CREDITS_HELP="Write to hunter2"`, `CREDITS_HELP is in quotes (")`},
		{"JWT_SECRET_FILE=" + writeFile(t, "\"hunter2"+testSecret+"\"\n"), `which JWT_SECRET_FILE names, is in quotes (")`},
		{`JWT_SECRET_FILE="/hunter2"`, `JWT_SECRET_FILE is in quotes (")`},
	} {
		r := invoke(t, append(settings(t.TempDir()), c.setting), "", "serve")
		r.expectLine(t, exitUsage, c.say)
		if strings.Contains(r.stderr, "hunter2") {
			t.Errorf("%s: the value is told: %s", c.say, r.stderr)
		}
	}
}

// White space around a value does not count: files and secrets often end with a line end.
func TestWhiteSpaceDoesNotCount(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r\n", " ", "\t\n\n"} {
		c := configOf(t, "DATABASE_URL= postgres://u:p@127.0.0.1:1/x?sslmode=disable"+end, "JWT_SECRET="+testSecret+end,
			"LISTEN_ADDR=127.0.0.1:0"+end, "MODEL_TIMEOUT=2m"+end, "SIGN_UP=closed"+end, "STARTING_CREDITS=7"+end,
			"OPENAI_API_KEY_FILE="+writeFile(t, "\ufeff sk-1"+end)+end, "CREDITS_HELP="+end)
		if c.DatabaseURL != "postgres://u:p@127.0.0.1:1/x?sslmode=disable" || string(c.JWTSecret) != testSecret || c.ListenAddr != "127.0.0.1:0" ||
			c.ModelTimeout != 2*time.Minute || c.SignUp != "closed" || c.StartingCredits != 7 || c.OpenAIAPIKey != "sk-1" ||
			c.CreditsHelp != "Ask the operator of this service" {
			t.Errorf("with %q at the end: %+v", end, c)
		}
	}
}

// Every secret is read from the file that NAME_FILE names; a flag wins over it.
func TestSecretsFromFiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"DATABASE_URL", "MIGRATE_DATABASE_URL", "JWT_SECRET", "JWT_SECRET_PREVIOUS", "ADMIN_TOKEN",
		"GEMINI_API_KEY", "OPENAI_API_KEY"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := append(settings(filepath.Join(t.TempDir(), "data")), name+"_FILE="+writeFile(t, "\x01\n"))
			env = slices.DeleteFunc(env, func(line string) bool { return strings.HasPrefix(line, name+"=") })
			invoke(t, env, "", "serve").expectLine(t, exitUsage, name+" (--"+flagName(name)+")")
			invoke(t, append(env, name+"=x"), "", "serve").expectLine(t, exitUsage, name+"_FILE", "twice")
			invoke(t, append(env, name+"_FILE=/does/not/exist"), "", "serve", "--"+flagName(name)+"=\x02").
				expectLine(t, exitUsage, name+" (--"+flagName(name)+")")
		})
	}
}
