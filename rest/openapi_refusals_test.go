package rest_test

import (
	"strings"

	"agentchat/rest"
)

// badRequests are rejected before a turn begins. TestBodiesAreRefused has more bodies.
func badRequests() []call {
	const hello = `{"message":"Hello"}`
	long := strings.Repeat("x", 256)
	return []call{
		{body: `[]`, status: 400, code: "invalid_json"},
		{body: `{}`, status: 400, code: "invalid_request"},
		{body: `{"message":"Hello","session_id":"` + long + `"}`, status: 400, code: "invalid_request"},
		{body: `{"message":"Hello","sessionId":"order-42"}`, status: 400, code: "invalid_request"},
		{body: `{"message":"Hello","session_id":"undefined"}`, status: 400, code: "invalid_request",
			described: true},
		{body: bringing(`{"id":"a","result":"` + strings.Repeat("x", 16383) + `"}`), status: 400,
			code: "invalid_request", described: true},
		{body: `{"message":"Hello","variables":{"plan":"gold"}}`, status: 400, code: "invalid_request",
			described: true},
		{body: hello, headers: []string{"Idempotency-Key: " + long}, status: 400, code: "invalid_idempotency_key"},
		{body: hello, headers: []string{"Idempotency-Key: a b"}, status: 400, code: "invalid_idempotency_key"},
		{body: hello, headers: []string{"Authorization: Bearer a", "Authorization: Bearer b"},
			status: 400, code: "invalid_authorization", described: true},
		{body: hello, headers: []string{"Authorization:"}, status: 401, code: "unauthorized"},
		{body: hello, key: "agc_unknown", status: 401, code: "unauthorized", described: true},
		{body: `{"message":"Hello"}` + strings.Repeat(" ", rest.MaxBodyBytes), status: 413,
			code: "payload_too_large", described: true},
		{body: hello, headers: []string{"Content-Type: text/plain"}, status: 415, code: "unsupported_media_type"},
		{body: hello, headers: []string{"Content-Type: application/json; charset=utf-16"}, status: 415,
			code: "unsupported_media_type", described: true},
		{body: hello, headers: []string{"Content-Encoding: gzip"}, status: 415,
			code: "unsupported_media_type", described: true},
	}
}

// failures are those of the model, before a reply or its stream begins.
func failures() []call {
	var out []call
	for fail, c := range map[string]call{
		"blocked": {status: 422, code: "content_blocked"}, "panic": {status: 500, code: "internal"},
		"internal": {status: 500, code: "internal"}, "error": {status: 502, code: "model_error"},
		"garbage": {status: 502, code: "model_error"}, "unavailable": {status: 503, code: "model_unavailable"},
		"timeout": {status: 504, code: "model_timeout"},
	} {
		c.body, c.described = quoted("[[sandbox fail="+fail+"]]"), true
		streamed := c
		streamed.headers = []string{"Accept: text/event-stream"}
		out = append(out, c, streamed)
	}
	return out
}

// bringing is a body with results of actions.
func bringing(results string) string { return `{"session_id":"s","action_results":[` + results + `]}` }
