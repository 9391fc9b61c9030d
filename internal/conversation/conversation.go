// Package conversation defines conversations and their turns: a turn is one message and, once answered, its reply.
package conversation

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// Source is where a turn came from. Each source has its own session labels.
type Source string

// The sources of a turn.
const (
	// API is the public REST API.
	API Source = "API"
	// Playground is the panel's playground.
	Playground Source = "PLAYGROUND"
)

// Conversation is the turns under one label of one agent and source. A message without a label starts a new conversation.
type Conversation struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	AgentID   uuid.UUID
	Source    Source
	// SessionID is the label that the caller gave, or a random one.
	SessionID string
	// TurnCount is the number of the latest turn; turns are numbered from 1 without gaps.
	TurnCount  int64
	CreatedAt  time.Time
	LastTurnAt time.Time
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

// Turn is one message and its reply or failure.
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
	Reply   *string
	// ErrorCode is the public code of a failed turn.
	ErrorCode    *string
	FinishReason *string
	// Version is the version of the agent that answered; nil for the playground's draft, and for turns from before versions.
	Version *int
	Model   string
	// Price is what the turn holds while pending and costs when answered, in whole credits.
	Price        int64
	InputTokens  *int64
	OutputTokens *int64
	RequestID    string
	CreatedAt    time.Time
	SettledAt    *time.Time
}

// Exchange is an answered turn as part of a later turn's context.
type Exchange struct {
	Message, Reply string
	// InputTokens and OutputTokens are what the model reported for the turn, and InputBytes is the size of its prompt in bytes; nil
	// where it is not known. Another model's tokens count as not known.
	InputTokens, InputBytes, OutputTokens *int64
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

// Fingerprint identifies the decoded body of a request, to tell a retry from a different request with the same idempotency key. A
// missing session label differs from every label. version is the version that the playground chose; nil for none.
func Fingerprint(message, session string, hasSession bool, version *int) [sha256.Size]byte {
	h := sha256.New()
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(message)))
	_, _ = h.Write(length[:])
	_, _ = h.Write([]byte(message))
	if version != nil {
		_, _ = h.Write([]byte{2})
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(*version)))
	}
	if hasSession {
		_, _ = h.Write([]byte{1})
		_, _ = h.Write([]byte(session))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
