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
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
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
func TestAnnouncedBodiesTakeNoMemory(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	const chat, graph = "/v1/agent/chat", "/graphql"
	bodies := []openBody{
		{name: "a made-up key", header: announced(chat, apikey.Mint().Reveal(), 256<<10), status: "401"},
		{name: "a made-up key and 16 KiB", header: announced(chat, apikey.Mint().Reveal(), 16<<10), status: "401"},
		{name: "no token", header: announced(graph, "", 256<<10), status: "408"},
		{name: "a valid key", header: announced(chat, "{key}", 256<<10), sent: "{", status: "408"},
	}
	const connections = 3000
	for _, b := range bodies {
		database := storetest.URL(t)
		store, r := storetest.Open(t, database), start(t, database)
		f := storetest.Seed(t, store, storetest.Options{Credits: 1 << 40, RatePerMinute: 1_000_000})
		stop := auditing(t, store)
		before := r.peakMemory(t)
		b.header = strings.Replace(b.header, "{key}", f.Key.Reveal(), 1)
		got := b.send(t, hostOf(t, r.Chat), connections)
		peak := r.peakMemory(t)
		if got[b.status] != connections {
			t.Errorf("%s: %v, want %s for all %d", b.name, got, b.status, connections)
		}
		t.Logf("%s: %d MiB of memory, %d MiB before", b.name, peak>>20, before>>20)
		if peak > mostAnnounced {
			t.Errorf("%s: %d MiB of memory, %d MiB before, want at most %d MiB", b.name, peak>>20, before>>20, mostAnnounced>>20)
		}
		stop()
		r.kill()
	}
}
