package bridge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentchat/internal/baseurl"
	"agentchat/internal/bridge"
	"agentchat/internal/chat"
	"agentchat/internal/httpapi"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/sandbox"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

const (
	responses   = "/v1/responses"
	completions = "/v1/chat/completions"
)

// bench is a service with the sandbox's model, and a bridge to it.
type bench struct {
	t       *testing.T
	store   *store.DB
	fixture storetest.Fixture
	// service is the address of the service, bridge that of the bridge, and metrics its metrics.
	service, bridge string
	metrics         http.Handler
	log             *journal
	timeout         time.Duration
	// silence is the longest one of a stream; 0 for the default.
	silence time.Duration
}

// newBench serves an account with the options. between, if it is not nil, is put between the bridge
// and the service.
func newBench(t *testing.T, options storetest.Options, between func(http.Handler) http.Handler) *bench {
	t.Helper()
	b := &bench{t: t, store: storetest.New(t), log: new(journal), timeout: time.Minute}
	b.fixture = storetest.Seed(t, b.store, options)
	service := chat.New(chat.Config{
		Store: b.store, Logger: slog.New(slog.DiscardHandler),
		Catalogue: catalogue.NewLive(catalogue.New([]catalogue.Entry{{
			Name: storetest.SandboxModel, Provider: "sandbox", CreditsPerMessage: 1, ContextWindow: 131072, Sandbox: true,
			Model: sandbox.New(),
		}})),
	})
	storetest.Ends(t, b.store, service.Wait)
	api := httpapi.NewClients(loopback, slog.New(slog.DiscardHandler)).Handler(rest.New(rest.Config{Chat: service}))
	if between != nil {
		api = between(api)
	}
	b.service = listen(t, api, new(httpapi.Bodies))
	b.bridge, b.metrics = b.serveBridge(b.service)
	return b
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// serveBridge serves a bridge to a service.
func (b *bench) serveBridge(service string) (address string, metrics http.Handler) {
	b.t.Helper()
	br := bridge.New(bridge.Config{Service: baseurl.URL(service), Timeout: b.timeout, TrustedProxies: loopback,
		Logger: slog.New(slog.NewJSONHandler(b.log, nil))})
	br.Hurry()
	if b.silence > 0 {
		br.SetSilence(b.silence)
	}
	bodies := br.Bodies(0)
	return listen(b.t, br, &bodies), br.Metrics()
}

// listen serves a handler on loopback and returns its URL.
func listen(t *testing.T, handler http.Handler, bodies *httpapi.Bodies) string {
	t.Helper()
	server := httptest.NewUnstartedServer(bodies.Handler(handler))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
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

// answer is a response with its body read.
type answer struct {
	*http.Response
	text string
}

// request makes a request with the fixture's key. headers are "Name: value" lines.
func (b *bench) request(ctx context.Context, url, body string, headers ...string) *http.Request {
	b.t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+b.fixture.Key.Reveal())
	r.Header.Set("Content-Type", "application/json")
	for _, line := range headers {
		if name, value, found := strings.Cut(line, ": "); found {
			r.Header.Set(name, value)
		}
	}
	return r
}

// send sends a body to a path of the bridge; without one, it is a GET.
func (b *bench) send(path, body string, headers ...string) answer {
	b.t.Helper()
	response, err := http.DefaultClient.Do(b.request(b.t.Context(), b.bridge+path, body, headers...))
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatalf("%s: %v", text, err)
	}
	return answer{response, string(text)}
}

// problem is an error.
type problem struct {
	Message, Type, Code string
	Param               *string
}

// refused expects an error.
func (a answer) refused(t *testing.T, status int, code string) problem {
	t.Helper()
	var body struct{ Error problem }
	if err := json.Unmarshal([]byte(a.text), &body); err != nil || a.StatusCode != status || body.Error.Code != code ||
		body.Error.Message == "" || body.Error.Type == "" || a.Header.Get("X-Should-Retry") == "" {
		t.Errorf("%d %s, want %d %s", a.StatusCode, a.text, status, code)
	}
	return body.Error
}

// got has the fields of a reply of either API that tests check.
type got struct {
	ID, Object, Status, Model string
	Output                    []item
	Choices                   []struct {
		Message struct {
			Content   *string
			ToolCalls []toolCall `json:"tool_calls"`
		}
		FinishReason string `json:"finish_reason"`
	}
	IncompleteDetails *struct{ Reason string } `json:"incomplete_details"`
	Usage             map[string]any
	AgentChat         struct {
		SessionID        string `json:"session_id"`
		MessageID        string `json:"message_id"`
		Credits          int
		CreditsRemaining int `json:"credits_remaining"`
	}
}

type item struct {
	Type, ID, Name, Arguments string
	CallID                    string `json:"call_id"`
	Content                   []struct{ Text string }
}

type toolCall struct {
	ID       string
	Function struct{ Name, Arguments string }
}

// ok expects a reply.
func (a answer) ok(t *testing.T) (g got) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.text), &g); err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%d %s (%v)", a.StatusCode, a.text, err)
	}
	return g
}

// text returns the text of a reply.
func (g got) text() (text string) {
	for _, it := range g.Output {
		for _, c := range it.Content {
			text += c.Text
		}
	}
	for _, c := range g.Choices {
		if c.Message.Content != nil {
			text += *c.Message.Content
		}
	}
	return text
}

// calls returns the calls of a reply of Responses.
func (g got) calls(t *testing.T, n int) []item {
	t.Helper()
	calls := slices.DeleteFunc(slices.Clone(g.Output), func(it item) bool { return it.Type != "function_call" })
	if len(calls) != n {
		t.Fatalf("%d calls, want %d: %+v", len(calls), n, g)
	}
	return calls
}

// charges returns the number of charges of the account, and of its answered turns.
func (b *bench) charges() (charges, answered int) {
	b.t.Helper()
	return storetest.CountRows(b.t, b.store, `SELECT count(*) FROM credit_entries WHERE kind = 'CHARGE'`),
		storetest.CountRows(b.t, b.store, `SELECT count(*) FROM turns WHERE state = 'ANSWERED'`)
}

// expectCharges checks the number of charges.
func (b *bench) expectCharges(want int) {
	b.t.Helper()
	if charges, answered := b.charges(); charges != want || answered != want {
		b.t.Errorf("%d charges, %d answered, want %d", charges, answered, want)
	}
}
