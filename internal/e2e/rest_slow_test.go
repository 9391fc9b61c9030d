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
	"agentchat/internal/testlong"
)

// TestRESTSlowClients: case 12, clients that send a byte now and then. They all run concurrently in one test, because most of its time
// is waiting.
func TestRESTSlowClients(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	long := `{"message":"{text}` + strings.Repeat("x", 400) + `"}`
	cases := []scenario{
		{name: "nothing at all", raw: ""},
		{name: "a slow header", raw: post(long, authorized, asJSON)},
		{name: "a slow body", raw: post(long, authorized, asJSON), status: 408, code: "request_timeout"},
	}
	began := make([]*slowRequest, len(cases))
	for i, s := range cases {
		began[i] = d.trickle(t, s)
	}
	for _, slow := range began {
		slow.check(t, d)
	}
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
	if answered.Status != s.status || answered.outcome() != s.code {
		t.Errorf("%s: %d %s, want %d %s", s.name, answered.Status, excerpt(answered.Body), s.status, s.code)
		return
	}
	d.checkAnswer(t, r.caller, s, answered)
	d.checkFigures(t, r.caller, s, r.before, answered)
}
