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
	"io"
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
	read := &reading{}
	text, err := m.upstream.Do(ctx, emit, func(ctx context.Context, text *upstream.Text) (upstream.Next, error) {
		read.text = text
		return read.next, m.service.NewStreaming(ctx, m.params(req)).Err()
	})
	if err != nil {
		return llm.Reply{}, err
	}
	read.reply.Text = text
	return read.reply, nil
}

// reading is the reading of one answer. The library reads each chunk as a stream of its own: one for the whole answer would keep
// 7 KB for as long as the answer takes.
type reading struct {
	text   *upstream.Text
	reason string
	reply  llm.Reply
}

// next adds the text of one chunk; at the end it says why the answer ended.
func (r *reading) next(body upstream.Body) (more bool, err error) {
	plain, ok := body.(*replyBody)
	if !ok {
		return false, upstream.ErrNotReply
	}
	data, err := plain.next()
	if data != nil {
		if err := r.take(data); err != nil {
			return false, err
		}
	}
	if errors.Is(err, io.EOF) {
		r.reply.Finish, err = finished(r.reason, !r.text.Empty())
		return false, err
	}
	return true, err
}

// take adds the text of a chunk, and keeps what else it says.
func (r *reading) take(data []byte) error {
	stream := ssestream.NewStream[library.ChatCompletionChunk](&oneEvent{data: data}, nil)
	if !stream.Next() {
		return stream.Err()
	}
	chunk := stream.Current()
	if chunk.JSON.Usage.Valid() {
		r.reply.InputTokens, r.reply.OutputTokens = counts(chunk.Usage)
	}
	for _, choice := range chunk.Choices { // the transport leaves at most one
		if choice.Delta.Refusal != "" {
			return fault.Wrap(fault.ContentBlocked, errors.New("the model refused"))
		}
		if choice.FinishReason != "" {
			r.reason = choice.FinishReason
		}
		if err := r.text.Add(choice.Delta.Content); err != nil {
			return err
		}
	}
	return nil
}

// oneEvent is a stream of one event for the library.
type oneEvent struct {
	data []byte
	read bool
}

var _ ssestream.Decoder = (*oneEvent)(nil)

// Next implements ssestream.Decoder.
func (e *oneEvent) Next() bool {
	first := !e.read
	e.read = true
	return first
}

// Event implements ssestream.Decoder.
func (e *oneEvent) Event() ssestream.Event { return ssestream.Event{Data: e.data} }

// Close implements ssestream.Decoder.
func (*oneEvent) Close() error { return nil }

// Err implements ssestream.Decoder.
func (*oneEvent) Err() error { return nil }

// counts returns the tokens of a usage, nil for what it lacks.
func counts(usage library.CompletionUsage) (input, output *int64) {
	if prompt := usage.PromptTokens; usage.JSON.PromptTokens.Valid() {
		input = &prompt
	}
	if completion := usage.CompletionTokens; usage.JSON.CompletionTokens.Valid() {
		output = &completion
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
