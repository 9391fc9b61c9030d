package graph_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/graph"
	"agentchat/internal/auth"
	"agentchat/internal/chat"
	"agentchat/internal/foreign"
	"agentchat/internal/httpapi"
	"agentchat/internal/identity"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/memory"
	"agentchat/internal/outgoing"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
	"agentchat/internal/webhook"
	"agentchat/rest"
)

const password = "correct horse battery staple"

// TestMain lets this program be the process that reads agents' files of other systems.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == foreign.Command {
		os.Exit(foreign.Child(os.Args[2:], os.Stdin, os.Stdout))
	}
	storetest.Main(m)
}

var hasher = auth.NewHasher()

// passwordHash is a hash of password at the lowest cost. A sign-in costs as much as the stored
// hash.
const passwordHash = "$argon2id$v=19$m=8,t=1,p=1$YSBzYWx0IGZvciB0ZXN0cw$KyDCFOUgIM1U4U3f1OTZkQ"

// logText collects the log.
type logText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logText) lines(containing string) (out []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if strings.Contains(line, containing) {
			out = append(out, line)
		}
	}
	return out
}

// wantNoSecrets checks that the log holds none of the texts.
func (l *logText) wantNoSecrets(t *testing.T, secrets ...string) {
	t.Helper()
	for _, secret := range secrets {
		if lines := l.lines(secret); secret == "" || lines != nil {
			t.Errorf("a secret of %d bytes is in the log: %q", len(secret), lines)
		}
	}
}

// options are the settings of a bench.
type options struct {
	identity identity.Config
	graph    graph.Config
	memory   *memory.Budget
	// bodyTimeout is the time for a request's body; zero means httpapi.BodyTimeout.
	bodyTimeout time.Duration
}

// bench is a server with the real handler and its own database.
type bench struct {
	*httptest.Server
	store      *store.DB
	tokens     *auth.Tokens
	catalogue  *catalogue.Live
	statements *storetest.Statements
	log        *logText
}

// models returns a catalogue of the sandbox and a provider that is not configured.
func models(t *testing.T) *catalogue.Live {
	t.Helper()
	c, err := catalogue.Load(catalogue.Config{Secret: func(string) (string, error) { return "", nil }})
	if err != nil {
		t.Fatal(err)
	}
	return catalogue.NewLive(c)
}

func newBench(t *testing.T, change ...func(*options)) *bench {
	t.Helper()
	tokens, err := auth.NewTokens([]byte("a signing secret of 32 bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{tokens: tokens, log: &logText{}, catalogue: models(t)}
	b.store, b.statements = storetest.Counted(t)
	logger := slog.New(slog.NewJSONHandler(b.log, nil))
	service := chat.New(chat.Config{Store: b.store, Catalogue: b.catalogue, Logger: logger})
	storetest.Ends(t, b.store, service.Wait)
	o := options{
		identity: identity.Config{Store: b.store, Hasher: hasher, Tokens: tokens, SignUpOpen: func() bool { return true },
			StartingCredits: 20},
		graph: graph.Config{RefusalDelay: time.Millisecond, Statuses: rest.Statuses(), Store: b.store,
			Catalogue: b.catalogue, Logger: logger,
			Chat: service, Info: graph.Info{Version: "1.2.3",
				BaseURL: "http://localhost:8080", CreditsHelp: "Ask us.", SupportContact: "help@example.com", BridgeURL: "http://localhost:8081",
				RefusedRetention: 60 * time.Hour}},
	}
	o.graph.Webhooks = &webhook.Owners{Store: b.store, Tokens: tokens, CheckURL: outgoing.New(outgoing.Allow{}).CheckURL}
	for _, c := range change {
		c(&o)
	}
	o.graph.Identity = identity.New(o.identity)
	handler, err := graph.NewHandler(o.graph)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/graphql", (&httpapi.Bodies{Timeout: o.bodyTimeout, Memory: o.memory}).Handler(handler))
	b.Server = httptest.NewServer(mux)
	t.Cleanup(b.Close)
	return b
}

// user is a signed-in user with an account.
type user struct {
	b       *bench
	account accounts.Owned
	token   string
	cookies []*http.Cookie
	header  map[string]string
}

const signInDocument = `mutation($email: String!, $password: String!) {
	signIn(input: {email: $email, password: $password}) { accessToken expiresAt account { id } }
}`

// signedIn opens an account with 100 credits and signs in over HTTP.
func signedIn(t *testing.T, b *bench) *user {
	t.Helper()
	opened, err := accounts.On(b.store).CreateAccount(t.Context(), accounts.NewAccount{
		Email: uuid.NewString() + "@example.com", Name: "Ada", PasswordHash: passwordHash, StartingCredits: 100})
	if err != nil {
		t.Fatal(err)
	}
	return (&user{b: b, account: opened}).again(t)
}

// again signs the same user in once more, as another browser.
func (u *user) again(t *testing.T) *user {
	t.Helper()
	a := u.b.do(t, call{query: signInDocument, vars: vars{"email": u.account.Email, "password": password}})
	a.wantNone(t, "signIn")
	return &user{b: u.b, account: u.account, token: a.text(t, "signIn.accessToken"), cookies: a.cookies}
}

type vars map[string]any

// call is one request.
type call struct {
	query     string
	vars      vars
	operation string
	token     string
	header    map[string]string
	cookies   []*http.Cookie
	body      string // instead of query, vars and operation
}

func (u *user) do(t *testing.T, query string, v vars) answer {
	t.Helper()
	return u.b.do(t, call{query: query, vars: v, token: u.token})
}

// statements returns the number of statements that a query takes.
func (u *user) statements(t *testing.T, query string, v vars) int64 {
	t.Helper()
	before := u.b.statements.Load()
	u.do(t, query, v).wantNone(t, query)
	return u.b.statements.Load() - before
}

// do sends a request and checks the response with check.
func (b *bench) do(t *testing.T, c call) answer {
	t.Helper()
	return b.doWith(t, http.DefaultClient, c)
}

func (b *bench) doWith(t *testing.T, client *http.Client, c call) answer {
	t.Helper()
	if input, ok := c.vars["input"].(vars); ok {
		if content, ok := input["file"].(fileContent); ok {
			input = maps.Clone(input)
			return (&user{b: b, header: c.header}).send(t, c.token, withInput(t, c.query, input), part{
				"map", oneFile}, part{"0", string(content)})
		}
	}
	body := c.body
	if body == "" {
		raw, err := json.Marshal(map[string]any{"query": c.query, "variables": c.vars, "operationName": c.operation})
		if err != nil {
			t.Fatal(err)
		}
		body = string(raw)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+"/graphql", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(c.query, "subscription") {
		req.Header.Set("Accept", "text/event-stream")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	for name, value := range c.header {
		req.Header.Set(name, value)
	}
	for _, cookie := range c.cookies {
		req.AddCookie(cookie)
	}
	return send(t, client, req)
}

// send sends a request unchanged and checks the response.
func send(t *testing.T, client *http.Client, req *http.Request) answer {
	t.Helper()
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{status: resp.StatusCode, header: resp.Header, body: string(raw), cookies: resp.Cookies()}
	switch contentType := resp.Header.Get("Content-Type"); {
	case contentType == "text/event-stream; charset=utf-8":
		a.events = eventsOf(t, a.body)
	case strings.HasPrefix(contentType, "multipart/mixed;"):
		a.events = partsOf(t, resp, a.body)
	}
	if len(a.events) > 0 {
		raw = []byte(a.events[0])
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &a); err != nil {
			t.Fatalf("the answer is not JSON: %v: %.300s", err, raw)
		}
	}
	a.check(t)
	return a
}

// codes matches the schema's ErrorCode and gqlgen's own two codes.
var codes = regexp.MustCompile(
	`^(UNAUTHENTICATED|INVALID_CREDENTIALS|SECOND_FACTOR_REQUIRED|REAUTHENTICATION_REQUIRED|SIGN_UP_CLOSED|BAD_USER_INPUT|NOT_FOUND|CONFLICT|` +
		`RATE_LIMITED|LIMIT_EXCEEDED|PERSISTED_QUERY_NOT_SUPPORTED|FORBIDDEN|UNAVAILABLE|INTERNAL|GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED)$`)

// inside matches words that no error contains: of the driver, the database, the language, or the
// columns of secrets. Random keys and tokens in data may contain any of the short ones.
var inside = regexp.MustCompile(
	`(?i)pgx|pgconn|SQLSTATE|sql:|relation \\?"|goroutine|\.go:|runtime error|\$argon2|agentchat/|_hash`)

// check checks rules that apply to every response.
func (a answer) check(t *testing.T) {
	t.Helper()
	id := a.header.Get("X-Request-Id")
	stored := a.header.Get("Cache-Control")
	if id == "" || stored != "no-store" && (a.events == nil || stored != "no-cache, no-transform") ||
		a.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers that every answer has: %v", a.header)
	}
	for _, e := range a.Errors {
		code, _ := e.Extensions["code"].(string)
		if !codes.MatchString(code) || e.Extensions["requestId"] != id || e.Message == "" {
			t.Errorf("an error without code, request id or message: %.300s", a.body)
		}
	}
	errors, err := json.Marshal(a.Errors)
	if found := inside.Find(errors); found != nil || err != nil || strings.Contains(a.body, "$argon2") {
		t.Errorf("the answer reveals internals: %q %v in %.300s", found, err, a.body)
	}
	if a.status >= http.StatusBadRequest && len(a.Errors) == 0 && a.body != "" {
		t.Errorf("status %d without errors: %.300s", a.status, a.body)
	}
}
