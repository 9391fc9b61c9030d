package e2e_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestRESTFraming: cases 1 to 11 and 15, framing, methods and paths, one request each.
func TestRESTFraming(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	d.run(t, notHTTP())
	d.run(t, oddHTTP())
	d.run(t, otherPaths())
	d.run(t, otherMethods())
	d.run(t, brokenBodies())
	d.run(t, chunkedBodies())
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

func otherPaths() []scenario {
	line := func(target string) string {
		return raw("POST "+target+" HTTP/1.1", hello, "Host: localhost", authorized, asJSON)
	}
	return append(variants(scenario{name: "row 3: another path", status: 404, code: "not_found"}, []string{
		"/v1/agent/chat/", "//v1//agent/chat", "/v1/x/../agent/chat", "/V1/Agent/Chat", "/v1/agent/%63hat", "/v1", "/v1/", "/v1/agent",
		"/v1/agent//chat", "/./v1/agent/chat", "/v1/agent/chat/..", "/v1/agent/chat;x=1", "/v1/agent/chat%00", "/v1%2Fagent%2Fchat",
		"/v1/agent/chat%20", "/v1/agent/chat.json", "/v2/agent/chat", "/v1/agent/chat/{key}", "/v1/" + strings.Repeat("a/", 4<<10),
		"/metrics", "/livez", "/readyz", "/debug/pprof/", "http://localhost/v1/agent/chat/", "http://localhost",
	}, func(s *scenario, target string) { s.raw = line(target) }),
		scenario{name: "row 3: another path without a key", status: 404, code: "not_found", raw: raw("GET /v1/nothing HTTP/1.1", "", "Host: h")},
		scenario{name: "row 3: another path, another method", status: 404, code: "not_found", raw: raw("FOO /v1/nothing HTTP/1.1", "", "Host: h")},
		scenario{name: "row 3: OPTIONS *", status: 404, code: "not_found", raw: raw("OPTIONS * HTTP/1.1", "", "Host: h")},
		scenario{name: "row 3: CONNECT", status: 404, code: "not_found", raw: raw("CONNECT localhost:443 HTTP/1.1", "", "Host: localhost:443")},
		scenario{name: "row 3: HTTP/2 without TLS", status: 404, code: "not_found", raw: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", closed: true, half: true},
	)
}

func otherMethods() []scenario {
	base := scenario{name: "row 4: another method", status: 405, code: "method_not_allowed"}
	line := func(method string, more ...string) string {
		return raw(method+" /v1/agent/chat HTTP/1.1", "", append([]string{"Host: localhost", authorized, asJSON}, more...)...)
	}
	out := variants(base, []string{"GET", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "OPTIONS", "post", "Post", "FOO", "POSTS", "M-SEARCH"},
		func(s *scenario, method string) { s.raw = line(method) })
	out = append(out, variants(base, []string{"GET", "DELETE", "FOO"}, func(s *scenario, method string) {
		s.raw = raw(method+" /v1/agent/chat HTTP/1.1", hello, "Host: localhost", authorized, asJSON)
	})...)
	preflight := []string{"Origin: https://elsewhere.example", "Access-Control-Request-Method: POST",
		"Access-Control-Request-Headers: authorization", "Access-Control-Request-Private-Network: true"}
	for _, more := range []scenario{
		{name: "row 5: HEAD", raw: line("HEAD")},
		{name: "row 5: HEAD with a body", raw: raw("HEAD /v1/agent/chat HTTP/1.1", hello, "Host: h", authorized, asJSON)},
		{name: "row 6: method override", raw: line("GET", "X-HTTP-Method-Override: POST", "X-HTTP-Method: POST", "X-Method-Override: POST")},
		{name: "row 6: method override in the query", raw: raw("GET /v1/agent/chat?_method=POST HTTP/1.1", "", "Host: h", authorized)},
		{name: "row 7: preflight", raw: line("OPTIONS", preflight...)},
		{name: "row 7: preflight without a key", raw: raw("OPTIONS /v1/agent/chat HTTP/1.1", "", append([]string{"Host: h"}, preflight...)...)},
	} {
		more.status, more.code = base.status, base.code
		out = append(out, more)
	}
	return out
}

// brokenBodies never arrive whole, or are too large.
func brokenBodies() []scenario {
	tooLarge := scenario{status: 413, code: "payload_too_large", closed: true, details: map[string]any{"limit": 262144.0}}
	late := func(name, raw string) scenario {
		s := tooLarge
		s.name, s.raw = name, raw
		return s
	}
	padded := hello + strings.Repeat(" ", 256<<10)
	return []scenario{
		{name: "row 2: chunks in HTTP/1.0", status: 400, code: "invalid_json", closed: true,
			raw: raw("POST /v1/agent/chat HTTP/1.0", chunks(hello), authorized, asJSON, chunked, "Connection: keep-alive")},
		{name: "row 2: HTTP/1.0 without a length", status: 400, code: "invalid_json", closed: true, half: true,
			raw: raw("POST /v1/agent/chat HTTP/1.0", "", authorized, asJSON) + hello},
		{name: "row 8: a body that is cut", status: 400, code: "invalid_json", closed: true, half: true,
			raw: post(`{"message":"aaaa`, authorized, asJSON, "Content-Length: 100")},
		{name: "row 8: a body that never begins", status: 400, code: "invalid_json", closed: true, half: true,
			raw: post("", authorized, asJSON, "Content-Length: 100")},
		{name: "row 8: a whole object, cut", status: 400, code: "invalid_json", closed: true, half: true,
			raw: post(hello, authorized, asJSON, "Content-Length: 1000")},
		{name: "row 8: a cut body with a wrong key", status: 401, code: "unauthorized", closed: true, half: true,
			raw: post(hello, "Authorization: Bearer {unknown}", asJSON, "Content-Length: 1000")},
		{name: "row 8: no body", status: 400, code: "invalid_json", raw: post("", authorized, asJSON)},
		{name: "row 8: a length of 0", status: 400, code: "invalid_json", raw: post("", authorized, asJSON, "Content-Length: 0")},
		late("row 10: a length over the limit, nothing sent", post("", authorized, asJSON, "Content-Length: 262145")),
		late("row 10: a length far over the limit", post(`{"message":"`, authorized, asJSON, "Content-Length: 9000000000000000000")),
		late("row 10: the whole body sent", post(padded, authorized, asJSON)),
		late("row 10: chunks over the limit that do not end", post(strings.TrimSuffix(chunks(padded), "0\r\n\r\n"), authorized, asJSON, chunked)),
		late("row 10: one chunk over the limit that does not end", post("FFFFFFF\r\n"+padded+padded, authorized, asJSON, chunked)),
		{name: "row 10: over the limit with a wrong key", status: 401, code: "unauthorized", closed: true,
			raw: post("", "Authorization: Bearer {unknown}", asJSON, "Content-Length: 262145")},
		{name: "row 10: over the limit and no JSON", status: 415, code: "unsupported_media_type", raw: post(padded, authorized)},
		{name: "row 10: exactly the limit", status: 200, raw: post(hello+strings.Repeat(" ", 256<<10-len(hello)-40), authorized, asJSON)},
		{name: "row 10: exactly the limit in chunks", status: 200,
			raw: post(chunks(`{"message":"0123456789"}`+strings.Repeat(" ", 256<<10-24)), authorized, asJSON, chunked)},
	}
}

// chunks returns a body as one chunk. Its length is final, so the body must not contain placeholders.
func chunks(body string) string {
	return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
}

func chunkedBodies() []scenario {
	const body = `{"message":"0123456789"}`
	each := strings.Builder{}
	for _, c := range body {
		fmt.Fprintf(&each, "1\r\n%c\r\n", c)
	}
	broken := scenario{name: "row 9: broken chunks", status: 400, code: "invalid_json", closed: true, half: true}
	out := variants(broken, []string{
		"xyz\r\n" + body + "\r\n0\r\n\r\n", "-18\r\n" + body + "\r\n0\r\n\r\n", "\r\n" + body + "\r\n0\r\n\r\n", "0x18\r\n" + body + "\r\n0\r\n\r\n",
		"18;" + strings.Repeat("x", 20<<10) + "\r\n" + body + "\r\n0\r\n\r\n", "fffffffffffffffff\r\n" + body + "\r\n0\r\n\r\n",
		"17\r\n" + body + "\r\n0\r\n\r\n", "19\r\n" + body + "\r\n0\r\n\r\n", "18\r\n" + body + "\r\n", "18\r\n" + body, "18\r\n" + body + "0\r\n\r\n", "18",
		"18\r\n" + body + "\r\n0\r\nno colon\r\n\r\n", "0\r\n" + strings.Repeat("X-Long: xxxxxxxxxxxxxxxxxxxx\r\n", 300) + "\r\n",
	}, func(s *scenario, text string) { s.raw = post(text, authorized, asJSON, chunked) })
	out = append(out, variants(scenario{name: "row 15: chunked", status: 200, closed: true}, []string{
		chunks(body), each.String() + "0\r\n\r\n", "18;name=value\r\n" + body + "\r\n0\r\n\r\n", "18;a=\"b\";c\r\n" + body + "\r\n0;last\r\n\r\n",
		"018\r\n" + body + "\r\n0\r\n\r\n", "18\r\n" + body + "\r\n000\r\n\r\n", "c\r\n" + body[:12] + "\r\nC\r\n" + body[12:] + "\r\n0\r\n\r\n",
		"18\r\n" + body + "\r\n0\r\nX-Trailer: value\r\n\r\n", "18\r\n" + body + "\r\n0\r\nAuthorization: Bearer {unknown}\r\n\r\n",
	}, func(s *scenario, text string) { s.raw = post(text, authorized, asJSON, chunked) })...)
	return append(out,
		scenario{name: "row 9: broken chunks with a wrong key", status: 401, code: "unauthorized", closed: true, half: true,
			raw: post("xyz\r\n", "Authorization: Bearer {unknown}", asJSON, chunked)},
		scenario{name: "row 9: an empty chunk alone", status: 400, code: "invalid_json", raw: post("0\r\n\r\n", authorized, asJSON, chunked)},
		scenario{name: "row 9: a key only in the trailer", status: 401, code: "unauthorized",
			raw: post(fmt.Sprintf("18\r\n%s\r\n0\r\nAuthorization: Bearer {key}\r\n\r\n", body), asJSON, chunked, "Trailer: Authorization")},
		scenario{name: "row 15: both a length and chunks", status: 200, closed: true,
			raw: post(chunks(body), authorized, asJSON, "Content-Length: 3", chunked)},
	)
}
