package llm

import (
	"errors"

	"agentchat/internal/fault"
)

// Cause is why a model call failed, in the words of the log and the metrics. There is a small fixed set of them.
type Cause string

// The causes.
const (
	// KeyRefused is a provider that does not accept the API key: only the operator can help.
	KeyRefused Cause = "key_refused"
	// Away is a provider that cannot be reached, is overloaded or limits the rate.
	Away Cause = "away"
	// CircuitOpen is a model that was not called, because it has just failed several times.
	CircuitOpen Cause = "circuit_open"
	// Throttled is a model that was not called, because the account gives way while the provider turns its calls away.
	Throttled Cause = "throttled"
	// TimedOut is a model that did not answer in time.
	TimedOut Cause = "timed_out"
	// BadAnswer is an answer that cannot be used.
	BadAnswer Cause = "bad_answer"
	// Blocked is a message or a reply that the model's safety rules refused.
	Blocked Cause = "blocked"
	// Broken is a fault of this service.
	Broken Cause = "broken"
)

var (
	// ErrKeyRefused is in the chain of the error when the provider refused the key.
	ErrKeyRefused = errors.New("the API key was refused; set a valid one")
	// ErrCircuitOpen is in the chain of the error when the model was not called.
	ErrCircuitOpen = errors.New("the model is unavailable: its circuit is open")
	// ErrThrottled is in the chain of the error when the account already had as many calls as it may have.
	ErrThrottled = errors.New("the provider answers 429, and the account has as many calls under way as it may have")
)

// CauseOf returns why a call failed; empty when it was given up on purpose.
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
