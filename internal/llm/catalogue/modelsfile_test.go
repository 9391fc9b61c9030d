package catalogue_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
)

// secrets are the variables that the tests' files may name.
func secrets(name string) (string, error) {
	switch name {
	case "SET_KEY":
		return " key-1\n", nil
	case "BROKEN_KEY":
		return "", errors.New("the file of this secret cannot be read")
	}
	return "", nil
}

// loadFile loads the text as models.yaml. Errors do not contain the folder.
func loadFile(t *testing.T, text string) (*catalogue.Catalogue, error) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "models.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := catalogue.Load(catalogue.Config{
		ModelsFile: path,
		Providers:  providers(catalogue.ProviderConfig{APIKey: "unused"}, catalogue.ProviderConfig{BaseURL: "not read"}),
		Secret:     secrets, Factories: bothFactories(),
	})
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), ""))
	}
	return c, nil
}

func TestModelsFile(t *testing.T) {
	t.Parallel()
	c, err := loadFile(t, `# our models
models: # before the providers, which is allowed
  - name: small
    provider: local
    upstream_name: meta-llama/Llama-3.1-8B:q4
    label: "Llama [small] – schnell"
    credits: 0
    context_window: 8192
    max_output_tokens: 1_024
  - {name: "local/big", provider: local, credits: 1000000, context_window: 0x20000}
  - {name: 'third', provider: local, label: Third, credits: 0, context_window: 8192}
  - name: gemini-2.5-flash
    provider: google
    credits: 2
    context_window: 1048576
  - {name: off, provider: keyless, credits: 1, context_window: 100000000, max_output_tokens: 100000000}
providers:
  - name: local
    kind: openai
    base_url: http://127.0.0.1:11434/v1/
  - name: google
    kind: gemini
    api_key_env: SET_KEY
  - name: keyless
    kind: openai
    api_key_env: UNSET_KEY
`)
	if err != nil {
		t.Fatal(err)
	}
	local := catalogue.ProviderConfig{Name: "local", BaseURL: "http://127.0.0.1:11434/v1"}
	google := catalogue.ProviderConfig{Name: "google", APIKey: "key-1"}
	want := []struct {
		catalogue.Entry
		config catalogue.ProviderConfig
	}{
		{catalogue.Entry{Name: "local/small", Label: "Llama [small] – schnell", Provider: "local",
			UpstreamName: "meta-llama/Llama-3.1-8B:q4", ContextWindow: 8192, MaxOutputTokens: 1024}, local},
		{catalogue.Entry{Name: "local/big", Label: "big", Provider: "local", UpstreamName: "big",
			CreditsPerMessage: 1_000_000, ContextWindow: 131_072}, local},
		{catalogue.Entry{Name: "local/third", Label: "Third", Provider: "local", UpstreamName: "third", ContextWindow: 8192}, local},
		{catalogue.Entry{Name: "google/gemini-2.5-flash", Label: "gemini-2.5-flash", Provider: "google",
			UpstreamName: "gemini-2.5-flash", CreditsPerMessage: 2, ContextWindow: 1_048_576}, google},
		{catalogue.Entry{Name: "keyless/off", Label: "off", Provider: "keyless", UpstreamName: "off",
			CreditsPerMessage: 1, ContextWindow: 100_000_000, MaxOutputTokens: 100_000_000}, catalogue.ProviderConfig{}},
	}
	got := c.All()
	last := len(got) - len(sandboxNames)
	if last != len(want) || got[last].Name != sandboxNames[0] || got[last+1].Name != sandboxNames[1] {
		t.Fatalf("entries %+v", got)
	}
	for i, e := range got[:last] {
		var config catalogue.ProviderConfig
		if e.Model != nil {
			config = adapterOf(e).config
		}
		if e.Model = nil; e != want[i].Entry || config != want[i].config {
			t.Errorf("entry %d: %+v with %+v", i, e, config)
		}
	}
	usable := []string{"local/small", "local/big", "local/third", "google/gemini-2.5-flash"}
	if names := available(c); !slices.Equal(names, slices.Concat(usable, sandboxNames)) ||
		!c.HasProvider() {
		t.Errorf("available: %q", names)
	}
}

// TestCreditsWithKnowledge shows that a model without this price costs the same with knowledge, and
// that a file without any such price has no second price list.
func TestCreditsWithKnowledge(t *testing.T) {
	t.Parallel()
	plain, err := loadFile(t, good)
	if err != nil || plain.KnowledgePrices() != nil {
		t.Fatalf("without: %v, %v", plain.KnowledgePrices(), err)
	}
	c, err := loadFile(t, withLine("credits_with_knowledge: 3")+
		"  - {name: other, provider: p, credits: 2, context_window: 4096}\n"+
		"  - {name: cheap, provider: p, credits: 2, credits_with_knowledge: 0, context_window: 4096}\n")
	if err != nil {
		t.Fatal(err)
	}
	names, prices := c.PriceList()
	if got := c.KnowledgePrices(); !slices.Equal(got, []int64{3, 2, 0, 1, 0}) ||
		!slices.Equal(prices, []int64{1, 2, 2, 1, 0}) || len(names) != len(got) {
		t.Errorf("%q: %v, with knowledge %v", names, prices, got)
	}
	if e, _ := c.Lookup("p/m"); e.Price(false) != 1 || e.Price(true) != 3 {
		t.Errorf("%+v", e)
	}
}

func TestModelsFileWithoutKeysOrAdapters(t *testing.T) {
	t.Parallel()
	c, err := loadFile(t, strings.ReplaceAll(good, "SET_KEY", "UNSET_KEY"))
	if err != nil || c.HasProvider() || len(c.All()) != 3 {
		t.Errorf("with the variable not set: %+v, %v", c, err)
	}
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(path, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err = catalogue.Load(catalogue.Config{ModelsFile: path, Secret: secrets})
	if err != nil || c.HasProvider() || len(c.All()) != 3 {
		t.Errorf("without adapters: %+v, %v", c, err)
	}
	_, err = catalogue.Load(catalogue.Config{ModelsFile: path, Secret: secrets, Factories: map[catalogue.ProviderKind]catalogue.Factory{
		catalogue.KindOpenAI: func(catalogue.ProviderConfig) (llm.Model, error) { return nil, errors.New("refused") },
	}})
	if want := path + ":2: provider p: refused"; err == nil || err.Error() != want {
		t.Errorf("with an adapter that fails: %v, want %s", err, want)
	}
}

func TestModelsFileIsNotReadable(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, path := range []string{filepath.Join(folder, "none.yaml"), folder} {
		_, err := catalogue.Load(catalogue.Config{ModelsFile: path})
		if err == nil || !strings.HasPrefix(err.Error(), "models file: ") ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestSecretsComeFromTheEnvironment shows that the default is the process's environment.
func TestSecretsComeFromTheEnvironment(t *testing.T) {
	t.Setenv("CATALOGUE_TEST_KEY", "from-the-environment")
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(good, "SET_KEY", "CATALOGUE_TEST_KEY")), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := catalogue.Load(catalogue.Config{ModelsFile: path, Factories: bothFactories()})
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := c.Lookup("p/m"); !ok || adapterOf(e).config.APIKey != "from-the-environment" {
		t.Errorf("entry %+v", e)
	}
}

// FuzzModelsFile loads any text: the result is a valid catalogue, or an error of one line with the
// file's name.
func FuzzModelsFile(f *testing.F) {
	for _, seed := range []string{good, "", "[", "a: &a [*a]\n", "a: &a\n  <<: *a\n", "? x\n: y\n",
		"- - - -",
		"%YAML 1.2\n---\n", "{}", "!!x y"} {
		f.Add(seed)
	}
	path := filepath.Join(f.TempDir(), "models.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := catalogue.Load(catalogue.Config{
			ModelsFile: path,
			Secret:     secrets,
			Factories:  bothFactories(),
		})
		if err != nil {
			if !strings.HasPrefix(err.Error(), path+":") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		for _, e := range c.All() {
			if e.CreditsPerMessage < 0 || e.ContextWindow < 1024 || strings.Count(e.Name, "/") != 1 ||
				e.Label == "" {
				t.Errorf("entry %+v", e)
			}
		}
	})
}
