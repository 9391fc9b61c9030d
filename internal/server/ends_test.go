package server_test

import (
	"strings"
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/httpapi"
	"agentchat/internal/server"
)

// bodyless is a request whose body is not sent, with the status of its response. The header does
// not describe the body.
type bodyless struct {
	name, header string
	status       int
}

// bodylessRequests returns requests whose handlers read the body, refuse it unread, or ignore it.
func bodylessRequests() []bodyless {
	unknown := "Authorization: Bearer " + apikey.Mint().Reveal() + "\r\n"
	return []bodyless{
		{"a chat", chatStart + authorized + asJSON, 408},
		{"a chat with an unknown key", chatStart + unknown + asJSON, 401},
		{"a chat with a malformed key", chatStart + "Authorization: Bearer k\r\n" + asJSON, 401},
		{"a chat without a key", chatStart + asJSON, 401},
		{"a chat that is not JSON", chatStart + authorized + "Content-Type: text/plain\r\n", 415},
		{"a chat that is compressed", chatStart + authorized + asJSON + "Content-Encoding: gzip\r\n", 415},
		{"another method", strings.Replace(chatStart, "POST", "GET", 1) + authorized + asJSON, 405},
		{"an unknown method", strings.Replace(chatStart, "POST", "FOO", 1) + authorized + asJSON, 405},
		{"another path of the API", "POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\n" + authorized + asJSON, 404},
		{"another path", "POST /nothing HTTP/1.1\r\nHost: localhost\r\n" + asJSON, 404},
		{"the panel's page", "POST / HTTP/1.1\r\nHost: localhost\r\n" + asJSON, 405},
		{"the panel's page with GET", "GET /agents HTTP/1.1\r\nHost: localhost\r\n", 200},
		{"the explorer", "POST /explorer HTTP/1.1\r\nHost: localhost\r\n", 405},
		{"an asset", "GET /assets/app-1a2b3c.js HTTP/1.1\r\nHost: localhost\r\n", 200},
		{"a missing asset", "POST /assets/none.js HTTP/1.1\r\nHost: localhost\r\n", 404},
		{"the description", "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n", 200},
	}
}

// unsent has descriptions of a body, each with the part that is sent.
var unsent = map[string]string{
	"nothing":             "Content-Length: 100\r\n\r\n",
	"a part":              "Content-Length: 100\r\n\r\n{\"message\":",
	"all but a byte":      "Content-Length: 16\r\n\r\n{\"message\":\"hi\"",
	"far from the end":    "Content-Length: 200000\r\n\r\n" + strings.Repeat(" ", 100_000),
	"no chunk":            "Transfer-Encoding: chunked\r\n\r\n",
	"a part of a chunk":   "Transfer-Encoding: chunked\r\n\r\nff\r\n{\"message\":",
	"no last chunk":       "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
	"no end of a trailer": "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Trailer: 1\r\n",
	"after 100 Continue":  "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n",
}

// TestBodiesEnd checks that a body that does not arrive ends its connection in time, for every
// path, method and media type. Single bytes now and then do not extend the time.
func TestBodiesEnd(t *testing.T) {
	t.Parallel()
	const timeout = time.Second
	b := newBench(t, timeout)
	var all []*stalled
	for _, r := range bodylessRequests() {
		for name, rest := range unsent {
			all = append(all, b.stall(t, r, name, r.header+rest))
		}
		// The first request ends with its header. The second one has a deadline too, on the same
		// connection.
		first := "GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n"
		all = append(all, b.stall(t, r, "the second request", first+r.header+unsent["nothing"]))
		for name, rest := range map[string]string{
			"a slow body":  "Content-Length: 100000\r\n\r\n",
			"a slow chunk": "Transfer-Encoding: chunked\r\n\r\nfffff\r\n",
		} {
			s := b.stall(t, r, name, r.header+rest)
			s.drip(timeout / 5)
			all = append(all, s)
		}
	}
	for _, s := range all {
		s.check(timeout)
	}
	if n := b.chats.InFlight(); n != 0 {
		t.Errorf("%d turns began", n)
	}
}

// stalled is a request whose body does not arrive whole.
type stalled struct {
	*wire
	name   string
	status int
	sent   time.Time
}

func (b *bench) stall(t *testing.T, r bodyless, name, text string) *stalled {
	t.Helper()
	s := &stalled{wire: open(t, b.address), name: r.name + ", " + name, status: r.status, sent: time.Now()}
	s.send(b.fill(text))
	return s
}

// check checks that the last answer is the expected one, and that the connection has ended in time.
func (s *stalled) check(timeout time.Duration) {
	s.t.Helper()
	statuses, text, at := s.ended()
	if len(statuses) == 0 || statuses[len(statuses)-1] != s.status {
		s.t.Errorf("%s: answered with %v, want %d: %.300q", s.name, statuses, s.status, text)
	}
	// Half a second of it is net/http's own, after a body that it has given up.
	if took := at.Sub(s.sent); took > timeout+2*time.Second {
		s.t.Errorf("%s: the connection ended after %s; its body had %s", s.name, took, timeout)
	}
}

// TestShippedTimes checks the times of the contract, which other tests shorten.
func TestShippedTimes(t *testing.T) {
	t.Parallel()
	if header, body, idle := server.HeaderTimeout, httpapi.BodyTimeout, server.IdleTimeout; header != 10*time.Second ||
		body != 15*time.Second || idle != 30*time.Second {
		t.Errorf("%s for the header, %s for the body and %s between requests, want 10 s, 15 s and 30 s", header, body, idle)
	}
}
