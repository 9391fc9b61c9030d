package httpapi_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentchat/internal/httpapi"
)

// pipes is a listener whose connections are pipes, which use the clock of a synctest bubble.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (pipes) Close() error   { return nil }
func (pipes) Addr() net.Addr { return &net.TCPAddr{} }

// arrived is the outcome of reading a body.
type arrived struct {
	bytes int
	late  bool
	after time.Duration
}

// hurried is a request's body whose end coincides with Hurry, after net/http has read it.
type hurried struct {
	io.ReadCloser
	bodies *httpapi.Bodies
}

func (h hurried) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	if err == io.EOF {
		h.bodies.Hurry(time.Second)
	}
	return n, err
}

// slowBody lets a handler read a body that arrives at one byte in ten seconds. After the given
// number of bytes no more arrive. The handler calls more first.
func slowBody(t *testing.T, length, sent int,
	more func(*httpapi.Bodies, *http.Request)) (out arrived) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		listener, bodies := make(pipes), &httpapi.Bodies{}
		began, done := time.Now(), make(chan struct{})
		handler := bodies.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			defer close(done)
			more(bodies, r)
			read, err := io.Copy(io.Discard, r.Body)
			out = arrived{int(read), errors.Is(err, os.ErrDeadlineExceeded), time.Since(began)}
			if err != nil && !out.late {
				t.Error(err)
			}
		}))
		ending := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = hurried{r.Body, bodies}
			handler.ServeHTTP(w, r)
		})
		server := &http.Server{ReadHeaderTimeout: time.Second, Handler: ending}
		go func() { _ = server.Serve(listener) }()
		ours, theirs := net.Pipe()
		listener <- theirs
		go func() { _, _ = io.Copy(io.Discard, ours) }()
		if _, err := fmt.Fprintf(ours, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", length); err != nil {
			t.Fatal(err)
		}
		var sending sync.WaitGroup
		sending.Go(func() {
			for range sent {
				<-time.After(10 * time.Second) // by the clock of the bubble
				_, _ = ours.Write([]byte("a"))
			}
		})
		<-done
		_ = ours.Close()
		sending.Wait()
		close(listener)
		_ = server.Close()
	})
	return out
}

// TestMoreTime shows that a body with more time is read beyond the usual timeout, and that reading
// ends at the new limit or at the end of the body.
func TestMoreTime(t *testing.T) {
	t.Parallel()
	more := func(within time.Duration) func(*httpapi.Bodies, *http.Request) {
		return func(_ *httpapi.Bodies, r *http.Request) { httpapi.MoreTime(r, within) }
	}
	for what, c := range map[string]struct {
		length, sent int
		more         func(*httpapi.Bodies, *http.Request)
		want         arrived
	}{
		"unchanged":      {5, 5, func(*httpapi.Bodies, *http.Request) {}, arrived{1, true, httpapi.BodyTimeout}},
		"slow":           {5, 5, more(time.Minute), arrived{5, false, 50 * time.Second}},
		"too slow":       {5, 5, more(35 * time.Second), arrived{3, true, 35 * time.Second}},
		"stalled":        {5, 2, more(time.Minute), arrived{2, true, time.Minute}},
		"given less":     {5, 5, more(5 * time.Second), arrived{0, true, 5 * time.Second}},
		"hurried before": {5, 5, func(b *httpapi.Bodies, r *http.Request) { b.Hurry(25 * time.Second); httpapi.MoreTime(r, time.Minute) }, arrived{2, true, 25 * time.Second}},
		"hurried after":  {5, 5, func(b *httpapi.Bodies, r *http.Request) { httpapi.MoreTime(r, time.Minute); b.Hurry(25 * time.Second) }, arrived{2, true, 25 * time.Second}},
		"has arrived": {1, 1, func(_ *httpapi.Bodies, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			httpapi.MoreTime(r, time.Second)
			<-time.After(2 * time.Second) // by the clock of the bubble
			if r.Context().Err() != nil {
				t.Error("a deadline was mistaken for a client that left")
			}
		}, arrived{0, false, 12 * time.Second}},
	} {
		if got := slowBody(t, c.length, c.sent, c.more); got != c.want {
			t.Errorf("%s: %+v, want %+v", what, got, c.want)
		}
	}
}
