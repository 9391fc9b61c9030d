package rest

import (
	"net/http"
	"strings"

	"agentchat/internal/apikey"
	"agentchat/internal/fault"
)

// bearerKey takes the API key from the Authorization header (RFC 6750, 2.1), the one place where it may be. It judges form
// and checksum only; no query is made.
//
// Faults: Unauthorized for no key or one that is malformed; invalid_authorization for two Authorization headers, and for a
// header beside a URL that holds something of a key's shape, where proxies and logs would see it.
func bearerKey(r *http.Request) (apikey.Key, error) {
	headers := r.Header["Authorization"]
	if len(headers) == 0 {
		return apikey.Key{}, fault.New(fault.Unauthorized, "")
	}
	if len(headers) > 1 {
		return apikey.Key{}, fault.New(invalidAuthorization, "Send exactly one Authorization header.")
	}
	if queryHoldsKey(r.URL.RawQuery) {
		return apikey.Key{}, fault.New(invalidAuthorization,
			"The URL holds an API key, where others can read it. Send the key in the Authorization header only, and replace this one.")
	}
	scheme, rest, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return apikey.Key{}, fault.New(fault.Unauthorized, "")
	}
	key, ok := apikey.Parse(strings.TrimLeft(rest, " "))
	if !ok {
		return apikey.Key{}, fault.New(fault.Unauthorized, "")
	}
	return key, nil
}

// queryHoldsKey looks for a key anywhere in the query, whatever the parameter's name, with and without percent escapes. A
// query string that cannot be parsed is searched like any other.
func queryHoldsKey(query string) bool {
	if query == "" {
		return false
	}
	return apikey.HasShape(query) || apikey.HasShape(unescapeLeniently(query))
}

// unescapeLeniently resolves the percent escapes that are whole and leaves the rest as it is.
func unescapeLeniently(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, low := unhex(s[i+1]), unhex(s[i+2])
			if high >= 0 && low >= 0 {
				out.WriteByte(byte(high<<4 | low))
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
