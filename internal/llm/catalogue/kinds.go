package catalogue

import "strings"

// ProviderKind is the protocol that a provider speaks, and so the adapter that serves it.
type ProviderKind string

// The kinds of provider.
const (
	// KindGemini is Google's Gemini API.
	KindGemini ProviderKind = "gemini"
	// KindOpenAI is OpenAI's chat completions API, which many other servers speak, too.
	KindOpenAI ProviderKind = "openai"
)

// kind describes one kind of provider.
type kind struct {
	name ProviderKind
	// needsKey is false if a server may require no key, so that a base URL is enough to configure it.
	needsKey bool
	// models are the built-in models, with the context windows that their providers document.
	models []builtInModel
}

// builtInModel is a built-in entry of a provider; window and maxOutput are in tokens.
type builtInModel struct {
	name, label       string
	credits           int64
	window, maxOutput int
}

// kinds are all kinds, in the order of the catalogue. To add a kind, add it here, and its adapter
// and settings in cmd/agentchat/providers.go.
var kinds = []kind{
	{KindGemini, true, []builtInModel{
		{"gemini-3.5-flash-lite", "Gemini 3.5 Flash-Lite", 1, 1_048_576, 65_536},
		{"gemini-3.8-flash", "Gemini 3.8 Flash", 3, 1_048_576, 65_536},
		{"gemini-2.5-flash", "Gemini 2.5 Flash", 1, 1_048_576, 65_536},
		{"gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite", 1, 1_048_576, 65_536},
		{"gemini-2.5-pro", "Gemini 2.5 Pro", 5, 1_048_576, 65_536},
	}},
	{KindOpenAI, false, []builtInModel{
		{"gpt-5-mini", "GPT-5 mini", 1, 400_000, 128_000},
		{"gpt-5", "GPT-5", 5, 400_000, 128_000},
		{"gpt-4.1-mini", "GPT-4.1 mini", 1, 1_047_576, 32_768},
		{"gpt-4.1", "GPT-4.1", 5, 1_047_576, 32_768},
	}},
}

// findKind returns the kind with a name in a models file.
func findKind(name string) (kind, bool) {
	for _, k := range kinds {
		if string(k.name) == name {
			return k, true
		}
	}
	return kind{}, false
}

// kindNames lists the kinds for an error message.
func kindNames() string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k.name)
	}
	return strings.Join(names, " or ")
}
