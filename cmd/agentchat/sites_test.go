package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestWarnOfOtherSites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		public, origin string
		warns          bool
	}{
		{"https://chat.example.com", "https://panel.example.com", false},
		{"https://chat.example.com", "https://example.com:8443", false},
		{"https://chat.example.co.uk", "https://a.b.example.co.uk", false},
		{"https://chat.example.co.uk", "https://other.co.uk", true},
		{"https://chat.example.com", "http://chat.example.com", true},
		{"https://chat.example.com", "https://example.org", true},
		{"https://one.github.io", "https://two.github.io", true},
		{"http://localhost:8080", "http://localhost:5173", false},
		{"http://localhost:8080", "http://127.0.0.1:5173", true},
		{"http://10.0.0.1", "http://10.1.0.1", true},
		{"http://[::1]:8080", "http://[::1]:5173", false},
	} {
		var log bytes.Buffer
		warnOfOtherSites([]string{c.public, c.origin}, c.public, slog.New(slog.NewJSONHandler(&log, nil)))
		warned := strings.Contains(log.String(), `"origin":"`+c.origin+`"`)
		if warned != c.warns || strings.Count(log.String(), "\n") > 1 {
			t.Errorf("%s with %s: %s", c.origin, c.public, &log)
		}
	}
}
