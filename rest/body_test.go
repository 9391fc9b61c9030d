package rest_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/httpapi"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// chunked returns a request whose body comes in chunks; raw is the body on the wire.
func chunked(key, raw string) string {
	return request(key, raw, "Content-Length:", "Transfer-Encoding: chunked")
}

func chunk(text string) string {
	return strconv.FormatInt(int64(len(text)), 16) + "\r\n" + text + "\r\n"
}

func TestBodiesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	key := b.fixture.Key.Reveal()
	big := strings.Repeat(" ", rest.MaxBodyBytes)
	cases := []struct {
		name, raw string
		cut       bool // the client's side ends before the answer
		status    int
		code      string
	}{
		{"cut short", request(key, `{"message":"hi"}`, "Content-Length: 100"), true, 400, "invalid_json"},
		{"negative chunk size", chunked(key, "-2\r\n{}\r\n0\r\n\r\n"), false, 400, "invalid_json"},
		{"chunk shorter than its size", chunked(key, "3\r\n{}\r\n0\r\n\r\n"), true, 400, "invalid_json"},
		{"broken trailer", chunked(key, chunk(`{"message":"hi"}`)+"0\r\nno colon\r\n\r\n"), false, 400,
			"invalid_json"},
		{"20 KB chunk extension", chunked(key, "2;"+strings.Repeat("x", 20_000)+"\r\n{}\r\n0\r\n\r\n"),
			false, 400, "invalid_json"},
		{"declared too long", request(key, "", "Content-Length: 262145"), false, 413, "payload_too_large"},
		{"too long in chunks", chunked(key, chunk(big)+chunk("x")+"0\r\n\r\n"), false, 413, "payload_too_large"},
		{"endless chunks", chunked(key, strings.Repeat(chunk(big), 2)), false, 413, "payload_too_large"},
		{"HTTP/1.0 with chunks", http10(chunked(key, chunk(`{"message":"hi"}`)+"0\r\n\r\n")), false, 400,
			"invalid_json"},
		{"HTTP/1.0 with chunks, kept alive", http10(request(key, chunk("POST / HTTP/1.0\r\n\r\n"), "Content-Length:",
			"Transfer-Encoding: chunked", "Connection: keep-alive")), false, 400, "invalid_json"},
	}
	t.Run("cases", func(t *testing.T) {
		for _, tc := range cases {
			t.Run(tc.name, func(t *testing.T) {
				t.Parallel()
				sendIt := sendRaw
				if tc.cut {
					sendIt = sendCut
				}
				replies := sendIt(t, b.address, tc.raw)
				if len(replies) != 1 {
					t.Fatalf("got %d answers, want 1 and a closed connection", len(replies))
				}
				p := replies[0].refused(t, tc.status, tc.code)
				if !replies[0].Close {
					t.Error("the connection stays open")
				}
				if tc.status == 413 && p.Error.Details["limit"] != float64(rest.MaxBodyBytes) {
					t.Errorf("details are %v", p.Error.Details)
				}
				if replies[0].Header.Get("RateLimit-Limit") == "" {
					t.Error("a valid key got no rate")
				}
			})
		}
	})
	b.untouched(t)
}

func http10(request string) string { return strings.Replace(request, "HTTP/1.1", "HTTP/1.0", 1) }

func TestBodiesThatFit(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	key := b.fixture.Key.Reveal()
	body := `{"message":"hi"}`
	for name, raw := range map[string]string{
		"chunked":                    chunked(key, chunk(body[:5])+chunk(body[5:])+"0\r\n\r\n"),
		"chunked with trailer":       chunked(key, chunk(body)+"0\r\nX-Extra: 1\r\n\r\n"),
		"another key in the trailer": chunked(key, chunk(body)+"0\r\nAuthorization: Bearer k\r\n\r\n"),
		"chunk extensions":           chunked(key, "10;a=\"b\";c\r\n"+body+"\r\n0;last\r\n\r\n"),
		"chunk size with zeros":      chunked(key, "010\r\n"+body+"\r\n000\r\n\r\n"),
		"exactly the limit":          request(key, body+strings.Repeat(" ", rest.MaxBodyBytes-len(body))),
		"the limit in chunks": chunked(key,
			chunk(body)+chunk(strings.Repeat(" ", rest.MaxBodyBytes-len(body)))+"0\r\n\r\n"),
		"HTTP/1.0": http10(request(key, body)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, reader := dial(t, b.address)
			write(t, conn, raw)
			if r := receive(t, reader, http.MethodPost); r.StatusCode != http.StatusOK {
				t.Errorf("got %d: %s", r.StatusCode, r.text)
			}
		})
	}
}

// TestTheBodysDeadlineDoesNotCutTheReply tests that the deadline of the body ends with the body.
func TestTheBodysDeadlineDoesNotCutTheReply(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	b.address = serveBodies(t, b.api, &httpapi.Bodies{Timeout: 300 * time.Millisecond})
	r := b.post(t, quoted("[[sandbox words=4 pace=200ms]]"), "Accept: text/event-stream")
	if s := parseStream(t, r); s.end == nil || r.Close || b.access(t).ClientGone {
		t.Errorf("got %d, close %v: %s", r.StatusCode, r.Close, r.text)
	}
}

// TestExpectContinue tests that refusals come instead of 100 Continue. Each request spends one of
// the rate, and no more.
func TestExpectContinue(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{RatePerMinute: 60}, nil)
	const body = `{"message":"hi"}`
	for _, tc := range []struct {
		key, header string
		status      int
	}{
		{apikey.Mint().Reveal(), "Accept: */*", http.StatusUnauthorized},
		{b.fixture.Key.Reveal(), "Content-Type: text/plain", http.StatusUnsupportedMediaType},
		{b.fixture.Key.Reveal(), "Content-Length: 300000", http.StatusRequestEntityTooLarge},
		{b.fixture.Key.Reveal(), "Accept: */*", http.StatusContinue},
	} {
		conn, reader := dial(t, b.address)
		write(t, conn, strings.TrimSuffix(request(tc.key, body, tc.header, "Expect: 100-continue"), body))
		r := receive(t, reader, http.MethodPost)
		if r.StatusCode != tc.status {
			t.Errorf("got %d, want %d", r.StatusCode, tc.status)
		}
		if r.StatusCode == http.StatusContinue {
			write(t, conn, body)
			r = receive(t, reader, http.MethodPost)
			if got := r.Header.Get("RateLimit-Remaining"); r.StatusCode != http.StatusOK || got != "57" {
				t.Errorf("got %d with RateLimit-Remaining %s after three requests of 60", r.StatusCode, got)
			}
		}
	}
}
