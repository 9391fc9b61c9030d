package upstream_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/llmtest"
)

// TestRefusedConfigurations shows that an adapter needs a key and a plain address, and that its
// error contains neither.
func TestRefusedConfigurations(t *testing.T) {
	t.Parallel()
	const local = "http://127.0.0.1/v1"
	for _, a := range adapters {
		for name, config := range map[string]catalogue.ProviderConfig{
			"no key":             {},
			"a key with a space": {APIKey: "sk secret", BaseURL: local},
			"a key with a line":  {APIKey: "secret\n", BaseURL: local},
			"no scheme":          {APIKey: testKey, BaseURL: "127.0.0.1:80"},
			"a password":         {APIKey: testKey, BaseURL: "http://ada:secret@127.0.0.1"},
			"a query":            {APIKey: testKey, BaseURL: "http://127.0.0.1?key=secret"},
			"a fragment":         {APIKey: testKey, BaseURL: "http://127.0.0.1#secret"},
			"not an URL":         {APIKey: testKey, BaseURL: "http://secret\x7f"},
			"other shape":        {APIKey: testKey, BaseURL: "ftp://secret"},
		} {
			m, err := a.build(config, quick)
			if err == nil || m != nil || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s, %s: %v, %v", a.name, name, m, err)
			}
		}
	}
}

// TestCallsWithoutActions shows that a reply to a request without actions has no calls, whatever
// the server sends.
func TestCallsWithoutActions(t *testing.T) {
	t.Parallel()
	call := llm.Call{Name: "wait", Arguments: "{}"}
	for _, a := range adapters {
		s := a.serve(t)
		s.Next(llmtest.Calls("yes", call), llmtest.Calls("", call))
		m := a.model(t, s.URL, quick)
		reply, err := llmtest.Ask(t, m, request(), secrets...)
		if err != nil || reply.Text != "yes" || reply.Calls != nil || reply.ProviderState != "" {
			t.Errorf("%s: %+v, %v", a.name, reply, err)
		}
		if _, err := llmtest.Ask(t, m, request(), secrets...); !fault.Is(err, fault.ModelError) {
			t.Errorf("%s, without a text: %v", a.name, err)
		}
	}
}

// TestNoSecretsInLog logs a model and its errors as the service does, at level debug, and searches
// the log for secrets.
func TestNoSecretsInLog(t *testing.T) {
	t.Parallel()
	const quoting = testKey + " is bad; see https://example.com/?key=" + testKey + " for " + prompt
	for _, a := range adapters {
		var out bytes.Buffer
		logger := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
		s := a.serve(t)
		m := a.model(t, s.URL, quick)
		for i, reply := range []llmtest.Reply{
			llmtest.StatusBody(400, quoting),
			llmtest.StatusBody(401, quoting),
			llmtest.StatusBody(500, quoting),
			llmtest.Body("application/json", quoting),
			llmtest.Bytes("HTTP/1.1 " + quoting + "\r\n\r\n"),
			llmtest.Redirect(302, "http://127.0.0.1/?key="+testKey),
			llmtest.Blocked(""),
			llmtest.CutOff(prompt),
			llmtest.Drop(),
		} {
			s.Next(reply)
			if _, err := llmtest.Ask(t, m, request(), secrets...); err == nil {
				t.Errorf("%s: reply %d is not an error", a.name, i)
			} else {
				logger.Debug("the model failed", slog.Any("error", err), slog.Any("model", m))
			}
		}
		for _, secret := range secrets {
			if strings.Contains(out.String(), secret) {
				t.Errorf("%s: the log contains %q:\n%s", a.name, secret, out.String())
			}
		}
	}
}

// TestKnowledgeIsSent shows that every adapter sends the passages, also in requests with actions.
func TestKnowledgeIsSent(t *testing.T) {
	t.Parallel()
	for _, a := range adapters {
		for name, actions := range map[string][]llm.Action{
			"text":    nil,
			"actions": {{Name: "wait", Parameters: `{"type":"object"}`}},
		} {
			s := a.serve(t)
			s.Always(llmtest.Text("Hi"))
			req := request()
			req.Actions, req.Knowledge = actions, &llm.Knowledge{Block: "the-block-of-passages\n"}
			if _, err := llmtest.Ask(t, a.model(t, s.URL, quick), req); err != nil {
				t.Fatal(err)
			}
			if body := s.Last(t).Body; bytes.Count(body, []byte("the-block-of-passages\\n"+prompt)) != 1 {
				t.Errorf("%s, %s: sent %s", a.name, name, body)
			}
		}
	}
}
