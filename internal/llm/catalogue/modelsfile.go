package catalogue

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/ast"

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
	fileKeys     = []string{"providers", "models"}
	providerKeys = []string{"name", "kind", "base_url", "api_key_env"}
	modelKeys    = []string{
		"name", "provider", "upstream_name", "label", "credits", "context_window", "max_output_tokens",
	}
)

var (
	providerName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)
	modelName    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$`)
	upstreamName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$`)
	// Capitals only, so that a key that was pasted in the place of its variable's name is noticed.
	variableName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]{0,127}$`)
)

// fileProvider is a provider of a models file; its adapter is nil when it is not configured.
type fileProvider struct {
	line    int
	adapter llm.Model
}

// fromFile returns the models of the file, in its order.
func (cfg Config) fromFile() ([]Entry, error) {
	d, err := readDocument(cfg.ModelsFile)
	if err != nil {
		return nil, err
	}
	top, err := d.readMapping(d.root, "the file", fileKeys)
	if err != nil {
		return nil, err
	}
	providers, err := cfg.readProviders(d, top)
	if err != nil {
		return nil, err
	}
	items, err := d.items(top, "models", maxModels)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(items))
	lines := make(map[string]int, len(items))
	for _, item := range items {
		m, err := d.readMapping(item, "a model", modelKeys)
		if err != nil {
			return nil, err
		}
		e, err := readModel(d, m, providers)
		if err != nil {
			return nil, err
		}
		if first, ok := lines[e.Name]; ok {
			return nil, d.failf(m.fieldLine("name"), "the model %s is defined twice, first on line %d", e.Name, first)
		}
		lines[e.Name] = m.fieldLine("name")
		entries = append(entries, e)
	}
	return entries, nil
}

// items returns the items of a list that the file has to have.
func (d *document) items(top mapping, key string, limit int) ([]ast.Node, error) {
	f, ok := top.fields[key]
	if !ok {
		return nil, d.failf(top.line, "the file lacks %s", key)
	}
	return d.list(f, limit)
}

func (cfg Config) readProviders(d *document, top mapping) (map[string]fileProvider, error) {
	items, err := d.items(top, "providers", maxProviders)
	if err != nil {
		return nil, err
	}
	providers := make(map[string]fileProvider, len(items))
	for _, item := range items {
		m, err := d.readMapping(item, "a provider", providerKeys)
		if err != nil {
			return nil, err
		}
		name, err := d.name(m, "name", providerName, "small letters, digits, - and _, at most 32 of them")
		if err != nil {
			return nil, err
		}
		line := m.fieldLine("name")
		if name == sandboxProvider {
			return nil, d.failf(line, "the provider's name sandbox is taken; choose another")
		}
		if first, ok := providers[name]; ok {
			return nil, d.failf(line, "the provider %s is defined twice, first on line %d", name, first.line)
		}
		adapter, err := cfg.readProvider(d, m, name)
		if err != nil {
			return nil, err
		}
		providers[name] = fileProvider{line: line, adapter: adapter}
	}
	return providers, nil
}

// readProvider makes a provider's adapter: nil when the variable of its key is not set, or the kind has no adapter.
func (cfg Config) readProvider(d *document, m mapping, name string) (llm.Model, error) {
	kindText, err := d.required(m, "kind", 32)
	if err != nil {
		return nil, err
	}
	kind := Kind(kindText)
	if kind != KindGemini && kind != KindOpenAI {
		return nil, d.failf(m.fieldLine("kind"), "kind has to be gemini or openai")
	}
	p := ProviderConfig{Name: name}
	base, err := d.text(m, "base_url", maxBaseURL)
	if err != nil {
		return nil, err
	}
	if base != "" {
		var problem string
		if p.BaseURL, problem = cleanBaseURL(base); problem != "" {
			return nil, d.failf(m.fieldLine("base_url"), "%s", problem)
		}
	}
	variable, err := d.text(m, "api_key_env", 4096)
	switch {
	case err != nil:
		return nil, err
	case variable != "" && !variableName.MatchString(variable):
		// The value is not repeated: it may be the key itself.
		return nil, d.failf(m.fieldLine("api_key_env"),
			"api_key_env has to be the name of an environment variable, such as OPENAI_API_KEY, not the key itself")
	case variable == "" && kind == KindGemini:
		return nil, d.failf(m.line, "the provider %s lacks api_key_env", name)
	case variable == "" && base == "":
		return nil, d.failf(m.line, "the provider %s lacks api_key_env; only a server with a base_url can do without", name)
	}
	if variable != "" {
		secret, err := cfg.Secret(variable)
		if err != nil {
			return nil, d.failf(m.fieldLine("api_key_env"), "%s: %v", variable, err)
		}
		if p.APIKey = strings.TrimSpace(secret); p.APIKey == "" {
			return nil, nil
		}
	}
	factory := cfg.Factories[kind]
	if factory == nil {
		return nil, nil
	}
	adapter, err := factory(p)
	if err != nil {
		return nil, d.failf(m.line, "provider %s: %v", name, err)
	}
	return adapter, nil
}

// readModel reads one model. Its public name is provider/name; a name that has the provider before it already is
// understood too.
func readModel(d *document, m mapping, providers map[string]fileProvider) (Entry, error) {
	provider, err := d.required(m, "provider", 255)
	if err != nil {
		return Entry{}, err
	}
	p, ok := providers[provider]
	if !ok {
		return Entry{}, d.failf(m.fieldLine("provider"), "there is no provider %q in this file", short(provider))
	}
	name, err := d.required(m, "name", 255)
	if err != nil {
		return Entry{}, err
	}
	name = strings.TrimPrefix(name, provider+"/")
	if !modelName.MatchString(name) {
		return Entry{}, d.failf(m.fieldLine("name"), "name has to be letters, digits and . _ : -, at most 64 of them, "+
			"without a slash: the provider's name is put before it")
	}
	e := Entry{Name: provider + "/" + name, Label: name, Provider: provider, UpstreamName: name, Model: p.adapter}
	if _, ok := m.fields["upstream_name"]; ok {
		if e.UpstreamName, err = d.name(m, "upstream_name", upstreamName, "letters, digits and . _ : / @ + -"); err != nil {
			return Entry{}, err
		}
	}
	if _, ok := m.fields["label"]; ok {
		if e.Label, err = d.text(m, "label", maxLabel); err != nil {
			return Entry{}, err
		}
		if strings.ContainsFunc(e.Label, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return Entry{}, d.failf(m.fieldLine("label"), "label has to be one line without invisible characters")
		}
	}
	err = readLimits(d, m, &e)
	return e, err
}

// readLimits reads a model's price and windows.
func readLimits(d *document, m mapping, e *Entry) error {
	credits, ok, err := d.integer(m, "credits", 0, maxCredits)
	if err != nil {
		return err
	}
	if !ok {
		return d.failf(m.line, "the model %s lacks credits, the price of a message; 0 is free", e.Name)
	}
	window, ok, err := d.integer(m, "context_window", minWindow, maxWindow)
	if err != nil {
		return err
	}
	if !ok {
		return d.failf(m.line, "the model %s lacks context_window, in tokens", e.Name)
	}
	longest, _, err := d.integer(m, "max_output_tokens", 1, window)
	if err != nil {
		return err
	}
	e.CreditsPerMessage, e.ContextWindow, e.MaxOutputTokens = credits, int(window), int(longest)
	return nil
}

// required returns a text that has to be there.
func (d *document) required(m mapping, key string, limit int) (string, error) {
	if _, ok := m.fields[key]; !ok {
		return "", d.failf(m.line, "%s is missing", key)
	}
	return d.text(m, key, limit)
}

// name returns a text that has to be there and match the pattern; rule says in words what the pattern is.
func (d *document) name(m mapping, key string, pattern *regexp.Regexp, rule string) (string, error) {
	text, err := d.required(m, key, 255)
	if err == nil && !pattern.MatchString(text) {
		return "", d.failf(m.fieldLine(key), "%s has to be made of %s", key, rule)
	}
	return text, err
}

// fieldLine returns the line of a key, or the mapping's own when the key is absent.
func (m mapping) fieldLine(key string) int {
	if f, ok := m.fields[key]; ok {
		return f.line
	}
	return m.line
}
