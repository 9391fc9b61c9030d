package gemini_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/gemini"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/upstream"
)

// TestMain checks at the end that no goroutine is left.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testKey has the shape of a key, and characters that are escaped in addresses.
const testKey = "AIzaSy-test+secret/0123456789abcdef"

// prompt is in every request and must not be in any error.
const prompt = "my-secret-prompt what is the weather?"

// newModel returns the adapter for a server.
func newModel(t *testing.T, url string) llm.Model {
	t.Helper()
	limits := upstream.DefaultLimits
	limits.Pause = 10 * time.Millisecond
	m, err := gemini.NewWithLimits(catalogue.ProviderConfig{
		Name:    "gemini",
		APIKey:  testKey,
		BaseURL: url,
	}, limits)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func request() llm.Request {
	return llm.Request{Model: "gemini-2.5-flash", Instructions: "Be brief.", Message: prompt}
}

// ask calls a model, and checks the invariants of every reply.
func ask(t *testing.T, m llm.Model, req llm.Request) (llm.Reply, error) {
	t.Helper()
	return llmtest.Ask(t, m, req, secrets...)
}

// secrets must not be in any error.
var secrets = []string{testKey, "secret", "0123456789abcdef", "weather"}
