package upstream_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/upstream"
)

// provider is a server with its own client.
type provider struct {
	*httptest.Server
	client *upstream.Client

	mu             sync.Mutex
	opened, closed int
}

func newProvider(t *testing.T, handler http.HandlerFunc) *provider {
	t.Helper()
	p := &provider{Server: httptest.NewUnstartedServer(handler)}
	p.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch state {
		case http.StateNew:
			p.opened++
		case http.StateClosed:
			p.closed++
		}
	}
	p.Start()
	t.Cleanup(p.Close)
	p.client = upstream.New(upstream.Provider{
		Name: "provider", Limits: quick,
		Refusal: func(status int, _ []byte) *upstream.StatusError {
			return &upstream.StatusError{Status: status}
		},
	})
	t.Cleanup(func() { upstream.CloseIdle(p.client) })
	return p
}

// connections returns the number of connections opened, and of those closed since.
func (p *provider) connections() (opened, closed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opened, p.closed
}

// ask sends a text, and returns the whole answer.
func (p *provider) ask(ctx context.Context, text string) (string, error) {
	answer, err := p.client.Post(ctx, p.URL, text, llm.Request{})
	if err != nil {
		return "", p.client.Finish(ctx, "", err)
	}
	defer func() { _ = answer.Close() }()
	body, err := io.ReadAll(answer)
	return string(body), p.client.Finish(ctx, "", err)
}

// echo answers with the text that ask has sent.
func echo(w http.ResponseWriter, r *http.Request) {
	var text string
	if json.NewDecoder(r.Body).Decode(&text) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	_, _ = io.WriteString(w, text)
}

// TestConnectionIsKept shows that the connection of an answer that was read to its end is reused.
func TestConnectionIsKept(t *testing.T) {
	t.Parallel()
	p := newProvider(t, echo)
	long := strings.Repeat("a long text ", 20_000)
	for _, text := range []string{"one", long, "three"} {
		if got, err := p.ask(t.Context(), text); err != nil || got != text {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	if opened, _ := p.connections(); opened != 1 {
		t.Errorf("%d connections for consecutive answers", opened)
	}
	closing := newProvider(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		echo(w, r)
	})
	for range 2 {
		if _, err := closing.ask(t.Context(), "once"); err != nil {
			t.Fatal(err)
		}
	}
	if opened, _ := closing.connections(); opened != 2 {
		t.Errorf("%d connections to a server that closes each", opened)
	}
}

// TestConcurrentCalls shows that each of many concurrent calls gets its own answer.
func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	p := newProvider(t, echo)
	var wrong atomic.Int64
	var work sync.WaitGroup
	for worker := range 16 {
		work.Go(func() {
			for i := range 50 {
				text := strings.Repeat(string(rune('a'+worker)), 1+i*100)
				if got, err := p.ask(t.Context(), text); err != nil || got != text {
					wrong.Add(1)
				}
			}
		})
	}
	work.Wait()
	if opened, _ := p.connections(); wrong.Load() != 0 || opened > 100 {
		t.Errorf("%d wrong answers of 800, on %d connections", wrong.Load(), opened)
	}
}

// TestCompressed shows that a compressed answer is decompressed.
func TestCompressed(t *testing.T) {
	t.Parallel()
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.Copy(z, r.Body)
		_ = z.Close()
	})
	for range 2 {
		if got, err := p.ask(t.Context(), "small"); err != nil || got != `"small"` {
			t.Errorf("%q, %v", got, err)
		}
	}
	if opened, _ := p.connections(); opened != 1 {
		t.Errorf("%d connections", opened)
	}
}

// TestRefusedBeforeRead shows that the refusal of a server counts even if the server has not read
// the request.
func TestRefusedBeforeRead(t *testing.T) {
	t.Parallel()
	p := newProvider(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	if _, err := p.ask(t.Context(), strings.Repeat("x", 8<<10)); !fault.Is(err, fault.ModelUnavailable) {
		t.Errorf("%v, expected the server's refusal", err)
	}
}

// deadConn is a connection on which writing fails once it is dead, although it was not closed.
type deadConn struct {
	net.Conn
	dead *atomic.Bool
}

func (c deadConn) Write(p []byte) (int, error) {
	if c.dead.Load() {
		return 0, syscall.EPIPE
	}
	return c.Conn.Write(p)
}

// TestProviderDiesWhileIdle shows that a provider counts as unavailable if the idle connection is
// dead and a new one is refused.
func TestProviderDiesWhileIdle(t *testing.T) {
	t.Parallel()
	p := newProvider(t, echo)
	var dead atomic.Bool
	upstream.DialBy(p.client, func(ctx context.Context, network, address string) (net.Conn, error) {
		if dead.Load() {
			return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
		}
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return deadConn{conn, &dead}, err
	})
	if got, err := p.ask(t.Context(), "hello"); err != nil || got != "hello" {
		t.Fatalf("%q, %v", got, err)
	}
	dead.Store(true)
	ctx, attempts := llmtest.Attempts(t.Context())
	if _, err := p.ask(ctx, "hello"); !fault.Is(err, fault.ModelUnavailable) {
		t.Errorf("%v, expected an error that the provider is unavailable", err)
	}
	if all, outages := attempts(); all != 2 || outages != 2 {
		t.Errorf("%d attempts reported, %d of them outages, want 2", all, outages)
	}
}

// TestAttemptByStatus shows that 429 means busy, 5xx an outage, and any other status neither.
func TestAttemptByStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]llm.Attempt{200: {Answered: true}, 400: {Answered: true}, 429: {Answered: true, Busy: true},
		500: {Answered: true, Outage: true}, 529: {Answered: true, Outage: true}} {
		p := newProvider(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "60") // no second attempt
			w.WriteHeader(status)
		})
		var attempts []llm.Attempt
		_, _ = p.ask(llm.ObserveAttempts(t.Context(), func(a llm.Attempt) {
			attempts = append(attempts, a)
		}), "hello")
		if len(attempts) != 1 || attempts[0] != want {
			t.Errorf("%d: %+v, expected one of %+v", status, attempts, want)
		}
	}
}
