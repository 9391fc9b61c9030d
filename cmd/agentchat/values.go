package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn" //nolint:depguard // reads the form of a URL; nothing here talks to the database

	"agentchat/internal/baseurl"
	"agentchat/internal/llm/catalogue"
)

// Each type of a setting parses its own text. Empty text means that the setting is not set, unless
// it must have a value. Errors follow the setting's name.

// minSecretBytes is the shortest JWT secret: an HMAC-SHA-256 key should be no shorter than the hash
// (RFC 7518, section 3.2).
const minSecretBytes = 32

// maxHelpText is the most code points of a text that the panel shows.
const maxHelpText = 300

// listenAddress is host:port. The host may be empty (all addresses), an IP address or a name.
type listenAddress string

// UnmarshalText checks an address.
func (a *listenAddress) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	if err != nil {
		return fmt.Errorf("must be host:port, like 127.0.0.1:8080, not %q", text)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("must have a port from 0 to 65535: %q", text)
	}
	if strings.ContainsFunc(host, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("/@?#", r)
	}) {
		return fmt.Errorf("must have an IP address or a name as its host: %q", text)
	}
	*a = listenAddress(text)
	return nil
}

// isLoopback reports whether only this machine can reach the address.
func (a listenAddress) isLoopback() bool {
	host, _, err := net.SplitHostPort(string(a))
	return err == nil && baseurl.IsLoopback(host)
}

// anyPort reports whether the operating system chooses the port.
func (a listenAddress) anyPort() bool { return strings.HasSuffix(string(a), ":0") }

// origins are exact origins (RFC 6454) as browsers send them, separated by commas: scheme, host,
// and the port unless it is the scheme's default, in lower case.
type origins []string

// UnmarshalText checks the origins.
func (o *origins) UnmarshalText(text []byte) error {
	for _, item := range listItems(text) {
		u, err := baseurl.Parse(item)
		if err != nil || item != u.Scheme+"://"+u.Host || item != strings.ToLower(item) ||
			hasDefaultPort(u) {
			return fmt.Errorf("must be exact origins like https://panel.example.com, separated by commas, not %q", item)
		}
		*o = append(*o, item)
	}
	return nil
}

func hasDefaultPort(u *url.URL) bool {
	return u.Scheme == "http" && u.Port() == "80" || u.Scheme == "https" && u.Port() == "443" ||
		strings.HasSuffix(u.Host, ":")
}

// networks are CIDRs, separated by commas.
type networks []netip.Prefix

// UnmarshalText checks the networks.
func (n *networks) UnmarshalText(text []byte) error {
	for _, item := range listItems(text) {
		prefix, err := netip.ParsePrefix(item)
		if err != nil || prefix.Masked() != prefix {
			return fmt.Errorf("must be networks like 10.0.0.0/8 (one machine: 10.1.2.3/32), separated by commas, not %q", item)
		}
		*n = append(*n, prefix)
	}
	return nil
}

// listItems splits a list at its commas; empty text is an empty list.
func listItems(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	items := strings.Split(string(text), ",")
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return items
}

// helpLine is a line of text for the panel, which shows an https address as a link.
type helpLine string

// UnmarshalText checks the line.
func (h *helpLine) UnmarshalText(b []byte) error {
	text := string(b)
	if !isOneLine(text, maxHelpText) {
		return fmt.Errorf("must be at most %d characters on one line, or an https address", maxHelpText)
	}
	scheme, _, isURL := strings.Cut(text, "://")
	if isURL && !strings.ContainsAny(scheme, " \t") {
		address, _, _ := strings.Cut(text, "?")
		if u, err := baseurl.Parse(address); err != nil || u.Scheme != "https" {
			return errors.New("must be text or an https address")
		}
	}
	*h = helpLine(text)
	return nil
}

// isOneLine reports whether text is one line of at most limit code points.
func isOneLine(text string, limit int) bool {
	return utf8.RuneCountInString(text) <= limit && utf8.ValidString(text) &&
		!strings.ContainsFunc(text, unicode.IsControl)
}

// creditValue is the price of a credit in nano-dollars; nil if it is not set.
type creditValue struct{ nano *int64 }

// UnmarshalText reads dollars.
func (c *creditValue) UnmarshalText(text []byte) error {
	c.nano = nil
	if len(text) == 0 {
		return nil
	}
	value, ok := catalogue.ParseDollars(string(text), 9)
	if !ok {
		return fmt.Errorf("must be a number of dollars from 0 to 10000 with at most 9 decimals, not %q", text)
	}
	c.nano = &value
	return nil
}

// jwtSecret is a secret that signs access tokens. No error contains it.
type jwtSecret string

// UnmarshalText checks the secret's length.
func (s *jwtSecret) UnmarshalText(text []byte) error {
	if len(text) > 0 && len(text) < minSecretBytes {
		return fmt.Errorf("must be at least %d bytes long; this one has %d. Make one with: openssl rand -base64 48",
			minSecretBytes, len(text))
	}
	*s = jwtSecret(text)
	return nil
}

// adminToken authenticates callers of the admin API. No error contains it.
type adminToken string

// UnmarshalText checks the token's length and characters.
func (a *adminToken) UnmarshalText(text []byte) error {
	if len(text) > 0 && len(text) < minSecretBytes {
		return fmt.Errorf("must be at least %d characters long; this one has %d. Make one with: openssl rand -hex 32",
			minSecretBytes, len(text))
	}
	if strings.ContainsFunc(string(text), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("contains a space or another character that a header cannot carry")
	}
	*a = adminToken(text)
	return nil
}

// providerKey is an API key of a model provider. Headers take visible ASCII only. No error contains
// it.
type providerKey string

// UnmarshalText checks the key's characters.
func (k *providerKey) UnmarshalText(text []byte) error {
	if strings.ContainsFunc(string(text), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("contains a space or another character that no key has")
	}
	*k = providerKey(text)
	return nil
}

// databaseURL is a PostgreSQL URL. No error contains a part of it: parsers mistake parts of an
// unescaped password for a host or a port.
type databaseURL string

// UnmarshalText checks the URL's form.
func (d *databaseURL) UnmarshalText(b []byte) error {
	const form = "write it like postgres://user:password@host:5432/name, with special characters percent-encoded"
	text := string(b)
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") || u.Opaque != "" ||
		u.Fragment != "" || strings.ContainsAny(strings.TrimPrefix(u.Path, "/"), "/@") {
		return errors.New("is not a PostgreSQL URL: " + form)
	}
	if _, err := pgconn.ParseConfig(text); err != nil {
		return cmp.Or(wrongParameter(u.Query()), errors.New("is not a usable PostgreSQL URL: "+form))
	}
	*d = databaseURL(text)
	return nil
}

// wrongParameter finds the unusable parameter of a database's URL by trying each on a URL without
// secrets. A certificate and its key are tried together.
func wrongParameter(all url.Values) error {
	try := func(names ...string) error {
		some := url.Values{}
		for _, name := range names {
			if all.Has(name) {
				some.Set(name, all.Get(name))
			}
		}
		_, err := pgconn.ParseConfig("postgres://localhost/x?" + some.Encode())
		return err
	}
	if err := try(); err != nil {
		return fmt.Errorf("cannot be used because of a variable for PostgreSQL's programs, such as PGSSLMODE: %s", parameterCause(err))
	}
	if mode := all.Get("sslmode"); mode != "" && try("sslmode") != nil {
		return fmt.Errorf("has sslmode=%s: it must be disable, allow, prefer, require, verify-ca or verify-full", mode)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		names := []string{name}
		switch name {
		case "password", "sslpassword": // no error may contain them
			continue
		case "sslcert", "sslkey":
			names = []string{"sslcert", "sslkey", "sslpassword"}
		}
		if err := try(names...); err != nil {
			return fmt.Errorf("has a parameter that cannot be used: %s: %s", name, parameterCause(err))
		}
	}
	return nil
}

// parameterCause returns the driver's message about a parameter, without the URL.
func parameterCause(err error) string {
	if cause := errors.Unwrap(err); cause != nil {
		return cause.Error()
	}
	text := err.Error()
	if i := strings.LastIndex(text, "`: "); i >= 0 {
		return text[i+len("`: "):]
	}
	return text
}

// secrets returns the parts of the URL that no error line may contain, in all their spellings. A
// password that equals the user's name is not secret.
func (d databaseURL) secrets() []string {
	u, err := url.Parse(string(d))
	if err != nil {
		return nil
	}
	out := []string{string(d)}
	password, _ := u.User.Password()
	for _, p := range []string{password, u.Query().Get("password"), u.Query().Get("sslpassword")} {
		if p != "" && p != u.User.Username() {
			out = append(out, p, url.QueryEscape(p), url.PathEscape(p),
				strings.TrimPrefix(url.UserPassword("", p).String(), ":"))
		}
	}
	return out
}

// plainFileError removes the operation and the path from a file's error. The caller adds them.
func plainFileError(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
