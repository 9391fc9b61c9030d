package rest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/httpapi"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/sandbox"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// patience bounds every wait in these tests; no wait should come close to it.
const patience = 30 * time.Second

// unreached is a use case that no request of the test may reach: it shows that a refusal makes no
// query.
type unreached struct{ t *testing.T }

func (u unreached) CheckKey(context.Context, apikey.Hash, netip.Addr) (*chat.Caller, error) {
	u.t.Error("CheckKey was called")
	return nil, nil
}

func (u unreached) Send(context.Context, chat.Message) (chat.Result, error) {
	u.t.Error("Send was called")
	return chat.Result{}, nil
}

func (u unreached) Rate(context.Context, chat.Rating) (chat.Rated, error) {
	u.t.Error("Rate was called")
	return chat.Rated{}, nil
}

// journal keeps what was logged.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func (j *journal) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(j, nil)) }

// bench is the API with the real use case and its own database.
type bench struct {
	store    *store.DB
	fixture  storetest.Fixture
	api      http.Handler
	address  string
	journal  *journal
	accesses chan rest.AccessRecord
}

// newBench serves an account with the options; change, when not nil, changes the API's
// configuration.
func newBench(t *testing.T, options storetest.Options, change func(*rest.Config)) *bench {
	t.Helper()
	b := &bench{store: storetest.New(t), journal: new(journal), accesses: make(chan rest.AccessRecord, 100)}
	b.fixture = storetest.Seed(t, b.store, options)
	service := chat.New(chat.Config{
		Store: b.store, Logger: slog.New(slog.DiscardHandler),
		Catalogue: catalogue.NewLive(catalogue.New([]catalogue.Entry{{
			Name: storetest.SandboxModel, Provider: "sandbox", CreditsPerMessage: 1, ContextWindow: 131072, Sandbox: true,
			Model: sandbox.New(),
		}})),
	})
	storetest.Ends(t, b.store, service.Wait)
	config := rest.Config{Chat: service, Logger: b.journal.logger(),
		Observe: func(a rest.AccessRecord) { b.accesses <- a }}
	if change != nil {
		change(&config)
	}
	b.api = rest.New(config)
	b.address = serve(t, b.api)
	return b
}

// unobserved is for tests with more requests than the bench keeps records of.
func unobserved(c *rest.Config) { c.Observe = nil }

// access waits for the next request's record.
func (b *bench) access(t *testing.T) rest.AccessRecord {
	t.Helper()
	select {
	case a := <-b.accesses:
		return a
	case <-time.After(patience):
		t.Fatal("no access was recorded")
		return rest.AccessRecord{}
	}
}

// post sends a body with the fixture's key; headers are "Name: value" lines that come on top.
func (b *bench) post(t *testing.T, body string, headers ...string) reply {
	t.Helper()
	return sendRaw(t, b.address, request(b.fixture.Key.Reveal(), body, headers...))[0]
}

// untouched checks that nothing was charged or held and no conversation begun.
func (b *bench) untouched(t *testing.T) {
	t.Helper()
	storetest.Audit(t, b.store)
	var turns, conversations, charges int
	err := b.store.SQL().QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM turns),
		(SELECT count(*) FROM conversations), (SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE')`).
		Scan(&turns, &conversations, &charges)
	if err != nil || turns+conversations+charges > 0 {
		t.Errorf("left %d turns, %d conversations, %d charges (%v)", turns, conversations, charges, err)
	}
}

// serve serves a handler on loopback, in the way of the service, and returns its host:port.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	return serveBodies(t, handler, new(httpapi.Bodies))
}

// serveBodies is serve with other bounds for bodies.
func serveBodies(t *testing.T, handler http.Handler, bodies *httpapi.Bodies) string {
	t.Helper()
	server := httptest.NewUnstartedServer(bodies.Handler(handler))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// request writes a whole POST to the one path. A header line given here replaces the usual one of
// its name; a line that ends in ":" removes it.
func request(key, body string, headers ...string) string {
	usual := []string{
		"Host: localhost", "Authorization: Bearer " + key, "Content-Type: application/json",
		"Content-Length: " + strconv.Itoa(len(body)),
	}
	var out strings.Builder
	out.WriteString("POST " + rest.ChatPath + " HTTP/1.1\r\n")
	for _, line := range usual {
		name, _, _ := strings.Cut(line, ":")
		replaced := false
		for _, header := range headers {
			replaced = replaced || strings.HasPrefix(header, name+":")
		}
		if !replaced {
			out.WriteString(line + "\r\n")
		}
	}
	for _, header := range headers {
		if !strings.HasSuffix(header, ":") {
			out.WriteString(header + "\r\n")
		}
	}
	return out.String() + "\r\n" + body
}

// reply is one answer with its body read.
type reply struct {
	*http.Response
	text string
}

// problem is an error body.
type problem struct {
	Error struct {
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`
	} `json:"error"`
	RequestID string `json:"request_id"`
}

// problem parses an error body and checks what holds for every one of them.
func (r reply) problem(t *testing.T) problem {
	t.Helper()
	var p problem
	decoder := json.NewDecoder(strings.NewReader(r.text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&p); err != nil {
		t.Fatalf("status %d: no error body: %v: %q", r.StatusCode, err, r.text)
	}
	if p.Error.Message == "" || p.Error.Details == nil || p.RequestID == "" ||
		p.RequestID != r.Header.Get("X-Request-Id") {
		t.Errorf("incomplete error body %s with X-Request-Id %q", r.text, r.Header.Get("X-Request-Id"))
	}
	checkFrame(t, r)
	return p
}

// checkFrame checks the headers of every answer.
func checkFrame(t *testing.T, r reply) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
	} {
		if got := r.Header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if len(r.Header.Values("X-Request-Id")) != 1 {
		t.Errorf("X-Request-Id is %q, want 1 value", r.Header.Values("X-Request-Id"))
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "Access-Control-") || name == "Location" {
			t.Errorf("unexpected header %s", name)
		}
	}
}

// refused checks the status and code of an error and returns it.
func (r reply) refused(t *testing.T, status int, code string) problem {
	t.Helper()
	p := r.problem(t)
	if r.StatusCode != status || p.Error.Code != code {
		t.Errorf("got %d %s, want %d %s: %s", r.StatusCode, p.Error.Code, status, code, r.text)
	}
	return p
}

// dial connects; the connection closes with the test and fails rather than hangs.
func dial(t *testing.T, address string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return conn, bufio.NewReader(conn)
}

func write(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

// receive reads one answer to a request of the method.
func receive(t *testing.T, reader *bufio.Reader, method string) reply {
	t.Helper()
	response, err := http.ReadResponse(reader, &http.Request{Method: method})
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{Response: response, text: string(text)}
}

// sendRaw writes the bytes unchanged, waits for an answer, closes the sending side, and returns all
// answers until the server closes.
func sendRaw(t *testing.T, address, text string) []reply {
	t.Helper()
	conn, reader := dial(t, address)
	write(t, conn, text)
	replies := []reply{receive(t, reader, methodOf(text))}
	_ = conn.(*net.TCPConn).CloseWrite()
	return append(replies, receiveAll(t, reader, methodOf(text))...)
}

// sendCut is like sendRaw for a request that is not whole: the sending side closes before any
// answer.
func sendCut(t *testing.T, address, text string) []reply {
	t.Helper()
	conn, reader := dial(t, address)
	write(t, conn, text)
	_ = conn.(*net.TCPConn).CloseWrite()
	return receiveAll(t, reader, methodOf(text))
}

func methodOf(text string) string {
	method, _, _ := strings.Cut(text, " ")
	return method
}

// receiveAll reads all answers until the server closes the connection.
func receiveAll(t *testing.T, reader *bufio.Reader, method string) []reply {
	t.Helper()
	var replies []reply
	for {
		if _, err := reader.Peek(1); err != nil {
			return replies
		}
		replies = append(replies, receive(t, reader, method))
	}
}

// eventually polls until ready says so.
func eventually(t *testing.T, ready func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(patience); !ready(); <-ticker.C {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}
