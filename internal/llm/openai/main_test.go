package openai_test

import (
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
	"agentchat/internal/llm/upstream"
)

// TestMain sets environment variables that OpenAI's SDKs read, so that every test shows that the
// adapter ignores them. At the end it checks for leaked goroutines.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"OPENAI_API_KEY":  "sk-" + fromEnvironment,
		"OPENAI_BASE_URL": "http://192.0.2.1:9/v1",
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// fromEnvironment is in the value of each of these variables and must not be in any request.
const fromEnvironment = "of-the-environment"

// testKey has the form of a key, with characters that URLs escape.
const testKey = "sk-test+secret/0123456789abcdef"

// prompt is in every request and must not be in any error.
const prompt = "my-secret-prompt what is the weather?"

// secrets must not be in any error.
var secrets = []string{testKey, "secret", "0123456789abcdef", "weather", fromEnvironment}

// newServer starts a server that requires the key.
func newServer(t *testing.T) *llmtest.Server {
	t.Helper()
	s := llmtest.NewOpenAI(t, testKey)
	t.Cleanup(func() {
		if s.Holds(fromEnvironment, "") || s.Holds(testKey, "Authorization") {
			t.Error("a request contains an environment variable, or the key outside Authorization")
		}
	})
	return s
}

// newModel returns the adapter for a server.
func newModel(t *testing.T, s *llmtest.Server) llm.Model {
	t.Helper()
	return quickModel(t, s.URL+"/v1")
}

// quickModel returns the adapter for a base URL, with a short pause between retries.
func quickModel(t *testing.T, url string) llm.Model {
	t.Helper()
	limits := upstream.DefaultLimits
	limits.Pause = 10 * time.Millisecond
	m, err := openai.NewWithLimits(catalogue.ProviderConfig{
		Name:    "openai",
		APIKey:  testKey,
		BaseURL: url,
	}, limits)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func request() llm.Request {
	return llm.Request{Model: "gpt-5-mini", Instructions: "Be brief.", Message: prompt}
}

// ask calls a model, and checks the invariants of every reply.
func ask(t *testing.T, m llm.Model, req llm.Request) (llm.Reply, error) {
	t.Helper()
	return llmtest.Ask(t, m, req, secrets...)
}
