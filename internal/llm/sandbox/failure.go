package sandbox

import (
	"errors"
	"time"

	"agentchat/internal/fault"
)

// failPanic is the value of fail that panics inside the adapter, as a faulty one would.
const failPanic = "panic"

// The waits that the simulated faults ask for. Short, so that a caller's test of its own retry is quick.
const (
	unavailableRetry = 5 * time.Second
	rateLimitedRetry = 2 * time.Second
	sessionBusyRetry = time.Second
)

// errAsked is the cause that the log shows, so that a simulated fault is not taken for a real one.
var errAsked = errors.New("asked for by a sandbox directive")

// failures are the faults that fail can ask for, by its value. The last four are not faults of a model: they are the
// service's own, so that a caller can try every branch of its code.
var failures = map[string]func() *fault.Error{
	"error":       func() *fault.Error { return fault.Wrap(fault.ModelError, errAsked) },
	"unavailable": func() *fault.Error { return retryable(fault.ModelUnavailable, unavailableRetry) },
	"timeout":     func() *fault.Error { return fault.Wrap(fault.ModelTimeout, errAsked) },
	"blocked":     func() *fault.Error { return fault.Wrap(fault.ContentBlocked, errAsked) },
	"garbage": func() *fault.Error {
		return fault.Wrap(fault.ModelError, errors.Join(errors.New("the model's answer could not be read"), errAsked))
	},
	"insufficient_credits": func() *fault.Error {
		e := fault.Wrap(fault.InsufficientCredits, errAsked)
		e.Details = map[string]any{"credits_required": int64(1), "credits_available": int64(0)}
		return e
	},
	"rate_limited": func() *fault.Error { return retryable(fault.RateLimited, rateLimitedRetry) },
	"session_busy": func() *fault.Error { return retryable(fault.SessionBusy, sessionBusyRetry) },
	"internal":     func() *fault.Error { return fault.Wrap(fault.Internal, errAsked) },
}

// failure returns the fault of a value of fail. It panics for the value panic.
func failure(name string) error {
	if name == failPanic {
		panic("sandbox: a panic, " + errAsked.Error())
	}
	return failures[name]()
}

func retryable(kind fault.Kind, after time.Duration) *fault.Error {
	e := fault.Wrap(kind, errAsked)
	e.RetryAfter = after
	return e
}
