package e2e_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// leaks matches what no error may contain: SQL, stacks, paths, Go types, and library messages.
var leaks = regexp.MustCompile(`(?i)goroutine|panic|\.go\b|\bselect\b|\binsert\b|\bupdate\b|\bfrom [a-z]+ where|sqlstate|postgres|pgx|pgconn|` +
	`/home/|/usr/|/tmp/|/root/|runtime|jsontext|unmarshal|\b(u?int|float)(32|64)\b|\*?fault\.|rest\.|\bstruct\b|interface ?\{|nil pointer|map\[|errno|0x[0-9a-f]{6}`)

// unkeyed are the errors that occur before or without a look at the key. They have no RateLimit headers.
var unkeyed = []string{"unauthorized", "invalid_authorization", "not_found", "method_not_allowed", "unavailable", byGo}

// retryable are the errors with a Retry-After header.
var retryable = []string{"session_busy", "request_in_progress", "rate_limited", "model_unavailable", "unavailable"}

// checkAnswer checks what applies to every response, and then the scenario's expectations.
func (d *deployment) checkAnswer(t *testing.T, caller *apiCaller, s scenario, got answer) {
	t.Helper()
	if got.Status != s.status {
		t.Fatalf("status %d, want %d: %s", got.Status, s.status, excerpt(got.Body))
	}
	if got.Status == http.StatusInternalServerError && s.code != "internal" {
		t.Error("500")
	}
	for name := range got.Header {
		if strings.HasPrefix(name, "Access-Control-") || name == "Location" {
			t.Errorf("unexpected header %s", name)
		}
	}
	if strings.Contains(string(got.Body), caller.Key.Reveal()[4:36]) {
		t.Errorf("the body contains the key: %s", excerpt(got.Body))
	}
	checkHeaders(t, s, got)
	switch {
	case s.code == byGo:
		if kind := got.Header.Get("Content-Type"); len(got.Body) > 0 && !strings.HasPrefix(kind, "text/plain") {
			t.Errorf("net/http's own error is %s", kind)
		}
	case s.status != http.StatusOK:
		d.checkError(t, s, got)
	case got.Session == "" || got.Message == "" || got.Reply == "":
		t.Errorf("the reply is incomplete: %s", excerpt(got.Body))
	}
}

func checkHeaders(t *testing.T, s scenario, got answer) {
	t.Helper()
	h := got.Header
	wantHeader(t, h, "WWW-Authenticate", s.status == http.StatusUnauthorized, "Bearer")
	wantHeader(t, h, "Allow", s.status == http.StatusMethodNotAllowed, "POST")
	wantHeader(t, h, "X-Request-Id", s.code != byGo, "")
	wantHeader(t, h, "Retry-After", slices.Contains(retryable, s.code), "")
	if s.code != byGo {
		wantHeader(t, h, "Content-Type", true, "application/json")
		wantHeader(t, h, "Cache-Control", true, "no-store")
	}
	rated := !slices.Contains(unkeyed, s.code)
	for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
		wantHeader(t, h, name, rated, "")
	}
	if rated {
		limit, remaining := wholeNumber(t, h, "RateLimit-Limit"), wholeNumber(t, h, "RateLimit-Remaining")
		// At a high rate, the bucket may be full again by the time of the response.
		if want := s.options.RatePerMinute; limit < 1 || remaining > limit || want != 0 && (limit != want || remaining == limit) {
			t.Errorf("RateLimit-Limit %d, RateLimit-Remaining %d", limit, remaining)
		}
		wholeNumber(t, h, "RateLimit-Reset")
	}
	if h.Get("Retry-After") != "" && wholeNumber(t, h, "Retry-After") < 1 {
		t.Errorf("Retry-After is %s", h.Get("Retry-After"))
	}
}

// wantHeader checks that a header occurs exactly once, with value unless that is "", or not at all.
func wantHeader(t *testing.T, h http.Header, name string, there bool, value string) {
	t.Helper()
	switch got := h.Values(name); {
	case !there && len(got) > 0:
		t.Errorf("unexpected header %s: %q", name, got)
	case there && (len(got) != 1 || got[0] == "" || value != "" && got[0] != value):
		t.Errorf("%s is %q, want it once, as %q", name, got, value)
	}
}

func wholeNumber(t *testing.T, h http.Header, name string) int {
	t.Helper()
	n, err := strconv.Atoi(h.Get(name))
	if err != nil || n < 0 {
		t.Errorf("%s is %q, not a whole number", name, h.Get(name))
	}
	return n
}

// checkError checks the shape of an error.
func (d *deployment) checkError(t *testing.T, s scenario, got answer) {
	t.Helper()
	if s.code == "internal" {
		d.mu.Lock()
		d.faults[got.Header.Get("X-Request-Id")] = true
		d.mu.Unlock()
	}
	if strings.HasPrefix(s.raw, http.MethodHead) {
		if len(got.Body) > 0 {
			t.Errorf("HEAD was answered with a body: %s", excerpt(got.Body))
		}
		return
	}
	if leak := leaks.Find(got.Body); leak != nil {
		t.Errorf("the error contains %q: %s", leak, excerpt(got.Body))
	}
	var whole struct {
		Error struct {
			Code, Message *string
			Details       *map[string]any
		}
		RequestID *string `json:"request_id"`
	}
	var top, inner map[string]json.RawMessage
	if json.Unmarshal(got.Body, &whole) != nil || json.Unmarshal(got.Body, &top) != nil || json.Unmarshal(top["error"], &inner) != nil ||
		len(top) != 2 || len(inner) != 3 || whole.Error.Code == nil || whole.Error.Message == nil || whole.Error.Details == nil ||
		whole.RequestID == nil {
		t.Fatalf("not the shape of an error: %s", excerpt(got.Body))
	}
	if *whole.Error.Code != s.code {
		t.Errorf("code %s, want %s: %s", *whole.Error.Code, s.code, excerpt(got.Body))
	}
	if *whole.Error.Message == "" || *whole.RequestID != got.Header.Get("X-Request-Id") {
		t.Errorf("no message, or request_id is not %s: %s", got.Header.Get("X-Request-Id"), excerpt(got.Body))
	}
	for name, value := range s.details {
		if !reflect.DeepEqual((*whole.Error.Details)[name], value) {
			t.Errorf("details.%s is %v, want %v", name, (*whole.Error.Details)[name], value)
		}
	}
}

// wire is a connection on which a test controls every byte.
type wire struct {
	t    *testing.T
	conn *net.TCPConn
	in   *bufio.Reader
}

func dial(t *testing.T, chat string) *wire {
	t.Helper()
	u, err := url.Parse(chat)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	// A failing test should end with a message.
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return &wire{t: t, conn: conn.(*net.TCPConn), in: bufio.NewReader(conn)}
}

// send writes text, in the background if it is long: the service may answer without reading all of it.
func (w *wire) send(text string) {
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = io.WriteString(w.conn, text)
	}()
	if len(text) <= 64<<10 {
		<-sent // later writes must come after it
	}
}

func (w *wire) closeWrite() { _ = w.conn.CloseWrite() }

// receive reads one response.
func (w *wire) receive(method string) answer {
	w.t.Helper()
	resp, err := http.ReadResponse(w.in, &http.Request{Method: method}) //nolint:bodyclose // readAnswer closes it
	if err != nil {
		w.t.Fatalf("no response: %v", err)
	}
	return readAnswer(w.t, resp)
}

// wantClosed checks that the service closes the connection and sends nothing more.
func (w *wire) wantClosed() {
	w.t.Helper()
	rest, err := io.ReadAll(w.in)
	if err != nil && !errors.Is(err, syscall.ECONNRESET) {
		w.t.Errorf("the connection was left open: %v", err)
	}
	if len(rest) > 0 {
		w.t.Errorf("after the response came %s", excerpt(rest))
	}
}

// The usual headers and body of a raw request.
const (
	authorized = "Authorization: Bearer {key}"
	asJSON     = "Content-Type: application/json"
	chunked    = "Transfer-Encoding: chunked"
	hello      = `{"message":"{text}"}`
)

// raw returns a request as sent over the wire. It adds a Content-Length unless the headers already frame the body.
func raw(line, body string, headers ...string) string {
	framed := slices.ContainsFunc(headers, func(h string) bool {
		h = strings.ToLower(h)
		return strings.HasPrefix(h, "content-length") || strings.HasPrefix(h, "transfer-encoding")
	})
	if body != "" && !framed {
		headers = append(slices.Clone(headers), "Content-Length: {length}")
	}
	return strings.Join(append([]string{line}, headers...), "\r\n") + "\r\n\r\n" + body
}

// post returns a raw HTTP/1.1 POST request to the API's path.
func post(body string, headers ...string) string {
	return raw("POST /v1/agent/chat HTTP/1.1", body, append([]string{"Host: localhost"}, headers...)...)
}
