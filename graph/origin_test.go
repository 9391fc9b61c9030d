package graph_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"agentchat/graph"
)

func TestCrossSiteRequests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	before := everything(t, b)
	host, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		header  map[string]string
		refused bool
	}{
		"a program":                   {nil, false},
		"another origin":              {map[string]string{"Origin": "https://evil.example"}, true},
		"another port":                {map[string]string{"Origin": "http://" + host.Hostname() + ":1"}, true},
		"the null origin":             {map[string]string{"Origin": "null"}, true},
		"cross-site":                  {map[string]string{"Sec-Fetch-Site": "cross-site"}, true},
		"same-site":                   {map[string]string{"Sec-Fetch-Site": "same-site"}, true},
		"cross-site with our origin":  {map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": b.URL}, true},
		"same-origin":                 {map[string]string{"Sec-Fetch-Site": "same-origin"}, false},
		"same-origin with the origin": {map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": b.URL}, false},
		"our origin alone":            {map[string]string{"Origin": b.URL}, false},
		"typed in":                    {map[string]string{"Sec-Fetch-Site": "none"}, false},
	} {
		query := viewer
		if c.refused {
			query = everyEnd
		}
		a := b.do(t, call{query: query, token: u.token, cookies: u.cookies, header: c.header})
		if c.refused {
			a.want(t, what, http.StatusForbidden, "FORBIDDEN")
			byCookie := b.do(t, call{query: renew, cookies: u.cookies, header: c.header})
			if byCookie.want(t, what+", renewing", http.StatusForbidden, "FORBIDDEN"); len(byCookie.cookies) > 0 {
				t.Errorf("%s: cookies %v", what, byCookie.cookies)
			}
		} else {
			a.wantNone(t, what)
		}
		for name := range a.header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: %s without ALLOWED_ORIGINS", what, name)
			}
		}
	}
	if everything(t, b) != before {
		t.Error("a cross-site request changed something")
	}
}

func TestAllowedOrigins(t *testing.T) {
	t.Parallel()
	const panel = "https://panel.example.com"
	b := newBench(t, func(o *options) { o.graph.AllowedOrigins = []string{panel} })
	u := signedIn(t, b)
	preflight := map[string]string{"Access-Control-Request-Method": "POST",
		"Access-Control-Request-Headers": "authorization,content-type"}
	ask := func(method, origin string) answer {
		t.Helper()
		f := form{method: method, header: map[string]string{}}
		if origin != "" {
			f.header["Origin"] = origin
		}
		if method == http.MethodOptions {
			for name, value := range preflight {
				f.header[name] = value
			}
		} else {
			f.contentType, f.body = "application/json", `{"query":"{ viewer { id } }"}`
			f.header["Authorization"] = "Bearer " + u.token
			f.header["Sec-Fetch-Site"] = "cross-site"
		}
		a := b.send(t, f)
		if a.header.Get("Vary") != "Origin" {
			t.Errorf("%s from %q: Vary %q", method, origin, a.header.Values("Vary"))
		}
		return a
	}
	for _, method := range []string{http.MethodOptions, http.MethodPost} {
		a := ask(method, panel)
		if a.header.Get("Access-Control-Allow-Origin") != panel || a.header.Get("Access-Control-Allow-Credentials") != "true" ||
			len(a.Errors) > 0 {
			t.Errorf("%s: %d %v %s", method, a.status, a.header, a.body)
		}
		if method == http.MethodOptions {
			headers := strings.ToLower(a.header.Get("Access-Control-Allow-Headers"))
			if a.status != http.StatusNoContent || a.header.Get("Access-Control-Allow-Methods") != "GET, POST" ||
				!strings.Contains(headers, "authorization") || !strings.Contains(headers, "content-type") {
				t.Errorf("the preflight: %d %v", a.status, a.header)
			}
			for _, name := range []string{"traceparent", "tracestate", "baggage", "sentry-trace", "x-request-id", "x-account-id",
				"apollo-require-preflight", "apollographql-client-name", "apollographql-client-version", "x-apollo-operation-name"} {
				if !strings.Contains(headers, name) {
					t.Errorf("the preflight does not allow %s: %s", name, headers)
				}
			}
		}
		for _, origin := range []string{"https://evil.example", panel + ".evil.example",
			"http://panel.example.com", panel + ":8443",
			panel + "/", "https://PANEL.example.com", "null", ""} {
			a := ask(method, origin)
			if a.header.Get("Access-Control-Allow-Origin") != "" || a.header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s from %q: %v", method, origin, a.header)
			}
			if want := map[string]int{http.MethodOptions: 405, http.MethodPost: 403}[method]; a.status != want {
				t.Errorf("%s from %q: %d, want %d", method, origin, a.status, want)
			}
		}
	}
	refused := b.send(t, form{method: "PUT", header: map[string]string{"Origin": panel}})
	if refused.status != http.StatusMethodNotAllowed || refused.header.Get("Access-Control-Allow-Origin") != panel {
		t.Errorf("the panel cannot read a refusal: %d %v", refused.status, refused.header)
	}
}

func TestAllowedOriginsHaveToBeOrigins(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"panel.example.com", "https://panel.example.com/path", "*", "https://"} {
		if _, err := graph.NewHandler(graph.Config{AllowedOrigins: []string{origin}}); err == nil {
			t.Errorf("%q was taken for an origin", origin)
		}
	}
}
