package bridge_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/bridge"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

// TestErrorsOfTheService: their status, code and type, and whether SDKs retry. All keys are random.
func TestErrorsOfTheService(t *testing.T) {
	t.Parallel()
	b := newBench(t, weather(), nil)
	for _, c := range []struct {
		input, code, kind, retry string
		status                   int
	}{
		{"[[sandbox fail=insufficient_credits]]", "insufficient_credits", "insufficient_quota", "false", 402},
		{"[[sandbox fail=session_busy]]", "session_busy", "conflict_error", "true", 409},
		{"[[sandbox fail=blocked]]", "content_blocked", "invalid_request_error", "false", 422},
		{"[[sandbox fail=rate_limited]]", "rate_limited", "rate_limit_error", "true", 429},
		{"[[sandbox fail=internal]]", "internal", "server_error", "false", 500}, // after three repeats
		{"[[sandbox fail=error]]", "model_error", "server_error", "true", 502},
		{"[[sandbox action=get_weather bad]]", "invalid_output", "server_error", "true", 502},
		{"[[sandbox fail=unavailable]]", "model_unavailable", "server_error", "true", 503},
		{"[[sandbox fail=timeout]]", "model_timeout", "server_error", "true", 504},
	} {
		for _, stream := range []string{"false", "true"} {
			for path, body := range map[string]string{
				responses:   `{"input": "%s", "stream": %s}`,
				completions: `{"messages": [{"role": "user", "content": "%s"}], "stream": %s}`,
			} {
				a := b.send(path, fmt.Sprintf(body, c.input, stream))
				if got := a.refused(t, c.status, c.code); got.Type != c.kind || a.Header.Get("X-Should-Retry") != c.retry ||
					(a.Header.Get("Retry-After") == "") != (c.code != "session_busy" && c.code != "rate_limited" && c.code != "model_unavailable") {
					t.Errorf("%s: %+v %v", c.input, got, a.Header)
				}
			}
		}
	}
	b.expectCharges(0)
}

// TestRefusalsOfTheOwner: refusals that last until the owner changes something, which SDKs must not
// retry. The service checks each before the earlier ones.
func TestRefusalsOfTheOwner(t *testing.T) {
	t.Parallel()
	b := newBench(t, weather(), nil)
	owner, must := b.fixture.Account.ID, func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const once = "Idempotency-Key: once"
	hello := map[string]string{
		responses:   `{"input": "Hello", "session_id": "one", "user": "ada"}`,
		completions: `{"messages": [{"role": "user", "content": "Hello"}], "session_id": "one", "user": "ada"}`,
	}
	b.send(responses, hello[responses], once).ok(t)
	call := b.send(responses, `{"input": "[[sandbox action=get_weather]] [[sandbox action=get_weather]]"}`).ok(t).calls(t, 2)[0].CallID
	expect := func(status int, code, kind string, bodies map[string]string, headers ...string) {
		t.Helper()
		for path, body := range bodies {
			a := b.send(path, body, headers...)
			if got := a.refused(t, status, code); got.Type != kind || a.Header.Get("X-Should-Retry") != "false" {
				t.Errorf("%s: %+v %v", path, got, a.Header)
			}
		}
	}
	storetest.SetLimits(t, b.store, b.fixture, storetest.LimitKinds(1)[store.Day])
	expect(402, "limit_reached", "insufficient_quota", hello)
	expect(409, "action_mismatch", "conflict_error", map[string]string{
		responses:   `{"input": [{"type": "function_call_output", "call_id": "` + call + `", "output": "one of two"}]}`,
		completions: `{"messages": [{"role": "tool", "tool_call_id": "` + call + `", "content": "one of two"}]}`,
	})
	must(storetest.ErrOnly(agents.On(b.store).UnpublishAgent(t.Context(), owner, b.fixture.Agent.ID)))
	expect(409, "agent_not_ready", "conflict_error", hello)
	storetest.Block(t, b.store, b.fixture, "ada", true)
	expect(403, "user_blocked", "permission_error", hello)
	must(storetest.ErrOnly(erasure.On(b.store).DeleteConversationsBySessionID(t.Context(), owner, "one", nil)))
	expect(410, "conversation_deleted", "invalid_request_error", hello, once)
	must(storetest.ErrOnly(exports.On(b.store).PauseExport(t.Context(), owner, b.fixture.Export.ID, true)))
	expect(403, "export_paused", "permission_error", hello)
}

// TestErrorsAfterText: the events that end a stream which has begun.
func TestErrorsAfterText(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	for _, c := range []struct{ input, code, kind string }{
		{"[[sandbox fail=error after=3]]", "model_error", "server_error"},
		{"[[sandbox fail=insufficient_credits after=3]]", "insufficient_credits", "insufficient_quota"},
		{"[[sandbox fail=session_busy after=3]]", "session_busy", "conflict_error"},
		{"[[sandbox fail=rate_limited after=3]]", "rate_limited", "rate_limit_error"},
	} {
		types, events := b.send(responses, `{"stream": true, "input": "`+c.input+`"}`).streamed(t)
		last, failed := events[len(events)-1], events[len(events)-2]
		if types[len(types)-1] != "response.failed" || last.Response.Status != "failed" || failed.Type != "error" ||
			failed.Code != c.code || failed.Error.Type != c.kind {
			t.Errorf("%q: %+v", types, failed)
		}
		data := b.send(completions, `{"stream": true, "messages": [{"role": "user", "content": "`+c.input+`"}]}`).events()
		var body struct{ Error problem }
		if err := json.Unmarshal([]byte(data[len(data)-2]), &body); err != nil ||
			body.Error.Code != c.code || body.Error.Type != c.kind || data[len(data)-1] != "[DONE]" {
			t.Errorf("%q (%v)", data, err)
		}
	}
	b.expectCharges(0)
}

// TestPanic: SDKs must not retry, because the message may have been sent, and the log has it once.
func TestPanic(t *testing.T) {
	t.Parallel()
	log := new(journal)
	br := bridge.New(bridge.Config{Timeout: time.Minute, Logger: slog.New(slog.NewJSONHandler(log, nil))})
	br.Break("/v1/models")
	r := httptest.NewRequest(http.MethodGet, "/v1/models", nil)
	r.Header.Set("Authorization", "Bearer "+apikey.Mint().Reveal())
	w := httptest.NewRecorder()
	br.ServeHTTP(w, r)
	answer{w.Result(), w.Body.String()}.refused(t, 500, "internal")
	if w.Header().Get("X-Should-Retry") != "false" || strings.Count(log.String(), `"level":"ERROR"`) != 1 {
		t.Errorf("%v; log: %s", w.Header(), log.String())
	}
}

// TestDoors: who gets in, and to which paths.
func TestDoors(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{}, nil)
	const body = `{"input": "Hello"}`
	for _, c := range []struct {
		path, body, header, code, kind string
		status                         int
	}{
		{responses, body, "Origin: https://a.example.com", "origin_not_allowed", "permission_error", 403},
		{"/v1/agent/chat", body, "", "not_found", "not_found_error", 404},
		{"/v1/%72esponses", body, "", "not_found", "not_found_error", 404},
		{"/v1/models/agent", "", "", "not_found", "not_found_error", 404},
		{responses, "", "", "method_not_allowed", "not_found_error", 405},
		{responses, body, "Authorization: Bearer sk-1", "unauthorized", "authentication_error", 401},
		{"/v1/models", "", "Authorization: ", "unauthorized", "authentication_error", 401},
		{responses, body, "Authorization: Bearer " + apikey.Mint().Reveal(), "unauthorized", "authentication_error", 401},
		{responses, body, "Content-Type: text/plain", "unsupported_media_type", "invalid_request_error", 415},
		{responses, body, "Idempotency-Key: a b", "invalid_idempotency_key", "invalid_request_error", 400},
		{responses, strings.Repeat(" ", 4<<20) + body, "", "payload_too_large", "invalid_request_error", 413},
	} {
		if got := b.send(c.path, c.body, c.header).refused(t, c.status, c.code); got.Type != c.kind {
			t.Errorf("%s %s: %+v", c.path, c.header, got)
		}
	}
	if list := b.send("/v1/models", ""); list.StatusCode != http.StatusOK ||
		!strings.Contains(list.text, `"id":"agent"`) || !strings.Contains(list.text, `"id":"agent-history"`) {
		t.Errorf("%d %s", list.StatusCode, list.text)
	}
	storetest.SetAccountState(t, b.store, b.fixture.Account.ID, account.Suspended)
	b.send(responses, body).refused(t, 403, "account_suspended")
	b.expectCharges(0)
	if log := b.log.String(); strings.Contains(log, "Hello") || strings.Contains(log, b.fixture.Key.Reveal()[4:]) ||
		!strings.Contains(log, `"route":"/v1/responses","status":403`) {
		t.Errorf("log: %s", log)
	}
}
