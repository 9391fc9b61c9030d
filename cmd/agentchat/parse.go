package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn" //nolint:depguard // reads the form of a URL; nothing here talks to the database
)

// The functions here are pure but for existingDir and existingFile: a text in, a value or what is wrong with it out. Errors
// are written to follow the setting's name.

// minSecretBytes is the shortest JWT secret: an HMAC-SHA-256 key should be no shorter than the hash (RFC 7518, section 3.2).
const minSecretBytes = 32

// maxHelpText bounds the texts that the panel shows, in code points.
const maxHelpText = 300

func parseInt(lowest, highest int64) func(string) (int64, error) {
	return func(text string) (int64, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < lowest || n > highest {
			return 0, fmt.Errorf("must be a whole number from %d to %d, not %q", lowest, highest, text)
		}
		return n, nil
	}
}

func parseDuration(shortest, longest time.Duration) func(string) (time.Duration, error) {
	return func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		if err != nil || d < shortest || d > longest {
			return 0, fmt.Errorf("must be a duration from %s to %s, written like 55s or 2m, not %q",
				shortDuration(shortest), shortDuration(longest), text)
		}
		return d, nil
	}
}

// shortDuration writes 10m for 10m0s.
func shortDuration(d time.Duration) string {
	if text, ok := strings.CutSuffix(d.String(), "m0s"); ok {
		return text + "m"
	}
	return d.String()
}

func parseChoice(choices ...string) func(string) (string, error) {
	return func(text string) (string, error) {
		for _, choice := range choices {
			if text == choice {
				return choice, nil
			}
		}
		return "", fmt.Errorf("must be one of %s, not %q", strings.Join(choices, ", "), text)
	}
}

func parseLevel(text string) (slog.Level, error) {
	levels := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
	}
	name, err := parseChoice("debug", "info", "warn", "error")(text)
	return levels[name], err
}

// parseAddress checks host:port. The host may be empty (all addresses), an IP address or a name.
func parseAddress(text string) (string, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return "", fmt.Errorf("must be written host:port, like 127.0.0.1:8080, not %q", text)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", fmt.Errorf("has no port from 0 to 65535: %q", text)
	}
	if strings.ContainsFunc(host, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("/@?#", r)
	}) {
		return "", fmt.Errorf("has a host that is neither an address nor a name: %q", text)
	}
	return text, nil
}

// isLoopback reports whether an address of parseAddress is reachable from this machine alone.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// parseHTTPURL checks an http or https address without credentials, query and fragment. The value is not repeated: one with
// credentials in it would be.
func parseHTTPURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.Opaque != "" {
		return nil, errors.New("must be an address like https://chat.example.com")
	}
	if u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, errors.New("must be an address without user, password, query and fragment")
	}
	return u, nil
}

func parseBaseURL(text string) (string, error) {
	if _, err := parseHTTPURL(text); err != nil {
		return "", err
	}
	return strings.TrimRight(text, "/"), nil
}

// parsePublicURL checks an origin; the panel and the API are served at its root, so a path is refused.
func parsePublicURL(text string) (string, error) {
	u, err := parseHTTPURL(text)
	if err != nil {
		return "", err
	}
	if u.Path != "" && u.Path != "/" {
		return "", fmt.Errorf("must not have a path: the service is served at the root, as in %s://%s", u.Scheme, u.Host)
	}
	return u.Scheme + "://" + u.Host, nil
}

// parseOrigins reads exact origins (RFC 6454) as browsers send them: scheme, host, and the port where it is not the
// scheme's own; nothing else, in lower case.
func parseOrigins(text string) ([]string, error) {
	var origins []string
	for _, item := range strings.Split(text, ",") {
		item = strings.TrimSpace(item)
		u, err := parseHTTPURL(item)
		if err != nil || item != u.Scheme+"://"+u.Host || item != strings.ToLower(item) || hasDefaultPort(u) {
			return nil, fmt.Errorf("must hold exact origins like https://panel.example.com, with commas between them, "+
				"not %q", item)
		}
		origins = append(origins, item)
	}
	return origins, nil
}

func hasDefaultPort(u *url.URL) bool {
	return u.Scheme == "http" && u.Port() == "80" || u.Scheme == "https" && u.Port() == "443" || strings.HasSuffix(u.Host, ":")
}

func parsePrefixes(text string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	for _, item := range strings.Split(text, ",") {
		item = strings.TrimSpace(item)
		prefix, err := netip.ParsePrefix(item)
		if err != nil || prefix.Masked() != prefix {
			return nil, fmt.Errorf("must hold networks like 10.0.0.0/8 (one machine: 10.1.2.3/32), "+
				"with commas between them, not %q", item)
		}
		prefixes = append(prefixes, prefix)
	}
	return prefixes, nil
}

// parseHelpText checks a text that the panel shows, as a link when it is an https address.
func parseHelpText(text string) (string, error) {
	if utf8.RuneCountInString(text) > maxHelpText || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return "", fmt.Errorf("must be a text of at most %d characters on one line, or an https address", maxHelpText)
	}
	scheme, _, isURL := strings.Cut(text, "://")
	if isURL && !strings.ContainsAny(scheme, " \t") {
		u, err := parseHTTPURL(strings.SplitN(text, "?", 2)[0])
		if err != nil || u.Scheme != "https" {
			return "", errors.New("must be a text or an https address")
		}
	}
	return text, nil
}

// parseSecret checks a JWT secret. It never repeats it.
func parseSecret(text string) ([]byte, error) {
	if len(text) < minSecretBytes {
		return nil, fmt.Errorf("must be at least %d bytes long; this one has %d. One is made by: openssl rand -base64 48",
			minSecretBytes, len(text))
	}
	return []byte(text), nil
}

// parseProviderKey checks a provider's key: it goes into a header, which takes no more than visible ASCII.
func parseProviderKey(text string) (string, error) {
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("holds a space or another character that no key has")
	}
	return text, nil
}

// parseDatabaseURL checks the form of a PostgreSQL URL. Nothing of it is repeated: parsers take parts of an unescaped
// password for a host or a port.
func parseDatabaseURL(text string) (string, error) {
	const form = "write it like postgres://user:password@host:5432/name, with special characters percent-encoded"
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") || u.Opaque != "" || u.Fragment != "" ||
		strings.ContainsAny(strings.TrimPrefix(u.Path, "/"), "/@") {
		return "", errors.New("is not a PostgreSQL URL: " + form)
	}
	if _, err := pgconn.ParseConfig(text); err != nil {
		return "", errors.New("is not a usable PostgreSQL URL, look at its parameters: " + form)
	}
	return text, nil
}

func existingDir(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("cannot be used: %s: %w", path, plainFileError(err))
	}
	if !info.IsDir() {
		return "", fmt.Errorf("must be a directory; %s is none", path)
	}
	return path, nil
}

// plainFileError takes the operation and the path, which the caller has named already, out of a file's error.
func plainFileError(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
