// Package llm holds Model, the one interface between the service and the language models, and the types that cross it.
// Adapters live in the packages below; the catalogue of models and prices is in llm/catalogue.
package llm

import "context"

// FinishReason says why a reply ended.
type FinishReason string

// The finish reasons of the public API.
const (
	// FinishStop is a reply that the model ended itself.
	FinishStop FinishReason = "stop"
	// FinishLength is a reply that was cut at its output limit.
	FinishLength FinishReason = "length"
)

// Exchange is one whole earlier turn: what the user said and what the model answered.
type Exchange struct {
	User      string
	Assistant string
}

// Request is all that a model is given for one reply.
type Request struct {
	// Model is the model's name at its provider.
	Model string
	// Instructions are the agent's, always whole.
	Instructions string
	// History holds the earlier turns, oldest first.
	History []Exchange
	// Message is the current message.
	Message string
	// TurnNumber is the message's number in its conversation, from 1; 0 when unknown. History may be bounded, so it can be
	// greater than len(History)+1.
	TurnNumber int64
	// Temperature is the sampling temperature, 0 to 2; nil leaves the provider's default.
	Temperature *float64
	// MaxOutputTokens bounds the reply; nil leaves the provider's default.
	MaxOutputTokens *int
}

// Reply is a model's whole reply.
type Reply struct {
	Text   string
	Finish FinishReason
	// InputTokens and OutputTokens are what the provider reported, unchecked; nil when it reported nothing.
	InputTokens  *int64
	OutputTokens *int64
}

// Model produces replies. Implementations are safe for concurrent use and stop when the context ends.
//
// Faults: fault.ModelError, ModelUnavailable, ModelTimeout, ContentBlocked. Any other error counts as ModelError. An error's
// text holds neither provider text, which may quote the prompt, nor a credential: it can go to the log.
type Model interface {
	// Generate produces one reply. emit, when not nil, is called with each piece of text as it arrives, in order and from
	// one goroutine; an error from it ends the generation and is returned.
	Generate(ctx context.Context, req Request, emit func(text string) error) (Reply, error)
}
