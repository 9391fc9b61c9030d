// Package fault defines the only error type that crosses package boundaries. An Error has a kind,
// which each API maps to its own status and code, a message for the client, and a cause for the
// log. The two texts never mix: Error() is for the log, ClientMessage is for the client, and a
// cause never reaches a client.
package fault

import (
	"errors"
	"time"
)

// Kind classifies a fault. Its text is stable: it is stored with failed turns and is the public
// code in the REST API.
type Kind string

// The kinds. Each API has one table from kind to status and code.
const (
	// Internal is a bug or a failure in the service. Every error that is not an *Error counts as one.
	Internal Kind = "internal"
	// InvalidInput is input that violates a rule; Fields says which.
	InvalidInput Kind = "invalid_request"
	// Unauthorized is a missing or wrong key or token.
	Unauthorized Kind = "unauthorized"
	// InvalidCredentials is a wrong password or an unknown email address; clients never learn which.
	InvalidCredentials Kind = "invalid_credentials" //nolint:gosec // not a credential, but a code of the API
	// SignUpClosed is a sign-up while only the operator can open accounts.
	SignUpClosed Kind = "sign_up_closed"
	// SecondFactorRequired is a correct password of a user with a second factor, or a signed-in user
	// who must set one up first.
	SecondFactorRequired Kind = "second_factor_required"
	// NotFound is an object that does not exist or belongs to another account.
	NotFound Kind = "not_found"
	// Conflict is a request that is not possible in the current state.
	Conflict Kind = "conflict"
	// InsufficientCredits is a balance below the price; Details holds credits_required and
	// credits_available.
	InsufficientCredits Kind = "insufficient_credits"
	// LimitReached is an API export or an end user over a limit for the period; Details holds
	// limit_source, unit, limit, used, resets_at.
	LimitReached Kind = "limit_reached"
	// AccountSuspended is a valid API key of an account that the operator has suspended.
	AccountSuspended Kind = "account_suspended"
	// ExportPaused is an API export that its owner has paused.
	ExportPaused Kind = "export_paused"
	// UserBlocked is an end user whom the owner has blocked.
	UserBlocked Kind = "user_blocked"
	// AgentNotReady is an agent that is offline or whose model is no longer offered; Details holds
	// reason.
	AgentNotReady Kind = "agent_not_ready"
	// ConversationDeleted is a replay of a turn whose conversation was deleted.
	ConversationDeleted Kind = "conversation_deleted"
	// SessionBusy means that the wait for the session's earlier message timed out.
	SessionBusy Kind = "session_busy"
	// RequestInProgress is an idempotency key whose first request is still being answered.
	RequestInProgress Kind = "request_in_progress"
	// IdempotencyKeyReused is an idempotency key that was used before with another message.
	IdempotencyKeyReused Kind = "idempotency_key_reused"
	// ActionMismatch means that results do not match the open actions of the session; Details holds
	// open.
	ActionMismatch Kind = "action_mismatch"
	// RateLimited is a caller over its rate; RetryAfter is set.
	RateLimited Kind = "rate_limited"
	// ContentBlocked is a refusal by the model's safety rules.
	ContentBlocked Kind = "content_blocked"
	// ModelError is a model that failed or gave an unusable answer.
	ModelError Kind = "model_error"
	// InvalidOutput is a reply that violates the agent's reply schema; Details holds reason, and for a
	// mismatch path and rule.
	InvalidOutput Kind = "invalid_output"
	// ModelUnavailable is a model that is overloaded or unavailable.
	ModelUnavailable Kind = "model_unavailable"
	// ModelTimeout is a model that did not answer in time.
	ModelTimeout Kind = "model_timeout"
	// Stopped is a playground turn that the client stopped before the first word.
	Stopped Kind = "stopped"
	// Unavailable is a database or service that is overloaded or unavailable.
	Unavailable Kind = "unavailable"
)

// ErrDatabase marks the cause of an Unavailable that the database caused.
var ErrDatabase = errors.New("the database does not serve requests")

// Reason says what is wrong with a field, for software.
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
	Guessable        Reason = "guessable"
)

// Field is a problem with one field. Limit is the limit that was exceeded, if any.
type Field struct {
	Path    string
	Reason  Reason
	Message string
	Limit   int64
}

// Error is a fault with its kind.
type Error struct {
	Kind Kind
	// Message advises the client; empty for the kind's standard message.
	Message string
	// Fields holds all invalid fields, in the order of the input. Only for InvalidInput.
	Fields []Field
	// Details holds more public data about the fault; its keys are part of the API.
	Details map[string]any
	// RetryAfter is the wait before a retry; zero if unknown.
	RetryAfter time.Duration
	// Err is the cause, for the log only.
	Err error
}

// Error returns the text for the log, including the cause.
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

// New returns a fault of a kind with a message for the client.
func New(kind Kind, message string) *Error { return &Error{Kind: kind, Message: message} }

// Wrap returns a fault of a kind with a cause for the log and the kind's standard message for the
// client.
func Wrap(kind Kind, err error) *Error { return &Error{Kind: kind, Err: err} }

// Invalid returns an InvalidInput fault for one or more fields. Its message is the first field's.
func Invalid(fields ...Field) *Error {
	e := &Error{Kind: InvalidInput, Fields: fields}
	if len(fields) > 0 {
		e.Message = fields[0].Message
	}
	return e
}

// KindOf returns the kind of err, or Internal if its chain has no *Error.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is a fault of the kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }

// standard holds the messages for faults without their own.
var standard = map[Kind]string{
	Internal:             "Something went wrong on our side. Try again. If it happens again, report the request id.",
	InvalidInput:         "The request is not valid.",
	Unauthorized:         "The credentials are missing or not valid.",
	InvalidCredentials:   "Wrong email or password.",
	SignUpClosed:         "Only the operator can create accounts here. Ask them for one.",
	SecondFactorRequired: "Enter a code from your authenticator app or a recovery code.",
	NotFound:             "Not found. It may have been deleted, or the ID is wrong.",
	Conflict:             "This is not possible in the current state.",
	InsufficientCredits:  "The account does not have enough credits for this message. Top up the account, then send the message again.",
	AgentNotReady:        "The agent is not ready to answer. Its owner must publish it in the control panel.",
	AccountSuspended:     "The key is valid, but its account is suspended. Its owner must contact the operator of this service.",
	ExportPaused:         "This API export is paused. Its owner can resume it in the control panel.",
	UserBlocked:          "The end user with this user_id is blocked. The agent's owner can unblock them in the control panel.",
	ConversationDeleted: "The conversation with this message and its reply was deleted. To start a new one, send a message with a " +
		"new Idempotency-Key.",
	SessionBusy:       "An earlier message in this session is still being answered. Send this one again later.",
	RequestInProgress: "A request with this Idempotency-Key is still being answered. Try again shortly with the same key.",
	IdempotencyKeyReused: "This Idempotency-Key was used with a different message, session_id, user_id, variables or results. " +
		"Use a new key for a new message.",
	ActionMismatch: "These results do not match the open actions of the session's newest reply. Send one result for each of them " +
		"in one request, or send a message.",
	RateLimited:    "Too many requests. Wait for the time in Retry-After, then send requests more slowly.",
	ContentBlocked: "The model's safety rules blocked this message. Nothing was charged. Change it before you send it again.",
	ModelError:     "The model failed to answer. Nothing was charged. Try again.",
	InvalidOutput: "The model's reply did not match the agent's reply schema or its actions. Nothing was charged. Try again. " +
		"If that does not help, the agent's owner must change the schemas, the instructions or the model.",
	ModelUnavailable: "The model is overloaded or unavailable. Nothing was charged. Try again later.",
	ModelTimeout:     "The model did not answer in time. Nothing was charged. Try again.",
	Stopped:          "The reply was stopped before its first word. Not charged.",
	Unavailable:      "The service cannot answer right now. Try again shortly.",
}

// ClientMessage returns the message for the client: the fault's own or its kind's standard message,
// never a cause's text.
func ClientMessage(err error) string {
	if e, ok := errors.AsType[*Error](err); ok && e.Message != "" {
		return e.Message
	}
	return standard[KindOf(err)]
}
