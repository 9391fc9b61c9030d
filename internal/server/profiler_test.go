package server_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"agentchat/internal/server"
)

// TestProfiler checks that a profile may take longer than the server's timeouts, and that the
// command line, which can contain secrets, is not served.
func TestProfiler(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(server.NewProfiler())
	s.Config.ReadTimeout, s.Config.WriteTimeout = 500*time.Millisecond, 500*time.Millisecond
	s.Start()
	t.Cleanup(s.Close)
	for path, want := range map[string]int{
		"/debug/pprof/": http.StatusOK, "/debug/pprof/heap?seconds=1": http.StatusOK,
		"/debug/pprof/symbol": http.StatusOK, "/debug/pprof/cmdline": http.StatusNotFound, "/": http.StatusNotFound,
	} {
		if a := mustDo(t, http.MethodGet, s.URL+path, nil); a.StatusCode != want {
			t.Errorf("%s = %d %s, want %d", path, a.StatusCode, a.text, want)
		}
	}
}
