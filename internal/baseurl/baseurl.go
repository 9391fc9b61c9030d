// Package baseurl parses the HTTP URLs that an operator configures: of model providers, of the
// service itself and of the pages that may call it.
package baseurl

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// maxLength bounds a URL, in bytes.
const maxLength = 2048

// URL is an http or https URL with a host and perhaps a path, and without a slash at its end; empty
// if it is not configured.
type URL string

// UnmarshalText parses a URL as Parse does; empty text leaves it empty.
func (u *URL) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	parsed, err := Parse(string(text))
	if err == nil {
		*u = URL(parsed.String())
	}
	return err
}

// IsLoopback reports whether a host is a loopback address of this machine.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Parse parses a URL: http or https, a host and perhaps a port and a path, and nothing else.
// Slashes at the end are removed. The error completes a sentence that begins with the setting's
// name. It does not quote the URL, which may contain credentials.
func Parse(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || len(text) > maxLength || strings.ContainsAny(text, " \t\r\n"):
		return nil, errors.New("is not a valid URL: write it like https://api.example.com/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("must begin with http:// or https://")
	case u.Hostname() == "" || u.Opaque != "":
		return nil, errors.New("has no host: write it like https://api.example.com/v1")
	case u.User != nil:
		return nil, errors.New("must not contain a user name or password")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#"):
		return nil, errors.New("must not have a query (?) or a fragment (#)")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65_535 {
			return nil, errors.New("must have a port from 1 to 65535")
		}
	}
	return url.Parse(strings.TrimRight(text, "/"))
}
