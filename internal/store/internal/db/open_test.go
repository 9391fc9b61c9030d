package db_test

import (
	"net/url"
	"strings"
	"testing"

	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func TestOpenRefusesInOneLineWithoutThePassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "nonsense", "http://localhost/db", "postgres://u:s3cret@127.0.0.1:notaport/db",
		"postgres://u:s3cret@127.0.0.1:1/db", "postgres://u:s3cret@127.0.0.1:1/db?sslmode=nonsense", "postgres://u:s3cret@[::1/db"} {
		s, err := store.Open(t.Context(), store.Config{URL: url})
		if err == nil {
			_ = s.Close()
			t.Errorf("%q was accepted", url)
			continue
		}
		if text := err.Error(); strings.Contains(text, "s3cret") || strings.Contains(text, "\n") || len(text) < 20 {
			t.Errorf("%q: %q", url, text)
		}
	}
}

// TestOpenNamesTheCause: a server without TLS refuses it first, and then says what is really wrong.
func TestOpenNamesTheCause(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"prefer", "allow"} {
		for says, change := range map[string]func(u *url.URL){
			"does not exist":                 func(u *url.URL) { u.Path = "/there_is_none" },
			"password authentication failed": func(u *url.URL) { u.User = url.UserPassword(u.User.Username(), "wr0ng") },
			"failed for user \"nobody\"":     func(u *url.URL) { u.User = url.UserPassword("nobody", "wr0ng") },
			"unrecognized configuration":     func(u *url.URL) { u.RawQuery += "&ssl_mode=require" },
			"127.0.0.1:1,127.0.0.1:":         func(u *url.URL) { u.Host, u.Path = "127.0.0.1:1,"+u.Host, "/there_is_none" },
		} {
			address, err := url.Parse(storetest.EmptyURL(t))
			if err != nil {
				t.Fatal(err)
			}
			good := address.String()
			address.RawQuery = "sslmode=" + mode
			change(address)
			s, err := store.Open(t.Context(), store.Config{URL: address.String()})
			if err == nil {
				_ = s.Close()
				t.Fatalf("%s was accepted", address)
			}
			migrating, errOpen := store.Open(t.Context(), store.Config{URL: good, MigrateURL: address.String()})
			if errOpen != nil {
				t.Fatal(errOpen)
			}
			t.Cleanup(func() { _ = migrating.Close() })
			for _, err := range []error{err, migrating.Migrate(t.Context())} {
				if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "TLS") || strings.Contains(err.Error(), "wr0ng") {
					t.Errorf("%s, want %q: %v", mode, says, err)
				}
			}
		}
	}
}

func TestSeveralHosts(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(storetest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	address.Host = "127.0.0.1:1," + address.Host // the first is away
	query := address.Query()
	query.Set("target_session_attrs", "primary")
	address.RawQuery = query.Encode()
	s := storetest.Open(t, address.String())
	storetest.Seed(t, s, storetest.Options{})
}
