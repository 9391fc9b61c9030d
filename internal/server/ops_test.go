package server_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/collectors"

	"agentchat/internal/httpapi"
	"agentchat/internal/server"
	"agentchat/internal/store"
)

func ask(t *testing.T, ops *server.Ops, method, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	ops.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, nil))
	// Without a charset, some clients read text as Latin-1.
	kind := w.Header().Get("Content-Type")
	if kind != "application/json" && !strings.Contains(kind, "charset=utf-8") {
		t.Errorf("%s %s: Content-Type %q", method, path, kind)
	}
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestOpsStates(t *testing.T) {
	t.Parallel()
	ops := server.NewOps(http.NotFoundHandler(), discard())
	var failure error
	expect := func(status int, body string) {
		t.Helper()
		if code, text := ask(t, ops, http.MethodGet, "/readyz"); code != status || text != body {
			t.Errorf("/readyz = %d %s, want %d %s", code, text, status, body)
		}
		if code, text := ask(t, ops, http.MethodGet, "/livez"); code != http.StatusOK || text != `{"status":"alive"}` {
			t.Errorf("/livez = %d %s, want 200 whatever the state", code, text)
		}
	}
	expect(http.StatusServiceUnavailable, `{"status":"starting"}`)
	ops.Ready(func(context.Context) error { return failure })
	expect(http.StatusOK, `{"status":"ready"}`)
	failure = errors.New("connection refused to db.internal")
	expect(http.StatusServiceUnavailable, `{"status":"database_unavailable"}`)
	failure = fmt.Errorf("checking: %w", &store.NotReadyError{Reason: store.DiskFull, Err: errors.New("no space on db.internal")})
	expect(http.StatusServiceUnavailable, `{"status":"disk_full"}`)
	failure = nil
	expect(http.StatusOK, `{"status":"ready"}`)
	ops.Drain()
	expect(http.StatusServiceUnavailable, `{"status":"draining"}`)
}

// TestReadyzIsBounded checks that the check of the database has a deadline of two seconds.
func TestReadyzIsBounded(t *testing.T) {
	t.Parallel()
	ops := server.NewOps(http.NotFoundHandler(), discard())
	var allowed time.Duration
	ops.Ready(func(ctx context.Context) error {
		deadline, ok := ctx.Deadline()
		if ok {
			allowed = time.Until(deadline)
		}
		return context.DeadlineExceeded
	})
	if code, _ := ask(t, ops, http.MethodGet, "/readyz"); code != http.StatusServiceUnavailable {
		t.Errorf("/readyz = %d", code)
	}
	if allowed <= 0 || allowed > 2*time.Second {
		t.Errorf("the check was allowed %v, want at most 2 s", allowed)
	}
}

func TestOpsServesNothingElse(t *testing.T) {
	t.Parallel()
	ops := server.NewOps(server.NewMetrics().Handler(), discard())
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/", 404}, {"GET", "/v1/agent/chat", 404}, {"POST", "/v1/agent/chat", 404}, {"GET", "/debug/pprof/", 404},
		{"POST", "/livez", 405}, {"POST", "/readyz", 405}, {"HEAD", "/livez", 200},
	} {
		if code, _ := ask(t, ops, c.method, c.path); code != c.want {
			t.Errorf("%s %s = %d, want %d", c.method, c.path, code, c.want)
		}
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	metrics := server.NewMetrics()
	pool := sql.OpenDB(nil) // never connects: only its statistics are read
	defer func() { _ = pool.Close() }()
	pool.SetMaxOpenConns(7)
	metrics.Watch(collectors.NewDBStatsCollector(pool, "agentchat"))
	metrics.WatchTurns(func() int64 { return 3 })
	metrics.WatchCircuits(func() map[string]int { return map[string]int{"acme/one": 3, "acme/two": 0} })
	metrics.Observe(httpapi.AccessRecord{Route: "/v1/agent/chat", Status: 200, Duration: 20 * time.Millisecond}, 5)
	metrics.Observe(httpapi.AccessRecord{Route: "/v1/agent/chat", Status: 200, Duration: 2 * time.Second}, 2)
	metrics.Observe(httpapi.AccessRecord{Route: "/v1/agent/chat", Status: 402, Code: "insufficient_credits"}, 0)
	ops := server.NewOps(metrics.Handler(), discard())
	_, text := ask(t, ops, http.MethodGet, "/metrics")
	for _, line := range []string{
		`agentchat_http_requests_total{code="",route="/v1/agent/chat",status="200"} 2`,
		`agentchat_http_requests_total{code="insufficient_credits",route="/v1/agent/chat",status="402"} 1`,
		`agentchat_http_request_duration_seconds_bucket{route="/v1/agent/chat",le="0.025"} 2`,
		`agentchat_http_request_duration_seconds_count{route="/v1/agent/chat"} 3`,
		`agentchat_credits_charged_total 7`,
		`agentchat_turns_in_flight 3`,
		`agentchat_model_circuits_open{model="acme/one"} 3`,
		`agentchat_model_circuits_open{model="acme/two"} 0`,
		`go_sql_max_open_connections{db_name="agentchat"} 7`,
		`go_goroutines `,
		`process_open_fds `,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("/metrics lacks %q", line)
		}
	}
	other := server.NewOps(server.NewMetrics().Handler(), discard())
	if _, text := ask(t, other, http.MethodGet, "/metrics"); strings.Contains(text, "insufficient_credits") {
		t.Error("two services share their metrics")
	}
}

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
