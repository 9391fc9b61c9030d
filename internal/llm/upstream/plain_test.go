package upstream_test

import (
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm/upstream"
)

// served is a server behind a client of its own, and what became of its connections.
type served struct {
	*httptest.Server
	client *upstream.Client

	mu            sync.Mutex
	opened, ended int
}

func serve(t *testing.T, handler http.HandlerFunc) *served {
	t.Helper()
	s := &served{Server: httptest.NewUnstartedServer(handler)}
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch state {
		case http.StateNew:
			s.opened++
		case http.StateClosed:
			s.ended++
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	s.client = upstream.New(upstream.Provider{
		Name: "provider", Limits: quick,
		Refusal: func(status int, _ []byte) *upstream.StatusError { return &upstream.StatusError{Status: status} },
		Body:    func(_ context.Context, source io.Reader) upstream.Body { return plain{source} },
	})
	return s
}

func (s *served) connections() (opened, ended int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened, s.ended
}

// say has the server answer a body.
func (s *served) say(ctx context.Context, body string) (string, error) {
	return s.client.Do(ctx, nil, func(ctx context.Context, text *upstream.Text) (upstream.Next, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		resp, err := s.client.HTTP.Do(req) //nolint:bodyclose // closed by what reads it
		if err != nil {
			return nil, err
		}
		return func(upstream.Body) (bool, error) {
			defer func() { _ = resp.Body.Close() }()
			answer, err := io.ReadAll(resp.Body)
			if err != nil {
				return false, err
			}
			return false, text.Add(string(answer))
		}, nil
	})
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = w.Write(body)
}

// TestAConnectionIsKept: answers that were read whole leave their connection to the next, one that its server has closed meanwhile
// is replaced without an error, and those that cannot be used again are not.
func TestAConnectionIsKept(t *testing.T) {
	t.Parallel()
	s := serve(t, echo)
	long := strings.Repeat("a long text ", 20_000)
	for _, text := range []string{"one", long, "three"} {
		if got, err := s.say(t.Context(), text); err != nil || got != text {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	if opened, _ := s.connections(); opened != 1 {
		t.Errorf("%d connections for answers one after another", opened)
	}
	s.CloseClientConnections()
	if got, err := s.say(t.Context(), "four"); err != nil || got != "four" {
		t.Errorf("after the server closed its connection: %q, %v", got, err)
	}
	closing := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		echo(w, r)
	})
	for range 2 {
		if _, err := closing.say(t.Context(), "once"); err != nil {
			t.Fatal(err)
		}
	}
	if opened, _ := closing.connections(); opened != 2 {
		t.Errorf("%d connections to a server that closes each", opened)
	}
}

// TestManyAtOnce: whatever calls do at once, each has its own answer.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, echo)
	var wrong atomic.Int64
	var work sync.WaitGroup
	for worker := range 16 {
		work.Go(func() {
			for i := range 50 {
				text := strings.Repeat(string(rune('a'+worker)), 1+i*100)
				if got, err := s.say(t.Context(), text); err != nil || got != text {
					wrong.Add(1)
				}
			}
		})
	}
	work.Wait()
	if opened, _ := s.connections(); wrong.Load() != 0 || opened > 100 {
		t.Errorf("%d wrong answers of 800, on %d connections", wrong.Load(), opened)
	}
}

// TestCompressed: a compressed answer is read as what it was before.
func TestCompressed(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
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
		if got, err := s.say(t.Context(), "small"); err != nil || got != "small" {
			t.Errorf("%q, %v", got, err)
		}
	}
	if opened, _ := s.connections(); opened != 1 {
		t.Errorf("%d connections", opened)
	}
}

// TestRefusedBeforeRead: a server that refuses a long request without reading it has its refusal heard.
func TestRefusedBeforeRead(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	if _, err := s.say(t.Context(), strings.Repeat("x", 8<<10)); !fault.Is(err, fault.ModelUnavailable) {
		t.Errorf("%v, want what the server said", err)
	}
}

// TestAContextEndsEverything: at whichever moment a call is given up, its connection is closed.
func TestAContextEndsEverything(t *testing.T) {
	t.Parallel()
	at := make(chan struct{}, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if string(body) == "begin" {
			_, _ = io.WriteString(w, "so far")
			_ = http.NewResponseController(w).Flush()
		}
		at <- struct{}{}
		<-r.Context().Done()
	})
	for _, body := range []string{"say nothing", "begin"} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		go func() { <-at; cancel() }()
		if _, err := s.say(ctx, body); !fault.Is(err, fault.ModelUnavailable) || !strings.Contains(err.Error(), "given up") {
			t.Errorf("%s: %v", body, err)
		}
	}
	deadline := time.After(10 * time.Second)
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for {
		if opened, ended := s.connections(); opened == 2 && ended == 2 {
			return
		}
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatal("a connection of a call that was given up is open")
		}
	}
}

// givenUp is a connection whose call is given up when the request has been sent, and before its answer is waited for.
type givenUp struct {
	net.Conn
	giveUp func()
	ended  chan struct{}
	once   sync.Once
	reads  atomic.Int32
}

func (c *givenUp) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.giveUp()
	<-c.ended // the context has had its effect on the connection
	return n, err
}

func (c *givenUp) SetDeadline(t time.Time) error {
	defer c.once.Do(func() { close(c.ended) })
	return c.Conn.SetDeadline(t)
}

func (c *givenUp) Read(p []byte) (int, error) {
	c.reads.Add(1)
	return c.Conn.Read(p)
}

// TestGivenUpBetweenRequestAndAnswer: the wait for an answer does not take the place of the end that came before it.
func TestGivenUpBetweenRequestAndAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	conn := &givenUp{giveUp: cancel, ended: make(chan struct{})}
	upstream.DialBy(s.client, func(ctx context.Context, network, address string) (net.Conn, error) {
		inner, err := (&net.Dialer{}).DialContext(ctx, network, address)
		conn.Conn = inner
		return conn, err
	})
	if _, err := s.say(ctx, ""); !fault.Is(err, fault.ModelUnavailable) || !strings.Contains(err.Error(), "given up") {
		t.Errorf("%v", err)
	}
	if n := conn.reads.Load(); n > 0 {
		t.Errorf("an answer was waited for after the call was given up: %d reads", n)
	}
}
