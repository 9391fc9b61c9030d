package rest_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/httpapi"
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

func TestAccess(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	account, export := b.fixture.Account.ID.String(), b.fixture.Export.ID.String()
	for _, tc := range []struct {
		name   string
		send   func() reply
		line   map[string]any // nil: must be absent
		record rest.AccessRecord
	}{
		{"reply",
			func() reply {
				return b.post(t, quoted("[[sandbox tokens=7:9]] confidential"),
					"Idempotency-Key: once")
			},
			map[string]any{"account": account, "export": export, "method": "POST", "route": rest.ChatPath,
				"status": 200.0,
				"code":   nil, "input_tokens": 7.0, "output_tokens": 9.0, "credits": 1.0, "replayed": nil, "agent": b.fixture.Agent.ID.String(),
				"client": "127.0.0.1", "model": storetest.SandboxModel, "version": 1.0, "cause": nil},
			rest.AccessRecord{AccessRecord: httpapi.AccessRecord{Status: 200}, Credits: 1}},
		{"replay",
			func() reply {
				return b.post(t, quoted("[[sandbox tokens=7:9]] confidential"),
					"Idempotency-Key: once")
			},
			map[string]any{"status": 200.0, "replayed": true,
				"credits": nil},
			rest.AccessRecord{AccessRecord: httpapi.AccessRecord{Status: 200}, Replayed: true}},
		{"refusal", func() reply { return b.post(t, `{"confidential":1}`) },
			map[string]any{"account": account, "status": 400.0, "code": "invalid_request",
				"input_tokens": nil, "model": nil, "turn": nil},
			rest.AccessRecord{AccessRecord: httpapi.AccessRecord{Status: 400, Code: "invalid_request"}}},
		{"failed model", func() reply { return b.post(t, quoted("[[sandbox fail=unavailable]] confidential")) },
			map[string]any{"account": account, "status": 503.0, "code": "model_unavailable",
				"model": storetest.SandboxModel, "version": 1.0,
				"cause": "away", "credits": nil},
			rest.AccessRecord{AccessRecord: httpapi.AccessRecord{Status: 503, Code: "model_unavailable"}}},
		{"unknown key", func() reply { return sendRaw(t, b.address, request(apikey.Mint().Reveal(), "{}"))[0] },
			map[string]any{"account": nil, "export": nil, "status": 401.0, "code": "unauthorized"},
			rest.AccessRecord{AccessRecord: httpapi.AccessRecord{Status: 401, Code: "unauthorized"}}},
		{"other path", func() reply { return requestLine(t, b.address, "POST /confidential?confidential=1") },
			map[string]any{"route": "", "status": 404.0,
				"code": "not_found"},
			rest.AccessRecord{AccessRecord: httpapi.AccessRecord{Status: 404, Code: "not_found"}}},
		{"made-up method",
			func() reply { return requestLine(t, b.address, "CONFIDENTIAL "+rest.ChatPath+"?confidential") },
			map[string]any{"route": rest.ChatPath, "method": "OTHER", "status": 405.0, "code": "method_not_allowed"},
			rest.AccessRecord{AccessRecord: httpapi.AccessRecord{Status: 405, Code: "method_not_allowed"}}},
	} {
		r := tc.send()
		got := b.access(t)
		if got.Status != tc.record.Status || got.Code != tc.record.Code || got.Credits != tc.record.Credits ||
			got.Replayed != tc.record.Replayed || got.ClientGone || got.Duration <= 0 ||
			got.RequestID != r.Header.Get("X-Request-Id") {
			t.Errorf("%s: recorded %+v", tc.name, got)
		}
		lines := b.journal.lines(t)
		line := lines[len(lines)-1]
		if line["request_id"] != got.RequestID || line["ms"] == nil || line["msg"] != "request" {
			t.Errorf("%s: logged %v", tc.name, line)
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
	for _, secret := range []string{"confidential", "CONFIDENTIAL", b.fixture.Key.Reveal(),
		b.fixture.Account.Email, "once"} {
		if strings.Contains(b.journal.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

// Requests that began no turn, or whose turn was withdrawn, are recorded with the error that their
// caller got, if they had something of a key's form.
func TestRejectedRequests(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Actions: deskActions}, nil)
	key, unknown := b.fixture.Key.Reveal(), apikey.Mint()
	const hello = `{"message":"Hello","session_id":"s","user_id":"u"}`
	once := request(key, hello, "Idempotency-Key: once")
	asked := b.post(t, asking("desk", "", strings.Repeat("action=wait ", 7))).actions(t)
	b.access(t)
	tooLong := request(key, results("desk", `"`+strings.Repeat("x", 16<<10-2)+`"`, asked))
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
		{name: "results that are too long together", raw: tooLong, key: b.fixture.Key},
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

func TestAClientThatLeaves(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	conn, _ := dial(t, b.address)
	body := quoted("[[sandbox delay=700ms]]")
	write(t, conn, request(b.fixture.Key.Reveal(), body, "Idempotency-Key: once"))
	// The turn is in progress once its credit is held.
	eventually(t, func() bool { _, held := b.credits(t); return held == 1 })
	_ = conn.Close()
	if got := b.access(t); !got.ClientGone || got.Status != http.StatusOK || got.Credits != 1 {
		t.Errorf("recorded %+v", got)
	}
	if r := b.post(t, body, "Idempotency-Key: once"); r.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("no replay: %d %s", r.StatusCode, r.text)
	}
	if balance, held := b.credits(t); balance != 99 || held != 0 {
		t.Errorf("balance %d, held %d", balance, held)
	}
}
