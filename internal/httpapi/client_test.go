package httpapi_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/internal/httpapi"
)

// TestClientAddressWarnsOnceAMinute shows that invalid headers of a proxy are reported, but do not
// fill the log.
func TestClientAddressWarnsOnceAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		clients := httpapi.NewClients([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
			slog.New(slog.NewTextHandler(&log, nil)))
		handler := clients.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		send := func(peer, forwarded string) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.RemoteAddr = peer
			r.Header.Set("X-Forwarded-For", forwarded)
			handler.ServeHTTP(httptest.NewRecorder(), r)
		}
		wantLines := func(when string, n int) {
			if got := strings.Count(log.String(), "level=WARN"); got != n {
				t.Errorf("%s: %d warnings, want %d:\n%s", when, got, n, log.String())
			}
		}
		send("10.0.0.1:5000", "203.0.113.5:4711")
		send("10.0.0.1:5000", "")
		send("192.0.2.1:5000", "garbage")
		wantLines("valid, empty, or not from a proxy", 0)
		for range 1000 {
			send("10.0.0.1:5000", "garbage")
		}
		wantLines("1000 in one moment", 1)
		if !strings.Contains(log.String(), "proxy=10.0.0.1") ||
			strings.Contains(log.String(), "garbage") {
			t.Errorf("the warning must contain the proxy, and not the header: %s", log.String())
		}
		<-time.After(59 * time.Second) // by the clock of the bubble
		send("10.0.0.1:5000", "garbage")
		wantLines("within a minute", 1)
		<-time.After(2 * time.Second) // by the clock of the bubble
		send("10.0.0.1:5000", "garbage")
		wantLines("after a minute", 2)
	})
}
