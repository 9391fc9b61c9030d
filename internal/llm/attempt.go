package llm

import "context"

// Attempt is the outcome of one request to a provider, as far as it shows the provider's health.
type Attempt struct {
	// Outage means that the provider was down: no connection, a 5xx status, or no response header in
	// time. A 4xx status is not an outage. Nor is a status of 200, whatever follows it, because the
	// reply also depends on the message.
	Outage bool
	// Answered means that a response header arrived, whatever its status.
	Answered bool
	// Busy means a status of 429: the provider throttles this key, or everybody.
	Busy bool
}

type attemptsKey struct{}

// ObserveAttempts returns a context in which a model reports every attempt to observe. It calls
// observe in the goroutine of the attempt, once the response header has arrived or cannot arrive.
// An attempt that the caller canceled before that says nothing about the provider and is not
// reported.
func ObserveAttempts(ctx context.Context, observe func(Attempt)) context.Context {
	return context.WithValue(ctx, attemptsKey{}, observe)
}

// ReportAttempt passes an attempt to the observer of the context, if any. Adapters call it once per
// attempt.
func ReportAttempt(ctx context.Context, a Attempt) {
	if observe, ok := ctx.Value(attemptsKey{}).(func(Attempt)); ok {
		observe(a)
	}
}
