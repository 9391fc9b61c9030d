package server_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestWhoAnswers checks that net/http answers requests that break the rules of HTTP before any
// handler runs: as text or without a body, without a request ID, and it closes the connection, as
// docs/chat-api.md describes. The API answers all others with its own errors.
func TestWhoAnswers(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	for name, c := range map[string]struct {
		request string
		status  int
		code    string // of the API's error; "" is an answer of net/http
	}{
		"not HTTP":               {"what?\r\n\r\n", 400, ""},
		"TLS":                    {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, ""},
		"two Hosts":              {chatStart + "Host: localhost\r\n\r\n", 400, ""},
		"a malformed path":       {"POST /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""},
		"U+0000 in a header":     {chatStart + "X-Request-Id: a\x00\r\n\r\n", 400, ""},
		"a forbidden trailer":    {chatStart + "Trailer: Content-Length\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, ""},
		"an expectation":         {chatStart + "Expect: miracles\r\nContent-Length: 2\r\n\r\n{}", 417, ""},
		"over 32 KiB of headers": {chatStart + "X-Long: " + strings.Repeat("x", 40<<10) + "\r\n\r\n", 431, ""},
		"a transfer coding":      {chatStart + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501, ""},
		"HTTP/3":                 {"POST /v1/agent/chat HTTP/3.0\r\nHost: x\r\n\r\n", 505, ""},

		"16 KiB of headers":   {chatStart + "X-Long: " + strings.Repeat("x", 16<<10) + "\r\n\r\n", 401, "unauthorized"},
		"HTTP/2 without TLS":  {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 404, "not_found"},
		"OPTIONS *":           {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 404, "not_found"},
		"CONNECT to a host":   {"CONNECT x.example:443 HTTP/1.1\r\nHost: x.example:443\r\n\r\n", 404, "not_found"},
		"CONNECT":             {"CONNECT /v1/agent/chat HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method_not_allowed"},
		"an upgrade":          {"GET /v1/agent/chat HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n", 405, "method_not_allowed"},
		"another host":        {"POST http://x.example/v1/agent/chat HTTP/1.1\r\nHost: x\r\n\r\n", 401, "unauthorized"},
		"an old expectation":  {"POST /v1/agent/chat HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}", 401, "unauthorized"},
		"a length and chunks": {chatStart + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n", 401, "unauthorized"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := raw(t, b.address, c.request)
			if a.StatusCode != c.status {
				t.Errorf("status %d, want %d: %s", a.StatusCode, c.status, a.text)
			}
			if kind := a.Header.Get("Content-Type"); c.code == "" {
				if !a.Close || a.Header.Get("X-Request-Id") != "" || a.text != "" && kind != "text/plain; charset=utf-8" {
					t.Errorf("the HTTP server answers with %v %s", a.Header, a.text)
				}
				return
			}
			var body struct {
				Error     struct{ Code string }
				RequestID string `json:"request_id"`
			}
			if err := json.Unmarshal([]byte(a.text), &body); err != nil || body.Error.Code != c.code || body.RequestID == "" ||
				body.RequestID != a.Header.Get("X-Request-Id") {
				t.Errorf("the API answers with %v %s", a.Header, a.text)
			}
		})
	}
}
