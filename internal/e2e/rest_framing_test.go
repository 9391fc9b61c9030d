package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"agentchat/internal/testlong"
)

// TestRESTFraming: what net/http refuses itself and what it takes, in the service's configuration, one request each.
func TestRESTFraming(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	d.run(t, notHTTP())
	d.run(t, oddHTTP())
}

// notHTTP are requests that net/http rejects itself.
func notHTTP() []scenario {
	base := scenario{name: "row 1: not HTTP", status: 400, code: byGo, closed: true, half: true}
	long := strings.Repeat("x", 40<<10)
	return append(variants(base, []string{
		"GARBAGE\r\n\r\n", "POST\r\n\r\n", "POST /v1/agent/chat\r\n\r\n", "POST /v1/agent/chat HTTP/x\r\n\r\n",
		" POST /v1/agent/chat HTTP/1.1\r\nHost: h\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
		"POST /v1/agent/chat HTTP/1.1\r\nAuthorization: Bearer {key}\r\n\r\n",
		post(hello, "Host: other", authorized, asJSON), post(hello, "Host: localhost", authorized, asJSON),
		raw("POST /v1/agent/chat HTTP/1.1", hello, "Host: a b", authorized, asJSON),
		raw("POST /v1/agent/\x00chat HTTP/1.1", hello, "Host: h", authorized, asJSON),
		raw("POST /v1/agent/%zz HTTP/1.1", hello, "Host: h", authorized, asJSON),
		raw("POST /v1/agent/chat%2 HTTP/1.1", hello, "Host: h", authorized, asJSON),
		raw("POST /v1/agent /chat HTTP/1.1", hello, "Host: h", authorized, asJSON),
		raw("PO(T /v1/agent/chat HTTP/1.1", hello, "Host: h", authorized, asJSON),
		post(hello, authorized, asJSON, "X-Odd: a\x01b"), post(hello, authorized, asJSON, "X-Odd: a\x7fb"),
		post(hello, authorized, asJSON, "X-\x01Odd: a"), post(hello, authorized, asJSON, "no colon"),
		post(hello, "Authorization : Bearer {key}", asJSON), post(hello, " Folded-First: x", authorized, asJSON),
		post(hello, authorized, asJSON, "Content-Length: 5", "Content-Length: 6"),
		post(hello, authorized, asJSON, "Content-Length: -1"), post(hello, authorized, asJSON, "Content-Length: 1e3"),
		post(hello, authorized, asJSON, "Content-Length: 99999999999999999999"), post(hello, authorized, asJSON, "Content-Length: +5"),
	}, func(s *scenario, text string) { s.raw = text }),
		scenario{name: "row 1: another version of HTTP", status: 505, code: byGo, closed: true,
			raw: "POST /v1/agent/chat HTTP/3.0\r\nHost: h\r\n\r\n"},
		scenario{name: "row 1: an unknown transfer coding", status: 501, code: byGo, closed: true,
			raw: post(hello, authorized, asJSON, "Transfer-Encoding: gzip, chunked")},
		scenario{name: "row 1: transfer coding twice", status: 501, code: byGo, closed: true,
			raw: post(hello, authorized, asJSON, chunked, chunked)},
		scenario{name: "row 1: over 32 KiB of headers", status: 431, code: byGo, closed: true,
			raw: post(hello, authorized, asJSON, "X-Long: "+long)},
		scenario{name: "row 1: over 32 KiB of many headers", status: 431, code: byGo, closed: true,
			raw: post(hello, append([]string{authorized, asJSON}, manyHeaders(2000)...)...)},
		scenario{name: "row 1: over 32 KiB of path", status: 431, code: byGo, closed: true,
			raw: raw("POST /v1/agent/chat?"+long+" HTTP/1.1", hello, "Host: h", authorized, asJSON)},
		scenario{name: "row 11: an unknown expectation", status: 417, code: byGo, closed: true,
			raw: post(hello, authorized, asJSON, "Expect: miracles")},
	)
}

func manyHeaders(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("X-Header-%d: some value", i)
	}
	return out
}

// oddHTTP are unusual but valid requests.
func oddHTTP() []scenario {
	return variants(scenario{name: "row 15: odd and allowed", status: 200}, []string{
		strings.ReplaceAll(post(hello, authorized, asJSON), "\r\n", "\n"),
		raw("POST http://localhost/v1/agent/chat HTTP/1.1", hello, "Host: localhost", authorized, asJSON),
		raw("POST /v1/agent/chat? HTTP/1.1", hello, "Host: localhost", authorized, asJSON),
		raw("POST /v1/agent/chat HTTP/1.1", hello, "HOST:localhost", "AUTHORIZATION:Bearer {key}", "content-TYPE:application/json"),
		post(hello, "Authorization:  \t Bearer {key} \t ", asJSON),
		post(hello, authorized, asJSON, "Connection: close"), post(hello, authorized, asJSON, "Connection: keep-alive, Upgrade", "Upgrade: h2c"),
		post(hello, authorized, asJSON, "X-Long: "+strings.Repeat("x", 16<<10)),
		post(hello, authorized, asJSON, "Origin: https://elsewhere.example", "Referer: https://elsewhere.example/"),
		post(hello, authorized, asJSON, "X-HTTP-Method-Override: DELETE"),
		raw("POST /v1/agent/chat HTTP/1.0", hello, authorized, asJSON),
		raw("POST /v1/agent/chat HTTP/1.0", hello, authorized, asJSON, "Connection: keep-alive"),
	}, func(s *scenario, text string) {
		s.raw = text
		s.closed = strings.Contains(text, "HTTP/1.0") || strings.Contains(text, "close")
	})
}
