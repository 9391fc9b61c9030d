package catalogue

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/baseurl"
	"agentchat/internal/llm"
)

// The bounds of a models file.
const (
	maxFileBytes = 1 << 20
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
	// Capitals only, to detect a key that was pasted instead of its variable's name.
	variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,127}$`)
)

// fromFile returns the models of the file, in its order.
func (cfg Config) fromFile() ([]Entry, error) {
	f, err := readModelsFile(cfg.ModelsFile)
	switch {
	case err != nil:
		return nil, err
	case len(f.Providers) == 0:
		return nil, f.failf("$.providers", "the file has no providers")
	case len(f.Models) == 0:
		return nil, f.failf("$.models", "the file has no models")
	}
	providers := make(map[string]llm.Model, len(f.Providers))
	for i, p := range f.Providers {
		at, name := fmt.Sprintf("$.providers[%d]", i), string(p.Name)
		if _, taken := providers[name]; taken {
			return nil, f.failf(at+".name", "the provider %s is defined twice", name)
		}
		if providers[name], err = cfg.fileProvider(f, at, p); err != nil {
			return nil, err
		}
	}
	entries, names := make([]Entry, len(f.Models)), make(map[string]bool, len(f.Models))
	for i, m := range f.Models {
		at := fmt.Sprintf("$.models[%d]", i)
		if entries[i], err = f.model(at, m, providers); err != nil {
			return nil, err
		}
		if names[entries[i].Name] {
			return nil, f.failf(at+".name", "the model %s is defined twice", entries[i].Name)
		}
		names[entries[i].Name] = true
	}
	return entries, nil
}

// fileProvider makes a provider's adapter. It returns nil if the variable of its key is not set, or
// its kind has no adapter.
func (cfg Config) fileProvider(f *modelsFile, at string, entry providerEntry) (llm.Model, error) {
	kind, known := findKind(string(entry.Kind))
	p, variable := ProviderConfig{Name: string(entry.Name)}, string(entry.APIKeyEnv)
	switch {
	case !providerName.MatchString(p.Name):
		return nil, f.failf(at+".name",
			"the provider's name must have at most 32 characters: lowercase letters, digits, - and _")
	case p.Name == sandboxProvider:
		return nil, f.failf(at+".name", "the name sandbox is reserved; choose another")
	case !known:
		return nil, f.failf(at+".kind", "the provider %s: kind must be %s", p.Name, kindNames())
	case variable == "" && kind.needsKey:
		return nil, f.failf(at, "the provider %s needs api_key_env", p.Name)
	case variable == "" && entry.BaseURL == "":
		return nil, f.failf(at,
			"the provider %s needs api_key_env, or the base_url of a server that requires no key", p.Name)
	case variable != "" && !variableName.MatchString(variable):
		// The value is not repeated: it may be the key itself.
		return nil, f.failf(at+".api_key_env",
			"api_key_env must be the name of an environment variable, such as OPENAI_API_KEY, not the key itself")
	}
	if entry.BaseURL != "" {
		base, err := baseurl.Parse(string(entry.BaseURL))
		if err != nil {
			return nil, f.failf(at+".base_url", "base_url %v", err)
		}
		p.BaseURL = base.String()
	}
	if variable != "" {
		secret, err := cfg.Secret(variable)
		if err != nil {
			return nil, f.failf(at+".api_key_env", "%s: %v", variable, err)
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
		return nil, f.failf(at, "provider %s: %v", p.Name, err)
	}
	return adapter, nil
}

// model checks one model. Its public name is provider/name; a name that already begins with the
// provider is accepted, too.
func (f *modelsFile) model(at string, m modelEntry, providers map[string]llm.Model) (Entry, error) {
	provider := string(m.Provider)
	adapter, known := providers[provider]
	name := strings.TrimPrefix(string(m.Name), provider+"/")
	e := Entry{
		Name:         provider + "/" + name,
		Label:        cmp.Or(string(m.Label), name),
		Provider:     provider,
		UpstreamName: cmp.Or(string(m.UpstreamName), name),
		Model:        adapter,
	}
	switch {
	case !known:
		return e, f.failf(at+".provider", "this file has no provider %q", provider)
	case !modelName.MatchString(name):
		return e, f.failf(at+".name",
			"the model's name must have at most 64 characters: letters, digits and . _ : -; "+
				"leave out the provider's name and the slash")
	case !upstreamName.MatchString(e.UpstreamName):
		return e, f.failf(at+".upstream_name", "upstream_name must be letters, digits and . _ : / @ + -")
	case utf8.RuneCountInString(e.Label) > maxLabel:
		return e, f.failf(at+".label", "label is over its limit of %d characters", maxLabel)
	case strings.ContainsFunc(e.Label,
		func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }):
		return e, f.failf(at+".label", "label must be one line of UTF-8 without invisible characters")
	}
	var ok bool
	if e.CreditsPerMessage, ok = whole(m.Credits, 0, maxCredits); !ok {
		return e, f.failf(at+".credits", "credits must be a whole number from 0 to %d", maxCredits)
	}
	if m.CreditsWithKnowledge != nil {
		price, ok := whole(m.CreditsWithKnowledge, 0, maxCredits)
		if !ok {
			return e, f.failf(at+".credits_with_knowledge",
				"credits_with_knowledge must be a whole number from 0 to %d", maxCredits)
		}
		e.CreditsWithKnowledge = &price
	}
	var err error
	if e.Cost, err = f.cost(at+".cost", m.Cost); err != nil {
		return e, err
	}
	window, ok := whole(m.ContextWindow, minWindow, maxWindow)
	if !ok {
		return e, f.failf(at+".context_window", "context_window must be a whole number from %d to %d",
			minWindow, maxWindow)
	}
	output, ok := whole(m.MaxOutputTokens, 1, window)
	if !ok && m.MaxOutputTokens != nil {
		return e, f.failf(at+".max_output_tokens",
			"max_output_tokens must be a whole number from 1 to %d", window)
	}
	e.ContextWindow, e.MaxOutputTokens = int(window), int(output)
	return e, nil
}

// whole converts a number of the file, and reports whether it is a whole number within the bounds.
// The library decodes such numbers as uint64.
func whole(value any, least, most int64) (int64, bool) {
	n, ok := value.(uint64)
	if !ok || n < uint64(least) || n > uint64(most) {
		return 0, false
	}
	return int64(n), true
}
