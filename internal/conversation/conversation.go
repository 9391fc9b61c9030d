// Package conversation defines conversations and their turns: a turn is one message and, once answered, its reply.
package conversation

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Source is where a turn came from. Each source has its own session IDs.
type Source string

// The sources of a turn.
const (
	// API is the public REST API.
	API Source = "API"
	// Playground is the panel's playground.
	Playground Source = "PLAYGROUND"
)

// Conversation is the turns under one session ID of one agent and source. A message without a session ID starts a new conversation.
type Conversation struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	AgentID   uuid.UUID
	Source    Source
	// SessionID is what the caller gave, or random.
	SessionID string
	// UserID is the end user whom its messages name; nil for none. All turns of a conversation have the same.
	UserID *string
	// Continues is the turn up to which it reads another conversation before its own turns; nil for none.
	Continues *uuid.UUID
	// TurnCount is the number of the latest turn; turns are numbered from 1 without gaps.
	TurnCount int64
	// FailedTurns is how many of its turns have failed, up to a few seconds ago.
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

// Turn is one message, or the results of actions in its place, and its reply or failure.
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
	// ActionResults are what it brings in place of a message, as a JSON list of ActionResult. ResultsFor is the turn that asked for them,
	// with AskedCalls, and MessageNumber that of the turn whose message they go on with. nil for a message.
	ActionResults *string
	ResultsFor    *uuid.UUID
	AskedCalls    *string
	MessageNumber *int64
	Reply         *string
	// ActionCalls are what the reply asks for, as a JSON list of ActionCall, and CallsState is what became of them; nil and empty for none.
	ActionCalls *string
	CallsState  CallsState
	// Shaped means that the reply is JSON that fits the version's reply schema. Misfit is an excerpt of the last reply
	// of a failed turn that did not fit; nil for none.
	Shaped bool
	Misfit *string
	// Knowledge is what the model was given of the agent's knowledge, and what of it the reply cites, as package chat writes it; nil for
	// none.
	Knowledge *string
	// UserID is the end user of the conversation; nil for none.
	UserID *string
	// Variables are the values that came with the message; empty for none.
	Variables map[string]string
	// ErrorCode is the public code of a failed turn.
	ErrorCode    *string
	FinishReason *string
	// Version is the version of the agent that answered; nil for the playground's draft.
	Version *int
	// Model is the model that answered or failed, and Fallback says that it is the fallback model; of a pending turn, the agent's model.
	Model    string
	Fallback bool
	// Price is what the turn holds while pending and costs when answered, in whole credits.
	Price        int64
	InputTokens  *int64
	OutputTokens *int64
	// EarlierTurns is the number of earlier turns in the prompt of the last model call; nil without a call.
	EarlierTurns *int
	RequestID    string
	CreatedAt    time.Time
	SettledAt    *time.Time
	// WaitedMs is the time until the turn began, and FirstTextMs until the first text of a streamed reply was sent, in milliseconds since
	// the request arrived; nil where it is not known.
	WaitedMs, FirstTextMs *int64
}

// EarlierTurn is an answered turn as part of a later turn's context.
type EarlierTurn struct {
	// Reply has all that the agent said to the message, also after results of actions.
	Message, Reply string
	// InputTokens and OutputTokens are what the model reported for the turn, and InputBytes is the size of its prompt in bytes; nil
	// where it is not known. Another model's tokens count as not known.
	InputTokens, InputBytes, OutputTokens *int64
}

// Output is the reply as JSON text; nil for a reply of text, and for none.
func (t Turn) Output() *string {
	if !t.Shaped {
		return nil
	}
	return t.Reply
}

// Credits is what the turn cost, in whole credits: 0 unless it was answered.
func (t Turn) Credits() int64 {
	if t.State != Answered {
		return 0
	}
	return t.Price
}

// DurationMs is the time from the turn's beginning to its end in whole milliseconds; nil while it is pending.
func (t Turn) DurationMs() *int64 {
	if t.SettledAt == nil {
		return nil
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
	// Results are a request's results of actions, by ActionResults.Text; empty for a message.
	Results string
	// Version and Model are the version and the model that the playground chose; nil and empty for none.
	Version *int
	Model   string
	// ContinueFrom is the turn from which the playground continues; nil for none.
	ContinueFrom *uuid.UUID
}

// Fingerprint identifies the decoded body of a request, to tell a retry from a different request with the same idempotency key. A
// missing session ID differs from every session ID.
func (b Body) Fingerprint() [sha256.Size]byte {
	var text []byte
	add := func(tag byte, part string) {
		text = binary.BigEndian.AppendUint64(append(text, tag), uint64(len(part)))
		text = append(text, part...)
	}
	add(0, b.Message)
	text = text[1:] // the first release, whose fingerprints are still compared, wrote no tag here
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
	for _, name := range slices.Sorted(maps.Keys(b.Variables)) {
		add(4, name)
		add(5, b.Variables[name])
	}
	if b.Session != nil { // nothing follows, so it needs no length
		text = append(append(text, 1), *b.Session...)
	}
	return sha256.Sum256(text)
}
