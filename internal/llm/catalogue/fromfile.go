package catalogue

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/baseurl"
	"agentchat/internal/llm"
)

// The bounds of a models file's content.
const (
	maxProviders = 50
	maxModels    = 500
	// maxCredits is the highest price of one message.
	maxCredits = 1_000_000
	// minWindow and maxWindow bound a context window, in tokens.
	minWindow = 1_024
	maxWindow = 100_000_000
	maxLabel  = 80
)

var (
	providerName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)
	modelName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$`)
	upstreamName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$`)
	// Capitals only, so that a key pasted in place of its variable's name is noticed.
	variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,127}$`)
)

// fileProvider is a provider of a models file; its adapter is nil when it is not configured.
type fileProvider struct {
	line    int
	adapter llm.Model
}

// fromFile returns the models of the file, in its order.
func (cfg Config) fromFile() ([]Entry, error) {
	f, err := readModelsFile(cfg.ModelsFile)
	if err != nil {
		return nil, err
	}
	switch {
	case len(f.Providers) == 0:
		return nil, f.failf(f.line("$.providers"), "the file has no providers")
	case len(f.Models) == 0:
		return nil, f.failf(f.line("$.models"), "the file has no models")
	case len(f.Providers) > maxProviders:
		return nil, f.failf(f.line("$.providers[%d]", maxProviders), "more than %d providers", maxProviders)
	case len(f.Models) > maxModels:
		return nil, f.failf(f.line("$.models[%d]", maxModels), "more than %d models", maxModels)
	}
	providers, err := cfg.fileProviders(f)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(f.Models))
	lines := make(map[string]int, len(f.Models))
	for i, m := range f.Models {
		e, err := f.model(m, f.line("$.models[%d]", i), providers)
		if err != nil {
			return nil, err
		}
		if first, ok := lines[e.Name]; ok {
			return nil, f.failf(m.Name.line, "the model %s is defined twice, first on line %d", e.Name, first)
		}
		lines[e.Name] = m.Name.line
		entries = append(entries, e)
	}
	return entries, nil
}

func (cfg Config) fileProviders(f *modelsFile) (map[string]fileProvider, error) {
	providers := make(map[string]fileProvider, len(f.Providers))
	for i, p := range f.Providers {
		line, name := f.line("$.providers[%d]", i), p.Name.value
		switch first, taken := providers[name]; {
		case p.Name.line == 0:
			return nil, f.failf(line, "the provider has no name")
		case !providerName.MatchString(name):
			return nil, f.failf(p.Name.line, "name must be small letters, digits, - and _, at most 32 of them")
		case name == sandboxProvider:
			return nil, f.failf(p.Name.line, "the name sandbox is taken; choose another")
		case taken:
			return nil, f.failf(p.Name.line, "the provider %s is defined twice, first on line %d", name, first.line)
		}
		adapter, err := cfg.fileProvider(f, p, line)
		if err != nil {
			return nil, err
		}
		providers[name] = fileProvider{line: p.Name.line, adapter: adapter}
	}
	return providers, nil
}

// fileProvider makes a provider's adapter: nil when the variable of its key is not set, or the kind has no adapter.
func (cfg Config) fileProvider(f *modelsFile, entry providerEntry, line int) (llm.Model, error) {
	kind, known := findKind(entry.Kind.value)
	p := ProviderConfig{Name: entry.Name.value}
	if entry.BaseURL.line != 0 {
		base, err := baseurl.Parse(entry.BaseURL.value)
		if err != nil {
			return nil, f.failf(entry.BaseURL.line, "base_url %v", err)
		}
		p.BaseURL = base.String()
	}
	switch {
	case entry.Kind.line == 0:
		return nil, f.failf(line, "the provider %s has no kind", p.Name)
	case !known:
		return nil, f.failf(entry.Kind.line, "kind must be %s", kindNames())
	case entry.APIKeyEnv.line == 0 && kind.needsKey:
		return nil, f.failf(line, "the provider %s needs api_key_env", p.Name)
	case entry.APIKeyEnv.line == 0 && p.BaseURL == "":
		return nil, f.failf(line, "the provider %s needs api_key_env, or a base_url of a server that asks for no key", p.Name)
	case entry.APIKeyEnv.line != 0 && !variableName.MatchString(entry.APIKeyEnv.value):
		// The value is not repeated: it may be the key itself.
		return nil, f.failf(entry.APIKeyEnv.line,
			"api_key_env must be the name of an environment variable, such as OPENAI_API_KEY, not the key itself")
	}
	if variable := entry.APIKeyEnv.value; variable != "" {
		secret, err := cfg.Secret(variable)
		if err != nil {
			return nil, f.failf(entry.APIKeyEnv.line, "%s: %v", variable, err)
		}
		if p.APIKey = strings.TrimSpace(secret); p.APIKey == "" {
			return nil, nil
		}
	}
	factory := cfg.Factories[kind.name]
	if factory == nil {
		return nil, nil
	}
	adapter, err := factory(p)
	if err != nil {
		return nil, f.failf(line, "provider %s: %v", p.Name, err)
	}
	return adapter, nil
}

// model checks one model. Its public name is provider/name; a name that begins with the provider is understood too.
func (f *modelsFile) model(m modelEntry, line int, providers map[string]fileProvider) (Entry, error) {
	provider, known := providers[m.Provider.value]
	name := strings.TrimPrefix(m.Name.value, m.Provider.value+"/")
	e := Entry{Name: m.Provider.value + "/" + name, Label: name, Provider: m.Provider.value, UpstreamName: name, Model: provider.adapter}
	if m.UpstreamName.line != 0 {
		e.UpstreamName = m.UpstreamName.value
	}
	if m.Label.line != 0 {
		e.Label = m.Label.value
	}
	switch {
	case m.Provider.line == 0:
		return e, f.failf(line, "the model has no provider")
	case !known:
		return e, f.failf(m.Provider.line, "this file has no provider %q", m.Provider.value)
	case m.Name.line == 0:
		return e, f.failf(line, "the model has no name")
	case !modelName.MatchString(name):
		return e, f.failf(m.Name.line, "name must be letters, digits and . _ : -, at most 64 of them, without a slash: "+
			"the provider's name is put before it")
	case !upstreamName.MatchString(e.UpstreamName):
		return e, f.failf(m.UpstreamName.line, "upstream_name must be letters, digits and . _ : / @ + -")
	case utf8.RuneCountInString(e.Label) > maxLabel:
		return e, f.failf(m.Label.line, "label is over its limit of %d characters", maxLabel)
	case strings.ContainsFunc(e.Label, func(r rune) bool { return !unicode.IsPrint(r) }):
		return e, f.failf(m.Label.line, "label must be one line without invisible characters")
	}
	e.CreditsPerMessage, e.ContextWindow, e.MaxOutputTokens = m.Credits.value, int(m.ContextWindow.value), int(m.MaxOutputTokens.value)
	return e, f.checkNumbers(m, line, e.Name)
}

// checkNumbers checks a model's price and windows.
func (f *modelsFile) checkNumbers(m modelEntry, line int, name string) error {
	for _, limit := range []struct {
		key         string
		number      number
		least, most int64
		required    bool
	}{
		{"credits", m.Credits, 0, maxCredits, true},
		{"context_window", m.ContextWindow, minWindow, maxWindow, true},
		{"max_output_tokens", m.MaxOutputTokens, 1, m.ContextWindow.value, false},
	} {
		switch n := limit.number; {
		case n.line == 0 && limit.required:
			return f.failf(line, "the model %s has no %s", name, limit.key)
		case n.line != 0 && (n.value < limit.least || n.value > limit.most):
			return f.failf(n.line, "%s must be a whole number from %d to %d", limit.key, limit.least, limit.most)
		}
	}
	return nil
}
