package rest_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/rest"
)

// TestBearerKey tests the header. Package apikey tests the forms of a key.
func TestBearerKey(t *testing.T) {
	t.Parallel()
	key := apikey.Mint()
	text := key.Reveal()
	other := apikey.Mint().Reveal()
	const unauthorized, malformed = fault.Unauthorized, fault.Kind("invalid_authorization")
	for _, tc := range []struct {
		name    string
		headers []string
		query   string
		want    fault.Kind // empty: accepted
	}{
		{"usual", []string{"Bearer " + text}, "", ""},
		{"scheme in lower case", []string{"bearer " + text}, "", ""},
		{"with a harmless query", []string{"Bearer " + text}, "x=1&key=abc", ""},
		{"with the beginning of a key in the query", []string{"Bearer " + text}, "api_key=&x=agc_", ""},
		{"with a broken query", []string{"Bearer " + text}, "%zz&;=%", ""},

		{"none", nil, "", unauthorized},
		{"no space", []string{"Bearer" + text}, "", unauthorized},
		{"extra word", []string{"Bearer " + text + " extra"}, "", unauthorized},
		{"two keys", []string{"Bearer " + text + "," + other}, "", unauthorized},
		{"quoted", []string{`Bearer "` + text + `"`}, "", unauthorized},
		{"parameter", []string{"Bearer key=" + text}, "", unauthorized},
		{"Basic", []string{"Basic " + text}, "", unauthorized},
		{"scheme twice", []string{"Bearer Bearer " + text}, "", unauthorized},
		{"no-break space", []string{"Bearer\u00a0" + text}, "", unauthorized},
		{"account token", []string{"Bearer " + apikey.MintToken().Reveal()}, "", unauthorized},
		{"wrong checksum", []string{"Bearer " + text[:len(text)-6] + "000000"}, "", unauthorized},
		{"key in the URL only", nil, "api_key=" + text, unauthorized},

		{"two headers", []string{"Bearer " + text, "Bearer " + other}, "", malformed},
		{"two equal headers", []string{"Bearer " + text, "Bearer " + text}, "", malformed},
		{"key in header and URL", []string{"Bearer " + text}, "api_key=" + text, malformed},
		{"another key in the URL", []string{"Bearer " + text}, "x=" + other, malformed},
		{"a bad key in the URL", []string{"Bearer " + text}, "x=agc_" + strings.Repeat("0", 38), malformed},
		{"account token in the URL", []string{"Bearer " + text}, "x=" + apikey.MintToken().Reveal(), malformed},
		{"bad key in header, key in the URL", []string{"Bearer x"}, "x=" + text, malformed},
		{"escaped", []string{"Bearer " + text}, "x=%61gc%5F" + text[4:], malformed},
		{"broken query around it", []string{"Bearer " + text}, "%zz;x=%&" + text + "%", malformed},
		{"without a name", []string{"Bearer " + text}, text, malformed},
		{"among others", []string{"Bearer " + text}, "a=1;token=x" + text + "y&b=2", malformed},
	} {
		r := httptest.NewRequest(http.MethodPost, rest.ChatPath, nil)
		r.URL.RawQuery = tc.query
		r.Header["Authorization"] = tc.headers
		got, err := rest.BearerKey(r)
		if tc.want == "" && (err != nil || got.Hash() != key.Hash()) ||
			tc.want != "" && !fault.Is(err, tc.want) {
			t.Errorf("%s: got %v, %v, want %q", tc.name, got, err, tc.want)
		}
		for _, secret := range []string{text[4:], other[4:]} {
			if strings.Contains(fmt.Sprint(err), secret) {
				t.Errorf("%s: the error shows a key: %v", tc.name, err)
			}
		}
	}
}

// TestRefusalsForTheKeyMakeNoQuery tests that a request with a malformed key is refused without a
// query, whatever else is wrong with it, and that all such refusals look the same.
func TestRefusalsForTheKeyMakeNoQuery(t *testing.T) {
	t.Parallel()
	address := serve(t, rest.New(rest.Config{Chat: unreached{t}}))
	text := apikey.Mint().Reveal()
	first := ""
	for _, headers := range [][]string{
		{"Authorization:"},
		{"Authorization: Bearer " + text[:40]},
		{"Authorization: Bearer \xe9\xff"},
		{"Authorization:", "X-API-Key: " + text},
		{"Authorization:", "Cookie: api_key=" + text},
		{"Authorization:", "Proxy-Authorization: Bearer " + text},
		{"Authorization: Basic x", "Content-Type: text/plain", "Idempotency-Key: a", "Idempotency-Key: b"},
		{"Authorization: Bearer x", "Content-Encoding: gzip", "Accept: text/event-stream"},
		{"Authorization:", "Content-Length:", "Transfer-Encoding: chunked", "Trailer: Authorization"},
	} {
		body := chunk(`{"nonsense"`) + "0\r\nAuthorization: Bearer " + text + "\r\n\r\n"
		r := sendRaw(t, address, request(text, body, append(headers, "X-Request-Id: same")...))[0]
		r.refused(t, http.StatusUnauthorized, "unauthorized")
		first = cmp.Or(first, r.text)
		if r.Header.Get("Www-Authenticate") != "Bearer" || r.Header.Get("Ratelimit-Limit") != "" ||
			r.text != first {
			t.Errorf("%q: %v %s, the first was %s", headers, r.Header, r.text, first)
		}
	}
}
