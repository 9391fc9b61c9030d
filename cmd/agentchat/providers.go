package main

import (
	"agentchat/internal/baseurl"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/gemini"
	"agentchat/internal/llm/openai"
)

// providerSettings are the settings of the model providers. Add a new kind's settings and adapter
// here, and its models in internal/llm/catalogue/kinds.go.
//
//nolint:lll // kong reads all of a setting from its tag
type providerSettings struct {
	GeminiAPIKey  providerKey `name:"gemini-api-key" setting:"GEMINI_API_KEY" secret:"" placeholder:"KEY" help:"An API key for Google's Gemini."`
	GeminiBaseURL baseurl.URL `name:"gemini-base-url" setting:"GEMINI_BASE_URL" placeholder:"URL" help:"The address of Gemini, for a proxy or a test."`
	OpenAIAPIKey  providerKey `name:"openai-api-key" setting:"OPENAI_API_KEY" secret:"" placeholder:"KEY" help:"An API key for an OpenAI-compatible server."`
	OpenAIBaseURL baseurl.URL `name:"openai-base-url" setting:"OPENAI_BASE_URL" placeholder:"URL" help:"The address of an OpenAI-compatible server."`
	SandboxModels string      `name:"sandbox-models" type:"choice" choices:"on|off" setting:"SANDBOX_MODELS" placeholder:"on|off" default:"on" help:"Whether the fake models of the sandbox are offered: on or off."`
	ModelsFile    string      `name:"models-file" setting:"MODELS_FILE" placeholder:"FILE" help:"A YAML file of providers, models and prices, read again at SIGHUP and when it changes; default: built in."`
}

// loadCatalogue reads the models. Each call reads MODELS_FILE and the files of its keys again.
func (s providerSettings) loadCatalogue(env environment) (*catalogue.Catalogue, error) {
	models, err := catalogue.Load(catalogue.Config{
		ModelsFile: s.ModelsFile, NoSandbox: s.SandboxModels == "off", Secret: env.secret,
		Providers: map[catalogue.ProviderKind]catalogue.ProviderConfig{
			catalogue.KindGemini: {APIKey: string(s.GeminiAPIKey), BaseURL: string(s.GeminiBaseURL)},
			catalogue.KindOpenAI: {APIKey: string(s.OpenAIAPIKey), BaseURL: string(s.OpenAIBaseURL)},
		},
		Factories: map[catalogue.ProviderKind]catalogue.Factory{catalogue.KindGemini: gemini.New,
			catalogue.KindOpenAI: openai.New},
	})
	switch {
	case err != nil && s.ModelsFile != "":
		return nil, usagef("MODELS_FILE (--models-file) cannot be used: %v", err)
	case err != nil:
		return nil, usagef("%v", err)
	}
	return models, nil
}
