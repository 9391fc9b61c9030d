package catalogue_test

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/circuit"
	"agentchat/internal/llm/sandbox"
)

// adapter is a model that keeps its provider's configuration.
type adapter struct {
	*sandbox.Model
	config catalogue.ProviderConfig
}

// adapterOf returns the adapter behind an entry's circuit.
func adapterOf(e catalogue.Entry) *adapter { return e.Model.(*circuit.Breaker).Unwrap().(*adapter) }

// factory returns an adapter with the configuration.
func factory(p catalogue.ProviderConfig) (llm.Model, error) {
	return &adapter{Model: sandbox.New(), config: p}, nil
}

func bothFactories() map[catalogue.ProviderKind]catalogue.Factory {
	return map[catalogue.ProviderKind]catalogue.Factory{catalogue.KindGemini: factory, catalogue.KindOpenAI: factory}
}

// providers configures the built-in providers.
func providers(gemini, openAI catalogue.ProviderConfig) map[catalogue.ProviderKind]catalogue.ProviderConfig {
	return map[catalogue.ProviderKind]catalogue.ProviderConfig{catalogue.KindGemini: gemini, catalogue.KindOpenAI: openAI}
}

// available returns the names of the models that can be used, in the catalogue's order.
func available(c *catalogue.Catalogue) []string {
	var names []string
	for _, e := range c.All() {
		if e.Available() {
			names = append(names, e.Name)
		}
	}
	return names
}

var (
	sandboxNames = []string{"sandbox/assistant", "sandbox/free"}
	geminiNames  = []string{"gemini/gemini-3.5-flash-lite", "gemini/gemini-3.8-flash",
		"gemini/gemini-2.5-flash", "gemini/gemini-2.5-flash-lite", "gemini/gemini-2.5-pro"}
	openAINames = []string{"openai/gpt-5-mini", "openai/gpt-5", "openai/gpt-4.1-mini",
		"openai/gpt-4.1"}
)

func TestBuiltInCatalogue(t *testing.T) {
	t.Parallel()
	key := catalogue.ProviderConfig{APIKey: "k"}
	withGemini, withOpenAI := slices.Concat(geminiNames, sandboxNames),
		slices.Concat(openAINames, sandboxNames)
	address := catalogue.ProviderConfig{BaseURL: "http://127.0.0.1:11434/v1/"}
	onlyGemini := map[catalogue.ProviderKind]catalogue.Factory{catalogue.KindGemini: factory}
	for name, tc := range map[string]struct {
		gemini, openAI catalogue.ProviderConfig
		factories      map[catalogue.ProviderKind]catalogue.Factory
		want           []string
	}{
		"nothing configured":         {factories: bothFactories(), want: sandboxNames},
		"gemini":                     {factories: bothFactories(), gemini: key, want: withGemini},
		"openai":                     {factories: bothFactories(), openAI: key, want: withOpenAI},
		"an address needs no key":    {factories: bothFactories(), openAI: address, want: withOpenAI},
		"gemini needs its key":       {factories: bothFactories(), gemini: address, want: sandboxNames},
		"no adapters":                {gemini: key, openAI: key, want: sandboxNames},
		"both":                       {factories: bothFactories(), gemini: key, openAI: key, want: allNames()},
		"an adapter for only gemini": {factories: onlyGemini, gemini: key, openAI: key, want: withGemini},
	} {
		c, err := catalogue.Load(catalogue.Config{
			Providers: providers(tc.gemini, tc.openAI),
			Factories: tc.factories,
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := available(c); !slices.Equal(got, tc.want) {
			t.Errorf("%s: available %q, want %q", name, got, tc.want)
		}
		if got := c.HasProvider(); got != (len(tc.want) > len(sandboxNames)) {
			t.Errorf("%s: HasProvider = %t", name, got)
		}
		if names, prices := c.PriceList(); !slices.Equal(names, tc.want) || len(prices) != len(names) {
			t.Errorf("%s: price list %q %v", name, names, prices)
		}
		var listed []string
		for _, e := range c.All() {
			listed = append(listed, e.Name)
		}
		if !slices.Equal(listed, allNames()) {
			t.Errorf("%s: listed %q", name, listed)
		}
	}
}

func allNames() []string { return slices.Concat(geminiNames, openAINames, sandboxNames) }

// TestBuiltInEntriesAreComplete checks what the API and the panel show, and the bounds of a
// request.
func TestBuiltInEntriesAreComplete(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(catalogue.Config{})
	if err != nil {
		t.Fatal(err)
	}
	prices := map[string]int64{
		"sandbox/assistant": 1, "sandbox/free": 0, "gemini/gemini-2.5-flash": 1, "gemini/gemini-2.5-flash-lite": 1,
		"gemini/gemini-2.5-pro": 5, "gemini/gemini-3.5-flash-lite": 1, "gemini/gemini-3.8-flash": 3, "openai/gpt-5-mini": 1, "openai/gpt-5": 5, "openai/gpt-4.1-mini": 1, "openai/gpt-4.1": 5,
	}
	labels := make(map[string]bool)
	for _, e := range c.All() {
		price, ok := prices[e.Name]
		if !ok || e.CreditsPerMessage != price {
			t.Errorf("%s costs %d", e.Name, e.CreditsPerMessage)
		}
		if e.Provider+"/"+e.UpstreamName != e.Name || e.Label == "" || labels[e.Label] {
			t.Errorf("%+v", e)
		}
		labels[e.Label] = true
		if e.Sandbox != (e.Provider == "sandbox") || e.ContextWindow < 131_072 ||
			e.MaxOutputTokens > e.ContextWindow {
			t.Errorf("%+v", e)
		}
		if found, ok := c.Lookup(e.Name); !ok || found.Name != e.Name {
			t.Errorf("Lookup(%s) = %v, %t", e.Name, found, ok)
		}
	}
	if len(c.All()) != len(prices) {
		t.Errorf("%d entries", len(c.All()))
	}
	if _, ok := c.Lookup("gemini/none"); ok {
		t.Error("found a model that does not exist")
	}
}

func TestFactoriesGetTheConfiguration(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(catalogue.Config{
		Providers: providers(catalogue.ProviderConfig{APIKey: "g-key"},
			catalogue.ProviderConfig{APIKey: "o-key", BaseURL: "https://models.example.com/v1"}),
		Factories: bothFactories(),
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]catalogue.ProviderConfig{
		"gemini/gemini-2.5-pro": {Name: "gemini", APIKey: "g-key"},
		"openai/gpt-5":          {Name: "openai", APIKey: "o-key", BaseURL: "https://models.example.com/v1"},
	} {
		e, _ := c.Lookup(name)
		if got := adapterOf(e).config; got != want {
			t.Errorf("%s: provider %+v", name, got)
		}
	}
	flash, _ := c.Lookup("gemini/gemini-2.5-flash")
	pro, _ := c.Lookup("gemini/gemini-2.5-pro")
	if adapterOf(flash) != adapterOf(pro) {
		t.Error("two models of one provider have an adapter each")
	}
}

func TestFactoryErrorStopsTheStart(t *testing.T) {
	t.Parallel()
	broken := errors.New("no such region")
	_, err := catalogue.Load(catalogue.Config{
		Providers: providers(catalogue.ProviderConfig{APIKey: "k"}, catalogue.ProviderConfig{}),
		Factories: map[catalogue.ProviderKind]catalogue.Factory{
			catalogue.KindGemini: func(catalogue.ProviderConfig) (llm.Model, error) { return nil, broken },
		},
	})
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "provider gemini: ") {
		t.Errorf("error %v", err)
	}
}

func TestProviderConfigPrintsNoKey(t *testing.T) {
	t.Parallel()
	p := catalogue.ProviderConfig{
		Name:    "openai",
		APIKey:  "sk-secret",
		BaseURL: "https://api.example.com",
	}
	var b strings.Builder
	slog.New(slog.NewTextHandler(&b, nil)).InfoContext(t.Context(), "configured",
		slog.Any("provider", p))
	for _, text := range []string{fmt.Sprint(p), fmt.Sprintf("%+v %#v %s", p, p, p),
		fmt.Sprintf("%v", []any{p}), b.String()} {
		if strings.Contains(text, "sk-secret") || !strings.Contains(text, "api.example.com") {
			t.Errorf("printed as %q", text)
		}
	}
}
