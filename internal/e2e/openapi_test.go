package e2e_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/openapitest"
	"agentchat/internal/store/storetest"
)

// fetchOpenAPI gets the OpenAPI document of a running replica.
func fetchOpenAPI(t *testing.T, r *replica) []byte {
	t.Helper()
	resp, err := http.Get(r.base() + "/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/yaml" {
		t.Fatalf("openapi.yaml: %d %s %v", resp.StatusCode, resp.Header.Get("Content-Type"), err)
	}
	return text
}

// TestOpenAPI: a client that only knows a running service's /openapi.yaml finds the API, and its responses match the document. Package
// rest checks the document completely.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	document := openapitest.Load(t, fetchOpenAPI(t, d.replicas[0]), http.MethodPost, "/v1/agent/chat")
	if document.Server != d.replicas[0].Panel {
		t.Errorf("the document's server is %s, the service is at %s", document.Server, d.replicas[0].Panel)
	}
	at := document.Server + "/v1/agent/chat"
	noCredits := d.newCaller(t, storetest.Options{Credits: -1})
	draft := d.newCaller(t, storetest.Options{Draft: true})
	slow := d.newCaller(t, storetest.Options{RatePerMinute: 1})
	active := d.newCaller(t, storetest.Options{})
	for _, c := range []struct {
		caller  *apiCaller
		body    string
		header  []string
		outcome string
	}{
		{caller: active, body: hello, outcome: "200"},
		{caller: active, body: `{"message":"{text}","session_id":"s"}`, header: []string{"Idempotency-Key", "k"}, outcome: "200"},
		{caller: active, body: `{"message":"{text}","session_id":"s"}`, header: []string{"Idempotency-Key", "k"}, outcome: "200"},
		{caller: active, body: hello, header: []string{"Idempotency-Key", "k"}, outcome: "idempotency_key_reused"},
		{caller: active, body: hello, header: []string{"Idempotency-Key", "a b"}, outcome: "invalid_idempotency_key"},
		{caller: active, body: `{`, outcome: "invalid_json"}, {caller: active, body: `{"text":"x"}`, outcome: "invalid_request"},
		{caller: active, body: hello, header: []string{"Authorization", "Bearer {unknown}"}, outcome: "unauthorized"},
		{caller: active, body: hello, header: []string{"Content-Type", "text/plain"}, outcome: "unsupported_media_type"},
		{caller: active, body: hello + strings.Repeat(" ", 256<<10), outcome: "payload_too_large"},
		{caller: active, body: `{"message":"{text} [[sandbox fail=blocked]]"}`, outcome: "content_blocked"},
		{caller: active, body: `{"message":"{text} [[sandbox fail=internal]]"}`, outcome: "internal"},
		{caller: active, body: `{"message":"{text} [[sandbox fail=error]]"}`, outcome: "model_error"},
		{caller: active, body: `{"message":"{text} [[sandbox fail=unavailable]]"}`, outcome: "model_unavailable"},
		{caller: active, body: `{"message":"{text} [[sandbox fail=timeout]]"}`, outcome: "model_timeout"},
		{caller: noCredits, body: hello, outcome: "insufficient_credits"}, {caller: draft, body: hello, outcome: "agent_not_ready"},
		{caller: slow, body: hello, outcome: "200"}, {caller: slow, body: hello, outcome: "rate_limited"},
	} {
		got := d.post(t, at, c.caller, c.caller.expand.Replace(c.body), append([]string{"X-Request-Id", c.outcome}, c.header...)...)
		if got.outcome() != c.outcome {
			t.Errorf("%s with %v: %s, want %s", c.body, c.header, got.outcome(), c.outcome)
		}
		if c.outcome == "internal" {
			d.faults[got.Header.Get("X-Request-Id")] = true
		}
		document.Check(t, &http.Response{StatusCode: got.Status, Header: got.Header}, got.Body)
	}
	for target, outcome := range map[string]string{"/v1/agent/talk": "not_found", "/v1/agent/chat": "method_not_allowed"} {
		w := dial(t, d.chat())
		w.send(raw("GET "+target+" HTTP/1.1", "", "Host: localhost"))
		got := w.receive(http.MethodGet)
		if got.outcome() != outcome {
			t.Errorf("GET %s: %s, want %s", target, got.outcome(), outcome)
		}
		document.Check(t, &http.Response{StatusCode: got.Status, Header: got.Header}, got.Body)
	}
}

// TestOpenAPIBehindAProxy: the document contains the address that callers use.
func TestOpenAPIBehindAProxy(t *testing.T) {
	t.Parallel()
	const public = "https://chat.example.com"
	r := start(t, storetest.URL(t), "PUBLIC_URL="+public+"/")
	document := openapitest.Load(t, fetchOpenAPI(t, r), http.MethodPost, "/v1/agent/chat")
	if document.Server != public {
		t.Errorf("the document's server is %s, want %s", document.Server, public)
	}
}
