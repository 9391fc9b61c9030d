// Package conversation defines conversations and their turns: a turn is one message and, once
// answered, its reply.
package conversation

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Source is the origin of a turn. Each source has its own session IDs.
type Source string

// The sources of a turn.
const (
	// API is the public REST API.
	API Source = "API"
	// Playground is the panel's playground.
	Playground Source = "PLAYGROUND"
	// Test is a run of test cases.
	Test Source = "TEST"
)

// IsAPI reports whether messages of the source come with an API key. Messages of other sources name
// their account and agent. An empty source is API.
func (s Source) IsAPI() bool { return s == "" || s == API }

// Conversation consists of the turns under one session ID of one agent and source. A message
// without a session ID starts a new conversation.
type Conversation struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	AgentID   uuid.UUID
	Source    Source
	// SessionID is the caller's session ID, or a random one.
	SessionID string
	// UserID is the end user of its messages; nil for none. All turns of a conversation have the same.
	UserID *string
	// Continues is the last turn of another conversation that precedes its own turns; nil for none.
	Continues *uuid.UUID
	// TurnCount is the number of the latest turn; turns are numbered from 1 without gaps.
	TurnCount int64
	// FailedTurns is the number of its failed turns, up to a few seconds ago.
	FailedTurns int64
	CreatedAt   time.Time
	LastTurnAt  time.Time
}

// TurnState is the state of a turn.
type TurnState string

// The states of a turn; package chat draws the transitions.
const (
	// Pending is a turn that waits for its model; its price is held.
	Pending TurnState = "PENDING"
	// Answered is a turn whose reply is stored and whose price is charged.
	Answered TurnState = "ANSWERED"
	// Failed is a turn without a reply, which costs nothing.
	Failed TurnState = "FAILED"
)

// Turn is one message, or one request with results of actions, with its reply or failure.
type Turn struct {
	ID             uuid.UUID
	AccountID      uuid.UUID
	AgentID        uuid.UUID
	ConversationID uuid.UUID
	ExportID       *uuid.UUID
	// Number is the turn's position in its conversation, from 1, without gaps.
	Number  int64
	State   TurnState
	Source  Source
	Message string
	// ActionResults are the results instead of a message, as a JSON list of ActionResult. ResultsFor
	// is the turn that requested them, by AskedCalls. MessageNumber is the number of the turn whose
	// message started the chain. All are nil for a message.
	ActionResults *string
	ResultsFor    *uuid.UUID
	AskedCalls    *string
	MessageNumber *int64
	Reply         *string
	// ActionCalls are the actions that the reply requests, as a JSON list of ActionCall, and
	// CallsState is their state; nil and empty for none.
	ActionCalls *string
	CallsState  CallsState
	// Structured means that the reply is JSON that matches the version's reply schema. RejectedReply
	// is an excerpt of the last rejected reply of a failed turn; nil for none.
	Structured    bool
	RejectedReply *string
	// Knowledge is the agent's knowledge in the prompt, and the citations of the reply, in package
	// chat's encoding; nil for none.
	Knowledge *string
	// UserID is the end user of the conversation; nil for none.
	UserID *string
	// Variables are the values that came with the message; empty for none.
	Variables map[string]string
	// ErrorCode is the public code of a failed turn.
	ErrorCode *string
	// ProviderStatus, ProviderCode and ProviderError are the fields of ProviderRefusal; nil for none.
	ProviderStatus *int
	ProviderCode   *string
	ProviderError  *string
	FinishReason   *string
	// Version is the version of the agent that answered; nil for the playground's draft.
	Version *int
	// Model is the model that answered or failed, or of a pending turn, the agent's model. Fallback
	// means that it is the fallback model.
	Model    string
	Fallback bool
	// Background means that no caller waits for the reply.
	Background bool
	// Price is the amount that the turn holds while pending and costs when answered, in whole credits.
	Price        int64
	InputTokens  *int64
	OutputTokens *int64
	// EarlierTurns is the number of earlier turns in the prompt of the last model call; nil without a
	// call.
	EarlierTurns *int
	RequestID    string
	CreatedAt    time.Time
	SettledAt    *time.Time
	// WaitedMs is the time until the turn began, and FirstTextMs the time until the first text of a
	// streamed reply was sent, in milliseconds since the request arrived; nil if unknown.
	WaitedMs, FirstTextMs *int64
	// TotalMs is the time until the turn was settled, in milliseconds since the request arrived; nil if
	// unknown.
	TotalMs *int64 `bun:"duration_ms"`
}

// EarlierTurn is an answered turn in the context of a later turn.
type EarlierTurn struct {
	// Reply contains everything that the agent replied to the message, including after results of
	// actions.
	Message, Reply string
	// InputTokens and OutputTokens are the usage that the model reported for the turn, and InputBytes
	// is the size of its prompt in bytes; nil if unknown. Another model's tokens count as unknown.
	InputTokens, InputBytes, OutputTokens *int64
}

// ProviderRefusal is the refusal of a model's provider.
type ProviderRefusal struct {
	// Status is its HTTP status and Code its error code; nil if unknown.
	Status *int
	Code   *string
	// Message is its text without secrets; nil unless the message or the agent's settings caused it.
	Message *string
}

// ProviderRefusal returns the refusal that failed the turn; nil for none.
func (t Turn) ProviderRefusal() *ProviderRefusal {
	if t.ProviderStatus == nil && t.ProviderCode == nil && t.ProviderError == nil {
		return nil
	}
	return &ProviderRefusal{t.ProviderStatus, t.ProviderCode, t.ProviderError}
}

// Output returns the reply as JSON text; nil for a reply of text, or without a reply.
func (t Turn) Output() *string {
	if !t.Structured {
		return nil
	}
	return t.Reply
}

// Credits returns the cost of the turn, in whole credits: 0 unless it was answered.
func (t Turn) Credits() int64 {
	if t.State != Answered {
		return 0
	}
	return t.Price
}

// DurationMs returns the time from the arrival of the request until the turn was settled, in whole
// milliseconds; nil while it is pending. If the arrival is unknown, it counts from the turn's begin.
func (t Turn) DurationMs() *int64 {
	switch {
	case t.SettledAt == nil:
		return nil
	case t.TotalMs != nil:
		return t.TotalMs
	}
	ms := max(t.SettledAt.Sub(t.CreatedAt).Milliseconds(), 0)
	return &ms
}

// Body is the decoded body of a request.
type Body struct {
	Message string
	// Session is the conversation's session ID; nil for a new conversation.
	Session *string
	// UserID is the end user; nil for none. Variables are values by name.
	UserID    *string
	Variables map[string]string
	// Results are a request's results of actions, from ActionResults.Text; empty for a message.
	Results string
	// Version and Model are the playground's choice of a version and a model; nil and empty for none.
	Version *int
	Model   string
	// ContinueFrom is the turn that the playground continues; nil for none.
	ContinueFrom *uuid.UUID
	// History has the earlier turns sent with the message; only test runs send any.
	History []EarlierTurn
}

// Fingerprint identifies the decoded body of a request, to distinguish a retry from a different
// request with the same idempotency key. A missing session ID differs from every session ID.
func (b Body) Fingerprint() [sha256.Size]byte {
	var text []byte
	add := func(tag byte, part string) {
		text = binary.BigEndian.AppendUint64(append(text, tag), uint64(len(part)))
		text = append(text, part...)
	}
	add(0, b.Message)
	text = text[1:] // without a tag, like the stored fingerprints of older versions
	if b.Version != nil {
		text = binary.BigEndian.AppendUint64(append(text, 2), uint64(*b.Version))
	}
	if b.Model != "" {
		add(6, b.Model)
	}
	if b.ContinueFrom != nil {
		add(7, b.ContinueFrom.String())
	}
	if b.Results != "" {
		add(8, b.Results)
	}
	if b.UserID != nil {
		add(3, *b.UserID)
	}
	for _, e := range b.History {
		add(9, e.Message)
		add(10, e.Reply)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Variables)) {
		add(4, name)
		add(5, b.Variables[name])
	}
	if b.Session != nil { // the last part needs no length
		text = append(append(text, 1), *b.Session...)
	}
	return sha256.Sum256(text)
}
