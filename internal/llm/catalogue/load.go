package catalogue

import (
	"fmt"
	"log/slog"
	"os"

	"agentchat/internal/llm"
	"agentchat/internal/llm/sandbox"
)

// ProviderConfig says how to reach one provider. Its printed forms omit the key.
type ProviderConfig struct {
	// Name is the provider's name in the catalogue, the part of a model's name before the slash. Load
	// sets it.
	Name string
	// APIKey is the provider's secret; empty for a server that needs none.
	APIKey string
	// BaseURL is the URL of the API, http or https, without a slash at its end; empty for the kind's
	// public address.
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

// Factory makes the adapter of one provider, which serves all of its models. An error stops the
// start and is printed, so it never contains the key.
type Factory func(ProviderConfig) (llm.Model, error)

// Config is the source of the catalogue.
type Config struct {
	// ModelsFile is the path of a YAML file of providers and models; empty for the built-in ones.
	ModelsFile string
	// NoSandbox leaves out the sandbox's models.
	NoSandbox bool
	// Providers configures the built-in provider of each kind. A models file replaces all of them.
	Providers map[ProviderKind]ProviderConfig
	// Secret returns the value of a variable that the models file names as api_key_env, "" if it is
	// not set. nil means os.Getenv.
	Secret func(name string) (string, error)
	// Factories makes the adapters. Models of a missing kind are listed as not available.
	Factories map[ProviderKind]Factory
}

// sandboxProvider is the provider name that a models file cannot use.
const sandboxProvider = "sandbox"

// Load makes the catalogue: the models of the file, or the built-in ones without a file, followed
// by the sandbox. Models whose provider is not configured are listed as not available. An error is
// one line; an error in the file begins with the file's name and the line number.
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
		Name:              "sandbox/assistant",
		Label:             "Sandbox assistant",
		Provider:          sandboxProvider,
		UpstreamName:      "assistant",
		CreditsPerMessage: 1,
		Cost:              &Cost{},
		ContextWindow:     131_072,
		Sandbox:           true,
		Model:             sandbox.New(),
	}
	free := entry
	free.Name, free.Label, free.UpstreamName, free.CreditsPerMessage = "sandbox/free",
		"Sandbox assistant, free", "free", 0
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
				Name:              provider.Name + "/" + m.name,
				Label:             m.label,
				Provider:          provider.Name,
				UpstreamName:      m.name,
				CreditsPerMessage: m.credits,
				ContextWindow:     m.window,
				MaxOutputTokens:   m.maxOutput,
				Model:             adapter,
			})
		}
	}
	return entries, nil
}
