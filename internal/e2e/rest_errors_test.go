package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestRequestsAreFound: whatever a caller is told, the owner of the key finds by the request ID. Package rest has the rules of the answers.
func TestRequestsAreFound(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	d := newDeployment(t, 1, "MODEL_TIMEOUT=2s")
	defer d.finish(t)
	other := strings.Replace(post(hello, authorized, asJSON), "/v1/agent/chat", "/v1/nothing", 1)
	d.run(t, []scenario{
		{name: "answered", status: 200, body: hello},
		{name: "the model fails", status: 502, code: "model_error", failed: true, body: `{"message":"{text} [[sandbox fail=error]]"}`},
		{name: "the model takes too long", status: 504, code: "model_timeout", failed: true, body: `{"message":"{text} [[sandbox delay=1m]]"}`},
		{name: "a fault of ours", status: 500, code: "internal", failed: true, body: `{"message":"{text} [[sandbox fail=internal]]"}`},
		{name: "no credits", options: storetest.Options{Credits: -1}, status: 402, code: "insufficient_credits", body: hello},
		{name: "a draft", options: storetest.Options{Draft: true}, status: 409, code: "agent_not_ready", body: hello,
			details: map[string]any{"reason": "draft"}},
		{name: "results of nothing", status: 409, code: "action_mismatch", details: map[string]any{"open": []any{}},
			body: `{"session_id":"{text}","action_results":[{"id":"act_1","result":"{text}"}]}`},
		{name: "no JSON", status: 400, code: "invalid_json", body: "{"},
		{name: "an unknown field", status: 400, code: "invalid_request", body: `{"message":"{text}","sessionId":"s"}`,
			details: map[string]any{"field": "sessionId", "reason": "unknown_field"}},
		{name: "a bad Idempotency-Key", status: 400, code: "invalid_idempotency_key", body: hello, header: []string{"Idempotency-Key", "a b"}},
		{name: "another media type", status: 415, code: "unsupported_media_type", body: hello, header: []string{"Content-Type", "text/plain"}},
		{name: "too large", status: 413, code: "payload_too_large", closed: true, raw: post("", authorized, asJSON, "Content-Length: 262145")},
		{name: "another path", status: 404, code: "not_found", raw: other},
		{name: "HEAD", status: 405, code: "method_not_allowed", raw: strings.Replace(post("", authorized), http.MethodPost, http.MethodHead, 1)},
		{name: "an unknown key", status: 401, code: "unauthorized", body: hello, header: []string{"Authorization", "Bearer {unknown}"}},
		{name: "no key", status: 401, code: "unauthorized", body: hello, header: []string{"Authorization", ""}},
	})
}
