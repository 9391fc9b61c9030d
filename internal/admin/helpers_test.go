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

	"agentchat/internal/admin"
	"agentchat/internal/store"
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
	spec    *openapi3.T
	router  routers.Router
	// operator is the header X-Operator of each request.
	operator string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{T: t, store: storetest.New(t)}
	b.fixture = storetest.Seed(t, b.store, storetest.Options{})
	b.server = httptest.NewServer(admin.NewHandler(admin.Config{
		Store:    b.store,
		Token:    token,
		PanelURL: "https://chat.example.com",

		CreditValue: new(int64(1_000_000)),

		Logger:  slog.New(slog.NewJSONHandler(b, nil)),
		Refused: func() { b.refused.Add(1) },
	}))
	t.Cleanup(b.server.Close)
	var err error
	if b.spec, err = openapi3.NewLoader().LoadFromData(admin.OpenAPI("0.2.0")); err != nil {
		t.Fatal(err)
	}
	if err := b.spec.Validate(t.Context()); err != nil || b.spec.Info.Version != "0.2.0" {
		t.Fatal(err, b.spec.Info.Version)
	}
	b.spec.Servers = openapi3.Servers{{URL: b.server.URL}}
	if b.router, err = gorillamux.NewRouter(b.spec); err != nil {
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

// logged returns the log.
func (b *bench) logged() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.String()
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
	if request.Header.Set("X-Operator", b.operator); withToken != "" {
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
	if route, params, err := b.router.FindRoute(request); err == nil {
		input := &openapi3filter.ResponseValidationInput{
			Status: got.status,
			Header: got.header,
			Body:   io.NopCloser(bytes.NewReader(content)),
			RequestValidationInput: &openapi3filter.RequestValidationInput{
				Request:    request,
				Route:      route,
				PathParams: params,
			},
			Options: &openapi3filter.Options{IncludeResponseStatus: true},
		}
		if err := openapi3filter.ValidateResponse(b.Context(), input); err != nil {
			b.Errorf("%s %s is not as described: %v", method, path, err)
		}
	}
	return got
}

// want sends a request that succeeds with a status.
func (b *bench) want(method, path, body string, status int) answer {
	b.Helper()
	got := b.send(method, path, token, body)
	if got.status != status {
		b.Errorf("%s %s %s: %d %v, want %d", method, path, body, got.status, got.object, status)
	}
	return got
}

func (b *bench) get(path string) map[string]any {
	b.Helper()
	return b.want(http.MethodGet, path, "", http.StatusOK).object
}

func (b *bench) post(path, body string) map[string]any {
	b.Helper()
	return b.want(http.MethodPost, path, body, http.StatusOK).object
}

// list reads all pages of a list. No page has more than a hundred items.
func (b *bench) list(path, name string) (items []map[string]any) {
	b.Helper()
	next, after := any(""), "?after="
	if strings.Contains(path, "?") {
		after = "&after="
	}
	for next != nil {
		got := b.get(fmt.Sprint(path, after, next))
		page := got[name].([]any)
		if len(page) > 100 {
			b.Errorf("a page of %d %s", len(page), name)
		}
		for _, item := range page {
			items = append(items, item.(map[string]any))
		}
		next = got["next"]
	}
	return items
}

// statuses has the status of each code.
var statuses = map[string]int{
	"invalid_json":           http.StatusBadRequest,
	"invalid_request":        http.StatusBadRequest,
	"unauthorized":           http.StatusUnauthorized,
	"not_found":              http.StatusNotFound,
	"method_not_allowed":     http.StatusMethodNotAllowed,
	"conflict":               http.StatusConflict,
	"payload_too_large":      http.StatusRequestEntityTooLarge,
	"unsupported_media_type": http.StatusUnsupportedMediaType,
}

// refuses sends a request that is refused with a code.
func (b *bench) refuses(method, path, body, code string) answer {
	b.Helper()
	got := b.want(method, path, body, statuses[code])
	if got.code() != code {
		b.Errorf("%s %s %s: %v, want %s", method, path, body, got.object, code)
	}
	return got
}
