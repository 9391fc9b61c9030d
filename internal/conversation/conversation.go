// Package conversation holds conversations and their turns: a turn is one message and, once answered, its reply.
package conversation

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// Source says through which door a turn came. Labels of different sources never meet.
type Source string

// The sources of a turn.
const (
	API        Source = "API"
	Playground Source = "PLAYGROUND"
)

// Conversation is the turns under one label, of one agent and one source. A message without a label begins one of its own.
type Conversation struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	AgentID   uuid.UUID
	Source    Source
	// SessionID is the label, as the caller gave it or as it was made up.
	SessionID string
	// TurnCount is the number of the latest turn; turns are numbered from 1 without gaps.
	TurnCount  int64
	CreatedAt  time.Time
	LastTurnAt time.Time
}

// TurnState is where a turn stands.
type TurnState string

// The states of a turn; see package chat for how they follow each other.
const (
	Pending  TurnState = "PENDING"
	Answered TurnState = "ANSWERED"
	Failed   TurnState = "FAILED"
)

// Turn is one message with what became of it.
type Turn struct {
	ID             uuid.UUID
	AccountID      uuid.UUID
	AgentID        uuid.UUID
	ConversationID uuid.UUID
	ExportID       *uuid.UUID
	// Number is the turn's place in its conversation, from 1, without gaps.
	Number  int64
	State   TurnState
	Source  Source
	Message string
	Reply   *string
	// ErrorCode is the public code of a failed turn.
	ErrorCode    *string
	FinishReason *string
	Model        string
	// Price is what the turn holds while pending and takes when answered, in whole credits.
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

// Credits is what the turn took, in whole credits: nothing unless it was answered.
func (t Turn) Credits() int64 {
	if t.State != Answered {
		return 0
	}
	return t.Price
}

// DurationMs is how long the turn took from its beginning to its settling, in whole milliseconds; nil while it is under way.
func (t Turn) DurationMs() *int64 {
	if t.SettledAt == nil {
		return nil
	}
	ms := max(t.SettledAt.Sub(t.CreatedAt).Milliseconds(), 0)
	return &ms
}

// Fingerprint identifies the decoded body of a request, for telling a retry from another request under the same idempotency
// key. An absent session label differs from every label that was given.
func Fingerprint(message, session string, hasSession bool) [sha256.Size]byte {
	h := sha256.New()
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(message)))
	_, _ = h.Write(length[:])
	_, _ = h.Write([]byte(message))
	if hasSession {
		_, _ = h.Write([]byte{1})
		_, _ = h.Write([]byte(session))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
