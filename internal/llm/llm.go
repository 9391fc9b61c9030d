// Package llm defines Model, the interface between the service and the language models. The adapters are in the packages below;
// package catalogue knows the models and their prices.
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
	// FinishLength is a reply that was cut at its output limit, or because the service had no memory for the rest.
	FinishLength FinishReason = "length"
	// FinishActions is a reply that asks for actions. Package chat sets it: an adapter returns the calls, with FinishStop.
	FinishActions FinishReason = "actions"
	// FinishBlocked is a reply whose rest the model's safety rules refused. Later turns of the conversation do not see it.
	FinishBlocked FinishReason = "content_blocked"
)

var (
	// ErrTooLong is in the chain of the error for a reply that is longer than the service accepts.
	ErrTooLong = errors.New("the reply is too long")
	// ErrAnswered is in the chain of the error for an answer that the provider gave, and the service had no memory to take.
	ErrAnswered = errors.New("the provider answered")
	// ErrProvider is in the chain of the error for a failure that only the provider or the operator can bring about: the connection was
	// not made or broke, no header of an answer came in time, the status was 5xx or refused the key or the model's name, or what was sent
	// is no reply. Nobody pays for those, not even for text that was sent before.
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
	// Account is for whom the model is called. Providers are not told.
	Account uuid.UUID
	// Model is the model's name at its provider.
	Model string
	// Instructions are the agent's instructions, complete.
	Instructions string
	// History holds the earlier turns, oldest first.
	History []EarlierTurn
	// Message is the current message.
	Message string
	// Knowledge is what the model is given of the agent's knowledge; nil for an agent without. An adapter sends it by WithKnowledge.
	Knowledge *Knowledge
	// TurnNumber is the number of the message in its conversation, from 1; 0 when unknown. It can be greater than
	// len(History)+1, because History is limited.
	TurnNumber int64
	// Temperature is the sampling temperature, 0 to 2; nil leaves the provider's default.
	Temperature *float64
	// MaxOutputTokens bounds the reply; nil leaves the provider's default.
	MaxOutputTokens *int
	// Schema is a JSON Schema that the reply shall fit, as text that schema.Parse has accepted; empty for a reply of text. The adapter asks
	// for it in its provider's way. What comes is checked by package chat.
	Schema string
	// Actions are what the model may ask for. With them an adapter gives Schema as text (see WithSchema), never as a format.
	Actions []Action
	// Answered means that the model may ask for none of Actions now. They stay in the request for providers that refuse calls without
	// what was called.
	Answered bool
	// Steps are the model's replies to Message so far, oldest first, each of which asked for actions.
	Steps []Step
	// Attempt is 2 for the second attempt at a reply that fits Schema, or whose calls fit their actions. What was wrong with the first one
	// is then in Message, and the first one is the last of History, with the message; or it is in the results of the last of Steps.
	Attempt int
	// Fallback means that another model was asked for this reply before, and could not give it.
	Fallback bool
	// Memory is what the adapter takes memory from, for all that it makes of this request and for what it reads of an answer at a time. The
	// texts here and the reply's pieces are not the adapter's. nil has no bound.
	Memory *memory.Hold
}

// Action is what the caller can do for the model.
type Action struct {
	Name        string
	Description string
	// Parameters is the JSON Schema of its arguments, an object, as text that schema.Parse has accepted.
	Parameters string
}

// Call is an action that a model asks for.
type Call struct {
	// ID is the caller's name for it: at most 64 of [A-Za-z0-9_-]. An adapter leaves it empty.
	ID string `json:"id"`
	// Name is as the model gave it: it may be none of the actions.
	Name string `json:"name"`
	// Arguments is JSON as the model wrote it, and may be cut or no object; "{}" where it gave none.
	Arguments string `json:"arguments"`
	// Provider is what the adapter needs to send the call again, such as the provider's id or a signature; empty for nothing.
	Provider string `json:"provider,omitempty"`
}

// Step is a reply that asked for actions, and what came of them.
type Step struct {
	// Text is what the model said beside its calls; it may be empty.
	Text  string
	Calls []Call
	// Provider is the Reply's; empty where another model gave the reply. So is that of Calls then.
	Provider string
	// Results are those of Calls, in their order.
	Results []ActionResult
}

// ActionResult is what came of a call.
type ActionResult struct {
	// Result is JSON, Error what went wrong; one of them is empty.
	Result string
	Error  string
}

// WithSchema returns a request's instructions with its schema as text, for a provider that takes none.
func WithSchema(r Request) string {
	return strings.TrimSpace(r.Instructions + "\n\nReply with nothing but one JSON object that fits this JSON Schema:\n" + r.Schema)
}

// EncodedSize is how many bytes the request has at most in a provider's JSON, as long as that escapes nothing for HTML.
func (r Request) EncodedSize() int64 {
	const beside = 128 // of each text
	size := 1<<10 + memory.JSON(r.Instructions) + memory.JSON(r.Message) + memory.JSON(r.Schema)
	for _, e := range r.History {
		size += 2*beside + memory.JSON(e.User) + memory.JSON(e.Assistant)
	}
	if r.Knowledge != nil {
		size += memory.JSON(r.Knowledge.Block)
	}
	for _, a := range r.Actions {
		size += 2*beside + memory.JSON(a.Name) + memory.JSON(a.Description) + memory.JSON(a.Parameters)
	}
	for _, s := range r.Steps {
		size += beside + memory.JSON(s.Text) + memory.JSON(s.Provider)
		for _, c := range s.Calls {
			size += 2*beside + memory.JSON(c.Name) + memory.JSON(c.Arguments) + memory.JSON(c.Provider)
		}
		for _, a := range s.Results {
			size += beside + memory.JSON(a.Result) + memory.JSON(a.Error)
		}
	}
	return size
}

// Reply is a complete reply.
type Reply struct {
	// Text is never empty, unless there are calls. A reply with text is never an error, whatever reason the model gives for its end.
	Text string
	// Calls are the actions that the model asks for, in its order; those of a reply that was cut (FinishLength) may be cut, too.
	Calls []Call
	// Provider is what the adapter needs to send this reply again as a Step to the same model, such as the provider's whole message; empty
	// for nothing. Only for a reply with calls.
	Provider string
	// Finish is why the reply ended.
	Finish FinishReason
	// InputTokens and OutputTokens are the usage that the provider reported, unchecked; nil when it reported none.
	InputTokens  *int64
	OutputTokens *int64
}

// Model produces replies. Implementations are safe for concurrent use and stop when the context ends.
//
// Faults: fault.ModelError, ModelUnavailable, ModelTimeout, ContentBlocked, and Unavailable when no memory is left, with ErrAnswered in its
// chain if that was for the answer. Any other error counts as ModelError. The text of an error contains neither provider text, which may
// quote the prompt, nor a credential, so it can be logged.
type Model interface {
	// Generate produces one reply. If emit is not nil, it is called with each piece of text as it arrives, in order and in one
	// goroutine. An error of emit ends the call and is returned.
	Generate(ctx context.Context, req Request, emit func(text string) error) (Reply, error)
}
