package server_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/server"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	api "agentchat/rest"
)

// bench is a service with the real chat API, an account and a database of its own.
type bench struct {
	*running
	store   *store.DB
	fixture storetest.Fixture
	chats   *chat.Service
	// requests counts the requests that have reached the handler.
	requests atomic.Int64
}

// newBench starts a service with a time limit for bodies; zero means the limit of production.
func newBench(t *testing.T, bodies time.Duration) *bench {
	t.Helper()
	b := &bench{store: storetest.New(t)}
	b.fixture = storetest.Seed(t, b.store, storetest.Options{Credits: 1000, RatePerMinute: 100_000})
	offered, err := catalogue.Load(catalogue.Config{Secret: func(string) (string, error) { return "", nil }})
	if err != nil {
		t.Fatal(err)
	}
	models := catalogue.NewLive(offered)
	b.chats = chat.New(chat.Config{Store: b.store, Logger: discard(), Catalogue: models})
	files := panelFiles()
	files["assets/large.js"] = file(strings.Repeat("x", 16<<20))
	handler, err := server.NewHandler(server.Routes{
		REST:    api.New(api.Config{Chat: b.chats, Logger: discard()}),
		OpenAPI: api.NewOpenAPI("0.2.0", "http://localhost:8080"), Panel: files, Logger: discard(), ResponseTimeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	counting := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.requests.Add(1)
		handler.ServeHTTP(w, r)
	})
	b.running = run(t, counting, func(s *server.Service) {
		s.Bodies.Timeout, s.Work, s.Drain, s.Wait = bodies, b.chats.Run, b.chats.Drain, b.chats.Wait
	})
	return b
}

// Headers of the requests below; {key} is replaced by the fixture's key.
const (
	authorized = "Authorization: Bearer {key}\r\n"
	asJSON     = "Content-Type: application/json\r\n"
	chatStart  = "POST /v1/agent/chat HTTP/1.1\r\nHost: localhost\r\n"
)

func (b *bench) fill(text string) string {
	return strings.ReplaceAll(text, "{key}", b.fixture.Key.Reveal())
}

// wire is a connection whose responses are read from the start, so that a reset at the end loses
// none.
type wire struct {
	net.Conn
	t    *testing.T
	read chan received
}

// received holds everything that arrived on a connection, and the time when it ended.
type received struct {
	text string
	err  error
	at   time.Time
}

func open(t *testing.T, address string) *wire {
	t.Helper()
	w := &wire{Conn: connect(t, address), t: t, read: make(chan received, 1)}
	go func() {
		text, err := io.ReadAll(w.Conn)
		w.read <- received{string(text), err, time.Now()}
	}()
	return w
}

// connect opens a connection that closes with the test and fails rather than hangs.
func connect(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(waitLimit))
	return conn
}

func (w *wire) send(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.Conn, text); err != nil {
		w.t.Fatal(err)
	}
}

// drip sends one byte after the other, at intervals, until the service closes the connection.
func (w *wire) drip(interval time.Duration) {
	ticker := time.NewTicker(interval)
	go func() {
		defer ticker.Stop()
		for range ticker.C {
			if _, err := w.Write([]byte(" ")); err != nil {
				return
			}
		}
	}()
}

// ended waits until the service has closed the connection. It returns the statuses of the
// responses, their text and the time.
func (w *wire) ended() (statuses []int, text string, at time.Time) {
	w.t.Helper()
	got := receive(w.t, "the end of a connection", w.read)
	if got.err != nil && !errors.Is(got.err, syscall.ECONNRESET) {
		w.t.Fatalf("the connection was not closed: %v, after %q", got.err, got.text)
	}
	reader := bufio.NewReader(strings.NewReader(got.text))
	for {
		if _, err := reader.Peek(1); err != nil {
			return statuses, got.text, got.at
		}
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			w.t.Fatalf("not an answer: %v in %q", err, got.text)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		statuses = append(statuses, response.StatusCode)
	}
}
