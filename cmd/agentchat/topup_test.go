package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestServeRefusesAShopThatCannotBe(t *testing.T) {
	t.Parallel()
	const url, secret = "TOP_UP_URL=https://pay.example.com/?account={account}&token={token}", "TOP_UP_SECRET=hunter2-hunter2-hunter2-hunter2-"
	for name, c := range map[string]struct {
		env []string
		say string
	}{
		"no secret":            {[]string{url}, "belong together"},
		"an empty secret":      {[]string{url, "TOP_UP_SECRET="}, "belong together"},
		"no URL":               {[]string{secret}, "belong together"},
		"a short secret":       {[]string{url, "TOP_UP_SECRET=hunter2"}, "TOP_UP_SECRET must be at least 32 bytes long; this one has 7"},
		"a short one, in file": {[]string{url, "TOP_UP_SECRET_FILE=" + writeFile(t, "hunter2")}, "TOP_UP_SECRET must be at least 32 bytes"},
		"a script":             {[]string{secret, "TOP_UP_URL=javascript:alert('{account}{token}')"}, "TOP_UP_URL (--top-up-url) is not the URL of a shop"},
		"no encryption":        {[]string{secret, strings.Replace(url, "https", "http", 1)}, "TOP_UP_URL (--top-up-url) must begin with https://"},
		"no token":             {[]string{secret, strings.Replace(url, "{token}", "token", 1)}, "TOP_UP_URL (--top-up-url) must contain {account} and {token}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			r := invoke(t, settings(dir, c.env...), "", "serve")
			r.expectLine(t, exitUsage, c.say)
			if strings.Contains(r.stderr, "hunter2") || strings.Contains(r.stderr, "--top-up-secret") {
				t.Errorf("stderr: %s", r.stderr)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("something was started: %v", err)
			}
		})
	}
	r := invoke(t, settings(t.TempDir()), "", "serve", "--top-up-secret=hunter2")
	if r.expectLine(t, exitUsage, "cannot be set on the command line"); strings.Contains(r.stderr, "hunter2") {
		t.Errorf("stderr: %s", r.stderr)
	}
}
