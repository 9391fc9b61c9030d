// Package llm defines Model, the interface between the service and the language models. The
// adapters are in the packages below; package catalogue holds the models and their prices.
package llm

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/memory"
)

// FinishReason says why a reply ended.
type FinishReason string

// The finish reasons of the public API.
const (
	// FinishStop is a reply that the model completed.
	FinishStop FinishReason = "stop"
	// FinishLength is a reply that was cut at its output limit, or because the service ran out of
	// memory.
	FinishLength FinishReason = "length"
	// FinishActions is a reply that requests actions. Package chat sets it: an adapter returns the
	// calls with FinishStop.
	FinishActions FinishReason = "actions"
	// FinishBlocked is a reply that the model's safety rules cut off. Later turns of the conversation
	// do not include it.
	FinishBlocked FinishReason = "content_blocked"
)

var (
	// ErrTooLong marks an error for a reply that is longer than the service accepts.
	ErrTooLong = errors.New("the reply is too long")
	// ErrAnswered marks an error for an answer that arrived but did not fit into the service's memory.
	ErrAnswered = errors.New("the provider answered")
	// ErrProvider marks a failure that only the provider or the operator can cause: no connection or a
	// broken one, no response header in time, a 5xx status, a refused key or model name, or an answer
	// that is not a reply. Such calls are free, even after some text was sent.
	ErrProvider = errors.New("the provider failed")
)

// EarlierTurn is one earlier turn of a conversation.
type EarlierTurn struct {
	// User is the user's message.
	User string
	// Assistant is the model's reply.
	Assistant string
}

// Request is the input for one reply.
type Request struct {
	// Account is the account that pays for the call. It is not sent to the provider.
	Account uuid.UUID
	// Model is the model's name at its provider.
	Model string
	// Instructions are the agent's instructions, complete.
	Instructions string
	// History holds the earlier turns, oldest first.
	History []EarlierTurn
	// Message is the current message.
	Message string
	// Knowledge is the agent's knowledge for this request; nil for none. Adapters insert it with
	// WithKnowledge.
	Knowledge *Knowledge
	// TurnNumber is the number of the message in its conversation, from 1; 0 if unknown. It can be
	// greater than len(History)+1, because History is limited.
	TurnNumber int64
	// Temperature is the sampling temperature, 0 to 2; nil leaves the provider's default.
	Temperature *float64
	// MaxOutputTokens bounds the reply; nil leaves the provider's default.
	MaxOutputTokens *int
	// Schema is the JSON Schema for the reply, as text that schema.Parse has accepted; empty for a
	// reply of plain text. The adapter requests it in its provider's way. Package chat validates the
	// reply.
	Schema string
	// Actions are the actions that the model may call. With actions, an adapter sends Schema as text
	// (see WithSchema), never as a format.
	Actions []Action
	// Rules are the rules of Schema and Actions that the adapter's formats do not state, as text (see
	// the function Rules). The adapter appends them to Instructions, unless it sends Schema as text.
	Rules string
	// Answered forbids further calls. Actions stay in the request for providers that refuse earlier
	// calls of undeclared tools.
	Answered bool
	// Steps are the model's replies to Message so far, oldest first. Each requested actions.
	Steps []Step
	// Attempt is 2 for the second attempt at a reply that matches Schema, or whose calls match their
	// actions. Message then describes the violation, and the first attempt is the last entry of
	// History, with the original message. For calls, the results of the last step describe it.
	Attempt int
	// Fallback means that another model was tried for this reply and failed.
	Fallback bool
	// CacheKey groups requests with the same beginning for the provider's cache; empty for none.
	CacheKey string
	// Memory is the account from which the adapter takes memory: for everything it builds from this
	// request, and for the part of the answer that it is reading. The texts in the request and the
	// pieces of the reply are not counted here. nil has no bound.
	Memory *memory.Hold
}

// Action is something that the caller can do for the model.
type Action struct {
	Name        string
	Description string
	// Parameters is the JSON Schema of its arguments, an object, as text that schema.Parse has
	// accepted.
	Parameters string
}

// Call is a model's request for an action.
type Call struct {
	// ID is the service's id for the call: at most 64 characters of [A-Za-z0-9_-]. An adapter leaves
	// it empty.
	ID string `json:"id"`
	// Name is the name that the model gave, which may not be one of the actions.
	Name string `json:"name"`
	// Arguments is JSON as the model wrote it: it may be cut, or not an object; "{}" if the model gave
	// none.
	Arguments string `json:"arguments"`
	// ProviderState holds what the adapter needs to send the call again, such as the provider's id or
	// a signature; empty if it needs nothing.
	ProviderState string `json:"provider,omitempty"`
}

// Step is a reply that requested actions, with their results.
type Step struct {
	// Text is the text that came with the calls; it may be empty.
	Text  string
	Calls []Call
	// ProviderState is Reply.ProviderState; empty if another model gave the reply. Call.ProviderState
	// is empty then, too.
	ProviderState string
	// Results are the results of Calls, in the same order.
	Results []ActionResult
}

// ActionResult is the result of a call.
type ActionResult struct {
	// Result is JSON; Error is an error message. One of them is empty.
	Result string
	Error  string
}

// WithSchema returns a request's instructions with its schema as text, for a provider that has no
// format for schemas.
func WithSchema(r Request) string {
	return strings.TrimSpace(r.Instructions +
		"\n\nReply with nothing but one JSON object that fits this JSON Schema:\n" + r.Schema)
}

// EncodedSize returns an upper bound for the request's size in a provider's JSON, in bytes. It
// assumes that the encoder does not escape HTML.
func (r Request) EncodedSize() int64 {
	const overhead = 128 // bytes of names and punctuation per text
	size := 1<<10 + memory.JSON(r.Instructions) + memory.JSON(r.Message) + memory.JSON(r.Schema) +
		memory.JSON(r.Rules)
	for _, e := range r.History {
		size += 2*overhead + memory.JSON(e.User) + memory.JSON(e.Assistant)
	}
	if r.Knowledge != nil {
		size += memory.JSON(r.Knowledge.Block)
	}
	for _, a := range r.Actions {
		size += 2*overhead + memory.JSON(a.Name) + memory.JSON(a.Description) + memory.JSON(a.Parameters)
	}
	for _, s := range r.Steps {
		size += overhead + memory.JSON(s.Text) + memory.JSON(s.ProviderState)
		for _, c := range s.Calls {
			size += 2*overhead + memory.JSON(c.Name) + memory.JSON(c.Arguments) +
				memory.JSON(c.ProviderState)
		}
		for _, a := range s.Results {
			size += overhead + memory.JSON(a.Result) + memory.JSON(a.Error)
		}
	}
	return size
}

// Reply is a complete reply.
type Reply struct {
	// Text is empty only if there are calls. A reply with text is never an error, whatever the finish
	// reason.
	Text string
	// Calls are the actions that the model requests, in its order. In a cut reply (FinishLength), the
	// calls may be cut, too.
	Calls []Call
	// ProviderState holds what the adapter needs to send this reply again as a Step to the same model,
	// such as the provider's whole message; empty if it needs nothing. Only replies with calls have
	// it.
	ProviderState string
	// Finish is why the reply ended.
	Finish FinishReason
	// InputTokens and OutputTokens are the usage that the provider reported, unchecked; nil if it
	// reported none. OutputTokens is nil, too, if the answer was not read to its end.
	InputTokens  *int64
	OutputTokens *int64
	// CachedTokens is the part of InputTokens that the provider had cached; nil if it reported none.
	CachedTokens *int64
	// Accepted means that the provider may bill the call: it answered with status 200, or the request
	// was sent and got no response. Along with an error, a reply has this field and the usage that was
	// read so far.
	Accepted bool
}

// Model produces replies. Implementations are safe for concurrent use and stop when the context
// ends.
//
// Faults: fault.ModelError, ModelUnavailable, ModelTimeout, ContentBlocked, and Unavailable if
// memory ran out, with ErrAnswered in its chain if the answer did not fit. Any other error counts
// as ModelError. The text of an error contains no credential and no text of the provider, which may
// quote the prompt, so it can be logged.
type Model interface {
	// Generate produces one reply. If emit is not nil, it receives each piece of text on arrival, in
	// order and in one goroutine. An error of emit ends the call and is returned.
	Generate(ctx context.Context, req Request, emit func(text string) error) (Reply, error)
}
