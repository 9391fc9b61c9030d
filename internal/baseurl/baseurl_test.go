package baseurl_test

import (
	"strings"
	"testing"

	"agentchat/internal/baseurl"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://api.example.com":   "https://api.example.com",
		"http://localhost:8000/v1":  "http://localhost:8000/v1",
		"http://[::1]:8000/v1/":     "http://[::1]:8000/v1",
		"https://example.com/a%2Fb": "https://example.com/a%2Fb",
		"https://example.com//":     "https://example.com",
		"":                          "",
	} {
		var u baseurl.URL
		if err := u.UnmarshalText([]byte(text)); err != nil || string(u) != want {
			t.Errorf("%q is read as %q, want %q (%v)", text, u, want, err)
		}
	}
}

// TestBadAddresses shows that no error repeats the address.
func TestBadAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://user:secret@example.com/v1":             "must not contain a user name",
		"https://secret@example.com":                     "must not contain a user name",
		"https://example.com/?key=secret":                "query (?)",
		"https://example.com/?":                          "query (?)",
		"https://example.com/#secret":                    "fragment (#)",
		"https://example.com/#":                          "fragment (#)",
		"ftp://example.com/secret":                       "must begin with http",
		"example.com/secret":                             "must begin with http",
		"localhost:8000":                                 "must begin with http",
		"https://":                                       "no host",
		"https://:8000/secret":                           "no host",
		"https:secret":                                   "no host",
		"https://example.com:0/secret":                   "port",
		"https://example.com:65536/secret":               "port",
		"https://example.com:abc/secret":                 "not a valid URL",
		"https://exa mple.com/secret":                    "not a valid URL",
		"https://example.com/ secret":                    "not a valid URL",
		"https://example.com/%zz/secret":                 "not a valid URL",
		"https://e.com/" + strings.Repeat("secret", 400): "not a valid URL",
	} {
		var u baseurl.URL
		err := u.UnmarshalText([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "secret") || u != "" {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
