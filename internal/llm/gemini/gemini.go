// Package gemini serves Google's Gemini models, through Google's own library. Nothing outside this package knows of it.
//
// The library never sees the network: all of its traffic passes through package upstream, the policy for all providers, and
// every answer is turned into the plain shape that the library can read.
package gemini

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/google/generative-ai-go/genai"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
	"google.golang.org/api/option/internaloption"
	gtransport "google.golang.org/api/transport/grpc"
	"google.golang.org/grpc"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/upstream"
)

// publicAddress is where Gemini is when no base URL is configured.
const publicAddress = "https://generativelanguage.googleapis.com"

// Model serves all models of one Gemini account. It is safe for concurrent use.
type Model struct {
	client   *genai.Client
	upstream *upstream.Client
}

var _ llm.Model = (*Model)(nil)

// New returns the adapter of one provider; it is a catalogue.Factory. It opens no connection. An error says what is wrong with
// the configuration, without its values.
func New(config catalogue.ProviderConfig) (llm.Model, error) {
	return NewWithLimits(config, upstream.DefaultLimits)
}

// NewWithLimits is New with limits in time of the caller's choice.
func NewWithLimits(config catalogue.ProviderConfig, limits upstream.Limits) (llm.Model, error) {
	if config.APIKey == "" {
		return nil, errors.New("gemini needs an API key; get one at https://aistudio.google.com/apikey")
	}
	if err := upstream.CheckKey(config.APIKey); err != nil {
		return nil, err
	}
	base, err := baseURL(config.BaseURL)
	if err != nil {
		return nil, err
	}
	provider := upstream.New(upstream.Provider{
		Name: "Gemini", Key: config.APIKey, KeyHeader: "X-Goog-Api-Key", Refusal: newStatusError, Body: newReplyBody, Limits: limits,
	})
	client, err := genai.NewClient(context.Background(),
		option.WithHTTPClient(provider.HTTP),
		option.WithEndpoint(base),
		// The key is the transport's. Without this the library looks for Google credentials on the machine.
		option.WithoutAuthentication(),
		// The library's client for cached contents speaks gRPC only, and would dial at once and for ever. It is never used.
		internaloption.SkipDialSettingsValidation(), gtransport.WithConnPool(noGRPC{}),
	)
	if err != nil {
		return nil, fmt.Errorf("gemini's client: %w", err) // which has not seen the key
	}
	return &Model{client: client, upstream: provider}, nil
}

// baseURL returns the address to which the library adds /v1beta/models/….
func baseURL(text string) (string, error) {
	if text == "" {
		return publicAddress, nil
	}
	if _, ok := upstream.ParseBase(text); !ok {
		return "", errors.New("gemini's base URL is not valid; write it like " + publicAddress)
	}
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text, "/"), "/v1beta"), "/"), nil
}

// Generate produces one reply. Faults: ModelError, ModelUnavailable, ModelTimeout, ContentBlocked; an error of emit is returned
// as it is. The usage counts the tokens of thinking as output, as Google's bill does; numbers that cannot be true are left out.
//
// A busy or unreachable Gemini is asked once more, before any text, when the deadline leaves time for it.
func (m *Model) Generate(ctx context.Context, req llm.Request, emit func(text string) error) (llm.Reply, error) {
	used, read := &usage{}, &reading{}
	text, err := m.upstream.Do(withUsage(ctx, used), emit, func(ctx context.Context, text *upstream.Text) (upstream.Next, error) {
		session := m.chat(req)
		read.text, read.stream = text, session.SendMessageStream(ctx, genai.Text(req.Message))
		session.History = nil // it was sent
		return read.next, nil
	})
	if err != nil {
		return llm.Reply{}, err
	}
	return llm.Reply{Text: text, Finish: read.finish, InputTokens: used.input, OutputTokens: used.output}, nil
}

// reading is the reading of one answer.
type reading struct {
	stream *genai.GenerateContentResponseIterator
	text   *upstream.Text
	reason genai.FinishReason
	finish llm.FinishReason
}

// next adds the text of one chunk; at the end it says why the answer ended.
func (r *reading) next(upstream.Body) (more bool, err error) {
	chunk, err := r.stream.Next()
	if errors.Is(err, iterator.Done) {
		r.finish, err = finished(r.reason, !r.text.Empty())
		return false, err
	}
	if err != nil {
		return false, blocked(err)
	}
	piece, reason := read(chunk)
	if reason != genai.FinishReasonUnspecified {
		r.reason = reason
	}
	return true, r.text.Add(piece)
}

// chat returns a session that holds the conversation so far.
func (m *Model) chat(req llm.Request) *genai.ChatSession {
	model := m.client.GenerativeModel(req.Model)
	if req.Instructions != "" { // an empty part is refused
		model.SystemInstruction = &genai.Content{Parts: []genai.Part{genai.Text(req.Instructions)}}
	}
	if req.Temperature != nil {
		model.SetTemperature(float32(*req.Temperature))
	}
	if req.MaxOutputTokens != nil {
		model.SetMaxOutputTokens(int32(min(max(*req.MaxOutputTokens, 1), math.MaxInt32)))
	}
	session := model.StartChat()
	for _, turn := range req.History {
		session.History = append(session.History,
			&genai.Content{Role: "user", Parts: []genai.Part{genai.Text(turn.User)}},
			&genai.Content{Role: "model", Parts: []genai.Part{genai.Text(turn.Assistant)}})
	}
	return session
}

// read returns the text of a chunk and its finish reason. The transport leaves at most one candidate.
func read(chunk *genai.GenerateContentResponse) (string, genai.FinishReason) {
	var text strings.Builder
	var reason genai.FinishReason
	for _, candidate := range chunk.Candidates {
		reason = candidate.FinishReason
		if candidate.Content == nil {
			continue
		}
		for _, part := range candidate.Content.Parts {
			if piece, ok := part.(genai.Text); ok {
				text.WriteString(string(piece))
			}
		}
	}
	return text.String(), reason
}

// noGRPC stands where the library would open a gRPC connection.
type noGRPC struct{}

var errNoGRPC = errors.New("gemini is reached by HTTP only")

func (noGRPC) Conn() *grpc.ClientConn { return nil }
func (noGRPC) Num() int               { return 0 }
func (noGRPC) Close() error           { return nil }

func (noGRPC) Invoke(context.Context, string, any, any, ...grpc.CallOption) error { return errNoGRPC }

func (noGRPC) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errNoGRPC
}
