package rest

import (
	"encoding/hex"
	"net/http"
	"regexp"

	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// bearerKey takes the API key from the Authorization header, the only place where it is accepted.
// It checks form and checksum only; no query is made.
//
// Faults: Unauthorized for no key or a malformed one; invalid_authorization for two Authorization
// headers, and for a header together with a URL that contains something in the form of a key, where
// proxies and logs would see it.
func bearerKey(r *http.Request) (apikey.Key, error) {
	switch headers := r.Header["Authorization"]; {
	case len(headers) == 0:
		return apikey.Key{}, fault.New(fault.Unauthorized, "")
	case len(headers) > 1:
		return apikey.Key{}, fault.New(invalidAuthorization, "The Authorization header is sent more than once. Send it once.")
	case queryHoldsKey(r.URL.RawQuery):
		return apikey.Key{}, fault.New(invalidAuthorization,
			"The URL contains an API key, where others can read it. Send the key only in the Authorization header, and replace this one.")
	}
	key, ok := apikey.Parse(httpapi.BearerToken(r.Header))
	if !ok {
		return apikey.Key{}, fault.New(fault.Unauthorized, "")
	}
	return key, nil
}

var percentEscape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// queryHoldsKey looks for a key anywhere in the query, whatever the parameter's name, with and
// without percent escapes. It does not parse the query, which may be malformed.
func queryHoldsKey(query string) bool {
	unescaped := percentEscape.ReplaceAllStringFunc(query, func(escape string) string {
		text, _ := hex.DecodeString(escape[1:])
		return string(text)
	})
	return apikey.HasShape(query) || apikey.HasShape(unescaped)
}
