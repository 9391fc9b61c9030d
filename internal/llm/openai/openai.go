// Package openai serves models over OpenAI's chat completions API, which Ollama, vLLM, llama.cpp
// and many others speak, too.
package openai

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"agentchat/internal/baseurl"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/upstream"
)

// publicAddress is OpenAI's own base URL.
const publicAddress = "https://api.openai.com/v1"

// Model serves all models of one provider. It is safe for concurrent use.
type Model struct {
	client  *upstream.Client
	address string
	// textOnly remembers the schemas that a model refused as a format.
	textOnly *lru.Cache[[sha256.Size]byte, struct{}]
	// withoutReasoning holds the names of the models that refuse tools unless reasoning is off.
	withoutReasoning sync.Map
	// isOpenAI means that the provider is OpenAI itself, not a compatible server.
	isOpenAI bool
}

var _ llm.Model = (*Model)(nil)

// New returns the adapter of one provider; it is a catalogue.Factory. It opens no connection.
// Without a key it sends no Authorization header, as local servers expect. An error says what is
// wrong with the configuration, without quoting its values.
func New(config catalogue.ProviderConfig) (llm.Model, error) {
	return NewWithLimits(config, upstream.DefaultLimits)
}

// NewWithLimits is New with other time limits.
func NewWithLimits(config catalogue.ProviderConfig, limits upstream.Limits) (llm.Model, error) {
	base, err := baseURL(config.BaseURL)
	if err != nil {
		return nil, err
	}
	if config.APIKey == "" && isOpenAI(base) {
		return nil, errors.New("OpenAI needs an API key; get one at https://platform.openai.com/api-keys")
	}
	if err := upstream.CheckKey(config.APIKey); err != nil {
		return nil, err
	}
	textOnly, _ := lru.New[[sha256.Size]byte, struct{}](maxRefusedFormats) // it fails for a size below 1
	return &Model{
		client: upstream.New(upstream.Provider{
			Name:      config.Name,
			Key:       config.APIKey,
			KeyHeader: "Authorization",
			KeyPrefix: "Bearer ",
			Header:    map[string]string{"Accept": "text/event-stream"},
			Refusal:   newStatusError,
			Limits:    limits,
		}),
		address:  base.JoinPath("chat/completions").String(),
		textOnly: textOnly,
		isOpenAI: isOpenAI(base),
	}, nil
}

// baseURL returns the URL to which /chat/completions is added.
func baseURL(text string) (*url.URL, error) {
	if text == "" {
		text = publicAddress
	}
	base, err := baseurl.Parse(strings.TrimSuffix(strings.TrimRight(text, "/"), "/chat/completions"))
	if err != nil {
		return nil, fmt.Errorf("the base URL %w", err)
	}
	return base, nil
}

// isOpenAI reports whether an address is OpenAI's own, in any region.
func isOpenAI(base *url.URL) bool {
	host := strings.ToLower(base.Hostname())
	return host == "api.openai.com" || strings.HasSuffix(host, ".api.openai.com")
}

// Generate produces one reply. It retries once, before any text, if the provider is busy or
// unreachable and the deadline leaves enough time. Impossible token counts are left out. Faults:
// ModelError, ModelUnavailable, ModelTimeout, ContentBlocked. An error of emit is returned
// unchanged.
func (m *Model) Generate(ctx context.Context, req llm.Request,
	emit func(text string) error) (llm.Reply, error) {
	text := upstream.NewText(emit)
	reply, err := m.generate(ctx, req.WithKnowledge(), text)
	return reply, m.client.Finish(ctx, req.Model, err)
}

func (m *Model) generate(ctx context.Context, req llm.Request,
	text *upstream.Text) (llm.Reply, error) {
	answer, err := m.ask(ctx, req)
	if err != nil {
		return llm.Reply{Accepted: upstream.MayBill(err)}, err
	}
	defer func() { _ = answer.Close() }()
	return readReply(req, answer, text)
}

// payload is the body of a request (https://platform.openai.com/docs/api-reference/chat/create).
// The parts that a version's messages share come first, because providers reuse identical beginnings.
type payload struct {
	Model         string `json:"model"`
	Tools         []tool `json:"tools,omitempty"`
	Messages      []any  `json:"messages"`
	Stream        bool   `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Temperature         *float64 `json:"temperature,omitempty"`
	MaxTokens           *int     `json:"max_tokens,omitempty"`
	MaxCompletionTokens *int     `json:"max_completion_tokens,omitempty"`
	ResponseFormat      *format  `json:"response_format,omitempty"`
	ToolChoice          string   `json:"tool_choice,omitempty"`
	ReasoningEffort     string   `json:"reasoning_effort,omitempty"`
	PromptCacheKey      string   `json:"prompt_cache_key,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (m *Model) payload(req llm.Request) payload {
	p := payload{Model: req.Model, Stream: true, Temperature: req.Temperature}
	p.StreamOptions.IncludeUsage = true
	if m.isOpenAI { // other servers may refuse the field
		p.PromptCacheKey = req.CacheKey
	}
	if req.Instructions != "" {
		// OpenAI also accepts the newer role "developer". Other servers only know "system".
		p.Messages = append(p.Messages, message{"system", req.Instructions})
	}
	for _, turn := range req.History {
		p.Messages = append(p.Messages, message{"user", turn.User}, message{"assistant", turn.Assistant})
	}
	p.Messages = append(p.Messages, message{"user", req.Message})
	p.Messages = append(p.Messages, stepMessages(req.Steps)...)
	if req.MaxOutputTokens != nil {
		// OpenAI's newer models refuse max_tokens, and all of its models accept the newer name. Many
		// compatible servers know only max_tokens, and some silently ignore the newer name.
		limit := max(*req.MaxOutputTokens, 1)
		if m.isOpenAI {
			p.MaxCompletionTokens = &limit
		} else {
			p.MaxTokens = &limit
		}
	}
	return p
}
