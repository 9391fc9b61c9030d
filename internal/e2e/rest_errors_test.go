package e2e_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
)

// TestRESTSimulated: the sandbox's simulated failures have the same status, headers and body as real ones. Each leaves a failed turn
// that is neither visible nor charged.
func TestRESTSimulated(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1, "MODEL_TIMEOUT=2s")
	defer d.finish(t)
	after := func(seconds string) func(*testing.T, *deployment, *apiCaller, answer) {
		return func(t *testing.T, _ *deployment, _ *apiCaller, got answer) {
			t.Helper()
			if got.Header.Get("Retry-After") != seconds {
				t.Errorf("Retry-After is %q, want %q", got.Header.Get("Retry-After"), seconds)
			}
		}
	}
	none := map[string]any{"credits_required": 1.0, "credits_available": 0.0}
	faults := []struct {
		directive string
		want      scenario
	}{
		{"fail=error", scenario{status: 502, code: "model_error"}}, {"fail=garbage", scenario{status: 502, code: "model_error"}},
		{"fail=unavailable", scenario{status: 503, code: "model_unavailable", check: after("5")}},
		{"fail=timeout", scenario{status: 504, code: "model_timeout"}}, {"delay=1m", scenario{status: 504, code: "model_timeout"}},
		{"fail=blocked", scenario{status: 422, code: "content_blocked"}}, {"fail=panic", scenario{status: 500, code: "internal"}},
		{"fail=internal", scenario{status: 500, code: "internal"}},
		{"fail=insufficient_credits", scenario{status: 402, code: "insufficient_credits", details: none}},
		{"fail=rate_limited", scenario{status: 429, code: "rate_limited", check: after("2")}},
		{"fail=session_busy", scenario{status: 409, code: "session_busy", check: after("1")}},
	}
	var all []scenario
	for _, f := range faults {
		s := f.want
		s.name, s.failed = f.directive, true
		s.body = fmt.Sprintf(`{"message":"{text} [[sandbox %s]]"}`, f.directive)
		all = append(all, s)
	}
	d.run(t, append(all,
		scenario{name: "unknown directive", status: 200, body: `{"message":"{text} [[sandbox x=1]]"}`, contain: []string{"[[sandbox history]]"}},
		scenario{name: "finish", status: 200, body: `{"message":"{text} [[sandbox finish=length]]"}`, contain: []string{`"finish_reason":"length"`}},
		scenario{name: "words", status: 200, body: `{"message":"{text} [[sandbox words=5000]]"}`, contain: []string{`"output_tokens":5000`}},
		scenario{name: "tokens", status: 200, body: `{"message":"{text} [[sandbox tokens=7:9]]"}`, contain: []string{`"input_tokens":7,"output_tokens":9`}},
		scenario{name: "nonsense tokens", status: 200, body: `{"message":"{text} [[sandbox tokens=-1:9223372036854775807]]"}`, contain: []string{`"input_tokens":null,"output_tokens":null`}},
		scenario{name: "a draft", options: storetest.Options{Draft: true}, status: 409, code: "agent_not_ready", body: hello,
			details: map[string]any{"reason": "draft"}},
		scenario{name: "an unknown model", options: storetest.Options{Model: "gone/model", Age: time.Hour}, status: 409, code: "agent_not_ready",
			body:    hello,
			details: map[string]any{"reason": "model_withdrawn"}},
		scenario{name: "a draft with a bad body", options: storetest.Options{Draft: true}, status: 400, code: "invalid_request", body: `{}`},
		scenario{name: "row 53: a draft without credits", options: storetest.Options{Draft: true, Credits: -1}, status: 409, code: "agent_not_ready", body: hello},
	))
}

// TestRESTRate: at two requests per minute, every request with a valid key counts, and the headers are consistent.
func TestRESTRate(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	o := storetest.Options{RatePerMinute: 2}
	reply, bad := scenario{options: o, status: 200}, scenario{options: o, status: 400, code: "invalid_json"}
	limited := scenario{options: o, status: 429, code: "rate_limited"}
	for _, c := range []struct {
		name   string
		bodies []string
		keys   []string
	}{
		{"replies", []string{hello, hello}, []string{"one", "two"}}, {"an error counts", []string{"{", hello}, []string{"one", "one"}},
		{"a replay counts", []string{hello, hello}, []string{"one", "one"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			caller := d.newCaller(t, o)
			for i, body := range c.bodies {
				s := reply
				if body == "{" {
					s = bad
				}
				got := d.post(t, d.chat(), caller, caller.expand.Replace(body), "Idempotency-Key", c.keys[i])
				d.checkAnswer(t, caller, s, got)
				if left, reset := wholeNumber(t, got.Header, "RateLimit-Remaining"), wholeNumber(t, got.Header, "RateLimit-Reset"); left != 1-i ||
					reset <= 30*i || reset > 30*(i+1) {
					t.Errorf("after request %d, %d are left, and the limit resets in %d s", i+1, left, reset)
				}
			}
			before := d.figures(t, caller)
			wait := 60
			for _, body := range []string{hello, "{", hello} { // a rate-limited request does not count, and is refused before its body is checked
				got := d.post(t, d.chat(), caller, caller.expand.Replace(body))
				d.checkAnswer(t, caller, limited, got)
				retry, reset := wholeNumber(t, got.Header, "Retry-After"), wholeNumber(t, got.Header, "RateLimit-Reset")
				if retry > min(wait, 30) || reset != retry+30 || wholeNumber(t, got.Header, "RateLimit-Remaining") != 0 {
					t.Errorf("over the limit: %v", got.Header)
				}
				wait = retry
			}
			d.checkFigures(t, caller, limited, before, answer{})
			second := *caller
			second.Export, second.KeyID, second.Key = storetest.SeedExport(t, d.store, caller.Account.ID, caller.Agent.ID, agent.MaxRatePerMinute)
			if got := d.post(t, d.chat(), &second, caller.expand.Replace(hello)); got.Status != http.StatusOK {
				t.Errorf("another export of the agent, with its own rate: %d", got.Status)
			}
		})
	}
}
