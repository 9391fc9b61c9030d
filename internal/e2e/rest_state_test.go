package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestRESTConcurrent: cases 50 and 53, twenty concurrent requests over two replicas.
func TestRESTConcurrent(t *testing.T) {
	testlong.Only(t)
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
	testlong.Only(t)
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
	if _, err := credits.On(d.store).GrantCredits(t.Context(), credits.Grant{AccountID: caller.Account.ID, Amount: 1, Reference: "r", Note: "n"}); err != nil {
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
