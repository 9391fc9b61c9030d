package chat

import (
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/llm"
)

// Request is one message as it came in through the REST edge, already checked for form.
type Request struct {
	Key apikey.Hash
	// Message is stored and sent exactly as given.
	Message string
	// Session is the conversation's label; nil asks for a new conversation under a random label.
	Session *string
	// IdempotencyKey is empty when the caller gave none.
	IdempotencyKey string
	RequestID      string
	// Stream is told of the reply while it comes; nil for callers who wait for the whole.
	Stream Stream
	// Admitted says that Admit has accepted the key and spent the rate for this request already.
	Admitted bool
}

// Stream is told of a reply while it comes. The Service calls its methods one after another, and waits for them: they must not
// wait for a client. After Send has returned none is called any more.
type Stream interface {
	// Begun is called when the turn has begun, before its model is asked. A refusal comes instead of it, and so does a replay.
	Begun(begun Begun)
	// Text is called with each piece of the reply. The pieces make up exactly the reply that is stored.
	Text(piece string)
}

// Begun is what is known of a turn when it begins.
type Begun struct {
	MessageID uuid.UUID
	Session   string
	// Caller is nil for the playground.
	Caller *Caller
}

// FinishStopped is the finish reason of a playground's reply that its reader stopped; models end with those of package llm.
const FinishStopped llm.FinishReason = "stopped"

// Caller is what is known about whoever holds a valid key.
type Caller struct {
	AccountID uuid.UUID
	AgentID   uuid.UUID
	ExportID  uuid.UUID
	KeyID     uuid.UUID
	Rate      Rate
}

// Rate is where an export's rate stands after a request: a steady rate with a burst of one minute's worth.
type Rate struct {
	// Limit is the number of requests a minute.
	Limit int
	// Remaining is how many requests would be accepted right now.
	Remaining int
	// Reset is the time until the whole burst is there again.
	Reset time.Duration
}

// Answer is a stored reply.
type Answer struct {
	MessageID    uuid.UUID
	Session      string
	Reply        string
	FinishReason llm.FinishReason
	Model        string
	Credits      int64
	// CreditsRemaining is what was available after this message was first answered.
	CreditsRemaining int64
	// InputTokens and OutputTokens are nil when the model reported none, or nonsense.
	InputTokens  *int64
	OutputTokens *int64
	// Replayed marks the stored reply to an earlier request under the same idempotency key.
	Replayed bool
}

// Result is the outcome of Send. Caller is nil as long as no valid key was seen; it is set beside an error too, so that
// refusals can carry the rate.
type Result struct {
	Caller *Caller
	Answer *Answer
}
