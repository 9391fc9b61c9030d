package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// base returns the URL of a replica's public listener.
func (r *replica) base() string { return strings.TrimSuffix(r.Chat, "/v1/agent/chat") }

// browser is a client of the panel's API with its own cookie jar. It is for one goroutine.
type browser struct {
	t      *testing.T
	http   *http.Client
	header http.Header
	// Token is the access token to send; "" for none.
	Token string
}

// newBrowser returns a browser without cookies. header holds pairs of names and values for every
// request.
func newBrowser(t *testing.T, header ...string) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 4}
	t.Cleanup(transport.CloseIdleConnections)
	c := &http.Client{Transport: transport, Jar: jar, Timeout: 2 * time.Minute}
	b := &browser{t: t, http: c, header: http.Header{}}
	for i := 0; i+1 < len(header); i += 2 {
		b.header.Set(header[i], header[i+1])
	}
	return b
}

// panelAnswer is a response of the panel's API.
type panelAnswer struct {
	Status int
	Raw    string
	Data   json.RawMessage `json:"data"`
	Errors []struct {
		Message    string `json:"message"`
		Extensions struct {
			Code              string `json:"code"`
			RetryAfterSeconds int    `json:"retryAfterSeconds"`
		} `json:"extensions"`
	} `json:"errors"`
}

// code returns the first error's code, or "ok".
func (a panelAnswer) code() string {
	if len(a.Errors) > 0 {
		return a.Errors[0].Extensions.Code
	}
	return "ok"
}

// into decodes one root field of the data. It fails the test if the field is missing.
func (a panelAnswer) into(t *testing.T, field string, out any) {
	t.Helper()
	var data map[string]json.RawMessage
	err := json.Unmarshal(a.Data, &data)
	if err != nil || len(data[field]) == 0 || string(data[field]) == "null" {
		t.Fatalf("no %s in the response %d %s", field, a.Status, a.Raw)
	}
	if err := json.Unmarshal(data[field], out); err != nil {
		t.Fatalf("%s in %s: %v", field, a.Raw, err)
	}
}

// do runs one operation on a replica. input is its only variable; nil for none.
func (b *browser) do(r *replica, query string, input map[string]any) (panelAnswer, error) {
	body := map[string]any{"query": query}
	if input != nil {
		body["variables"] = map[string]any{"input": input}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return panelAnswer{}, err
	}
	return b.send(r, "application/json", bytes.NewReader(data))
}

// send sends a body to the panel's API.
func (b *browser) send(r *replica, contentType string, body io.Reader) (panelAnswer, error) {
	url := r.base() + "/graphql"
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, url, body)
	if err != nil {
		return panelAnswer{}, err
	}
	req.Header = b.header.Clone()
	req.Header.Set("Content-Type", contentType)
	if b.Token != "" {
		req.Header.Set("Authorization", "Bearer "+b.Token)
	}
	resp, err := b.http.Do(req)
	if err != nil {
		return panelAnswer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return panelAnswer{}, err
	}
	out := panelAnswer{Status: resp.StatusCode, Raw: string(raw)}
	return out, json.Unmarshal(raw, &out)
}

// sendFile runs one mutation on a replica whose input has a file.
func (b *browser) sendFile(
	r *replica, query string, input map[string]any, content []byte,
) (panelAnswer, error) {
	input["file"] = nil
	operations, err := json.Marshal(map[string]any{"query": query,
		"variables": map[string]any{"input": input}})
	if err != nil {
		return panelAnswer{}, err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("operations", string(operations)) // a buffer takes everything
	_ = form.WriteField("map", `{"0": ["variables.input.file"]}`)
	file, _ := form.CreateFormFile("0", "file")
	_, _ = file.Write(content)
	_ = form.Close()
	return b.send(r, form.FormDataContentType(), &body)
}

// must runs one operation and fails the test if it returns an error.
func (b *browser) must(r *replica, query string, input map[string]any) panelAnswer {
	b.t.Helper()
	got, err := b.do(r, query, input)
	if err != nil || got.code() != "ok" {
		b.t.Fatalf("%s: %v %d %s", query, err, got.Status, got.Raw)
	}
	return got
}

// The operations of signing in.
const (
	signUpQuery = `mutation($input: SignUpInput!) { signUp(input: $input) { accessToken } }`
	signInQuery = `mutation($input: SignInInput!) { signIn(input: $input) { accessToken } }`
	renewQuery  = `mutation { renewAccess { accessToken } }`
	viewerQuery = `{ viewer { id creditBalance creditsHeld } }`
)

// mutation returns a mutation of one field with an input, and the selection of its payload.
func mutation(field, selection string) string {
	input := strings.ToUpper(field[:1]) + field[1:] + "Input!"
	return fmt.Sprintf("mutation($input: %s) { %s(input: $input) { %s } }", input, field, selection)
}

// The operations on an agent and its exports.
var (
	createAgent  = mutation("createAgent", "agent { id }")
	updateAgent  = mutation("updateAgent", "agent { id }")
	publishAgent = mutation("publishAgent", "version { number }")
	createExport = mutation("createApiExport", "apiKey export { id }")
)

// signIn runs signUp or signIn and keeps the access token.
func (b *browser) signIn(r *replica, query, email, password string) (panelAnswer, error) {
	input := map[string]any{"email": email, "password": password}
	if query == signUpQuery {
		input["name"] = "Ada"
	}
	got, err := b.do(r, query, input)
	if err != nil || got.code() != "ok" {
		return got, err
	}
	var data map[string]struct{ AccessToken string }
	if err := json.Unmarshal(got.Data, &data); err != nil {
		return got, err
	}
	for _, payload := range data {
		b.Token = payload.AccessToken
	}
	return got, nil
}

// signedUp signs up a new account. It fails the test if that does not work.
func (b *browser) signedUp(r *replica, email, password string) {
	b.t.Helper()
	if got, err := b.signIn(r, signUpQuery, email, password); err != nil || b.Token == "" {
		b.t.Fatalf("sign up: %v %d %s", err, got.Status, got.Raw)
	}
}

const ownersPassword = "the owner's own password"

// behindProxy lets the tests choose the client address of a request.
const behindProxy = "TRUSTED_PROXIES=127.0.0.0/8"

// from returns the header for the i-th client address.
func from(i int) []string {
	return []string{"X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i)}
}

// ownedExport is an agent that an owner created over the panel's API, and an export with its key.
type ownedExport struct{ agent, export, key string }

// newOwnedExport signs up a new owner on a replica and creates an agent with an export. Sign-ups
// are limited by address.
func newOwnedExport(t *testing.T, r *replica, address int) (*browser, ownedExport) {
	t.Helper()
	b := newBrowser(t, from(address)...)
	b.signedUp(r, uuid.NewString()+"@example.com", ownersPassword)
	return b, b.makeExport(r)
}

// makeExport creates an agent of the signed-in owner, with an export.
func (b *browser) makeExport(r *replica) ownedExport {
	b.t.Helper()
	var made struct{ Agent struct{ ID string } }
	b.must(r, createAgent, map[string]any{
		"name":         "Pilot",
		"instructions": "Pilot.",
		"model":        storetest.SandboxModel,
	}).into(b.t, "createAgent", &made)
	b.must(r, publishAgent, map[string]any{"id": made.Agent.ID})
	var export struct {
		APIKey string
		Export struct{ ID string }
	}
	b.must(r, createExport, map[string]any{
		"agentId":            made.Agent.ID,
		"name":               "Export",
		"rateLimitPerMinute": 6000,
	}).into(b.t, "createApiExport", &export)
	return ownedExport{made.Agent.ID, export.Export.ID, export.APIKey}
}

// newToken creates an account token with the role of an editor.
func newToken(t *testing.T, r *replica, owner *browser) (id, token string) {
	t.Helper()
	var made struct {
		Secret       string
		AccountToken struct{ ID string }
	}
	owner.must(r, mutation("createAccountToken", "secret accountToken { id }"),
		map[string]any{"name": "CRM", "role": "EDITOR"}).into(t, "createAccountToken", &made)
	return made.AccountToken.ID, made.Secret
}
