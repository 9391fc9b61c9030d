package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	cases := []struct {
		args string
		say  string
	}{
		{"nonsense", "nonsense"},
		{"serve nonsense", "nonsense"},
		{"serve --nonsense", "--nonsense"},
		{"account", "create"},
		{"account create", "--email"}, {"credits grant --email a@example.com", "--amount"},
		{"serve --listen-addr", "--listen-addr"},
		{"serve --migrate=perhaps", "--migrate"},
		{"--nonsense", "--nonsense"},
		{"migrate --listen-addr=:1", "--listen-addr"},
		{"account create --email ada --name N",
			"name@example.com"}, {"account create --email a@example.com --name=", "name"},
		{"credits grant --email a@example.com --note n --reference r --amount 0", "--amount"},
		{"credits grant --email a@example.com --note n --reference r --amount=-5", "--amount"},
		{"credits grant --email a@example.com --note n --reference r --amount 1.5", "--amount"},
		{"credits grant --email a@example.com --note n --reference= --amount 1", "--reference"},
		{"credits grant --email a@example.com --note= --reference r --amount 1", "--note"},
	}
	for _, c := range cases {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			args := strings.Fields(c.args)
			invoke(t, settings(dir), "a good password\n", args...).expectLine(t, exitUsage, c.say)
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("something was started: the data directory is there (%v)", err)
			}
			r := invoke(t, settings(dir), "a good password\n", append(args, "--json")...)
			body, _ := decodeLine(t, r.stderr)["error"].(map[string]any)
			message, _ := body["message"].(string)
			if r.code != exitUsage || body["code"] != "usage" || !strings.Contains(message, c.say) || r.stdout != "" {
				t.Errorf("with --json: code %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--help"}, {"-h"}} {
		r := invoke(t, nil, "", args...)
		if r.code != exitOK || r.stderr != "" || !strings.Contains(r.stdout, "credits grant") {
			t.Errorf("agentchat %v: code %d, stderr %q, stdout %q", args, r.code, r.stderr, r.stdout)
		}
	}
	r := invoke(t,
		[]string{"AGENTCHAT_NONSENSE=1", "LISTEN_ADDR=nonsense", "JWT_SECRET_FILE=/does/not/exist"}, "",
		"serve", "--help")
	text := strings.Join(strings.Fields(r.stdout), " ")
	for _, fallback := range []string{
		"127.0.0.1:8080", "127.0.0.1:9090", "default 100", "default 55s", "default 0s", "./data", "/var/lib/agentchat",
	} {
		if !strings.Contains(text, fallback) {
			t.Errorf("serve --help does not show the default %s", fallback)
		}
	}
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}} {
		if n := strings.Count(invoke(t, nil, "", args...).stdout, "NAME_FILE"); n != 1 {
			t.Errorf("agentchat %v says %d times that secrets can be read from files", args, n)
		}
	}
	if r.code != exitOK {
		t.Errorf("help under a wrong environment: code %d, %q", r.code, r.stderr)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	r := invoke(t, []string{"AGENTCHAT_NONSENSE=1"}, "", "version")
	if r.code != exitOK || !strings.HasPrefix(r.stdout, "agentchat ") {
		t.Errorf("version: %+v", r)
	}
	object := invoke(t, nil, "", "version", "--json").object(t)
	if !strings.HasPrefix(object["go"].(string), "go1.") {
		t.Errorf("version --json: %v", object)
	}
}
