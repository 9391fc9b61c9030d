package llm

import (
	"errors"

	"agentchat/internal/fault"
)

// Cause classifies a failed model call for the log and the metrics. The set is small and fixed.
type Cause string

// The causes.
const (
	// KeyRefused: the provider does not accept the API key. Only the operator can fix that.
	KeyRefused Cause = "key_refused"
	// Away: the provider cannot be reached, is overloaded or limits the rate.
	Away Cause = "away"
	// CircuitOpen: the model was not called, because it has just failed several times.
	CircuitOpen Cause = "circuit_open"
	// Throttled: the model was not called, because the account backs off while the provider answers
	// 429.
	Throttled Cause = "throttled"
	// TimedOut: the model did not answer in time.
	TimedOut Cause = "timed_out"
	// BadAnswer: the answer cannot be used.
	BadAnswer Cause = "bad_answer"
	// Blocked: the model's safety rules refused the message or the reply.
	Blocked Cause = "blocked"
	// Broken: a bug or an internal failure of this service.
	Broken Cause = "broken"
)

var (
	// ErrKeyRefused marks an error for which the provider refused the key.
	ErrKeyRefused = errors.New("the API key was refused; set a valid one")
	// ErrCircuitOpen marks an error for which the model was not called, because its circuit is open.
	ErrCircuitOpen = errors.New("the model is unavailable: its circuit is open")
	// ErrThrottled marks an error for which the model was not called, because the account has reached
	// its limit of calls in flight.
	ErrThrottled = errors.New("the provider answers 429, and the account has reached its limit of calls in flight")
)

// ProviderError is a provider's refusal of a call. Its text is that of the cause, for the log; the
// fields are for the people of the account alone.
type ProviderError struct {
	// Status is the HTTP status, 0 for none. Code is a code that the provider documents, or "".
	Status int
	Code   string
	// Message is the provider's text without secrets. It is "" unless the message or the agent's
	// settings caused the refusal.
	Message string
	// Err is the cause.
	Err error
}

// Error returns the text of the cause.
func (e *ProviderError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *ProviderError) Unwrap() error { return e.Err }

// CauseOf returns the cause of a failed call, or "" if the caller canceled it.
func CauseOf(err error) Cause {
	switch {
	case errors.Is(err, ErrKeyRefused):
		return KeyRefused
	case errors.Is(err, ErrCircuitOpen):
		return CircuitOpen
	case errors.Is(err, ErrThrottled):
		return Throttled
	}
	switch fault.KindOf(err) {
	case fault.ModelUnavailable:
		return Away
	case fault.ModelTimeout:
		return TimedOut
	case fault.ModelError, fault.InvalidOutput:
		return BadAnswer
	case fault.ContentBlocked:
		return Blocked
	case fault.Internal:
		return Broken
	default:
		return ""
	}
}
