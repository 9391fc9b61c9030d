package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentchat/internal/store/storetest"
)

// TestDrainWithSlowClients checks that a shutdown serves requests that arrive within a second and
// waits for the turns. Clients that send or receive slowly, or not at all, do not delay it.
func TestDrainWithSlowClients(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0)
	turns := b.streams(t, 3, "[[sandbox words=9 pace=500ms]]")
	var bodies []*stalled
	for _, r := range bodylessRequests() {
		for name, rest := range unsent {
			bodies = append(bodies, b.stall(t, r, name, r.header+rest))
		}
		s := b.stall(t, r, "dripping", r.header+"Content-Length: 100000\r\n\r\n")
		s.drip(100 * time.Millisecond)
		bodies = append(bodies, s)
	}
	silent, half := open(t, b.address), open(t, b.address)
	half.send("POST /v1/agent/chat HTTP/1.1\r\nHost: loc")
	deaf := connect(t, b.address)
	writeTo(t, deaf, "GET /assets/large.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
	last := b.almostSent(t, chatStart+authorized+asJSON, `{"message":"[[sandbox delay=3s]]"}`)

	// A shutdown drops requests whose header was not read.
	begun := int64(len(turns) + len(bodies) + 2)
	until(t, "all requests have begun", func() bool { return b.requests.Load() == begun })
	stopped := time.Now()
	b.stop()
	until(t, "no connection is accepted", func() bool { return refusesConnections(t, b.address) })
	last.send("}")
	for _, s := range bodies {
		statuses, text, at := s.ended()
		if len(statuses) == 0 || statuses[len(statuses)-1] != s.status {
			t.Errorf("%s: answered with %v, want %d: %.300q", s.name, statuses, s.status, text)
		}
		if took := at.Sub(stopped); took > 4*time.Second {
			t.Errorf("%s: the connection ended after %s", s.name, took)
		}
	}
	statuses, text, _ := last.ended()
	if !slices.Equal(statuses, []int{http.StatusContinue, http.StatusOK}) {
		t.Errorf("a chat whose body arrived within the second: %v %q", statuses, text)
	}
	for i, turn := range turns {
		if err := receive(t, "the end of a stream", turn); err != nil {
			t.Errorf("turn %d: %v", i, err)
		}
	}
	turnsEnded := time.Now()
	if err := receive(t, "the end", b.ended); err != nil {
		t.Errorf("Run = %v", err)
	}
	if took := time.Since(turnsEnded); took > 5*time.Second {
		t.Errorf("the service ended %s after its last turn", took)
	}
	_, _, _ = silent.ended()
	_, _, _ = half.ended()
	b.wantTurns(t, len(turns)+1)
}

func writeTo(t *testing.T, to io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(to, text); err != nil {
		t.Fatal(err)
	}
}

// almostSent sends a request without its last byte, and returns when the service is reading its
// body.
func (b *bench) almostSent(t *testing.T, header, body string) *wire {
	t.Helper()
	conn := connect(t, b.address)
	writeTo(t, conn, b.fill(header+fmt.Sprintf("Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(body))))
	reader := bufio.NewReader(conn)
	response, err := http.ReadResponse(reader, nil)
	if err != nil || response.StatusCode != http.StatusContinue {
		t.Fatalf("the service does not read the body: %v %v", response, err)
	}
	_ = response.Body.Close()
	w := &wire{Conn: conn, t: t, read: make(chan received, 1)}
	go func() {
		text, err := io.ReadAll(reader)
		w.read <- received{"HTTP/1.1 100 Continue\r\n\r\n" + string(text), err, time.Now()}
	}()
	w.send(body[:len(body)-1])
	return w
}

// streams begins streamed turns, each in its own session, and returns when all of them have sent
// text. Each channel receives nil when its stream has ended with "end".
func (b *bench) streams(t *testing.T, n int, message string) []<-chan error {
	t.Helper()
	var all []<-chan error
	for range n {
		body := fmt.Sprintf(`{"message":%q,"stream":true}`, message)
		conn := connect(t, b.address)
		writeTo(t, conn, b.fill(chatStart+authorized+asJSON+fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)))
		response, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // the goroutine closes it
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("the stream did not begin: %v %v", response, err)
		}
		ended := make(chan error, 1)
		go func() {
			defer func() { _ = response.Body.Close() }()
			text, err := io.ReadAll(response.Body)
			if err == nil && !strings.Contains(string(text), "event: end\n") {
				err = fmt.Errorf("no end in %q", text)
			}
			ended <- err
		}()
		all = append(all, ended)
	}
	return all
}

// wantTurns checks the number of turns, which must all be answered.
func (b *bench) wantTurns(t *testing.T, answered int) {
	t.Helper()
	storetest.Audit(t, b.store)
	var turns, done int
	err := b.store.SQL().QueryRowContext(t.Context(), `SELECT count(*), count(*) FILTER (WHERE state = 'ANSWERED') FROM turns`).Scan(&turns, &done)
	if err != nil || turns != answered || done != answered {
		t.Errorf("%d turns, %d of them answered (%v), want %d", turns, done, err, answered)
	}
	if n := b.chats.InFlight(); n != 0 {
		t.Errorf("%d turns are in flight", n)
	}
}
