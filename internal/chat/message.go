package chat

import (
	"net/netip"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/llm"
	"agentchat/internal/memory"
)

// Message is one message with its options. The API has checked its form. All sources use the same
// engine and pay the same price.
type Message struct {
	// Source is API when empty.
	Source conversation.Source
	// Key is the caller's API key; for API only.
	Key apikey.Hash
	// Address is the caller's; for API only.
	Address netip.Addr
	// AccountID is the account and AgentID its agent; not for API. Fields below that are for
	// Playground only are for Test, too.
	AccountID, AgentID uuid.UUID
	// Version is the agent's version that answers; nil for its draft, which needs a model. For
	// Playground only.
	Version *int
	// Model is the catalogue's model that answers instead of the draft's or the version's; empty for
	// that one. For Playground only.
	Model string
	// ContinueFrom is a turn of the agent: a new session reads its conversation up to it, as if it
	// were its own. nil for none. For Playground only.
	ContinueFrom *uuid.UUID
	// History is sent to the model before the session's own turns. It is not stored. For Test only.
	History []conversation.EarlierTurn
	// MaxPrice is the most credits that the turn may hold; nil for no limit. A turn with a higher price
	// fails with LimitReached before the model is called.
	MaxPrice *int64
	// Text is stored and sent exactly as given.
	Text string
	// Results are the results of the actions that the session's newest reply asks for, instead of
	// Text; nil for a message. They need a Session.
	Results *conversation.ActionResults
	// Session is the conversation's session ID; nil starts a new conversation under a random one.
	Session *string
	// UserID is the end user whom the caller names; nil for none.
	UserID *string
	// Variables are values for the agent's variables, by name; each has passed agent.CheckValue.
	Variables map[string]string
	// IdempotencyKey is empty when the caller gave none.
	IdempotencyKey string
	RequestID      string
	// Stream receives the reply while it is generated; nil for callers that wait for the whole reply.
	Stream Stream
	// Stop ends the reply when it is closed: the turn fails if Stream has received no text yet, and is
	// otherwise answered with the text so far. nil lets every reply finish.
	Stop <-chan struct{}
	// Memory is the request's hold, which the turn grows. The caller of Send releases it; nil has no
	// bound.
	Memory *memory.Hold
	// Background makes Send return once the turn has begun. Sending the same message again returns its
	// ids, and later its result. It needs an IdempotencyKey and excludes Stream. For API only.
	Background bool
	// KeyChecked means that CheckKey has already checked the key and spent the rate for this request.
	KeyChecked bool
}

// Stream receives a reply while it is generated. Send calls the methods one at a time and waits for
// them, so they must not wait for a client. Send calls no method after it has returned.
type Stream interface {
	// Begun is called when the turn has begun, before its model is called, or when the request joins
	// the turn of an earlier one. It is not called for replays and refusals, except if the model call
	// itself is refused because the circuit has just opened or memory is short.
	Begun(begun BegunTurn)
	// Text is called with each piece of the reply, which has then left the service and is paid for.
	// The pieces together are the stored reply.
	Text(piece string)
}

// BegunTurn describes a turn that has just begun.
type BegunTurn struct {
	MessageID uuid.UUID
	Session   string
	// Caller is nil for the playground.
	Caller *Caller
	// Joined means that an earlier request with the same idempotency key has begun the turn.
	Joined bool
}

// The finish reasons of replies that the service ended early after text had been sent; models use
// those of package llm.
const (
	// FinishStopped is a reply that Message.Stop ended.
	FinishStopped llm.FinishReason = "stopped"
	// FinishTimeout is a reply that was still being written at the model timeout.
	FinishTimeout llm.FinishReason = "timeout"
)

// Caller is the holder of a valid key, who sent a request.
type Caller struct {
	AccountID uuid.UUID
	AgentID   uuid.UUID
	ExportID  uuid.UUID
	KeyID     uuid.UUID
	Rate      Rate
}

// Rate is the state of an export's rate limit after a request: a steady rate with a burst of one
// minute's worth.
type Rate struct {
	// Limit is the number of requests a minute.
	Limit int
	// Remaining is the number of requests that would be accepted now.
	Remaining int
	// Reset is the time until the whole burst is available again.
	Reset time.Duration
}

// Result is the outcome of Send.
type Result struct {
	// Caller is nil for the playground and until a valid key was seen. It is also set with an error,
	// so that refusals can report the rate.
	Caller *Caller
	// Answer is nil with an error, and with InProgress.
	Answer *Answer
	// InProgress is the turn of a message in the background that is still being answered.
	InProgress *BegunTurn
	// FailedTurn is the turn that Send's error failed, if that was an error of the model or
	// Message.Stop, or the failed turn that a message of the playground has joined; otherwise uuid.Nil.
	FailedTurn uuid.UUID
	// Turn is the id that the message's turn has if it began.
	Turn uuid.UUID
	// Model and Version are the turn's once it has begun; the version is 0 for the playground's draft.
	Model   string
	Version int
	// Cause is the cause of a failed model call; empty for none.
	Cause llm.Cause
	// Waited is the time that the message waited for another turn. For an earlier message of its
	// session, that is the time in the queue of this process, from the end of the key check, and the
	// tries and pauses while the database says that the conversation is busy. For a turn that it joined,
	// it is the time until that turn's end was noticed. Waits for the database or a slot do not count.
	Waited time.Duration
	// ModelTime is the time of all model calls of the turn, each from the start of the call to its
	// return or to its end by the time limit or the caller. Checks and prompts between two calls do not
	// count. It is 0 for a request that joined a turn or got a stored reply.
	ModelTime time.Duration
}

// BackgroundEnd is the end of a background message, for the metrics.
type BackgroundEnd struct {
	// Code is the code of the failure; empty for a reply, which cost Credits.
	Code    string
	Model   string
	Credits int64
}

// ModelCall is a call of a model, for the metrics.
type ModelCall struct {
	// Model is provider/model.
	Model string
	// Duration is 0 when the model was not called: its circuit is open, or the account is throttled.
	Duration time.Duration
	// Cause is the cause of a failure; empty for none.
	Cause llm.Cause
	// InputTokens, CachedTokens (a part of them) and OutputTokens are what the model reported.
	InputTokens, CachedTokens, OutputTokens int64
}
