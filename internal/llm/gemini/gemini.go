// Package gemini serves Google's Gemini models, through Google's own library. Nothing outside this package knows of it.
//
// The library never sees the network: all of its traffic passes through a transport of ours, which adds the key as a header
// (so that no address, and so no error, can hold it), does the only retry, bounds the times and the size, and turns every
// answer into the plain shape that the library can read.
package gemini

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/generative-ai-go/genai"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
	"google.golang.org/api/option/internaloption"
	gtransport "google.golang.org/api/transport/grpc"
	"google.golang.org/grpc"

	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
)

const (
	// publicAddress is where Gemini is when no base URL is configured.
	publicAddress = "https://generativelanguage.googleapis.com"
	// longestCall bounds a call whose context has no deadline of its own.
	longestCall = 10 * time.Minute
)

// Model serves all models of one Gemini account. It is safe for concurrent use.
type Model struct {
	client *genai.Client
	key    string
}

var _ llm.Model = (*Model)(nil)

// New returns the adapter of one provider; it is a catalogue.Factory. It opens no connection. An error says what is wrong with
// the configuration, without its values.
func New(config catalogue.ProviderConfig) (llm.Model, error) { return build(config, defaultLimits) }

func build(config catalogue.ProviderConfig, limits limits) (llm.Model, error) {
	if config.APIKey == "" {
		return nil, errors.New("gemini needs an API key; get one at https://aistudio.google.com/apikey")
	}
	if strings.ContainsFunc(config.APIKey, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the API key holds a character that no key has; copy it again, without spaces or quotes")
	}
	base, err := baseURL(config.BaseURL)
	if err != nil {
		return nil, err
	}
	client, err := genai.NewClient(context.Background(),
		option.WithHTTPClient(&http.Client{Transport: newTransport(config.APIKey, limits)}),
		option.WithEndpoint(base),
		// The key is the transport's. Without this the library looks for Google credentials on the machine.
		option.WithoutAuthentication(),
		// The library's client for cached contents speaks gRPC only, and would dial at once and for ever. It is never used.
		internaloption.SkipDialSettingsValidation(), gtransport.WithConnPool(noGRPC{}),
	)
	if err != nil {
		return nil, fmt.Errorf("gemini's client: %s", redact(config.APIKey, err.Error()))
	}
	return &Model{client: client, key: config.APIKey}, nil
}

// baseURL returns the address to which the library adds /v1beta/models/….
func baseURL(text string) (string, error) {
	if text == "" {
		return publicAddress, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", errors.New("gemini's base URL is not valid; write it like " + publicAddress)
	}
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text, "/"), "/v1beta"), "/"), nil
}

// Generate produces one reply. Faults: ModelError, ModelUnavailable, ModelTimeout, ContentBlocked; an error of emit is returned
// as it is. The usage counts the tokens of thinking as output, as Google's bill does; numbers that cannot be true are left out.
//
// A busy or unreachable Gemini is asked once more, before any text, when the deadline leaves time for it.
func (m *Model) Generate(ctx context.Context, req llm.Request, emit func(text string) error) (llm.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, longestCall)
	defer cancel()
	call := &call{}
	defer call.close()
	stream := m.chat(req).SendMessageStream(withCall(ctx, call), genai.Text(req.Message))
	var text strings.Builder
	var finish genai.FinishReason
	for {
		chunk, err := stream.Next()
		if errors.Is(err, iterator.Done) {
			break
		}
		if err != nil {
			return llm.Reply{}, m.faultOf(ctx, err)
		}
		piece, reason := read(chunk)
		if reason != genai.FinishReasonUnspecified {
			finish = reason
		}
		if piece == "" {
			continue
		}
		text.WriteString(piece)
		if emit != nil {
			if err := emit(piece); err != nil {
				return llm.Reply{}, err
			}
		}
	}
	reason, err := finished(finish, text.Len() > 0)
	if err != nil {
		return llm.Reply{}, err
	}
	return llm.Reply{Text: text.String(), Finish: reason, InputTokens: call.input, OutputTokens: call.output}, nil
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
