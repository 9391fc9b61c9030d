package e2e_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
)

// TestRESTSlowClients: case 12, clients that send a byte now and then. They all run concurrently in one test, because most of its time
// is waiting.
func TestRESTSlowClients(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	long := `{"message":"{text}` + strings.Repeat("x", 400) + `"}`
	unauthorized := scenario{status: 401, code: "unauthorized"}
	timedOut := scenario{status: 408, code: "request_timeout"}
	cases := []scenario{
		{name: "nothing at all", raw: ""},
		{name: "a slow header", raw: post(long, authorized, asJSON)},
		named("a slow body", post(long, authorized, asJSON), timedOut),
		named("a slow body in chunks", post(strings.Repeat("1\r\n \r\n", 200), authorized, asJSON, chunked), timedOut),
		named("a slow body in HTTP/1.0", raw("POST /v1/agent/chat HTTP/1.0", long, authorized, asJSON), timedOut),
		named("a slow body with an unknown key", post(long, "Authorization: Bearer {unknown}", asJSON), unauthorized),
		named("a slow body with a malformed key", post(long, "Authorization: Bearer {cut}", asJSON), unauthorized),
		{name: "a slow body that is not JSON", raw: post(long, authorized), status: 415, code: "unsupported_media_type"},
		{name: "a slow body to another path", raw: raw("POST /v1/nothing HTTP/1.1", long, "Host: h"), status: 404, code: "not_found"},
		{name: "a slow body to the panel's page", raw: raw("POST / HTTP/1.1", long, "Host: h"), status: 405, code: byGo},
	}
	began := make([]*slowRequest, len(cases))
	for i, s := range cases {
		began[i] = d.trickle(t, s)
	}
	for _, slow := range began {
		slow.check(t, d)
	}
}

func named(name, raw string, s scenario) scenario {
	s.name, s.raw = name, raw
	return s
}

// slowRequest is a request that is sent at two bytes per second.
type slowRequest struct {
	scenario scenario
	caller   *apiCaller
	before   figures
	method   string
	// all receives whether the whole request was sent; answer receives everything that the service sent until it closed.
	all    chan bool
	answer chan response
}

type response struct {
	text []byte
	err  error
}

// trickle starts a request. Its header is sent at once, unless the scenario expects no response.
func (d *deployment) trickle(t *testing.T, s scenario) *slowRequest {
	t.Helper()
	caller := d.newCaller(t, storetest.Options{})
	slow := &slowRequest{scenario: s, caller: caller, before: d.figures(t, caller), all: make(chan bool, 1), answer: make(chan response, 1)}
	text := caller.fill(s.raw)
	slow.method, _, _ = strings.Cut(text, " ")
	w := dial(t, d.chat())
	if s.status != 0 {
		header, body, _ := strings.Cut(text, "\r\n\r\n")
		w.send(header + "\r\n\r\n")
		text = body
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		text, err := io.ReadAll(w.conn)
		slow.answer <- response{text, err}
	}()
	go func() { slow.all <- dribble(w.conn, text, over) }()
	return slow
}

// dribble writes a text at two bytes per second until the service closes the connection. It reports whether all of it was written.
func dribble(to io.Writer, text string, over <-chan struct{}) (all bool) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for i := range len(text) {
		select {
		case <-tick.C:
		case <-over:
			return false
		}
		if _, err := to.Write([]byte{text[i]}); err != nil {
			<-over
			return false
		}
	}
	return text != ""
}

func (r *slowRequest) check(t *testing.T, d *deployment) {
	t.Helper()
	s := r.scenario
	got := <-r.answer
	if <-r.all {
		t.Errorf("%s: the service waited for the last byte", s.name)
	}
	if got.err != nil && !errors.Is(got.err, syscall.ECONNRESET) {
		t.Errorf("%s: the connection was not closed: %v", s.name, got.err)
	}
	if s.status == 0 {
		// net/http takes an unfinished line for a malformed one. It closes the connection either way.
		if len(got.text) > 0 && !bytes.HasPrefix(got.text, []byte("HTTP/1.1 400 ")) {
			t.Errorf("%s got the response %s", s.name, excerpt(got.text))
		}
		return
	}
	in := bufio.NewReader(bytes.NewReader(got.text))
	resp, err := http.ReadResponse(in, &http.Request{Method: r.method}) //nolint:bodyclose // readAnswer closes it
	if err != nil {
		t.Errorf("%s: no response: %v: %s", s.name, err, excerpt(got.text))
		return
	}
	answered := readAnswer(t, resp)
	if rest, _ := io.ReadAll(in); len(rest) > 0 {
		t.Errorf("%s: after the response came %s", s.name, excerpt(rest))
	}
	if answered.Status != s.status || s.code != byGo && answered.outcome() != s.code {
		t.Errorf("%s: %d %s, want %d %s", s.name, answered.Status, excerpt(answered.Body), s.status, s.code)
		return
	}
	if s.code != byGo {
		d.checkAnswer(t, r.caller, s, answered)
	}
	d.checkFigures(t, r.caller, s, r.before, answered)
}
