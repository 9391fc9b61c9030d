package bridge_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/bridge"
	"agentchat/internal/httpapi"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

// TestRetryAfterALostResponse: the connection is cut before the first byte. The client sends the
// same request again, without an Idempotency-Key.
func TestRetryAfterALostResponse(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	first := b.send(responses, `{"input": "Hello"}`).ok(t)
	body := `{"previous_response_id": "` + first.ID + `", "input": "[[sandbox delay=1s]]"}`
	ctx, cut := context.WithCancel(t.Context())
	lost := make(chan error)
	go func() {
		response, err := http.DefaultClient.Do(b.request(ctx, b.bridge+responses, body))
		if err == nil {
			_ = response.Body.Close()
		}
		lost <- err
	}()
	for storetest.CountRows(t, b.store, `SELECT count(*) FROM turns WHERE state = 'PENDING'`) == 0 {
	}
	cut()
	if err := <-lost; err == nil {
		t.Error("the response arrived")
	}
	if again := b.send(responses, body); again.Header.Get("Idempotent-Replayed") != "true" || !strings.Contains(again.ok(t).text(), "turn 2") {
		t.Errorf("%v %s", again.Header, again.text)
	}
	b.expectCharges(2)
}

// TestBranches: one response is continued twice. The same input is one message, another one is
// refused, and SDKs do not retry.
func TestBranches(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	first := b.send(responses, `{"input": "Hello"}`).ok(t)
	body := `{"previous_response_id": "` + first.ID + `", "input": "[[sandbox delay=300ms]] %s"}`
	var texts [2]string
	var both sync.WaitGroup
	for i := range texts {
		both.Go(func() { texts[i] = b.send(responses, fmt.Sprintf(body, "same")).ok(t).text() })
	}
	both.Wait()
	if texts[0] != texts[1] || !strings.Contains(texts[0], "same") {
		t.Errorf("%q", texts)
	}
	other := b.send(responses, fmt.Sprintf(body, "other"))
	if got := other.refused(t, 409, "conversation_branched"); other.Header.Get("X-Should-Retry") != "false" ||
		got.Message != "This response was already continued with other input. Continue from the session's newest response." {
		t.Errorf("%+v %v", got, other.Header)
	}
	b.expectCharges(2)
}

// TestOwnKeys: retries of a first message with the client's Idempotency-Key are one message.
func TestOwnKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	for path, body := range map[string]string{
		responses:   `{"input": "%s"}`,
		completions: `{"model": "agent-history", "messages": [{"role": "assistant", "content": "Hi"}, {"role": "user", "content": "%s"}]}`,
	} {
		key := "Idempotency-Key: " + path
		first := b.send(path, fmt.Sprintf(body, "Hello"), key).ok(t)
		again := b.send(path, fmt.Sprintf(body, "Hello"), key)
		if again.Header.Get("Idempotent-Replayed") != "true" || again.ok(t).AgentChat != first.AgentChat {
			t.Errorf("%s: %+v, then %s", path, first, again.text)
		}
		b.send(path, fmt.Sprintf(body, "Bye"), key).refused(t, 422, "idempotency_key_reused")
	}
	b.expectCharges(2)
}

// TestCutStream: the service's connection breaks in the middle of a stream, and once before it. The
// client gets the text once.
func TestCutStream(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	b := newBench(t, storetest.Options{}, func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch requests.Add(1) {
			case 1:
				panic(http.ErrAbortHandler)
			case 2:
				w = &cutting{ResponseWriter: w, left: 10}
			}
			service.ServeHTTP(w, r)
		})
	})
	types, events := b.send(responses, `{"stream": true, "input": "[[sandbox words=200 pace=1ms]]"}`).streamed(t)
	var text strings.Builder
	for _, e := range events {
		text.WriteString(e.Delta)
	}
	whole := events[len(events)-1].Response.text()
	if text.String() != whole || len(strings.Fields(whole)) != 200 || types[len(types)-1] != "response.completed" || requests.Load() != 3 {
		t.Errorf("%d requests, %q: %q, not %q", requests.Load(), types, text.String(), whole)
	}
	b.expectCharges(1)
	metrics := httptest.NewRecorder()
	b.metrics.ServeHTTP(metrics, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, line := range []string{`agentchat_bridge_upstream_retries_total{reason="connection"} 1`, `agentchat_bridge_upstream_retries_total{reason="cut"} 1`,
		`agentchat_bridge_requests_total{api="responses",status="200"} 1`, `agentchat_bridge_in_flight 0`, `agentchat_bridge_request_seconds_count{api="responses"} 1`} {
		if !strings.Contains(metrics.Body.String(), line+"\n") {
			t.Errorf("no metric %s", line)
		}
	}
}

// cutting breaks the connection after a number of writes.
type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(p []byte) (int, error) {
	if c.left--; c.left >= 0 {
		return c.ResponseWriter.Write(p)
	}
	if conn, _, err := http.NewResponseController(c.ResponseWriter).Hijack(); err == nil {
		_ = conn.Close()
	}
	return 0, net.ErrClosed
}

func (c *cutting) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// TestStreamThatStaysCut: the stream ends without [DONE], and its connection breaks.
func TestStreamThatStaysCut(t *testing.T) {
	t.Parallel()
	var left atomic.Int32
	left.Store(10)
	b := newBench(t, storetest.Options{}, func(service http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			service.ServeHTTP(&cutting{ResponseWriter: w, left: int(left.Swap(0))}, r)
		})
	})
	response, err := http.DefaultClient.Do(b.request(t.Context(), b.bridge+completions,
		`{"stream": true, "messages": [{"role": "user", "content": "[[sandbox words=200 pace=1ms]]"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if text, err := io.ReadAll(response.Body); err == nil || strings.Contains(string(text), "DONE") || !strings.Contains(string(text), "turn") {
		t.Errorf("%v: %s", err, text)
	}
}

// TestUnusableService: answers that the bridge cannot pass on. A redirect is not followed.
func TestUnusableService(t *testing.T) {
	t.Parallel()
	var followed atomic.Int32
	other := listen(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }), new(httpapi.Bodies))
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		code   string
		status int
		retry  string
	}{
		"redirect": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, http.StatusTemporaryRedirect) }, "bad_gateway", 502, "false"},
		"page":     {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusBadGateway) }, "bad_gateway", 502, "false"},
		"202": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusAccepted)
		}, "bad_gateway", 502, "false"},
		"empty": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{}")
		}, "bad_gateway", 502, "false"},
		"slow": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, "gateway_timeout", 504, "false"},
		"nobody": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "unavailable", 503, "false"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, storetest.Options{}, func(http.Handler) http.Handler { return http.HandlerFunc(c.answer) })
			if c.status == http.StatusGatewayTimeout {
				b.timeout = 100 * time.Millisecond
				b.bridge, _ = b.serveBridge(b.service)
			}
			a := b.send(responses, `{"input": "Hello"}`)
			if a.refused(t, c.status, c.code); a.Header.Get("X-Should-Retry") != c.retry || (a.Header.Get("Retry-After") == "5") != (c.status == 503) {
				t.Errorf("%v", a.Header)
			}
			if followed.Load() != 0 || c.status != http.StatusGatewayTimeout && !strings.Contains(b.log.String(), `"msg":"requests are refused`) {
				t.Errorf("the redirect was followed %d times; log: %s", followed.Load(), b.log.String())
			}
		})
	}
}

// TestLimits: one key's 257th request at once.
func TestLimits(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}, 256), make(chan struct{})
	b := newBench(t, storetest.Options{}, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			arrived <- struct{}{}
			<-release
		})
	})
	ctx, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 256 {
		all.Go(func() {
			if response, err := http.DefaultClient.Do(b.request(ctx, b.bridge+responses, `{"input": "Hello"}`)); err == nil {
				_ = response.Body.Close()
			}
		})
	}
	for range 256 {
		<-arrived
	}
	if a := b.send(responses, `{"input": "Hello"}`); a.Header.Get("X-Should-Retry") != "true" || a.Header.Get("Retry-After") != "5" {
		t.Errorf("%v", a.Header)
	} else {
		a.refused(t, 503, "unavailable")
	}
	leave()
	all.Wait()
	close(release)
}

// TestSlowBodies: requests whose bodies have not arrived take no place from others.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	for range 256 {
		connection, err := net.Dial("tcp", strings.TrimPrefix(b.bridge, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = connection.Close() }()
		_, _ = fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: bridge\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
			"Content-Length: 100\r\nExpect: 100-continue\r\n\r\n", responses, b.fixture.Key.Reveal())
		if line, err := bufio.NewReader(connection).ReadString('\n'); !strings.Contains(line, "100 Continue") {
			t.Fatalf("%q (%v)", line, err)
		}
	}
	b.send(responses, `{"input": "Hello"}`).ok(t)
}

// TestMemoryOfBodies: made-up keys get no more of it than the network they come from.
func TestMemoryOfBodies(t *testing.T) {
	t.Parallel()
	bodies := bridge.New(bridge.Config{TrustedProxies: loopback, Logger: slog.New(slog.DiscardHandler)}).Bodies(0)
	account := func(client string) uuid.UUID {
		r := httptest.NewRequest(http.MethodPost, responses, nil)
		r.RemoteAddr = "127.0.0.1:1024"
		r.Header.Set("X-Forwarded-For", client)
		r.Header.Set("Authorization", "Bearer "+apikey.Mint().Reveal())
		return bodies.Account(r)
	}
	if one, next, other := account("192.0.2.1"), account("192.0.2.2"), account("198.51.100.1"); one != next || one == other {
		t.Errorf("%v, %v, %v", one, next, other)
	}
}

// TestUnknownCallers: one client sends keys that do not exist, which must not delay another one.
func TestUnknownCallers(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	var wrong sync.WaitGroup
	next := make(chan struct{})
	for range 100 {
		wrong.Go(func() {
			for range next {
				b.send(responses, `{"input": "Hello"}`, "X-Forwarded-For: 192.0.2.1", "Authorization: Bearer "+apikey.Mint().Reveal()).refused(t, 401, "unauthorized")
			}
		})
	}
	for range 500 {
		next <- struct{}{}
	}
	began := time.Now()
	b.send(responses, `{"input": "Hello"}`, "X-Forwarded-For: 198.51.100.1").ok(t)
	if took := time.Since(began); took > time.Second {
		t.Errorf("the other client waited for %v", took)
	}
	for range 500 {
		next <- struct{}{}
	}
	close(next)
	wrong.Wait()
}

// TestRemovedKey: a removed key opens nothing from the next request on.
func TestRemovedKey(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	b.send(responses, `{"input": "Hello"}`).ok(t)
	if _, err := exports.On(b.store).RemoveExport(t.Context(), b.fixture.Account.ID, b.fixture.Export.ID); err != nil {
		t.Fatal(err)
	}
	b.send(responses, `{"input": "Hello"}`).refused(t, 401, "unauthorized")
}
