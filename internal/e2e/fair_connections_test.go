package e2e_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// mostWait is how long somebody from another address may wait for an answer beside any number of idle connections.
const mostWait = time.Second

// visitor is an HTTP client that comes from an address of this machine, 127.0.0.n, and opens a connection for each request.
func visitor(n int) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(n))}}
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
}

// The requests of idle connections: none, one that is answered, and one that owes its body.
const (
	silent   = ""
	answered = "GET /openapi.yaml HTTP/1.1\r\nHost: h\r\n\r\n"
	owing    = "POST /graphql HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
)

// hostOf returns the host and port of a URL.
func hostOf(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// loiter opens connections from a number of addresses that stay until the test ends. Each does what one of the requests says, in turn: an
// empty one is not sent, and the answer to another is awaited unless it has a body to come. The replica may close some of them.
func (r *replica) loiter(t testing.TB, connections, addresses int, requests ...string) {
	t.Helper()
	host := hostOf(t, r.Chat)
	outcomes := parallel(32, connections, func(i int) string {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+i%addresses))}}
		conn, err := dialer.DialContext(t.Context(), "tcp", host)
		if err != nil {
			return err.Error()
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		request := requests[i%len(requests)]
		_, _ = io.WriteString(conn, request)
		if request != answered {
			return "open"
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return "closed"
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		return "open"
	})
	if outcomes["open"]+outcomes["closed"] != connections {
		t.Fatalf("idle connections: %v", outcomes)
	}
}

// TestIdleConnectionsKeepNobodyOut: beside 10,010 idle connections from one address, another address is answered at once, and a
// thousand streams of one customer's server are all answered.
func TestIdleConnectionsKeepNobodyOut(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "N9")
	database := storetest.URL(t)
	store, r := storetest.Open(t, database), start(t, database)
	f := storetest.Seed(t, store, storetest.Options{Credits: 1 << 40, RatePerMinute: 1_000_000})
	stop := t.audit(store)
	connections, streams := 300, 50
	if faults.Full() {
		connections, streams = 10_010, 1000
	}
	alone := r.visit(t, f, 20)
	r.loiter(t, connections, 1, silent, answered, owing)
	beside := r.visit(t, f, 20)
	ended := make(chan map[string]int)
	var reading atomic.Int64
	go func() { ended <- r.stream(t.Context(), f, streams, &reading) }()
	eventually(t, "all streams are open", func() bool { return reading.Load() == int64(streams) })
	besideStreams := r.visit(t, f, 20)
	outcomes := <-ended
	if outcomes["end"] != streams {
		t.Errorf("%d streams of one address: %v, want all to end", streams, outcomes)
	}
	for what, longest := range map[string]time.Duration{"beside idle connections": beside, "beside streams too": besideStreams} {
		if faults.Full() && longest > mostWait { // a busy machine may take longer
			t.Errorf("%s, another address waited %s, want at most %s", what, longest, mostWait)
		}
	}
	if code := r.ready(); code != http.StatusOK {
		t.Errorf("/readyz answers %d", code)
	}
	stop()
	t.ran(connections)
	t.measured("a chat from a new address took at most %.0f ms alone, %.0f ms beside %d idle connections, %.0f ms beside %d streams too",
		alone.Seconds()*1000, beside.Seconds()*1000, connections, besideStreams.Seconds()*1000, streams)
}

// visit has new connections from 127.0.0.2 chat, and returns the longest time for one.
func (r *replica) visit(t testing.TB, f storetest.Fixture, times int) time.Duration {
	t.Helper()
	longest := time.Duration(0)
	for range times {
		began := time.Now()
		got, err := ask(t.Context(), visitor(2), r.Chat, f.Key.Reveal(), uuid.NewString(), "hello")
		if err != nil || got.Status != http.StatusOK {
			t.Fatalf("from another address: %d, %v", got.Status, err)
		}
		longest = max(longest, time.Since(began))
	}
	return longest
}

// stream opens streams from 127.0.0.3, all at once, and returns how they ended. reading counts those that have begun.
func (r *replica) stream(ctx context.Context, f storetest.Fixture, streams int, reading *atomic.Int64) map[string]int {
	customer := visitor(3)
	return parallel(streams, streams, func(int) string {
		resp, lines, err := openStream(ctx, customer, r.Chat, f.Key.Reveal(), "[[sandbox words=8 pace=1s]]")
		if err != nil {
			return err.Error()
		}
		defer func() { _ = resp.Body.Close() }()
		if err := until(lines, "start", 1); err != nil {
			return err.Error()
		}
		reading.Add(1)
		if err := until(lines, "end", 1); err != nil {
			return err.Error()
		}
		return "end"
	})
}

// TestFewOpenFiles: where few files may be open, idle connections use up neither the operator's listener nor the database, and make
// room for others.
func TestFewOpenFiles(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "N10")
	const files, idle = 64, 80
	program := filepath.Join(tt.TempDir(), "few-files")
	script := fmt.Sprintf("#!/bin/sh\nulimit -n %d\nexec %s \"$@\"\n", files, binary)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	database := storetest.URL(t)
	store, r := storetest.Open(t, database), startProgram(t, program, database, "LOG_LEVEL=warn")
	f := storetest.Seed(t, store, storetest.Options{Credits: 1 << 40, RatePerMinute: 1_000_000})
	stop := t.audit(store)
	if n := strings.Count(r.log.String(), `"level":"WARN"`); n != 1 || !strings.Contains(r.log.String(), "ulimit -n") {
		t.Errorf("the start logs %d warnings, want one that says what to do: %s", n, r.log.String())
	}
	for round := range faults.Times(2, 20) {
		r.loiter(t, idle, 1+round%2*19, silent, answered)
		for _, path := range []string{"/livez", "/readyz", "/metrics"} {
			resp, err := visitor(2).Get(r.Ops + path)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				t.Errorf("%s answers %d", path, resp.StatusCode)
			}
		}
		if longest := r.visit(t, f, 5); faults.Full() && longest > mostWait {
			t.Errorf("another address waited %s", longest)
		}
		if got, err := ask(t.Context(), visitor(1), r.Chat, f.Key.Reveal(), uuid.NewString(), "hello"); err != nil || got.Status != http.StatusOK {
			t.Errorf("another one: %d, %v", got.Status, err)
		}
		counts := parallel(8, 40, func(int) string {
			got, err := ask(t.Context(), visitor(3), r.Chat, f.Key.Reveal(), uuid.NewString(), "hello")
			return fmt.Sprint(got.Status, err)
		})
		if counts["200 <nil>"] != 40 {
			t.Errorf("chats on as many connections as there is room for: %v", counts)
		}
		t.ran(1)
	}
	stop()
	warnings := strings.Count(r.log.String(), `"level":"WARN"`)
	if most := 3 * (2 + int(time.Since(t.began)/time.Minute)); warnings > most {
		t.Errorf("%d warnings, want at most one of each kind a minute: %s", warnings, r.log.String())
	}
	t.measured("%d files, %d idle connections, %d warnings", files, idle, warnings)
}
