package upstream_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/upstream"
)

// mortal is a connection on which nothing can be sent any more once it is dead, though nobody has closed it.
type mortal struct {
	net.Conn
	dead *atomic.Bool
}

func (m mortal) Write(p []byte) (int, error) {
	if m.dead.Load() {
		return 0, syscall.EPIPE
	}
	return m.Conn.Write(p)
}

// plain is a body that needs nothing.
type plain struct{ io.Reader }

func (plain) Await() {}

func (plain) Begun() bool { return false }

// TestAProviderThatDiedWhileIdle: the connection that was kept is dead and there is no other, so the provider is away, as it is for
// those who kept none.
func TestAProviderThatDiedWhileIdle(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }))
	t.Cleanup(server.Close)
	client := upstream.New(upstream.Provider{
		Name:   "provider",
		Limits: quick,
		Body:   func(_ context.Context, source io.Reader) upstream.Body { return plain{source} },
	})
	t.Cleanup(client.HTTP.CloseIdleConnections)
	var dead atomic.Bool
	upstream.DialBy(client, func(ctx context.Context, network, address string) (net.Conn, error) {
		if dead.Load() {
			return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
		}
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return mortal{conn, &dead}, err
	})
	ask := func(ctx context.Context, text *upstream.Text) (upstream.Next, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader("{}"))
		if err != nil {
			return nil, err
		}
		resp, err := client.HTTP.Do(req) //nolint:bodyclose // closed by what reads it
		if err != nil {
			return nil, err
		}
		return func(upstream.Body) (bool, error) {
			defer func() { _ = resp.Body.Close() }()
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				return false, err
			}
			return false, text.Add(string(body))
		}, nil
	}
	if got, err := client.Do(t.Context(), nil, ask); err != nil || got != "hello" {
		t.Fatalf("%q, %v", got, err)
	}
	dead.Store(true)
	ctx, attempts := llmtest.Attempts(t.Context())
	if _, err := client.Do(ctx, nil, ask); !fault.Is(err, fault.ModelUnavailable) {
		t.Errorf("%v, want one that says that the provider is away", err)
	}
	if all, outages := attempts(); all != 2 || outages != 2 {
		t.Errorf("%d attempts told, %d of them outages, want 2", all, outages)
	}
}
