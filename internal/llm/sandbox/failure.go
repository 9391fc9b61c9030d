package sandbox

import (
	"errors"
	"fmt"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
)

// The waits that simulated faults ask for. They are short, so that callers can test their retries
// quickly.
const (
	unavailableRetry = 5 * time.Second
	rateLimitedRetry = 2 * time.Second
	sessionBusyRetry = time.Second
)

var (
	// errAsked is the cause of a simulated fault, so that the log does not look like a real one.
	errAsked = errors.New("requested by a sandbox directive")
	// errPlayed is the cause of a simulated failure of the provider, which is free, even after some
	// text was sent.
	errPlayed = fmt.Errorf("%w: %w", errAsked, llm.ErrProvider)
)

// failures makes the faults for the values of fail. One panics inside the adapter, as a bug would.
// The last four are faults of the service, not of a model, so that callers can test every branch of
// their code.
var failures = map[string]func() *fault.Error{
	"error":       func() *fault.Error { return fault.Wrap(fault.ModelError, errPlayed) },
	"unavailable": func() *fault.Error { return retryable(fault.ModelUnavailable, unavailableRetry) },
	"timeout":     func() *fault.Error { return fault.Wrap(fault.ModelTimeout, errAsked) },
	"blocked":     func() *fault.Error { return fault.Wrap(fault.ContentBlocked, errAsked) },
	"garbage": func() *fault.Error {
		return fault.Wrap(fault.ModelError,
			errors.Join(errors.New("the model's answer could not be read"), errPlayed))
	},
	"panic": func() *fault.Error { panic("sandbox: a panic, " + errAsked.Error()) },
	"insufficient_credits": func() *fault.Error {
		e := fault.Wrap(fault.InsufficientCredits, errPlayed)
		e.Details = map[string]any{"credits_required": int64(1), "credits_available": int64(0)}
		return e
	},
	"rate_limited": func() *fault.Error { return retryable(fault.RateLimited, rateLimitedRetry) },
	"session_busy": func() *fault.Error { return retryable(fault.SessionBusy, sessionBusyRetry) },
	"internal":     func() *fault.Error { return fault.Wrap(fault.Internal, errPlayed) },
}

// failure returns the requested fault. With first it is a provider's failure, so that the fallback
// model answers.
func (d directives) failure() *fault.Error {
	failed := failures[d.fail]()
	if d.first {
		failed.Err = errPlayed
	}
	return failed
}

func retryable(kind fault.Kind, after time.Duration) *fault.Error {
	e := fault.Wrap(kind, errPlayed)
	e.RetryAfter = after
	return e
}
