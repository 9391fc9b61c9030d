package embeddedpg_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentchat/internal/embeddedpg"
)

func TestParsePIDFile(t *testing.T) {
	t.Parallel()
	const whole = "4711\n/data/postgres\n1700000000\n5433\n\n127.0.0.1\n  12345  7\nready   \n"
	pid, port, status, err := embeddedpg.ParsePIDFile(whole)
	must(t, err)
	if pid != 4711 || port != 5433 || status != "ready" {
		t.Errorf("%d %d %q", pid, port, status)
	}
	pid, port, status, err = embeddedpg.ParsePIDFile("4711\n/data")
	must(t, err)
	if pid != 4711 || port != 0 || status != "" {
		t.Errorf("half written: %d %d %q", pid, port, status)
	}
	for _, text := range []string{"", "\n", "x\n", "-5\n", "0\n", "1\n"} {
		if _, _, _, err := embeddedpg.ParsePIDFile(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestTrimLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	must(t, embeddedpg.TrimLog(path, 10, 5)) // no file yet
	for _, c := range []struct{ before, after string }{
		{"short\n", "short\n"},
		{"0123456789", "0123456789"},
		{"first\nsecond\nthird\nend\n", "end\n"},
		{strings.Repeat("x", 100), "xxxxxxxx"},
	} {
		must(t, os.WriteFile(path, []byte(c.before), 0o600))
		must(t, embeddedpg.TrimLog(path, 10, 8))
		got, err := os.ReadFile(path)
		must(t, err)
		if string(got) != c.after {
			t.Errorf("%q became %q", c.before, got)
		}
	}
}

func TestLastLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, out string }{
		{"", ""}, {"\n\n", ""}, {"a\nb\n", "a; b"}, {"a\n\n b \r\nc\nd", "b; c; d"},
	} {
		if got := embeddedpg.LastLines(c.in, 3); got != c.out {
			t.Errorf("%q is %q", c.in, got)
		}
	}
}
