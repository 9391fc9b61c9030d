package e2e_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// newcomer is an HTTP client that opens a connection for each request.
func newcomer() *http.Client {
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
}

// hostOf returns the host and port of a URL.
func hostOf(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// loiter opens connections that stay until leave is called. Every other one sends a request, whose answer it does not read.
func (r *replica) loiter(t testing.TB, connections int) (leave func()) {
	t.Helper()
	host := hostOf(t, r.Chat)
	conns := make([]net.Conn, 0, connections)
	leave = func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
	}
	t.Cleanup(leave)
	for i := range connections {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
		if i%2 == 1 {
			_, _ = io.WriteString(conn, "GET /openapi.yaml HTTP/1.1\r\nHost: h\r\n\r\n")
		}
	}
	return leave
}

// visit has new connections chat, one after another, and returns the longest time for one.
func (r *replica) visit(t testing.TB, f storetest.Fixture, times int) time.Duration {
	t.Helper()
	longest := time.Duration(0)
	for range times {
		began := time.Now()
		got, err := ask(t.Context(), newcomer(), r.Chat, f.Key.Reveal(), uuid.NewString(), "hello")
		if err != nil || got.Status != http.StatusOK {
			t.Fatalf("a chat: %d, %v", got.Status, err)
		}
		longest = max(longest, time.Since(began))
	}
	return longest
}

// TestFewOpenFiles: where few files may be open, any number of connections use up neither the operator's listener nor the database.
// Those that wait are served when others leave.
func TestFewOpenFiles(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const files, kept = 64, 80
	began := time.Now()
	program := filepath.Join(t.TempDir(), "few-files")
	script := fmt.Sprintf("#!/bin/sh\nulimit -n %d\nexec %s \"$@\"\n", files, binary)
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	database := storetest.URL(t)
	store, r := storetest.Open(t, database), startProgram(t, program, database, "LOG_LEVEL=warn")
	f := storetest.Seed(t, store, storetest.Options{Credits: 1 << 40, RatePerMinute: 1_000_000})
	stop := auditing(t, store)
	if n := strings.Count(r.log.String(), `"level":"WARN"`); n != 1 || !strings.Contains(r.log.String(), "ulimit -n") {
		t.Errorf("the start logs %d warnings, want one that says what to do: %s", n, r.log.String())
	}
	for range 2 {
		leave := r.loiter(t, kept)
		eventually(t, "there is no room", func() bool { return strings.Contains(r.log.String(), "all connections are in use") })
		for _, path := range []string{"/livez", "/readyz", "/metrics"} {
			resp, err := newcomer().Get(r.Ops + path)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				t.Errorf("%s answers %d", path, resp.StatusCode)
			}
		}
		leave()
		r.visit(t, f, 5)
		counts := parallel(8, 40, func(int) string {
			got, err := ask(t.Context(), newcomer(), r.Chat, f.Key.Reveal(), uuid.NewString(), "hello")
			return fmt.Sprint(got.Status, err)
		})
		if counts["200 <nil>"] != 40 {
			t.Errorf("chats on as many connections as there is room for: %v", counts)
		}
	}
	stop()
	warnings, full := strings.Count(r.log.String(), `"level":"WARN"`), strings.Count(r.log.String(), "all connections are in use")
	if most := 1 + int(time.Since(began)/time.Minute); full == 0 || full > most || warnings != 1+full {
		t.Errorf("%d warnings, %d that there is no room, want the start's and then at most one a minute: %s", warnings, full, r.log.String())
	}
}
