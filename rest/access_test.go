package rest_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// lines parses what was logged.
func (j *journal) lines(t *testing.T) []map[string]any {
	t.Helper()
	var out []map[string]any
	scanner := bufio.NewScanner(strings.NewReader(j.String()))
	for scanner.Scan() {
		var line map[string]any
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		out = append(out, line)
	}
	return out
}

// TestAccess tests the access line of a request, its record, and that neither holds a text or a
// key.
func TestAccess(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	account := b.fixture.Account.ID.String()
	key, tokens := b.fixture.Key.Reveal(), quoted("[[sandbox tokens=7:9]] confidential")
	fails := quoted("[[sandbox fail=unavailable]] confidential")
	for _, tc := range []struct {
		name, raw string
		line      map[string]any // nil: must be absent
	}{
		{"reply", request(key, tokens, "Idempotency-Key: once"), map[string]any{
			"account":       account,
			"export":        b.fixture.Export.ID.String(),
			"agent":         b.fixture.Agent.ID.String(),
			"method":        "POST",
			"route":         rest.ChatPath,
			"client":        "127.0.0.1",
			"status":        200.0,
			"code":          nil,
			"input_tokens":  7.0,
			"output_tokens": 9.0,
			"credits":       1.0,
			"replayed":      nil,
			"model":         storetest.SandboxModel,
			"version":       1.0,
			"cause":         nil,
		}},
		{"replay", request(key, tokens, "Idempotency-Key: once"), map[string]any{
			"status": 200.0, "replayed": true, "credits": nil,
		}},
		{"refusal", request(key, `{"confidential":1}`), map[string]any{
			"account": account, "status": 400.0, "code": "invalid_request", "model": nil, "turn": nil,
		}},
		{"failed model", request(key, fails), map[string]any{
			"account": account,
			"status":  503.0,
			"code":    "model_unavailable",
			"model":   storetest.SandboxModel,
			"version": 1.0,
			"cause":   "away",
			"credits": nil,
		}},
		{"unknown key", request(apikey.Mint().Reveal(), "{}"), map[string]any{
			"account": nil, "export": nil, "status": 401.0, "code": "unauthorized",
		}},
		{"other path", requestLine("POST /confidential?confidential=1"), map[string]any{
			"route": "", "status": 404.0, "code": "not_found",
		}},
		{"made-up method", requestLine("CONFIDENTIAL " + rest.ChatPath + "?confidential"), map[string]any{
			"route": rest.ChatPath, "method": "OTHER", "status": 405.0, "code": "method_not_allowed",
		}},
	} {
		r := sendRaw(t, b.address, tc.raw)[0]
		got, lines := b.access(t), b.journal.lines(t)
		line := lines[len(lines)-1]
		code, _ := line["code"].(string)
		credits, _ := line["credits"].(float64)
		if line["msg"] != "request" || line["ms"] == nil || got.Duration <= 0 || got.ClientGone ||
			line["request_id"] != got.RequestID || got.RequestID != r.Header.Get("X-Request-Id") ||
			line["status"] != float64(got.Status) || code != got.Code || int64(credits) != got.Credits ||
			(line["replayed"] == true) != got.Replayed {
			t.Errorf("%s: recorded %+v, logged %v", tc.name, got, line)
		}
		for name, want := range tc.line {
			if line[name] != want {
				t.Errorf("%s: %s is %v, want %v", tc.name, name, line[name], want)
			}
		}
	}
	if got := len(b.journal.lines(t)); got != 7 {
		t.Errorf("logged %d lines for 7 requests: %s", got, b.journal)
	}
	log := strings.ToLower(b.journal.String())
	for _, secret := range []string{"confidential", key, b.fixture.Account.Email, "once"} {
		if strings.Contains(log, strings.ToLower(secret)) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

// TestRejectedRequests tests that requests that began no turn are recorded with the error that
// their caller got, if they had something of a key's form.
func TestRejectedRequests(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	key, unknown := b.fixture.Key.Reveal(), apikey.Mint()
	const hello = `{"message":"Hello","session_id":"s","user_id":"u"}`
	once := request(key, hello, "Idempotency-Key: once")
	for _, tc := range []struct {
		name, raw string
		key       apikey.Key // none: nothing is handed on
		session   bool
	}{
		{name: "a reply", raw: once},
		{name: "a replay", raw: once, key: b.fixture.Key, session: true},
		{name: "a failed turn", raw: request(key, quoted("[[sandbox fail=error]]"))},
		{name: "another message",
			raw: request(key, strings.Replace(hello, "Hello", "Bye", 1), "Idempotency-Key: once"),
			key: b.fixture.Key, session: true},
		{name: "no JSON", raw: request(key, "{"), key: b.fixture.Key},
		{name: "no media type", raw: request(key, hello, "Content-Type:"), key: b.fixture.Key},
		{name: "another path", raw: strings.Replace(request(key, hello), "/chat", "/talk", 1), key: b.fixture.Key},
		{name: "another method", raw: strings.Replace(request(key, hello), "POST", "PUT", 1), key: b.fixture.Key},
		{name: "two keys",
			raw: request(key, hello, "Authorization: Bearer x", "Authorization: Bearer "+key),
			key: b.fixture.Key},
		{name: "an unknown key", raw: request(unknown.Reveal(), hello), key: unknown, session: true},
		{name: "a malformed key", raw: request("k", hello)},
		{name: "no key", raw: request("", hello, "Authorization:")},
	} {
		r := sendRaw(t, b.address, tc.raw)[0]
		got := b.access(t).Rejected
		if tc.key == (apikey.Key{}) || got == nil {
			if (got != nil) != (tc.key != apikey.Key{}) {
				t.Errorf("%s: handed on as %+v", tc.name, got)
			}
			continue
		}
		told := ""
		if r.StatusCode != http.StatusOK {
			told = r.problem(t).Error.Message
		}
		session := got.SessionID != nil && *got.SessionID == "s" && got.UserID != nil && *got.UserID == "u"
		if got.Key != tc.key.Hash() || got.Detail != told || session != tc.session ||
			got.ClientAddress.String() != "127.0.0.1" {
			t.Errorf("%s: handed on as %+v, told %q", tc.name, got, told)
		}
	}
}
