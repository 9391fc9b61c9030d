package catalogue

import (
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strconv"
	"strings"

	"agentchat/internal/llm"
	"agentchat/internal/llm/sandbox"
)

// Kind is the protocol that a provider speaks, and so the adapter that serves it.
type Kind string

// The kinds of provider.
const (
	// KindGemini is Google's Gemini API.
	KindGemini Kind = "gemini"
	// KindOpenAI is the chat completions API of OpenAI, which many other servers speak too.
	KindOpenAI Kind = "openai"
)

// ProviderConfig is how one provider is reached. Its printed forms leave the key out.
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

// Config is what the catalogue is made from.
type Config struct {
	// ModelsFile is the path of a YAML file of providers and models. Empty means the built-in ones.
	ModelsFile string
	// Gemini and OpenAI configure the built-in providers; a models file takes their place, and they are then not read.
	Gemini, OpenAI ProviderConfig
	// Secret returns the value of a variable that the models file names as api_key_env, "" when it is not set; nil means
	// os.Getenv.
	Secret func(name string) (string, error)
	// Factories holds the adapters. Models of a kind that it lacks are listed and not available.
	Factories map[Kind]Factory
}

// builtInModel is a built-in entry of a provider.
type builtInModel struct {
	name, label     string
	credits         int64
	window, longest int
}

// The built-in models, with the windows that their providers document.
var (
	geminiModels = []builtInModel{
		{"gemini-2.5-flash", "Gemini 2.5 Flash", 1, 1_048_576, 65_536},
		{"gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite", 1, 1_048_576, 65_536},
		{"gemini-2.5-pro", "Gemini 2.5 Pro", 5, 1_048_576, 65_536},
	}
	openAIModels = []builtInModel{
		{"gpt-5-mini", "GPT-5 mini", 1, 400_000, 128_000},
		{"gpt-5", "GPT-5", 5, 400_000, 128_000},
		{"gpt-4.1-mini", "GPT-4.1 mini", 1, 1_047_576, 32_768},
		{"gpt-4.1", "GPT-4.1", 5, 1_047_576, 32_768},
	}
)

// sandboxProvider is the provider's name that no models file can take.
const sandboxProvider = "sandbox"

// Load makes the catalogue: the sandbox first, then the models of the file, or the built-in ones where no file is given.
// Models whose provider is not configured are listed and not available. An error is one line; for a fault in the file it
// begins with the file's name and the line.
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
	return New(append(sandboxEntries(), entries...)), nil
}

func sandboxEntries() []Entry {
	entry := Entry{
		Name: "sandbox/assistant", Label: "Sandbox assistant", Provider: sandboxProvider, UpstreamName: "assistant",
		CreditsPerMessage: 1, ContextWindow: 32_768, Sandbox: true, Model: sandbox.New(),
	}
	free := entry
	free.Name, free.Label, free.UpstreamName, free.CreditsPerMessage = "sandbox/free", "Sandbox assistant, free", "free", 0
	return []Entry{entry, free}
}

// builtIn returns the built-in models. Gemini is configured by its key. An OpenAI-compatible server may need none, so
// a base URL alone configures it too.
func (cfg Config) builtIn() ([]Entry, error) {
	gemini, err := cfg.adapter(KindGemini, "gemini", "GEMINI_BASE_URL", cfg.Gemini, cfg.Gemini.APIKey != "")
	if err != nil {
		return nil, err
	}
	openAI, err := cfg.adapter(KindOpenAI, "openai", "OPENAI_BASE_URL", cfg.OpenAI,
		cfg.OpenAI.APIKey != "" || cfg.OpenAI.BaseURL != "")
	if err != nil {
		return nil, err
	}
	entries := builtInEntries("gemini", geminiModels, gemini)
	return append(entries, builtInEntries("openai", openAIModels, openAI)...), nil
}

// adapter makes a built-in provider's adapter; nil when the provider is not configured.
func (cfg Config) adapter(kind Kind, name, variable string, p ProviderConfig, configured bool) (llm.Model, error) {
	p.Name = name
	if p.BaseURL != "" {
		base, problem := cleanBaseURL(p.BaseURL)
		if problem != "" {
			return nil, fmt.Errorf("%s: %s", variable, problem)
		}
		p.BaseURL = base
	}
	factory := cfg.Factories[kind]
	if !configured || factory == nil {
		return nil, nil
	}
	model, err := factory(p)
	if err != nil {
		return nil, fmt.Errorf("provider %s: %w", name, err)
	}
	return model, nil
}

func builtInEntries(provider string, models []builtInModel, adapter llm.Model) []Entry {
	entries := make([]Entry, 0, len(models))
	for _, m := range models {
		entries = append(entries, Entry{
			Name: provider + "/" + m.name, Label: m.label, Provider: provider, UpstreamName: m.name,
			CreditsPerMessage: m.credits, ContextWindow: m.window, MaxOutputTokens: m.longest, Model: adapter,
		})
	}
	return entries
}

// maxBaseURL bounds a base URL, in bytes.
const maxBaseURL = 2048

// cleanBaseURL returns the URL without a slash at its end, or what is wrong with it. The text never repeats the URL, for it
// may hold credentials. http is allowed: a server on this machine or network is the operator's choice.
func cleanBaseURL(text string) (base, problem string) {
	u, err := url.Parse(text)
	switch {
	case err != nil || len(text) > maxBaseURL || strings.ContainsAny(text, " \t\r\n"):
		return "", "the base URL is not a valid address; write it like https://api.example.com/v1"
	case u.Scheme != "http" && u.Scheme != "https":
		return "", "the base URL has to begin with http:// or https://"
	case u.Hostname() == "" || u.Opaque != "":
		return "", "the base URL has no host; write it like https://api.example.com/v1"
	case u.User != nil:
		return "", "the base URL must not hold a user name or password; give the key as the API key"
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#"):
		return "", "the base URL must end with its path, without ? or #"
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65_535 {
			return "", "the port of the base URL has to be from 1 to 65535"
		}
	}
	return strings.TrimRight(text, "/"), ""
}
