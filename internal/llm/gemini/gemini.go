// Package gemini serves Google's Gemini models through Google's own library, which no other package
// uses.
//
// The library gets an http.Client that sends every request through package upstream and rewrites
// every answer into a form that the library can read.
package gemini

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"

	"github.com/google/generative-ai-go/genai"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
	"google.golang.org/api/option/internaloption"
	gtransport "google.golang.org/api/transport/grpc"

	"agentchat/internal/baseurl"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/upstream"
	"agentchat/internal/schema"
)

// publicAddress is Google's own base URL.
const publicAddress = "https://generativelanguage.googleapis.com"

// Model serves all models of one Gemini account. It is safe for concurrent use.
type Model struct {
	library *genai.Client
	client  *upstream.Client
}

var _ llm.Model = (*Model)(nil)

// New returns the adapter of one provider; it is a catalogue.Factory. It opens no connection. An
// error says what is wrong with the configuration, without quoting its values.
func New(config catalogue.ProviderConfig) (llm.Model, error) {
	return NewWithLimits(config, upstream.DefaultLimits)
}

// NewWithLimits is New with other time limits.
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
	client := upstream.New(upstream.Provider{
		Name:      "Gemini",
		Key:       config.APIKey,
		KeyHeader: "X-Goog-Api-Key",
		Refusal:   newStatusError,
		Limits:    limits,
	})
	library, err := genai.NewClient(context.Background(),
		option.WithHTTPClient(&http.Client{Transport: transport{client}}),
		option.WithEndpoint(base),
		// The transport adds the key. Without this option, the library looks for Google credentials on
		// the machine.
		option.WithoutAuthentication(),
		// The library's client for cached contents only speaks gRPC, and would dial at once and forever.
		// It is never used.
		internaloption.SkipDialSettingsValidation(), gtransport.WithConnPool(noGRPC{}),
	)
	if err != nil {
		return nil, fmt.Errorf("gemini's client: %w", err) // the library does not know the key
	}
	return &Model{library: library, client: client}, nil
}

// baseURL returns the URL to which the library adds /v1beta/models/….
func baseURL(text string) (string, error) {
	if text == "" {
		return publicAddress, nil
	}
	if _, err := baseurl.Parse(text); err != nil {
		return "", fmt.Errorf("gemini's base URL %w", err)
	}
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text, "/"), "/v1beta"), "/"), nil
}

// Generate produces one reply. It retries once, before any text, if Gemini is busy or unreachable
// and the deadline leaves enough time. The usage counts thinking tokens as output, as Google bills
// them; impossible counts are left out. Faults: ModelError, ModelUnavailable, ModelTimeout,
// ContentBlocked. An error of emit is returned unchanged.
func (m *Model) Generate(ctx context.Context, req llm.Request,
	emit func(text string) error) (llm.Reply, error) {
	text := upstream.NewText(emit)
	reply, err := m.generate(ctx, req.WithKnowledge(), text)
	return reply, m.client.Finish(ctx, req.Model, err)
}

func (m *Model) generate(ctx context.Context, req llm.Request,
	text *upstream.Text) (llm.Reply, error) {
	req, end, err := begin(req)
	if err != nil {
		return llm.Reply{}, err
	}
	// Without a deadline the library sets its own, which expires with the request, before the answer
	// is read.
	ctx, cancel := context.WithTimeout(withEnding(ctx, end), upstream.LongestCall)
	defer cancel()
	stream := m.chat(req).SendMessageStream(ctx, genai.Text(req.Message))
	for {
		chunk, err := stream.Next()
		if errors.Is(err, iterator.Done) {
			break
		}
		if err != nil {
			return end.counted(llm.Reply{}, false), err
		}
		if err := text.Add(read(chunk)); err != nil {
			return end.counted(llm.Reply{}, false), err
		}
	}
	reply, err := text.Reply(end.finish, end.word, end.calls.end)
	return end.counted(reply, !end.calls.tooLong()), err
}

// begin returns the data that bypasses the library, and the request for the library.
func begin(req llm.Request) (llm.Request, *ending, error) {
	end := &ending{finish: llm.FinishStop, word: "none", memory: req.Memory}
	copies := int64(requestCopies)
	if needsOwn(req) {
		copies += ownCopies
	}
	if err := req.Memory.Grow(copies * req.EncodedSize()); err != nil {
		return req, nil, err
	}
	if needsOwn(req) {
		end.own = ownOf(req)
		if end.own.contents != nil {
			req.History = nil // end.own.contents includes it
		}
	}
	req.Instructions = llm.WithRules(req)
	if len(req.Actions) > 0 {
		end.calls = &replyCalls{hold: req.Memory}
		if req.Schema != "" {
			req.Instructions = llm.WithSchema(req)
		}
	}
	return req, end, nil
}

// requestCopies is the number of copies of the encoded request in memory: the library's objects,
// and two buffers while its encoder grows one.
const requestCopies = 3

// ownCopies is the number of further copies while the adapter adds its own parts.
const ownCopies = 3

// Rules implements llm.Rules.
func (m *Model) Rules(req llm.Request) string { return llm.RulesOf(req, reduced) }

// reduced returns the part of a schema that is sent.
func reduced(text string) schema.Reduced { return schema.Reduce(text, isSent) }

// isSent reports whether Gemini documents a keyword for its JSON schemas. Formats are left out,
// too; package chat checks the whole schema.
func isSent(keyword string) bool {
	switch keyword {
	case "$defs", "$ref", "type", "title", "description", "enum", "items", "prefixItems", "minItems",
		"maxItems", "minimum", "maximum",
		"anyOf", "oneOf", "properties", "additionalProperties", "required":
		return true
	}
	return false
}

// chat returns a session with the conversation so far.
func (m *Model) chat(req llm.Request) *genai.ChatSession {
	model := m.library.GenerativeModel(req.Model)
	if req.Instructions != "" { // Gemini refuses an empty part
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

// read returns the text of a chunk, which has at most one candidate (see answerBody).
func read(chunk *genai.GenerateContentResponse) string {
	var text strings.Builder
	for _, candidate := range chunk.Candidates {
		if candidate.Content == nil {
			continue
		}
		for _, part := range candidate.Content.Parts {
			if piece, ok := part.(genai.Text); ok {
				text.WriteString(string(piece))
			}
		}
	}
	return text.String()
}
