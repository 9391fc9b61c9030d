package e2e_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/faults"
	"agentchat/internal/store/storetest"
)

// mostAnnounced is how much memory a replica may have used at most, beside 3,000 bodies that are announced: some 40 KiB for each connection,
// and nothing for the bodies, which would be 750 MiB.
const mostAnnounced = 200 << 20

// openBody is a request whose body is announced and does not arrive whole.
type openBody struct {
	name, header string
	// sent is the part of the body that arrives.
	sent string
	// status is what answers it in the end.
	status string
}

// send sends the request on many connections at once, and returns what answered them, by status.
func (b openBody) send(t testing.TB, host string, connections int) map[string]int {
	t.Helper()
	return parallel(connections, connections, func(int) string {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			return err.Error()
		}
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		_, _ = conn.Write([]byte(b.header + "\r\n" + b.sent)) // it may have been closed
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			return "closed"
		}
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") == "" && strings.Contains(b.header, "/v1") {
			return "503 without a time"
		}
		return fmt.Sprint(resp.StatusCode)
	})
}

func announced(path, key string, bytes int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\n", path, key, bytes)
}

// TestAnnouncedBodiesTakeNoMemory: 3,000 requests at once that announce 256 KiB, or as much as needs no check of the key.
func TestAnnouncedBodiesTakeNoMemory(tt *testing.T) {
	faults.Heavy(tt) // it opens thousands of connections and weighs them
	tt.Parallel()
	t := newRow(tt, "N6")
	const chat, graph = "/v1/agent/chat", "/graphql"
	bodies := []openBody{
		{name: "a made-up key", header: announced(chat, apikey.Mint().Reveal(), 256<<10), status: "401"},
		{name: "a made-up key and 16 KiB", header: announced(chat, apikey.Mint().Reveal(), 16<<10), status: "401"},
		{name: "no token", header: announced(graph, "", 256<<10), status: "408"},
		{name: "a valid key", header: announced(chat, "{key}", 256<<10), sent: "{", status: "408"},
	}
	connections, figures := 3000, ""
	if !faults.Full() {
		connections, bodies = 1000, bodies[2:]
	}
	for _, b := range bodies {
		database := storetest.URL(t)
		store, r := storetest.Open(t, database), start(t, database)
		f := storetest.Seed(t, store, storetest.Options{Credits: 1 << 40, RatePerMinute: 1_000_000})
		stop := t.audit(store)
		before := r.peakMemory(tt)
		b.header = strings.Replace(b.header, "{key}", f.Key.Reveal(), 1)
		got := b.send(t, hostOf(t, r.Chat), connections)
		peak := r.peakMemory(tt)
		if got[b.status] != connections {
			t.Errorf("%s: %v, want %s for all %d", b.name, got, b.status, connections)
		}
		if peak > mostAnnounced {
			t.Errorf("%s: %d MiB of memory, %d MiB before, want at most %d MiB", b.name, peak>>20, before>>20, mostAnnounced>>20)
		}
		figures += fmt.Sprintf("%s: %d MiB (%d before); ", b.name, peak>>20, before>>20)
		t.ran(connections)
		stop()
		r.kill()
	}
	t.measured("%sat most, of %d requests each", figures, connections)
}

// TestBodiesBeyondTheBudgetAreRefused: with little memory, the process refuses bodies and lives.
func TestBodiesBeyondTheBudgetAreRefused(tt *testing.T) {
	tt.Parallel()
	t := newRow(tt, "N6: under a memory limit")
	const limit, most = 80 << 20, 150 << 20
	database := storetest.URL(t)
	store, r := storetest.Open(t, database), start(t, database, fmt.Sprint("GOMEMLIMIT=", limit))
	f := storetest.Seed(t, store, storetest.Options{Credits: 1 << 40, RatePerMinute: 1_000_000})
	stop := t.audit(store)
	for round := range faults.Times(1, 5) {
		body := openBody{header: announced("/v1/agent/chat", f.Key.Reveal(), 256<<10), sent: strings.Repeat(" ", 256<<10-1)}
		if round%2 == 1 {
			body.header = announced("/graphql", "", 256<<10)
		}
		got := body.send(t, hostOf(t, r.Chat), 400)
		if got["503"] == 0 || got["408"] == 0 || got["503"]+got["408"] != 400 {
			t.Errorf("400 bodies of 256 KiB: %v, want 408 for those that fit and 503 for the others", got)
		}
		if code := r.ready(); code != http.StatusOK {
			t.Errorf("/readyz answers %d", code)
		}
		if answered := r.visit(t, f, 3); faults.Full() && answered > mostWait {
			t.Errorf("a chat afterwards took %s", answered)
		}
		t.ran(1)
	}
	stop()
	peak := r.peakMemory(tt)
	if peak > most {
		t.Errorf("%d MiB of memory, want at most %d MiB", peak>>20, most>>20)
	}
	t.measured("a limit of %d MiB, 400 bodies of 256 KiB at once: %d MiB at most", limit>>20, peak>>20)
}
