package rest_test

import (
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
		{"scheme in upper case", []string{"BEARER " + text}, "", ""},
		{"several spaces", []string{"Bearer   " + text}, "", ""},
		{"with a harmless query", []string{"Bearer " + text}, "x=1&key=abc", ""},
		{"with the beginning of a key in the query", []string{"Bearer " + text}, "api_key=&x=agc_", ""},
		{"with a broken query", []string{"Bearer " + text}, "%zz&;=%", ""},

		{"none", nil, "", unauthorized},
		{"empty", []string{""}, "", unauthorized},
		{"scheme only", []string{"Bearer"}, "", unauthorized},
		{"scheme and space", []string{"Bearer "}, "", unauthorized},
		{"no space", []string{"Bearer" + text}, "", unauthorized},
		{"tab", []string{"Bearer\t" + text}, "", unauthorized},
		{"extra word", []string{"Bearer " + text + " extra"}, "", unauthorized},
		{"two keys", []string{"Bearer " + text + "," + other}, "", unauthorized},
		{"two schemes", []string{"Bearer " + text + ", Bearer " + text}, "", unauthorized},
		{"quoted", []string{`Bearer "` + text + `"`}, "", unauthorized},
		{"parameter", []string{"Bearer key=" + text}, "", unauthorized},
		{"key alone", []string{text}, "", unauthorized},
		{"Basic", []string{"Basic " + text}, "", unauthorized},
		{"Token", []string{"Token " + text}, "", unauthorized},
		{"Bearers", []string{"Bearers " + text}, "", unauthorized},
		{"comma after the scheme", []string{"Bearer," + text}, "", unauthorized},
		{"colon after the scheme", []string{"Bearer: " + text}, "", unauthorized},
		{"scheme twice", []string{"Bearer Bearer " + text}, "", unauthorized},
		{"no-break space", []string{"Bearer\u00a0" + text}, "", unauthorized},
		{"account token", []string{"Bearer " + apikey.MintToken().Reveal()}, "", unauthorized},
		{"wrong checksum", []string{"Bearer " + text[:len(text)-6] + "000000"}, "", unauthorized},
		{"10 KB", []string{"Bearer " + strings.Repeat("a", 10_000)}, "", unauthorized},
		{"injection", []string{"Bearer ' or 1=1--"}, "", unauthorized},
		{"bytes", []string{"Bearer \xe9\xff"}, "", unauthorized},
		{"key in the URL only", nil, "api_key=" + text, unauthorized},

		{"two headers", []string{"Bearer " + text, "Bearer " + other}, "", malformed},
		{"two equal headers", []string{"Bearer " + text, "Bearer " + text}, "", malformed},
		{"two bad headers", []string{"", "x"}, "", malformed},
		{"key in header and URL", []string{"Bearer " + text}, "api_key=" + text, malformed},
		{"another key in the URL", []string{"Bearer " + text}, "x=" + other, malformed},
		{"a bad key in the URL", []string{"Bearer " + text}, "x=agc_" + strings.Repeat("0", 38), malformed},
		{"account token in the URL", []string{"Bearer " + text}, "x=" + apikey.MintToken().Reveal(), malformed},
		{"bad key in header, key in the URL", []string{"Bearer x"}, "x=" + text, malformed},
		{"Basic and a key in the URL", []string{"Basic x"}, "x=" + text, malformed},
		{"escaped", []string{"Bearer " + text}, "x=%61gc%5F" + text[4:], malformed},
		{"all escaped", []string{"Bearer " + text}, "x=" + escapeAll(text), malformed},
		{"broken query around it", []string{"Bearer " + text}, "%zz;x=%&" + text + "%", malformed},
		{"without a name", []string{"Bearer " + text}, text, malformed},
		{"among others", []string{"Bearer " + text}, "a=1;token=x" + text + "y&b=2", malformed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodPost, rest.ChatPath, nil)
			r.URL.RawQuery = tc.query
			if tc.headers != nil {
				r.Header["Authorization"] = tc.headers
			}
			got, err := rest.BearerKey(r)
			if tc.want == "" {
				if err != nil || got.Hash() != key.Hash() {
					t.Errorf("got %v, %v; want a key", got, err)
				}
				return
			}
			if !fault.Is(err, tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if err != nil && (strings.Contains(err.Error(), text[4:]) || strings.Contains(err.Error(), other[4:])) {
				t.Errorf("the error shows a key: %v", err)
			}
		})
	}
}

func escapeAll(s string) string {
	const digits = "0123456789abcdef"
	var out strings.Builder
	for i := range len(s) {
		out.WriteString("%" + string(digits[s[i]>>4]) + string(digits[s[i]&15]))
	}
	return out.String()
}

// A request with a malformed key is refused without a query, whatever else is wrong with it, and
// all such refusals look the same.
func TestRefusalsForTheKeyMakeNoQuery(t *testing.T) {
	t.Parallel()
	address := serve(t, rest.New(rest.Config{Chat: unreached{t}}))
	text := apikey.Mint().Reveal()
	first := ""
	for _, headers := range [][]string{
		{"Authorization:"},
		{"Authorization: Bearer"},
		{"Authorization: Bearer " + text[:40]},
		{"Authorization: Bearer ' or 1=1--"},
		{"Authorization: Bearer \xe9\xff"},
		{"Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IV7pAx_Zmeo"},
		{"Authorization:", "X-API-Key: " + text},
		{"Authorization:", "Cookie: api_key=" + text},
		{"Authorization:", "Proxy-Authorization: Bearer " + text},
		{"Authorization: Basic x", "Content-Type: text/plain", "Idempotency-Key: a", "Idempotency-Key: b"},
		{"Authorization: Bearer x", "Content-Encoding: gzip", "Accept: text/event-stream"},
	} {
		r := sendRaw(t, address, request(text, `{"nonsense"`, append(headers, "X-Request-Id: same")...))[0]
		r.refused(t, http.StatusUnauthorized, "unauthorized")
		if got := r.Header.Values("Www-Authenticate"); len(got) != 1 || got[0] != "Bearer" {
			t.Errorf("%q: WWW-Authenticate is %q", headers, got)
		}
		if r.Header.Get("Ratelimit-Limit") != "" {
			t.Errorf("%q: a refused key got a rate", headers)
		}
		if first == "" {
			first = r.text
		}
		if r.text != first {
			t.Errorf("%q: body %s differs from %s", headers, r.text, first)
		}
	}
	trailer := chunk(`{"message":"hi"}`) + "0\r\nAuthorization: Bearer " + text + "\r\n\r\n"
	r := sendRaw(t, address,
		request(text, trailer, "Authorization:", "Content-Length:", "Transfer-Encoding: chunked",
			"Trailer: Authorization"))[0]
	r.refused(t, http.StatusUnauthorized, "unauthorized")
	r = sendRaw(t, address,
		request(text, `{"message":"hi"}`, "Authorization: Bearer "+text,
			"Authorization: Bearer "+text))[0]
	r.refused(t, http.StatusBadRequest, "invalid_authorization")
	r = sendRaw(t, address,
		strings.Replace(request(text, `{"message":"hi"}`), " HTTP/1.1", "?k="+text+" HTTP/1.1", 1))[0]
	r.refused(t, http.StatusBadRequest, "invalid_authorization")
}
