package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/graph"
)

// TestCrossSiteRequests: pages of other sites can neither read, nor change, nor renew a sign-in.
func TestCrossSiteRequests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	before := everything(t, b)
	for what, header := range map[string]map[string]string{
		"another origin":             {"Origin": "https://evil.example"},
		"the null origin":            {"Origin": "null"},
		"same-site":                  {"Sec-Fetch-Site": "same-site"},
		"cross-site with our origin": {"Sec-Fetch-Site": "cross-site", "Origin": b.URL},
	} {
		b.do(t, call{query: everyEnd, token: u.token, cookies: u.cookies, header: header}).
			want(t, what, http.StatusForbidden, "FORBIDDEN")
		byCookie := b.do(t, call{query: renew, cookies: u.cookies, header: header})
		byCookie.want(t, what+", renewing", http.StatusForbidden, "FORBIDDEN")
		if len(byCookie.cookies) > 0 {
			t.Errorf("%s: cookies %v", what, byCookie.cookies)
		}
	}
	if everything(t, b) != before {
		t.Error("a cross-site request changed something")
	}
	for what, header := range map[string]map[string]string{
		"a program":        nil,
		"our origin":       {"Sec-Fetch-Site": "same-origin", "Origin": b.URL},
		"our origin alone": {"Origin": b.URL},
		"typed in":         {"Sec-Fetch-Site": "none"},
	} {
		a := b.do(t, call{query: viewer, token: u.token, cookies: u.cookies, header: header})
		a.wantNone(t, what)
		for name := range a.header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: %s without ALLOWED_ORIGINS", what, name)
			}
		}
	}
}

func TestAllowedOrigins(t *testing.T) {
	t.Parallel()
	const panel = "https://panel.example.com"
	b := newBench(t, func(o *options) { o.graph.AllowedOrigins = []string{panel} })
	u := signedIn(t, b)
	ask := func(method, origin string) answer {
		t.Helper()
		f := form{method: method, header: map[string]string{"Origin": origin}}
		if method == http.MethodOptions {
			f.header["Access-Control-Request-Method"] = "POST"
		} else {
			f.contentType, f.body = "application/json", `{"query":"{ viewer { id } }"}`
			f.header["Authorization"] = "Bearer " + u.token
			f.header["Sec-Fetch-Site"] = "cross-site"
		}
		a := b.send(t, f)
		allowed := a.header.Get("Access-Control-Allow-Origin")
		if a.header.Get("Vary") != "Origin" || (allowed != "") != (origin == panel) ||
			(a.header.Get("Access-Control-Allow-Credentials") == "true") != (origin == panel) {
			t.Errorf("%s from %q: %v", method, origin, a.header)
		}
		return a
	}
	ask(http.MethodPost, panel).wantNone(t, "the panel")
	preflight := ask(http.MethodOptions, panel)
	if preflight.status != http.StatusNoContent ||
		preflight.header.Get("Access-Control-Allow-Methods") != "GET, POST" {
		t.Errorf("the preflight: %d %v", preflight.status, preflight.header)
	}
	headers := strings.ToLower(preflight.header.Get("Access-Control-Allow-Headers"))
	for _, name := range []string{"authorization", "content-type", "x-request-id", "x-account-id",
		"traceparent", "sentry-trace", "apollo-require-preflight", "apollographql-client-name"} {
		if !strings.Contains(headers, name) {
			t.Errorf("the preflight does not allow %s: %s", name, headers)
		}
	}
	for _, origin := range []string{"https://evil.example", panel + ".evil.example", panel + ":8443",
		"http://panel.example.com", "https://PANEL.example.com", "null"} {
		ask(http.MethodOptions, origin).
			want(t, origin, http.StatusMethodNotAllowed, "BAD_USER_INPUT")
		ask(http.MethodPost, origin).want(t, origin, http.StatusForbidden, "FORBIDDEN")
	}
	ask(http.MethodPut, panel).want(t, "PUT", http.StatusMethodNotAllowed, "BAD_USER_INPUT")
}

func TestAllowedOriginsHaveToBeOrigins(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"panel.example.com", "https://panel.example.com/path", "*", "https://"} {
		if _, err := graph.NewHandler(graph.Config{AllowedOrigins: []string{origin}}); err == nil {
			t.Errorf("%q was taken for an origin", origin)
		}
	}
}
