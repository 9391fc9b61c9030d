// Package fault is the one error type that crosses package boundaries. An Error has a kind, which the two edges translate
// into their own statuses and codes, a text for the client, and a cause for the log. The two texts never mix: Error() is
// for the log, ClientMessage is for the client, and nothing of a cause ever reaches a client.
package fault

import (
	"errors"
	"time"
)

// Kind says what sort of fault happened. Its text is stable: it is stored with failed turns and is the public REST code
// wherever the two coincide.
type Kind string

// The kinds. Each edge has one table from kind to status and code.
const (
	// Internal is a fault of ours; it is what every error that is not an *Error counts as.
	Internal Kind = "internal"
	// InvalidInput is input that breaks a rule; Fields says which.
	InvalidInput Kind = "invalid_request"
	// Unauthorized is a missing or wrong key or token.
	Unauthorized Kind = "unauthorized"
	// InvalidCredentials is a wrong password, or an e-mail address without an account: it is never said which.
	InvalidCredentials Kind = "invalid_credentials" //nolint:gosec // a word of the API
	// SignUpClosed is a sign-up where the operator opens the accounts.
	SignUpClosed Kind = "sign_up_closed"
	// NotFound is a thing that does not exist, or that belongs to somebody else.
	NotFound Kind = "not_found"
	// Conflict is a request that the present state does not allow.
	Conflict Kind = "conflict"
	// InsufficientCredits is a balance that does not cover the price; Details holds credits_required and credits_available.
	InsufficientCredits Kind = "insufficient_credits"
	// AgentNotReady is an agent that is a draft or whose model is no longer offered; Details holds reason.
	AgentNotReady Kind = "agent_not_ready"
	// ConversationDeleted is a replay of a turn whose conversation was deleted.
	ConversationDeleted Kind = "conversation_deleted"
	// SessionBusy is a wait for the session's earlier message that ran out.
	SessionBusy Kind = "session_busy"
	// RequestInProgress is an idempotency key whose first request is still being answered.
	RequestInProgress Kind = "request_in_progress"
	// IdempotencyKeyReused is an idempotency key that came with another body.
	IdempotencyKeyReused Kind = "idempotency_key_reused"
	// RateLimited is a caller over its rate; RetryAfter is set.
	RateLimited Kind = "rate_limited"
	// ContentBlocked is a refusal by the model's safety rules.
	ContentBlocked Kind = "content_blocked"
	// ModelError is a model that failed or answered nonsense.
	ModelError Kind = "model_error"
	// ModelUnavailable is a model that is overloaded or away.
	ModelUnavailable Kind = "model_unavailable"
	// ModelTimeout is a model that did not answer in time.
	ModelTimeout Kind = "model_timeout"
	// Stopped is a turn of the playground that its reader stopped before the first word.
	Stopped Kind = "stopped"
	// Unavailable is a database, or a service, that is away or overloaded.
	Unavailable Kind = "unavailable"
)

// Reason says what is wrong with one field, in a word that software can act on.
type Reason string

// The reasons of a Field.
const (
	Missing          Reason = "missing"
	Blank            Reason = "blank"
	Empty            Reason = "empty"
	WrongType        Reason = "wrong_type"
	TooLong          Reason = "too_long"
	TooShort         Reason = "too_short"
	OutOfRange       Reason = "out_of_range"
	InvalidCharacter Reason = "invalid_character"
	UnknownField     Reason = "unknown_field"
	InvalidValue     Reason = "invalid_value"
	NotSupported     Reason = "not_supported"
)

// Field is one field's problem. Limit is the bound that was passed, where there is one.
type Field struct {
	Path    string
	Reason  Reason
	Message string
	Limit   int64
}

// Error is a fault with its kind.
type Error struct {
	Kind Kind
	// Message is for the client: one clear sentence that says what to do. Empty means the kind's standard text.
	Message string
	// Fields are the fields at fault, all of them, in the order of the input. Only for InvalidInput.
	Fields []Field
	// Details is further public data about the fault; its keys are part of the API.
	Details map[string]any
	// RetryAfter is how long to wait before trying again; zero means that nothing better is known.
	RetryAfter time.Duration
	// Err is the cause, for the log only.
	Err error
}

// Error returns the text for the log, cause included.
func (e *Error) Error() string {
	text := string(e.Kind)
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New returns a fault of a kind with a text for the client.
func New(kind Kind, message string) *Error { return &Error{Kind: kind, Message: message} }

// Wrap returns a fault of a kind with a cause for the log and the kind's standard text for the client.
func Wrap(kind Kind, err error) *Error { return &Error{Kind: kind, Err: err} }

// Invalid returns an InvalidInput fault for one or more fields. Its message is the first field's.
func Invalid(fields ...Field) *Error {
	e := &Error{Kind: InvalidInput, Fields: fields}
	if len(fields) > 0 {
		e.Message = fields[0].Message
	}
	return e
}

// KindOf returns the kind of err: Internal when no *Error is in its chain.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is a fault of the kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }

// standard is what a client reads where a fault brings no text of its own.
var standard = map[Kind]string{
	Internal:             "Something went wrong on our side. Try again. If it happens again, report the request id.",
	InvalidInput:         "The request is not valid.",
	Unauthorized:         "The credentials are missing or not valid.",
	InvalidCredentials:   "The e-mail address or the password is wrong.",
	SignUpClosed:         "Only the operator can open accounts here. Ask them for one.",
	NotFound:             "This does not exist.",
	Conflict:             "This is not possible in the current state.",
	InsufficientCredits:  "The account does not have enough credits for this message. Top up the account, then send it again.",
	AgentNotReady:        "The agent is not ready to answer. Its owner must complete it in the control panel.",
	ConversationDeleted:  "The conversation with this message and its reply has been deleted.",
	SessionBusy:          "An earlier message in this session is still being answered. Send this one again later.",
	RequestInProgress:    "A request with this Idempotency-Key is still being answered. Try again shortly with the same key.",
	IdempotencyKeyReused: "This Idempotency-Key was used with a different message or session_id. Use a new key for a new message.",
	RateLimited:          "Too many requests. Wait for the time in Retry-After, then send requests more slowly.",
	ContentBlocked:       "The model's safety rules blocked this message. Nothing was charged.",
	ModelError:           "The model failed to answer. Nothing was charged. Try again.",
	ModelUnavailable:     "The model is overloaded or unavailable. Nothing was charged. Try again later.",
	ModelTimeout:         "The model did not answer in time. Nothing was charged. Try again.",
	Stopped:              "The reply was stopped before its first word. Nothing was charged.",
	Unavailable:          "The service cannot answer right now. Try again shortly.",
}

// ClientMessage returns the text for the client: the fault's own, or its kind's standard text. Never a cause's text.
func ClientMessage(err error) string {
	if e, ok := errors.AsType[*Error](err); ok && e.Message != "" {
		return e.Message
	}
	return standard[KindOf(err)]
}
