package conversation

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// Outcome is how a call of the API ended.
type Outcome string

// The outcomes of a call.
const (
	// CallAnswered is a call with a reply, also one that an earlier call was answered with.
	CallAnswered Outcome = "ANSWERED"
	// CallFailed is a call whose turn failed: it cost nothing.
	CallFailed Outcome = "FAILED"
	// CallRefused is a call that began no turn.
	CallRefused Outcome = "REFUSED"
)

// Call is one call of the API: an answered or failed turn, or a call that began none.
type Call struct {
	// ID is the turn's id, or the recorded call's own: a UUIDv7.
	ID        uuid.UUID
	RequestID string
	Outcome   Outcome
	// Code is the public code of the error; nil when the call was answered. Detail is the error's message, for refused calls.
	Code, Detail *string
	AgentID      uuid.UUID
	ExportID     uuid.UUID
	// KeyHint and ClientAddress are known of calls that began no turn.
	KeyHint, ClientAddress *string
	SessionID, UserID      *string
	Model                  *string
	Streamed, Replayed     bool
	// Credits is what the call cost.
	Credits int64
	// The times are in milliseconds since the request arrived, but for ModelMs, which is the model's own; nil where it is not known.
	DurationMs, WaitedMs, ModelMs *int64
	// ConversationID and TurnID are nil for refused calls; for a stored reply they are those of the turn that was answered.
	ConversationID, TurnID *uuid.UUID
}

// PublicID is the call's id in the API, which no turn has: the call of a turn has the turn's id as a UUIDv8 (RFC 9562, 5.8).
func (c Call) PublicID() uuid.UUID {
	if c.TurnID == nil || *c.TurnID != c.ID {
		return c.ID
	}
	return withVersion(c.ID, turnCallVersion)
}

// OfPublicID returns the id of the turn, or of the turnless request, whose call has a public id.
func OfPublicID(id uuid.UUID) (own uuid.UUID, isTurn bool) {
	if id.Version() != turnCallVersion {
		return id, false
	}
	return withVersion(id, 7), true
}

const turnCallVersion = 8

func withVersion(id uuid.UUID, version byte) uuid.UUID {
	id[6] = id[6]&0x0f | version<<4
	return id
}

// At is when the call arrived, in milliseconds.
func (c Call) At() time.Time { return TimeOfID(c.ID) }

// TimeOfID is the time in a UUIDv7, in milliseconds (RFC 9562, 5.7).
func TimeOfID(id uuid.UUID) time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]) >> 16)).UTC()
}

// FirstID is the smallest UUIDv7 of calls that arrived at a time or later.
func FirstID(at time.Time) (id uuid.UUID) {
	ms := at.UnixMilli()
	if at.After(time.UnixMilli(ms)) {
		ms++
	}
	ms = min(max(ms, 0), 1<<48-1)
	binary.BigEndian.PutUint64(id[:8], uint64(ms)<<16)
	return id
}
