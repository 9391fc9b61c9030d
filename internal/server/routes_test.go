package server_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"agentchat/internal/httpapi"
	"agentchat/internal/server"
)

// serveRoutes serves routes on a real listener and returns its host:port.
func serveRoutes(t *testing.T, routes server.Routes) string {
	t.Helper()
	if routes.REST == nil {
		routes.REST = rest
	}
	if routes.Panel == nil {
		routes.Panel = panelFiles()
	}
	routes.ResponseTimeout, routes.Logger = waitLimit, discard()
	handler, err := server.NewHandler(routes)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// TestRoutesToREST checks that REST gets every path and method that is not the panel's, unchanged,
// and that no request is redirected.
func TestRoutesToREST(t *testing.T) {
	t.Parallel()
	address := serveRoutes(t, server.Routes{})
	cases := []struct{ method, path string }{
		{"POST", "/v1/agent/chat"}, {"GET", "/v1/agent/chat"}, {"post", "/v1/agent/chat"}, {"FOO", "/v1/agent/chat"},
		{"POST", "/v1"}, {"POST", "/v1/"}, {"POST", "/v1/agent/chat/"}, {"POST", "//v1//agent/chat"}, {"POST", "//"},
		{"POST", "/v1/x/../agent/chat"}, {"POST", "/V1/Agent/Chat"}, {"POST", "/v1/agent/%63hat"}, {"POST", "/v1%2Fagent/chat"},
		{"GET", "/v2"}, {"GET", "/index.html"}, {"GET", "/secret.txt"}, {"GET", "/placeholder.html"}, {"GET", "/graphql"},
		{"GET", "/assets"}, {"GET", "/assets/"}, {"GET", "/assets/none.js"}, {"GET", "/assets/../secret.txt"},
		{"GET", "/assets/%2e%2e/secret.txt"}, {"GET", "/assets//app-1a2b3c.js"}, {"GET", "/Assets/app-1a2b3c.js"},
		{"GET", "/assets/fonts"}, {"GET", "/assets/%61pp-1a2b3c.js"}, {"FOO", "/"}, {"OPTIONS", "/v1/agent/chat"},
		{"GET", "/Agents"}, {"GET", "/agentsx"}, {"GET", "/agents/a.json"}, {"GET", "/agents//x"}, {"GET", "/agents/%2e%2e/x"},
		{"GET", "/agents/../secret.txt"}, {"GET", "/login//"}, {"GET", "/GraphQL"}, {"GET", "/graphql/x"}, {"GET", "/v1/x"}, {"GET", "/V1"},
		{"GET", "/openapi.yaml"}, {"FOO", "/agents"}, {"GET", "/x/agents"}, {"GET", "/manifest.json"}, {"GET", "/%61gents"},
		{"GET", "/explorer/schema"}, {"GET", "/explorer.html"}, {"GET", "/explorers"},
		{"GET", "//explorer"}, {"GET", "/%65xplorer"}, {"GET", "/explorer%2F"},
		{"GET", "/readyz"}, {"GET", "/livez"}, {"GET", "/metrics"}, {"GET", "/debug/pprof/"},
	}
	for _, c := range cases {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			t.Parallel()
			a := raw(t, address, c.method+" "+c.path+" HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			if a.StatusCode != http.StatusTeapot || a.Header.Get("X-Reached") != "rest" {
				t.Fatalf("status %d, location %q: did not reach the chat API", a.StatusCode, a.Header.Get("Location"))
			}
			if want := c.method + " " + c.path; a.text != want {
				t.Errorf("the chat API saw %q, want %q", a.text, want)
			}
		})
	}
}

// TestEachAPIHasOnePath checks that GraphQL, the description and the schema are served at one path
// each, with every method, and that REST gets all similar paths.
func TestEachAPIHasOnePath(t *testing.T) {
	t.Parallel()
	named := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, name+" "+r.Method)
		})
	}
	url := "http://" + serveRoutes(t, server.Routes{
		GraphQL: named("/graphql"), OpenAPI: named("/openapi.yaml"), Schema: named("/schema.graphql"), Download: named("/download/account"),
	})
	without := "http://" + serveRoutes(t, server.Routes{})
	for _, path := range []string{"/graphql", "/openapi.yaml", "/schema.graphql", "/download/account"} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
			if a := mustDo(t, method, url+path, nil); a.text != path+" "+method {
				t.Errorf("%s %s reached %q", method, path, a.text)
			}
		}
		if a := mustDo(t, http.MethodPost, without+path, nil); a.Header.Get("X-Reached") != "rest" {
			t.Errorf("without a handler, %s: status %d and not REST's 404", path, a.StatusCode)
		}
		encoded := fmt.Sprintf("/%%%02X%s", path[1], path[2:])
		similar := []string{path + "/", path + "/x", strings.ToUpper(path), "/" + path, "/v1" + path, encoded}
		for _, path := range similar {
			if a := mustDo(t, http.MethodPost, url+path, nil); a.Header.Get("X-Reached") != "rest" {
				t.Errorf("POST %s: status %d and not REST's 404", path, a.StatusCode)
			}
		}
	}
}

// TestStrictTransportSecurity checks that with an https address every response, also an error,
// makes browsers use only https. With an http address no response does, because that would lock
// users out.
func TestStrictTransportSecurity(t *testing.T) {
	t.Parallel()
	for https, want := range map[bool]string{true: "max-age=31536000", false: ""} {
		url := "http://" + serveRoutes(t, server.Routes{HTTPS: https, GraphQL: http.NotFoundHandler()})
		for _, path := range []string{
			"/", "/explorer", "/assets/app-1a2b3c.js", "/graphql", "/v1/agent/chat", "/nowhere",
		} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				a := mustDo(t, method, url+path, nil)
				if got := strings.Join(a.Header.Values("Strict-Transport-Security"), "|"); got != want {
					t.Errorf("https %t: %s %s (%d): %q, want %q", https, method, path, a.StatusCode, got, want)
				}
			}
		}
	}
}

// TestClientAddress checks that X-Forwarded-For is read only from trusted proxies: any other client
// could forge it.
func TestClientAddress(t *testing.T) {
	t.Parallel()
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	elsewhere := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	const peer = "127.0.0.1"
	cases := []struct {
		name    string
		trusted []netip.Prefix
		header  http.Header
		want    string
	}{
		{"no proxy is trusted", nil, http.Header{"X-Forwarded-For": {"203.0.113.7"}}, peer},
		{"no proxy is trusted, other headers", nil, http.Header{"X-Real-Ip": {"203.0.113.7"}, "True-Client-Ip": {"203.0.113.8"}}, peer},
		{"no proxy is trusted, unreadable", nil, http.Header{"X-Forwarded-For": {"garbage"}}, peer},
		{"the peer is not trusted", elsewhere, http.Header{"X-Forwarded-For": {"203.0.113.7"}}, peer},
		{"one proxy", local, http.Header{"X-Forwarded-For": {"203.0.113.7"}}, "203.0.113.7"},
		{"a forged first entry", local, http.Header{"X-Forwarded-For": {"198.51.100.1, 203.0.113.7, 10.1.2.3"}}, "203.0.113.7"},
		{"two header lines", local, http.Header{"X-Forwarded-For": {"198.51.100.1", "203.0.113.7"}}, "203.0.113.7"},
		{"only proxies", local, http.Header{"X-Forwarded-For": {"10.1.2.4, 10.1.2.3"}}, "10.1.2.4"},
		{"with a port", local, http.Header{"X-Forwarded-For": {"203.0.113.5:4711"}}, "203.0.113.5"},
		{"IPv6", local, http.Header{"X-Forwarded-For": {"2001:db8::1"}}, "2001:db8::1"},
		{"IPv6 with a port", local, http.Header{"X-Forwarded-For": {"[2001:db8::1]:80"}}, "2001:db8::1"},
		{"IPv6 in brackets", local, http.Header{"X-Forwarded-For": {"[2001:db8::1]"}}, "2001:db8::1"},
		{"IPv6 with a zone", local, http.Header{"X-Forwarded-For": {"fe80::1%eth0"}}, "fe80::1"},
		{"IPv4 as IPv6", local, http.Header{"X-Forwarded-For": {"::ffff:203.0.113.5"}}, "203.0.113.5"},
		{"IPv4 as IPv6 with a port", local, http.Header{"X-Forwarded-For": {"[::ffff:203.0.113.5]:80"}}, "203.0.113.5"},
		{"a proxy as IPv6, with a port", local, http.Header{"X-Forwarded-For": {"203.0.113.5, [::ffff:10.0.0.1]:80, fd00::1%eth0"}}, "203.0.113.5"},
		{"spaces", local, http.Header{"X-Forwarded-For": {" 203.0.113.5:1 "}}, "203.0.113.5"},
		{"an empty entry after a claim", local, http.Header{"X-Forwarded-For": {"203.0.113.5, "}}, peer},
		{"no header", local, http.Header{}, peer},
		{"an empty header", local, http.Header{"X-Forwarded-For": {""}}, peer},
		{"empty entries", local, http.Header{"X-Forwarded-For": {" , ,", ""}}, peer},
		{"unreadable", local, http.Header{"X-Forwarded-For": {"garbage"}}, peer},
		{"unreadable after an address", local, http.Header{"X-Forwarded-For": {"203.0.113.7, unknown"}}, peer},
		{"unreadable before a proxy", local, http.Header{"X-Forwarded-For": {"203.0.113.7, unknown, 10.1.2.3"}}, "10.1.2.3"},
		{"unreadable before a client", local, http.Header{"X-Forwarded-For": {"garbage, 203.0.113.7"}}, "203.0.113.7"},
		{"an impossible port", local, http.Header{"X-Forwarded-For": {"203.0.113.7:99999"}}, peer},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			show := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, httpapi.ClientAddress(r).String())
			})
			address := serveRoutes(t, server.Routes{GraphQL: show, TrustedProxies: c.trusted})
			if a := mustDo(t, http.MethodPost, "http://"+address+"/graphql", c.header); a.text != c.want {
				t.Errorf("client = %q, want %q", a.text, c.want)
			}
		})
	}
}

// TestResponseTimeout checks that a response which its client does not read ends at the route's
// timeout.
func TestResponseTimeout(t *testing.T) {
	t.Parallel()
	written := make(chan error, 1)
	endless := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		chunk := []byte(strings.Repeat("x", 1<<20))
		for {
			if _, err := w.Write(chunk); err != nil {
				written <- err
				return
			}
		}
	})
	handler, err := server.NewHandler(server.Routes{REST: endless, Panel: panelFiles(), ResponseTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	defer s.Close()
	reader, err := new(net.Dialer).DialContext(t.Context(), "tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	if _, err := io.WriteString(reader, "POST /v1/agent/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := receive(t, "the end of the write", written); err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("the write ended with %v and not with a timeout", err)
	}
}
