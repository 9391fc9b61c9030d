// Package openai serves the models behind OpenAI's chat completions API, which Ollama, vLLM, llama.cpp and many others speak
// too, through OpenAI's own library. Nothing outside this package knows of it.
//
// The library never sees the network: all of its traffic passes through package upstream, the policy for all providers, and
// every answer is turned into the plain shape that the library can read. Neither does it see the environment: it would take
// keys, addresses and headers from OPENAI_* variables when a whole client is made, so only its one service is.
package openai

import (
	"context"
	"errors"
	"net/url"
	"strings"

	library "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/upstream"
)

// publicAddress is where OpenAI is when no base URL is configured.
const publicAddress = "https://api.openai.com/v1"

// Model serves all models of one provider. It is safe for concurrent use.
type Model struct {
	service  library.ChatCompletionService
	upstream *upstream.Client
	// itself says that the provider is OpenAI, not one that is compatible with it.
	itself bool
}

var _ llm.Model = (*Model)(nil)

// New returns the adapter of one provider; it is a catalogue.Factory. It opens no connection. Without a key no Authorization is
// sent, which is what local servers want. An error says what is wrong with the configuration, without its values.
func New(config catalogue.ProviderConfig) (llm.Model, error) {
	return NewWithLimits(config, upstream.DefaultLimits)
}

// NewWithLimits is New with limits in time of the caller's choice.
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
	provider := upstream.New(upstream.Provider{
		Name: config.Name, Key: config.APIKey, KeyHeader: "Authorization", KeyPrefix: "Bearer ",
		Refusal: newStatusError, Body: newReplyBody, Limits: limits,
	})
	service := library.NewChatCompletionService(
		option.WithHTTPClient(provider.HTTP), option.WithBaseURL(base.String()), option.WithMaxRetries(0))
	return &Model{service: service, upstream: provider, itself: isOpenAI(base)}, nil
}

// baseURL returns the address to which the library adds /chat/completions.
func baseURL(text string) (*url.URL, error) {
	if text == "" {
		text = publicAddress
	}
	text = strings.TrimSuffix(strings.TrimRight(text, "/"), "/chat/completions")
	base, ok := upstream.ParseBase(text)
	if !ok {
		return nil, errors.New("the base URL is not valid; write it like " + publicAddress)
	}
	return base.JoinPath("/"), nil
}

// isOpenAI reports whether an address is OpenAI's own, in whichever region.
func isOpenAI(base *url.URL) bool {
	host := strings.ToLower(base.Hostname())
	return host == "api.openai.com" || strings.HasSuffix(host, ".api.openai.com")
}

// Generate produces one reply. Faults: ModelError, ModelUnavailable, ModelTimeout, ContentBlocked; an error of emit is returned
// as it is. Numbers of tokens that cannot be true are left out.
//
// A busy or unreachable provider is asked once more, before any text, when the deadline leaves time for it.
func (m *Model) Generate(ctx context.Context, req llm.Request, emit func(text string) error) (llm.Reply, error) {
	var reply llm.Reply
	text, err := m.upstream.Do(ctx, emit, func(ctx context.Context, text *upstream.Text) error {
		stream := m.service.NewStreaming(ctx, m.params(req))
		defer func() { _ = stream.Close() }()
		return readStream(stream, text, &reply)
	})
	if err != nil {
		return llm.Reply{}, err
	}
	reply.Text = text
	return reply, nil
}

// readStream adds all text of a stream, and fills in the rest of the reply.
func readStream(stream *ssestream.Stream[library.ChatCompletionChunk], text *upstream.Text, reply *llm.Reply) error {
	reason := ""
	for stream.Next() {
		chunk := stream.Current()
		if chunk.JSON.Usage.Valid() {
			reply.InputTokens, reply.OutputTokens = counts(chunk.Usage)
		}
		for _, choice := range chunk.Choices { // the transport leaves at most one
			if choice.Delta.Refusal != "" {
				return fault.Wrap(fault.ContentBlocked, errors.New("the model refused"))
			}
			if choice.FinishReason != "" {
				reason = choice.FinishReason
			}
			if err := text.Add(choice.Delta.Content); err != nil {
				return err
			}
		}
	}
	if err := stream.Err(); err != nil {
		return err
	}
	var err error
	reply.Finish, err = finished(reason, !text.Empty())
	return err
}

// counts returns the tokens of a usage, nil for what it lacks.
func counts(usage library.CompletionUsage) (input, output *int64) {
	if usage.JSON.PromptTokens.Valid() {
		input = &usage.PromptTokens
	}
	if usage.JSON.CompletionTokens.Valid() {
		output = &usage.CompletionTokens
	}
	return input, output
}

// params returns the request in the library's form.
func (m *Model) params(req llm.Request) library.ChatCompletionNewParams {
	p := library.ChatCompletionNewParams{
		Model:         req.Model,
		StreamOptions: library.ChatCompletionStreamOptionsParam{IncludeUsage: param.NewOpt(true)},
	}
	if req.Instructions != "" {
		// "developer" is the newer word; OpenAI takes both, and others know only this one.
		p.Messages = append(p.Messages, library.SystemMessage(req.Instructions))
	}
	for _, turn := range req.History {
		p.Messages = append(p.Messages, library.UserMessage(turn.User), library.AssistantMessage(turn.Assistant))
	}
	p.Messages = append(p.Messages, library.UserMessage(req.Message))
	if req.Temperature != nil {
		p.Temperature = param.NewOpt(*req.Temperature)
	}
	if req.MaxOutputTokens != nil {
		// OpenAI's newer models refuse max_tokens, and it takes the newer name for all of them. Compatible servers have known
		// max_tokens from the beginning and many know nothing else, some of which ignore the newer name without a word. So the
		// name goes by whether the base URL is OpenAI's own.
		limit := param.NewOpt(int64(max(*req.MaxOutputTokens, 1)))
		if m.itself {
			p.MaxCompletionTokens = limit
		} else {
			p.MaxTokens = limit
		}
	}
	return p
}
