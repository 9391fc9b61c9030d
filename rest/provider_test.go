package rest_test

import (
	"strings"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
	"agentchat/internal/llm/upstream"
	"agentchat/internal/store/storetest"
	"agentchat/rest"
)

// TestProviderErrors tests that a refusal by a provider is stored with its turn: status and code,
// and its masked text if the message can have caused it. The caller and the log get neither.
func TestProviderErrors(t *testing.T) {
	t.Parallel()
	const key, model = "sk-acme-secret", "acme-model-2026-11-29"
	provider := llmtest.NewOpenAI(t, key)
	limits := upstream.DefaultLimits
	limits.Pause = time.Millisecond
	adapter, err := openai.NewWithLimits(
		catalogue.ProviderConfig{Name: "acme", APIKey: key, BaseURL: provider.URL + "/v1"}, limits)
	if err != nil {
		t.Fatal(err)
	}
	s, log := storetest.New(t), new(journal)
	f := storetest.Seed(t, s, storetest.Options{Model: "acme/" + model})
	service := chat.New(chat.Config{Store: s, Logger: log.logger(),
		Catalogue: catalogue.NewLive(catalogue.New([]catalogue.Entry{{Name: "acme/" + model,
			Provider: "acme", UpstreamName: model, CreditsPerMessage: 1, ContextWindow: 100_000,
			Model: adapter}}))})
	storetest.Ends(t, s, service.Wait)
	address := serve(t, rest.New(rest.Config{Chat: service, Logger: log.logger()}))

	const said = "<i>No</i>: " + key + " of https://acme.example/x and ops@acme.example for " + model
	for _, tc := range []struct {
		status       int
		code, stored string
		answer       int
		kind         fault.Kind
	}{
		{400, "context_length_exceeded", "<i>No</i>: ••• of ••• and ••• for " + model,
			502, fault.ModelError},
		{429, "rate_limit_exceeded", "", 503, fault.ModelUnavailable},
	} {
		provider.Always(llmtest.OpenAIError(tc.status, `"tokens"`, `"`+tc.code+`"`, "null", said))
		r := sendRaw(t, address, request(f.Key.Reveal(), quoted("hi")))[0]
		p := r.refused(t, tc.answer, string(tc.kind))
		if p.Error.Message != fault.ClientMessage(fault.New(tc.kind, "")) || len(p.Error.Details) > 0 ||
			strings.Contains(r.text, tc.code) {
			t.Errorf("%d: answered %s", tc.status, r.text)
		}
		var status int
		var code, stored string
		var timed bool
		err := s.SQL().QueryRowContext(t.Context(), `SELECT provider_status, provider_code,
			coalesce(provider_error, ''), model_ms IS NOT NULL FROM turns WHERE request_id = $1`,
			p.RequestID).Scan(&status, &code, &stored, &timed)
		if err != nil || status != tc.status || code != tc.code || stored != tc.stored || !timed {
			t.Errorf("stored %d %s %q, timed %v: %v", status, code, stored, timed, err)
		}
	}
	for _, secret := range []string{key, "<i>", "acme.example"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %q: %s", secret, log.String())
		}
	}
}
