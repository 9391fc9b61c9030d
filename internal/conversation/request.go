package conversation

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// Outcome is the outcome of a request.
type Outcome string

// The outcomes of a request.
const (
	// RequestAnswered is a request with a reply: its own, or the stored reply of an earlier request.
	RequestAnswered Outcome = "ANSWERED"
	// RequestFailed is a request whose turn failed: it cost nothing.
	RequestFailed Outcome = "FAILED"
	// RequestRefused is a request that was rejected before it began a turn.
	RequestRefused Outcome = "REFUSED"
)

// Request is one HTTP request of a caller to the chat API: an answered or failed turn, or a
// rejected request.
type Request struct {
	// ID is the turn's id, or a rejected request's own: a UUIDv7.
	ID        uuid.UUID
	RequestID string
	Outcome   Outcome
	// Code is the public code of the error; nil if the request was answered. Detail is the error's
	// message, for rejected requests.
	Code, Detail *string
	AgentID      uuid.UUID
	ExportID     uuid.UUID
	// KeyHint and ClientAddress are only stored for rejected requests.
	KeyHint, ClientAddress *string
	SessionID, UserID      *string
	Model                  *string
	Streamed, Replayed     bool
	// Background means that no caller waited for the reply.
	Background bool
	// Credits is the cost of the request.
	Credits int64
	// DurationMs and WaitedMs are in milliseconds since the request arrived. ModelMs is the duration
	// of the model call. All are nil if unknown.
	DurationMs, WaitedMs, ModelMs *int64
	// ConversationID and TurnID are nil for rejected requests; for a stored reply they are those of
	// the turn that was answered.
	ConversationID, TurnID *uuid.UUID
}

// PublicID returns the request's id in the API. For a request with a turn, that is the turn's id as
// a UUIDv8 (RFC 9562, 5.8), so that the two differ.
func (r Request) PublicID() uuid.UUID {
	if r.TurnID == nil || *r.TurnID != r.ID {
		return r.ID
	}
	return PublicIDOfTurn(r.ID)
}

// PublicIDOfTurn returns the public id of the request that began a turn.
func PublicIDOfTurn(turn uuid.UUID) uuid.UUID { return withVersion(turn, turnRequestVersion) }

// OfPublicID returns the database's id for a public id: that of a turn or of a rejected request.
func OfPublicID(id uuid.UUID) (own uuid.UUID, isTurn bool) {
	if id.Version() != turnRequestVersion {
		return id, false
	}
	return withVersion(id, 7), true
}

const turnRequestVersion = 8

func withVersion(id uuid.UUID, version byte) uuid.UUID {
	id[6] = id[6]&0x0f | version<<4
	return id
}

// At returns the time when the request arrived, in milliseconds.
func (r Request) At() time.Time { return TimeOfID(r.ID) }

// TimeOfID returns the time in a UUIDv7, in milliseconds (RFC 9562, 5.7).
func TimeOfID(id uuid.UUID) time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(id[:8]) >> 16)).UTC()
}

// FirstID returns the smallest UUIDv7 of requests that arrived at a time or later.
func FirstID(at time.Time) (id uuid.UUID) {
	ms := at.UnixMilli()
	if at.After(time.UnixMilli(ms)) {
		ms++
	}
	ms = min(max(ms, 0), 1<<48-1)
	binary.BigEndian.PutUint64(id[:8], uint64(ms)<<16)
	return id
}
