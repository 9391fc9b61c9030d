package upstream_test

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm/llmtest"
)

// listen opens a port on loopback and passes every connection to accept. count returns the number
// of connections. They are closed with the test.
func listen(t *testing.T, accept func(net.Conn)) (address string, count func() int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var n atomic.Int64
	var work sync.WaitGroup
	over := make(chan struct{})
	work.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			n.Add(1)
			work.Go(func() {
				defer func() { _ = conn.Close() }()
				accept(conn)
				<-over
			})
		}
	})
	t.Cleanup(func() {
		close(over)
		_ = listener.Close()
		work.Wait()
	})
	return listener.Addr().String(), n.Load
}

// closedPort returns an address without a listener.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// TestCanceledBeforeSending tests that a call without a connection cannot be billed, even if its
// caller gave up.
func TestCanceledBeforeSending(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, a := range adapters {
		s := a.serve(t)
		reply, err := a.model(t, s.URL, quick).Generate(ctx, request(), nil)
		if err == nil || reply.Accepted || len(s.Requests()) != 0 {
			t.Errorf("%s: %+v, %v", a.name, reply, err)
		}
	}
}

// TestConnections shows that a provider without a connection is unavailable, that the connection is
// retried once if that can help, and that each attempt counts as an outage.
func TestConnections(t *testing.T) {
	t.Parallel()
	var asked atomic.Bool
	untrusted := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked.Store(true)
	}))
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	silent, silentCount := listen(t, func(net.Conn) {})
	speaker, _ := listen(t, func(c net.Conn) { _, _ = io.WriteString(c, "220 "+prompt+" ESMTP\r\n") })
	noCertificate := &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		return nil, io.EOF
	}}
	refuser, _ := listen(t, func(c net.Conn) {
		_ = tls.Server(c, noCertificate).HandshakeContext(t.Context())
	})
	for _, a := range adapters {
		for name, tc := range map[string]struct {
			url, says string
			attempts  int
		}{
			"no listener":            {"http://" + closedPort(t), "refused", 2},
			"an unknown certificate": {untrusted.URL, "certificate is not accepted", 1},
			"silent before TLS":      {"https://" + silent, "cannot be reached", 2},
			"a server without TLS":   {"https://" + speaker, "cannot be reached", 2},
			"TLS that is refused":    {"https://" + refuser, "cannot be reached", 2},
		} {
			t.Run(a.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				limits := quick
				if name == "silent before TLS" {
					limits.Connect = 300 * time.Millisecond
				}
				ctx, attempts := llmtest.Attempts(t.Context())
				reply, err := a.model(t, tc.url, limits).Generate(ctx, request(), nil)
				llmtest.CheckError(t, err, secrets...)
				if !fault.Is(err, fault.ModelUnavailable) || !strings.Contains(err.Error(), tc.says) ||
					reply.Accepted {
					t.Errorf("%+v, %v, expected an error with %q", reply, err, tc.says)
				}
				if all, outages := attempts(); all != tc.attempts || outages != tc.attempts {
					t.Errorf("%d attempts reported, %d of them outages, want %d", all, outages, tc.attempts)
				}
			})
		}
	}
	t.Cleanup(func() {
		if asked.Load() {
			t.Error("a server without a valid certificate received a request")
		}
		if n := silentCount(); n != int64(2*len(adapters)) {
			t.Errorf("%d connections to the silent server", n)
		}
	})
}
