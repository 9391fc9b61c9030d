package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"agentchat/internal/server"
	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	storetest.Stop()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// waitLimit bounds every wait of these tests.
const waitLimit = 20 * time.Second

// until polls until done reports true.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	limit := time.NewTimer(waitLimit)
	defer limit.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-limit.C:
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

// receive waits for a value.
func receive[T any](t *testing.T, what string, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(waitLimit):
		t.Fatalf("timed out waiting for %s", what)
		panic("unreachable")
	}
}

// lockedLog keeps what is written to it.
type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

// client returns a client that opens a connection for each request and closes it.
func client() *http.Client {
	return &http.Client{
		Timeout: waitLimit, Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type answer struct {
	*http.Response
	text string
}

func do(t *testing.T, method, url string, header http.Header) (answer, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := client().Do(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return answer{response, string(body)}, err
}

func mustDo(t *testing.T, method, url string, header http.Header) answer {
	t.Helper()
	a, err := do(t, method, url, header)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return a
}

// raw sends bytes over a new connection and returns the first response.
func raw(t *testing.T, address, request string) answer {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(waitLimit))
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("no response to %.60q: %v", request, err)
	}
	defer func() { _ = response.Body.Close() }()
	body, _ := io.ReadAll(response.Body)
	return answer{response, string(body)}
}

// rest replaces the chat API: it responds with the method and path of the request.
var rest = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Reached", "rest")
	w.WriteHeader(http.StatusTeapot)
	_, _ = io.WriteString(w, r.Method+" "+r.URL.EscapedPath())
})

func panelFiles() fstest.MapFS {
	return fstest.MapFS{
		"pages.txt":             {Data: []byte("login\nsignup\nagents\nconversations\nexports\nrequests\nusage\ncredits\nsettings\napi-docs\n")},
		"index.html":            {Data: []byte("<!doctype html><title>Panel</title>")},
		"explorer.html":         {Data: []byte("<!doctype html><title>Explorer</title>")},
		"placeholder.html":      {Data: []byte("<!doctype html><title>Placeholder</title>")},
		"assets/app-1a2b3c.js":  {Data: []byte("export const answer = 42;")},
		"assets/app-1a2b3c.css": {Data: []byte("body{margin:0}")},
		"assets/fonts/a.woff2":  {Data: []byte("font")},
		"assets/odd.unknown":    {Data: []byte("<script>")},
		"secret.txt":            {Data: []byte("not served")},
	}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// running is a running Service with the means to end it.
type running struct {
	service *server.Service
	url     string
	address string
	ops     string
	stop    context.CancelFunc
	ended   chan error
}

// run starts a service around a handler; change alters it before it starts.
func run(t *testing.T, handler http.Handler, change func(*server.Service)) *running {
	t.Helper()
	public, private := listen(t), listen(t)
	logger := discard()
	ops := server.NewOps(server.NewMetrics().Handler(), logger)
	t.Cleanup(ops.Start(private))
	service := &server.Service{
		Logger: logger, Handler: handler, Listener: public, Ops: ops,
		Check:        func(context.Context) error { return nil },
		Work:         func(ctx context.Context) error { <-ctx.Done(); return nil },
		Drain:        func() {},
		Wait:         func(context.Context) error { return nil },
		DrainTimeout: waitLimit,
	}
	if change != nil {
		change(service)
	}
	ctx, stop := context.WithCancel(t.Context())
	r := &running{
		service: service, address: public.Addr().String(), url: "http://" + public.Addr().String(),
		ops: "http://" + private.Addr().String(), stop: stop, ended: make(chan error, 1),
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.ended <- service.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-done
	})
	return r
}

// ready asks /readyz.
func (r *running) ready(t *testing.T) (status int, state string) {
	t.Helper()
	a := mustDo(t, http.MethodGet, r.ops+"/readyz", nil)
	var body struct{ Status string }
	if err := json.Unmarshal([]byte(a.text), &body); err != nil {
		t.Fatalf("/readyz answered %q: %v", a.text, err)
	}
	return a.StatusCode, body.Status
}
