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
