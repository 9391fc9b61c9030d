package upstream_test

import (
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/gemini"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
	"agentchat/internal/llm/upstream"
)

// TestMain sets a proxy that does not exist, so that every test shows that loopback is reached
// without the proxy. At the end it checks that no goroutine is left.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		if err := os.Setenv(name, "http://192.0.2.1:9"); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// testKey has the shape of a key, and characters that are escaped in addresses.
const testKey = "sk-test+secret/0123456789abcdef"

// prompt is in every request and must not be in any error.
const prompt = "my-secret-prompt what is the weather?"

// secrets must not be in any error.
var secrets = []string{testKey, "secret", "0123456789abcdef", "weather"}

// adapter is an adapter with a server that speaks its format.
type adapter struct {
	name  string
	serve func(t testing.TB) *llmtest.Server
	build func(catalogue.ProviderConfig, upstream.Limits) (llm.Model, error)
}

var adapters = []adapter{
	{"gemini", llmtest.NewGemini, gemini.NewWithLimits},
	{"openai", newOpenAI, openai.NewWithLimits},
}

func newOpenAI(t testing.TB) *llmtest.Server {
	t.Helper()
	return llmtest.NewOpenAI(t, testKey)
}

// quick are limits for tests that do not wait until they expire.
var quick = upstream.Limits{
	Connect: 5 * time.Second, FirstByte: 10 * time.Second, Refusal: 200 * time.Millisecond, Pause: 10 * time.Millisecond,
}

// model returns the adapter for a server.
func (a adapter) model(t testing.TB, url string, limits upstream.Limits) llm.Model {
	t.Helper()
	if a.name == "openai" {
		url += "/v1"
	}
	m, err := a.build(catalogue.ProviderConfig{Name: a.name, APIKey: testKey, BaseURL: url}, limits)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func request() llm.Request {
	return llm.Request{Model: "a-model", Instructions: "Be brief.", Message: prompt}
}
