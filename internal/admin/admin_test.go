package admin_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"agentchat/internal/account"
	"agentchat/internal/admin"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
)

const token = "a token that is long enough to be one"

func TestMain(m *testing.M) {
	openapi3filter.RegisterBodyDecoder("application/jsonl", openapi3filter.PlainBodyDecoder)
	storetest.Main(m)
}

// bench is the API with its own database, and its description.
type bench struct {
	*testing.T
	store   *store.DB
	fixture storetest.Fixture
	server  *httptest.Server
	refused atomic.Int64
	log     bytes.Buffer
	mu      sync.Mutex
	spec    routers.Router
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{T: t, store: storetest.New(t)}
	b.fixture = storetest.Seed(t, b.store, storetest.Options{})
	b.server = httptest.NewServer(admin.NewHandler(admin.Config{Store: b.store, Token: token, PanelURL: "https://chat.example.com",
		Logger: slog.New(slog.NewJSONHandler(b, nil)), Refused: func() { b.refused.Add(1) }}))
	t.Cleanup(b.server.Close)
	spec, err := openapi3.NewLoader().LoadFromData(admin.Description)
	if err != nil {
		t.Fatal(err)
	}
	if err := spec.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	spec.Servers = openapi3.Servers{{URL: b.server.URL}}
	if b.spec, err = gorillamux.NewRouter(spec); err != nil {
		t.Fatal(err)
	}
	return b
}

// Write stores a log line.
func (b *bench) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.Write(line)
}

type answer struct {
	status int
	header http.Header
	object map[string]any
	text   string
}

// code returns the code of an error, and "" for other responses.
func (a answer) code() string {
	body, _ := a.object["error"].(map[string]any)
	code, _ := body["code"].(string)
	return code
}

// send sends a request with a token, and checks the response against the description.
func (b *bench) send(method, path, withToken, body string) answer {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), method, b.server.URL+path, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	if withToken != "" {
		request.Header.Set("Authorization", "Bearer "+withToken)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		b.Fatal(err)
	}
	got := answer{status: response.StatusCode, header: response.Header, text: string(content)}
	if got.header.Get("Content-Type") == "application/jsonl" {
		got.object = map[string]any{}
	} else if err := json.Unmarshal(content, &got.object); err != nil {
		b.Fatalf("%s %s: %q is not JSON", method, path, content)
	}
	if route, params, err := b.spec.FindRoute(request); err == nil {
		input := &openapi3filter.ResponseValidationInput{Status: got.status, Header: got.header, Body: io.NopCloser(bytes.NewReader(content)),
			RequestValidationInput: &openapi3filter.RequestValidationInput{Request: request, Route: route, PathParams: params},
			Options:                &openapi3filter.Options{IncludeResponseStatus: true}}
		if err := openapi3filter.ValidateResponse(b.Context(), input); err != nil {
			b.Errorf("%s %s is not as described: %v", method, path, err)
		}
	}
	return got
}

func (b *bench) want(method, path, body string, status int, code string) answer {
	b.Helper()
	got := b.send(method, path, token, body)
	if got.status != status || got.code() != code {
		b.Errorf("%s %s %s: %d %v, want %d %s", method, path, body, got.status, got.object, status, code)
	}
	return got
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	path := "/admin/v1/accounts"
	listed := b.want(http.MethodGet, path, "", http.StatusOK, "").object
	if n := len(listed["accounts"].([]any)); n != 1 || listed["next"] != nil {
		t.Errorf("listed: %v", listed)
	}
	none := b.want(http.MethodGet, path+"?search=unknown", "", http.StatusOK, "").object
	if n := len(none["accounts"].([]any)); n != 0 {
		t.Errorf("found: %v", none)
	}
	b.want(http.MethodGet, path+"?after=x", "", http.StatusBadRequest, "invalid_request")
	one := path + "/" + b.fixture.Account.ID.String()
	byEmail := path + "/email:" + b.fixture.Account.Email
	for _, address := range []string{one, byEmail, strings.ReplaceAll(byEmail, "@", "%40"),
		strings.ReplaceAll(byEmail, ".com", "%E3%80%82COM")} {
		shown := b.want(http.MethodGet, address, "", http.StatusOK, "").object
		if shown["email"] != b.fixture.Account.Email || shown["agents"] != 1.0 || shown["exports"] != 1.0 || shown["conversations"] != 0.0 {
			t.Errorf("%s: %v", address, shown)
		}
	}
	for action, want := range map[string]account.State{"suspend": account.Suspended, "resume": account.Active} {
		for range 2 {
			if got := b.want(http.MethodPost, byEmail+"/"+action, "", http.StatusOK, "").object; got["state"] != string(want) {
				t.Errorf("%s: %v", action, got)
			}
		}
	}
	for _, missing := range []string{"/x", "/email:unknown@example.com", "/0198c2f0-6f5e-7d3a-9d51-5a3f0c6a2b1e"} {
		b.want(http.MethodGet, path+missing, "", http.StatusNotFound, "not_found")
		b.want(http.MethodPost, path+missing+"/suspend", "", http.StatusNotFound, "not_found")
	}
	b.want(http.MethodGet, path+"/email:unknown", "", http.StatusBadRequest, "invalid_request")
	if got := b.want(http.MethodPut, one, "", http.StatusMethodNotAllowed, "method_not_allowed"); got.header.Get("Allow") != "DELETE, GET" {
		t.Errorf("allowed: %s", got.header.Get("Allow"))
	}
	b.want(http.MethodGet, one+"/suspend", "", http.StatusMethodNotAllowed, "method_not_allowed")
	b.want(http.MethodGet, "/v1/agent/chat", "", http.StatusNotFound, "not_found")
}

func TestPages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const accountCount = 250
	for i := range accountCount - 1 {
		in := accounts.NewAccount{Email: fmt.Sprintf("owner-%d@example.com", i), Name: "Owner", PasswordHash: "none"}
		if _, err := accounts.On(b.store).CreateAccount(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	seen, after, pages := map[any]bool{}, "", 0
	for {
		got := b.want(http.MethodGet, "/admin/v1/accounts?after="+after, "", http.StatusOK, "").object
		for _, a := range got["accounts"].([]any) {
			seen[a.(map[string]any)["id"]] = true
		}
		pages++
		if got["next"] == nil {
			break
		}
		after = got["next"].(string)
	}
	if len(seen) != accountCount || pages != 3 {
		t.Errorf("%d accounts in %d pages", len(seen), pages)
	}
}

func TestCredits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	path := "/admin/v1/accounts/" + b.fixture.Account.ID.String() + "/credits"
	before := b.fixture.Account.CreditBalance
	if before == 0 {
		t.Fatal("the fixture has no credits")
	}
	var first, repeated atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			got := b.send(http.MethodPost, path, token, `{"amount": 7, "note": "Invoice 7", "reference": "invoice-7"}`)
			switch {
			case got.status != http.StatusOK || got.object["balance"] != float64(before+7):
				t.Errorf("%d %v", got.status, got.object)
			case got.object["repeated"] == true:
				repeated.Add(1)
			default:
				first.Add(1)
			}
		})
	}
	all.Wait()
	if first.Load() != 1 || repeated.Load() != 49 {
		t.Errorf("%d applied, %d repeated", first.Load(), repeated.Load())
	}
	b.want(http.MethodPost, path, `{"amount": 8, "note": "n", "reference": "invoice-7"}`, http.StatusConflict, "conflict")
	b.want(http.MethodPost, path, `{"kind": "ADJUSTMENT", "amount": -1000000, "note": "n", "reference": "a"}`, http.StatusConflict, "conflict")
	spaced := b.want(http.MethodPost, path, `{"amount": 7, "note": "ñ\u200b", "reference": "\u00a0 invoice-7\n"}`, http.StatusOK, "")
	if spaced.object["repeated"] != true {
		t.Errorf("with white space around it: %v", spaced.object)
	}
	taken := b.want(http.MethodPost, path, `{"kind": "ADJUSTMENT", "amount": -7, "note": "n", "reference": "b"}`, http.StatusOK, "")
	if taken.object["balance"] != float64(before) {
		t.Errorf("taken: %v", taken.object)
	}
	for _, bad := range []string{
		`{"amount": 0, "note": "n", "reference": "r"}`, `{"amount": -1, "note": "n", "reference": "r"}`, `{"note": "n", "reference": "r"}`,
		`{"amount": 1, "note": "", "reference": "r"}`, `{"amount": 1, "note": "n"}`, `{"amount": 1, "note": "a\nb", "reference": "r"}`,
		`{"amount": 9007199254740992, "note": "n", "reference": "r"}`, `{"amount": 1, "note": "n", "reference": "r", "unique": "account"}`,
		`{"kind": "CHARGE", "amount": 1, "note": "n", "reference": "r"}`,
		`{"amount": 1, "note": "` + strings.Repeat("x", 201) + `", "reference": "r"}`,
		`{"amount": 1, "note": "n", "reference": "` + strings.Repeat("x", 201) + `"}`,
		`{"amount": 1, "note": "n", "reference": "\u200binvoice-7"}`, `{"amount": 1, "note": "n", "reference": "invoice\t7"}`,
		`{"amount": 1, "note": "n", "reference": "\u00a0"}`,
	} {
		b.want(http.MethodPost, path, bad, http.StatusBadRequest, "invalid_request")
	}
	for _, bad := range []string{`{`, `[]`, `{"amount": 1.5}`, `{"amount": "1"}`, `{"amuont": 1}`, `{"amount": 1} {}`, `{"amount": 1, "amount": 2}`} {
		b.want(http.MethodPost, path, bad, http.StatusBadRequest, "invalid_json")
	}
	b.want(http.MethodPost, path, `{"note": "`+strings.Repeat("x", 17<<10)+`"}`, http.StatusRequestEntityTooLarge, "payload_too_large")
	b.want(http.MethodPost, path, "", http.StatusUnsupportedMediaType, "unsupported_media_type")
	storetest.Audit(t, b.store)
}

func TestDoor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const tries = 1_000
	for i := range tries {
		wrong := []string{"", "wrong", token + "x", token[:len(token)-1], strings.ToUpper(token)}[i%5]
		got := b.send(http.MethodGet, []string{"/admin/v1/accounts", "/", "/admin/v1/accounts/x"}[i%3], wrong, "")
		if got.status != http.StatusUnauthorized || got.code() != "unauthorized" || got.header.Get("WWW-Authenticate") != "Bearer" {
			t.Fatalf("with %q: %d %v", wrong, got.status, got.object)
		}
	}
	if b.refused.Load() != tries {
		t.Errorf("%d refusals counted", b.refused.Load())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := strings.Count(b.log.String(), "without the right token"); n != 1 {
		t.Errorf("%d warnings in the log", n)
	}
	if n := strings.Count(b.log.String(), "\n"); n != 1 {
		t.Errorf("%d lines in the log", n)
	}
	if strings.Contains(b.log.String(), token) {
		t.Error("the log has the token")
	}
}
