package server_test

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"agentchat/internal/server"
)

// roundTrip sends a request over a connection, which stays open, and returns the response's text.
func roundTrip(t *testing.T, conn net.Conn, path string) string {
	t.Helper()
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%s is not answered: %v", path, err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestConnectionsAreLimited checks that a client over the limit waits until another one leaves, and
// that the log warns at most once a minute.
func TestConnectionsAreLimited(t *testing.T) {
	t.Parallel()
	const limit = 3
	log := &lockedLog{}
	r := run(t, newGate(), func(s *server.Service) {
		s.Connections, s.Logger = limit, slog.New(slog.NewTextHandler(log, nil))
	})
	for round := range 2 {
		var conns []net.Conn
		for range limit {
			conns = append(conns, connect(t, r.address))
			roundTrip(t, conns[len(conns)-1], "/")
		}
		late := open(t, r.address)
		late.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		select {
		case got := <-late.read:
			t.Fatalf("round %d: one over the limit got %q, %v", round, got.text, got.err)
		case <-time.After(200 * time.Millisecond):
		}
		_ = conns[0].Close()
		if statuses, text, _ := late.ended(); len(statuses) != 1 || statuses[0] != http.StatusOK {
			t.Errorf("round %d: when another one left, the one that waited got %q", round, text)
		}
		for _, conn := range conns[1:] {
			roundTrip(t, conn, "/")
			_ = conn.Close()
		}
	}
	text := log.String()
	if !strings.Contains(text, "all connections are in use") || strings.Count(text, "level=WARN") != 1 {
		t.Errorf("the warnings within a minute: %s", text)
	}
}

// TestConnectionsWithoutRequestsEnd checks that connections without a request, or with one that is
// too slow, end in time, so that other clients can connect.
func TestConnectionsWithoutRequestsEnd(t *testing.T) {
	t.Parallel()
	const limit, timeout = 3, 300 * time.Millisecond
	for name, occupy := range map[string]func(*wire){
		"silent":        func(*wire) {},
		"a slow header": func(w *wire) { w.send("GET / HTTP/1.1\r\nX: "); w.drip(timeout / 10) },
		"idle":          func(w *wire) { w.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") },
		"a slow second header": func(w *wire) {
			w.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nX: ")
			w.drip(timeout / 10)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := run(t, newGate(), func(s *server.Service) {
				s.Connections, s.HeaderTimeout, s.IdleTimeout = limit, timeout, timeout
			})
			for range limit {
				occupy(open(t, r.address))
			}
			late, began := connect(t, r.address), time.Now()
			if text := roundTrip(t, late, "/"); text != "quick" {
				t.Errorf("another client got %q", text)
			}
			if took := time.Since(began); took > timeout+5*time.Second {
				t.Errorf("another client waited %s", took)
			}
		})
	}
}

// TestRequestsInFlightAreNotIdle checks that a request may take longer than the idle timeout.
func TestRequestsInFlightAreNotIdle(t *testing.T) {
	t.Parallel()
	const timeout = 100 * time.Millisecond
	g := newGate()
	r := run(t, g, func(s *server.Service) { s.HeaderTimeout, s.IdleTimeout = timeout, timeout })
	pending := slow(t, r, g)
	select {
	case o := <-pending:
		t.Fatalf("the request ended early: %+v", o)
	case <-time.After(3 * timeout):
	}
	close(g.release)
	if o := receive(t, "the answer", pending); o.err != nil || o.text != "finished" {
		t.Errorf("got %q, %v", o.text, o.err)
	}
}

func TestConnectionsFor(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ files, pool, want int }{
		{4, 4, 4},
		{64, 4, 16},
		{136, 4, 34},
		{1024, 4, 478},
		{20_067, 4, 9_999},
		{20_068, 4, 10_000},
		{20_068, 6, 9_999},
		{1 << 30, 1000, 10_000},
	} {
		if got := server.ConnectionsFor(tc.files, tc.pool); got != tc.want {
			t.Errorf("%d files and a pool of %d: %d connections, want %d", tc.files, tc.pool, got, tc.want)
		}
	}
	if server.OpenFiles() < 16 {
		t.Errorf("%d files may be open", server.OpenFiles())
	}
}
