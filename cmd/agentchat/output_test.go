package main

import (
	"net/url"
	"strings"
	"testing"
)

// TestRedaction tests that whole passwords are redacted, once, unless they are so short that
// ordinary words contain them.
func TestRedaction(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ password, text, want string }{
		{"a", "a database", "a database"},
		{"żółwi", "to żółwi", "to żółwi"},
		{"hunter", "is hunter or hunter2", "is [redacted] or [redacted]2"},
		{"redacted", "is redacted", "is [redacted]"},
		{"x@y z/1", "x@y z/1 x%40y%20z%2F1 x%40y+z%2F1", "[redacted] [redacted] [redacted]"},
		{"x@y z/1", "x@y%20z%2F1", "[redacted]"}, {"edacted]", "redacted] redacted]", "r[redacted] r[redacted]"},
	} {
		address := url.URL{Scheme: "postgres", User: url.UserPassword("u", c.password), Host: "h", Path: "/d"}
		settings := databaseSettings{DatabaseURL: databaseURL(address.String())}
		settings.MigrateURL = databaseURL("postgres://u@h/d?password=" + url.QueryEscape(c.password))
		if got := (&output{secrets: settings.secrets()}).line(c.text + " " + string(settings.DatabaseURL)); got != c.want+" [redacted]" {
			t.Errorf("%q: %q, want %q", c.password, got, c.want)
		}
	}
}

// TestDoctorWithShortPassword tests that a short password does not garble the report.
func TestDoctorWithShortPassword(t *testing.T) {
	t.Parallel()
	r := invoke(t, onDatabase(t, "postgres://agentchat:a@127.0.0.1:1/a"), "", "doctor")
	if !strings.Contains(r.stdout,
		"The database cannot be used: cannot use the database at 127.0.0.1:1/a: ") ||
		strings.Contains(r.stdout, "[") {
		t.Errorf("%+v", r)
	}
}
