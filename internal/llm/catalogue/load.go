package catalogue

import (
	"fmt"
	"log/slog"
	"os"

	"agentchat/internal/llm"
	"agentchat/internal/llm/sandbox"
)

// ProviderConfig says how to reach one provider. Its printed forms leave the key out.
type ProviderConfig struct {
	// Name is the provider's name in the catalogue, the part of a model's name before the slash. Load sets it.
	Name string
	// APIKey is the provider's secret; empty for a server that needs none.
	APIKey string
	// BaseURL is where the API is, http or https and without a slash at its end; empty for the public address of the kind.
	BaseURL string
}

// String returns the configuration without its key.
func (p ProviderConfig) String() string {
	return fmt.Sprintf("provider %q, base URL %q, with key: %t", p.Name, p.BaseURL, p.APIKey != "")
}

// GoString is String.
func (p ProviderConfig) GoString() string { return p.String() }

// LogValue is String, for slog.
func (p ProviderConfig) LogValue() slog.Value { return slog.StringValue(p.String()) }

// Factory makes the adapter of one provider. One adapter serves all models of its provider. An error stops the start and is
// shown, so it never holds the key.
type Factory func(ProviderConfig) (llm.Model, error)

// Config is the source of the catalogue.
type Config struct {
	// ModelsFile is the path of a YAML file of providers and models. Empty means the built-in ones.
	ModelsFile string
	// NoSandbox leaves the sandbox's models out.
	NoSandbox bool
	// Providers configures the built-in provider of each kind. A models file replaces them all.
	Providers map[ProviderKind]ProviderConfig
	// Secret returns the value of a variable that the models file names as api_key_env, "" when it is not set; nil means
	// os.Getenv.
	Secret func(name string) (string, error)
	// Factories holds the adapters. Models of a kind that it lacks are listed and not available.
	Factories map[ProviderKind]Factory
}

// sandboxProvider is the provider's name that no models file can take.
const sandboxProvider = "sandbox"

// Load makes the catalogue: the models of the file, or the built-in ones where no file is given, and at last the sandbox, which is for
// tests. Models whose provider is not configured are listed and not available. An error is one line; for a fault in the file it begins
// with the file's name and the line.
func Load(cfg Config) (*Catalogue, error) {
	if cfg.Secret == nil {
		cfg.Secret = func(name string) (string, error) { return os.Getenv(name), nil }
	}
	read := cfg.builtIn
	if cfg.ModelsFile != "" {
		read = cfg.fromFile
	}
	entries, err := read()
	if err != nil {
		return nil, err
	}
	if !cfg.NoSandbox {
		entries = append(entries, sandboxEntries()...)
	}
	return New(entries), nil
}

func sandboxEntries() []Entry {
	entry := Entry{
		Name: "sandbox/assistant", Label: "Sandbox assistant", Provider: sandboxProvider, UpstreamName: "assistant",
		CreditsPerMessage: 1, ContextWindow: 131_072, Sandbox: true, Model: sandbox.New(),
	}
	free := entry
	free.Name, free.Label, free.UpstreamName, free.CreditsPerMessage = "sandbox/free", "Sandbox assistant, free", "free", 0
	return []Entry{entry, free}
}

// builtIn returns the built-in models of every kind.
func (cfg Config) builtIn() ([]Entry, error) {
	var entries []Entry
	for _, kind := range kinds {
		provider := cfg.Providers[kind.name]
		provider.Name = string(kind.name)
		var adapter llm.Model
		configured := provider.APIKey != "" || provider.BaseURL != "" && !kind.needsKey
		if factory := cfg.Factories[kind.name]; configured && factory != nil {
			var err error
			if adapter, err = factory(provider); err != nil {
				return nil, fmt.Errorf("provider %s: %w", kind.name, err)
			}
		}
		for _, m := range kind.models {
			entries = append(entries, Entry{
				Name: provider.Name + "/" + m.name, Label: m.label, Provider: provider.Name, UpstreamName: m.name,
				CreditsPerMessage: m.credits, ContextWindow: m.window, MaxOutputTokens: m.maxOutput, Model: adapter,
			})
		}
	}
	return entries, nil
}
