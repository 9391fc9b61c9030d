package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// TestRESTIdempotencyKey: case 47, the syntax of the header.
func TestRESTIdempotencyKey(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	line := func(s *scenario, lines string) { s.raw = post(hello, authorized, asJSON, lines) }
	d.run(t, variants(scenario{name: "row 47: malformed", status: http.StatusBadRequest, code: "invalid_idempotency_key"}, []string{
		"Idempotency-Key:", "Idempotency-Key:  \t ", "Idempotency-Key: " + strings.Repeat("k", 256), "Idempotency-Key: caf\xc3\xa9", "Idempotency-Key: a b",
		"Idempotency-Key: a\tb", "Idempotency-Key: \xff", "Idempotency-Key: a\r\nIdempotency-Key: a", "Idempotency-Key: a\r\nidempotency-key: b",
		"Idempotency-Key:\r\nIdempotency-Key: a", "Idempotency-Key: a,\xc2\xa0b", "Idempotency-Key: " + strings.Repeat("k", 10<<10),
	}, line))
	d.run(t, variants(scenario{name: "row 47: well-formed", status: http.StatusOK}, []string{
		"Idempotency-Key: k", "Idempotency-Key: " + strings.Repeat("k", 255), "idempotency-key:!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "Idempotency-Key:  {text} ",
		"Idempotency-Key: null", "Idempotency-Key: a,b",
	}, line))
}

// exchange sends a message with an idempotency key and checks the number of turns that it added.
func (d *deployment) exchange(t *testing.T, caller *apiCaller, key, body, outcome string, answered int64) answer {
	t.Helper()
	before := d.figures(t, caller)
	got := d.post(t, d.chat(), caller, caller.expand.Replace(body), "Idempotency-Key", key)
	after := d.figures(t, caller)
	if got.outcome() != outcome || after.Answered != before.Answered+answered || after.Balance != before.Balance-answered || after.Held != 0 {
		t.Errorf("%s under %s: %s, figures %+v, then %+v", body, key, got.outcome(), before, after)
	}
	return got
}

// TestRESTReplays: cases 48, 49, 51 and 52.
func TestRESTReplays(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 1)
	defer d.finish(t)
	caller := d.newCaller(t, storetest.Options{})
	replay := func(caller *apiCaller, key, body string, first answer) {
		t.Helper()
		got := d.exchange(t, caller, key, body, "200", 0)
		if got.Header.Get("Idempotent-Replayed") != "true" || string(got.Body) != string(first.Body) {
			t.Errorf("%s under %s is not a replay: %v %s, first %s", body, key, got.Header, got.Body, first.Body)
		}
		d.checkAnswer(t, caller, scenario{status: http.StatusOK}, got)
	}
	first := d.exchange(t, caller, "k", `{"message":"{text}","session_id":"s"}`, "200", 1)
	wantHeader(t, first.Header, "Idempotent-Replayed", false, "")
	d.exchange(t, caller, "between", hello, "200", 1) // replays keep the credits_remaining of the first response
	for _, same := range []string{                    // row 48 and 49
		`{"message":"{text}","session_id":"s"}`, "{ \"message\" :\n\t\"{text}\" , \"session_id\":\"s\" }\r\n", `{"session_id":"s","message":"{text}"}`,
		`{"message":"{text}","session_id":"\u0073"}`, `{"message":"{text}","session_id":"s","stream":false}`,
	} {
		replay(caller, "k", same, first)
	}
	for _, other := range []string{ // row 49
		`{"message":"{text}!","session_id":"s"}`, `{"message":" {text}","session_id":"s"}`, `{"message":"{text}","session_id":"S"}`, `{"message":"{text}","session_id":"s "}`,
		`{"message":"{text}"}`, `{"message":"{text}s","session_id":"s"}`, `{"message":"s","session_id":"{text}"}`,
	} {
		d.checkAnswer(t, caller, scenario{status: 422, code: "idempotency_key_reused"}, d.exchange(t, caller, "k", other, "idempotency_key_reused", 0))
	}
	unlabelled := d.exchange(t, caller, "no-label", hello, "200", 1)
	replay(caller, "no-label", `{"session_id":null,"message":"{text}"}`, unlabelled)
	d.exchange(t, caller, "no-label", fmt.Sprintf(`{"message":"{text}","session_id":"%s"}`, unlabelled.Session), "idempotency_key_reused", 0)
	d.exchange(t, caller, "K", hello, "200", 1) // keys are compared byte for byte
	d.exchange(t, caller, "refused-first", `{"message":""}`, "invalid_request", 0)
	d.exchange(t, caller, "refused-first", hello, "200", 1)

	d.exchange(t, caller, "failed-first", `{"message":"{text} [[sandbox fail=error]]"}`, "model_error", 0) // row 51
	d.exchange(t, caller, "failed-first", `{"message":"{text} [[sandbox fail=error]]"}`, "model_error", 0)
	replay(caller, "failed-first", hello, d.exchange(t, caller, "failed-first", hello, "200", 1))
	if b := d.figures(t, caller); b.Failed != 2 {
		t.Errorf("%d failed turns, want 2", b.Failed)
	}
	t.Run("row 52", func(t *testing.T) { d.otherCallers(t, caller, first, replay) })
	if _, err := d.store.UnpublishAgent(t.Context(), caller.Account.ID, caller.Agent.ID); err != nil {
		t.Fatal(err)
	}
	replay(caller, "k", `{"message":"{text}","session_id":"s"}`, first) // the agent was reopened, but stored replies are still replayed
	d.exchange(t, caller, "new", hello, "agent_not_ready", 0)
	var id uuid.UUID
	if err := d.store.DB().QueryRowContext(t.Context(), `SELECT id FROM conversations WHERE agent_id = $1 AND session_id = 's'`, caller.Agent.ID).
		Scan(&id); err != nil {
		t.Fatal(err)
	}
	if err := d.store.DeleteConversation(t.Context(), caller.Account.ID, id); err != nil {
		t.Fatal(err)
	}
	d.checkAnswer(t, caller, scenario{status: http.StatusGone, code: "conversation_deleted"},
		d.exchange(t, caller, "k", `{"message":"{text}","session_id":"s"}`, "conversation_deleted", 0))
}

// otherCallers checks that an idempotency key belongs to the agent, for all its exports.
func (d *deployment) otherCallers(t *testing.T, caller *apiCaller, first answer, replay func(*apiCaller, string, string, answer)) {
	t.Helper()
	const body = `{"message":"{text}","session_id":"s"}`
	second := *caller
	second.Export, second.KeyID, second.Key = storetest.SeedExport(t, d.store, caller.Account.ID, caller.Agent.ID, agent.MaxRatePerMinute)
	replay(&second, "k", body, first)
	d.exchange(t, &second, "k", hello, "idempotency_key_reused", 0)
	sibling := *caller
	sibling.Agent = storetest.SeedAgent(t, d.store, caller.Account.ID, storetest.Options{Model: storetest.SandboxModel, Instructions: "Another agent."})
	sibling.Export, sibling.KeyID, sibling.Key = storetest.SeedExport(t, d.store, caller.Account.ID, sibling.Agent.ID, agent.MaxRatePerMinute)
	for _, other := range []*apiCaller{&sibling, d.newCaller(t, storetest.Options{})} {
		if got := d.exchange(t, other, "k", body, "200", 1); got.Message == first.Message || got.Header.Get("Idempotent-Replayed") != "" {
			t.Errorf("another agent got %s, the first %s", got.Body, first.Body)
		}
	}
	if _, err := d.store.RemoveExport(t.Context(), caller.Account.ID, second.Export.ID); err != nil {
		t.Fatal(err)
	}
	d.exchange(t, &second, "k", body, "unauthorized", 0) // a revoked key gets no replays
}

// TestRESTConcurrent: cases 50 and 53, twenty concurrent requests over two replicas.
func TestRESTConcurrent(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, 2)
	defer d.finish(t)
	const many = 20
	for round := range 5 {
		caller := d.newCaller(t, storetest.Options{})
		counts := parallel(many, many, func(i int) string {
			got, err := ask(t.Context(), d.client, d.replicas[i%2].Chat, caller.Key.Reveal(), "s", caller.text, "Idempotency-Key", "k")
			if err != nil {
				return err.Error()
			}
			if s := (scenario{status: got.Status, code: got.Error.Code}); got.Status == 200 || got.Status == 409 {
				d.checkAnswer(t, caller, s, got)
			}
			return got.outcome() + got.Header.Get("Idempotent-Replayed")
		})
		if counts["200"] != 1 || counts["200true"]+counts["request_in_progress"] != many-1 {
			t.Errorf("round %d, one idempotency key: %v", round, counts)
		}
		if b := d.figures(t, caller); b != (figures{Balance: 99, Entries: 2, Answered: 1, Conversations: 1}) {
			t.Errorf("round %d, one idempotency key: figures %+v", round, b)
		}
		single := d.newCaller(t, storetest.Options{Credits: 1})
		counts = parallel(many, many, func(i int) string {
			got, err := ask(t.Context(), d.client, d.replicas[i%2].Chat, single.Key.Reveal(), fmt.Sprint("s", i), single.text)
			if err != nil {
				return err.Error()
			}
			return got.outcome()
		})
		if counts["200"] != 1 || counts["insufficient_credits"] != many-1 {
			t.Errorf("round %d, credits for one: %v", round, counts)
		}
		if b := d.figures(t, single); b != (figures{Entries: 2, Answered: 1, Conversations: 1}) {
			t.Errorf("round %d, credits for one: figures %+v", round, b)
		}
	}
}

// TestRESTPrice: case 53. With one credit less than the price, the model gets no request.
func TestRESTPrice(t *testing.T) {
	t.Parallel()
	model := llmtest.NewGemini(t)
	file := filepath.Join(t.TempDir(), "models.yaml")
	text := fmt.Sprintf("providers:\n  - {name: p, kind: gemini, base_url: %q, api_key_env: PROVIDER_KEY}\n"+
		"models:\n  - {name: dear, provider: p, upstream_name: m, credits: 7, context_window: 8192}\n", model.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDeployment(t, 1, "MODELS_FILE="+file, "PROVIDER_KEY=provider-key-of-this-test")
	d.keepPrivate("provider-key-of-this-test")
	defer d.finish(t)
	caller := d.newCaller(t, storetest.Options{Credits: 6, Model: "p/dear"})
	for _, body := range []string{hello, `{"message":"{text}","session_id":"s"}`} {
		before := d.figures(t, caller)
		s := scenario{status: http.StatusPaymentRequired, code: "insufficient_credits",
			details: map[string]any{"credits_required": 7.0, "credits_available": 6.0}}
		got := d.post(t, d.chat(), caller, caller.expand.Replace(body), "Idempotency-Key", "k")
		d.checkAnswer(t, caller, s, got)
		d.checkFigures(t, caller, s, before, got)
	}
	if n := len(model.Requests()); n != 0 {
		t.Errorf("the model got %d requests", n)
	}
	if _, err := d.store.GrantCredits(t.Context(), store.Grant{AccountID: caller.Account.ID, Amount: 1, Reference: "r", Note: "n"}); err != nil {
		t.Fatal(err)
	}
	before := d.figures(t, caller)
	got := d.post(t, d.chat(), caller, caller.expand.Replace(hello), "Idempotency-Key", "k") // row 51: it failed before and runs now
	d.checkAnswer(t, caller, scenario{status: http.StatusOK}, got)
	d.checkFigures(t, caller, scenario{}, before, got)
	if n := len(model.Requests()); n != 1 || got.Usage.Credits != 7 || got.Usage.CreditsRemaining != 0 {
		t.Errorf("the model got %d requests, usage %+v", n, got.Usage)
	}
	free := d.newCaller(t, storetest.Options{Credits: -1, Model: "sandbox/free"})
	if got := d.post(t, d.chat(), free, free.expand.Replace(hello)); got.Status != http.StatusOK || got.Usage.CreditsRemaining != 0 {
		t.Errorf("a free model at a balance of 0: %d %s", got.Status, got.Body)
	}
}
