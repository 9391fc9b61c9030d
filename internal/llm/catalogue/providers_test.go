package catalogue_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/gemini"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/llm/openai"
)

// TestSeveralProviders runs the real adapters against four servers at once: two of one kind with
// different keys, one without a key, and one of the other kind. Every request must reach the right
// server, with its key and the model's name there.
func TestSeveralProviders(t *testing.T) {
	t.Parallel()
	keys := map[string]string{"EAST_KEY": "sk-of-the-east", "WEST_KEY": "sk-of-the-west", "GOOGLE_KEY": "AIza-of-google"}
	east, west := llmtest.NewOpenAI(t, keys["EAST_KEY"]), llmtest.NewOpenAI(t, keys["WEST_KEY"])
	local, google := llmtest.NewOpenAI(t, ""), llmtest.NewGemini(t)
	path := filepath.Join(t.TempDir(), "models.yaml")
	if err := os.WriteFile(path, fmt.Appendf(nil, `
providers:
  - {name: east, kind: openai, base_url: %s/v1, api_key_env: EAST_KEY}
  - {name: west, kind: openai, base_url: %s/v1/, api_key_env: WEST_KEY}
  - {name: local, kind: openai, base_url: %s/v1}
  - {name: google, kind: gemini, base_url: %s, api_key_env: GOOGLE_KEY}
models:
  - {name: small, provider: east, upstream_name: meta/small, credits: 1, context_window: 8192}
  - {name: big, provider: east, upstream_name: meta/big, credits: 2, context_window: 8192}
  - {name: small, provider: west, credits: 1, context_window: 8192}
  - {name: small, provider: local, upstream_name: "llama3.2:1b", credits: 0, context_window: 8192}
  - {name: flash, provider: google, upstream_name: gemini-2.5-flash, credits: 1, context_window: 8192}
`, east.URL, west.URL, local.URL, google.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := catalogue.Load(catalogue.Config{
		ModelsFile: path, Secret: func(name string) (string, error) { return keys[name], nil },
		Factories: map[catalogue.ProviderKind]catalogue.Factory{catalogue.KindGemini: gemini.New, catalogue.KindOpenAI: openai.New},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*llmtest.Server{east, west, local, google} {
		s.Always(llmtest.Text("Answered by ", s.URL))
	}
	rows := []struct {
		model, upstream, header, key string
		server                       *llmtest.Server
	}{
		{"east/small", "meta/small", "Authorization", "Bearer sk-of-the-east", east},
		{"east/big", "meta/big", "Authorization", "Bearer sk-of-the-east", east},
		{"west/small", "small", "Authorization", "Bearer sk-of-the-west", west},
		{"local/small", "llama3.2:1b", "Authorization", "", local},
		{"google/flash", "gemini-2.5-flash", "X-Goog-Api-Key", "AIza-of-google", google},
	}
	const rounds = 20
	var work sync.WaitGroup
	for _, row := range rows {
		entry, ok := c.Lookup(row.model)
		if !ok || !entry.Available() {
			t.Fatalf("%s is not available", row.model)
		}
		work.Go(func() {
			for range rounds {
				reply, err := entry.Model.Generate(t.Context(),
					llm.Request{Model: entry.UpstreamName, Message: "to " + row.model}, nil)
				if err != nil || reply.Text != "Answered by "+row.server.URL {
					t.Errorf("%s: %q, %v", row.model, reply.Text, err)
				}
			}
		})
	}
	work.Wait()
	for _, row := range rows {
		n := 0
		for _, r := range row.server.Requests() {
			if !strings.Contains(string(r.Body), "to "+row.model) {
				continue
			}
			n++
			if r.Header.Get(row.header) != row.key ||
				!strings.Contains(r.Path+string(r.Body), row.upstream) {
				t.Errorf("%s: key %q, %s %s", row.model, r.Header.Get(row.header), r.Path, r.Body)
			}
		}
		if n != rounds {
			t.Errorf("%s: %d requests at its server, want %d", row.model, n, rounds)
		}
	}
	if total := len(east.Requests()) + len(west.Requests()) + len(local.Requests()) + len(google.Requests()); total != rounds*len(rows) {
		t.Errorf("%d requests in all", total)
	}
}

// TestExampleOfTheGuide loads the models file of docs/models.md.
func TestExampleOfTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "```yaml\n")
	example, _, found := strings.Cut(rest, "```")
	path := filepath.Join(t.TempDir(), "models.yaml")
	if err := os.WriteFile(path, []byte(example), 0o600); err != nil || !found {
		t.Fatalf("the guide has no example: %v", err)
	}
	c, err := catalogue.Load(catalogue.Config{
		ModelsFile: path, Secret: func(name string) (string, error) { return "the value of " + name, nil }, Factories: bothFactories(),
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]catalogue.ProviderConfig{
		"openai/gpt-5-mini": {Name: "openai", APIKey: "the value of OPENAI_API_KEY"},
		"ollama/llama":      {Name: "ollama", BaseURL: "http://127.0.0.1:11434/v1"},
	} {
		if e, ok := c.Lookup(name); !ok || adapterOf(e).config != want {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
