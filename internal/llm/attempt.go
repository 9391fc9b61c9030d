package llm

import "context"

// Attempt is what one request to a provider says about the provider.
type Attempt struct {
	// Outage is set when the provider was away: no connection, a status of 5xx, or no header of an answer in time. A refusal (a status
	// of 4xx) is an answer, and so is a status of 200 whatever follows it: what becomes of a reply depends on the message, too.
	Outage bool
	// Answered is set when the header of an answer came, whatever its status.
	Answered bool
	// Busy is set when the provider has too much to do, for this key or at all: a status of 429.
	Busy bool
}

type attemptsKey struct{}

// ObserveAttempts returns a context in which a model reports every attempt to observe, in the goroutine of the attempt, once the header
// of its answer is there or will not come. An attempt that its caller gave up before that says nothing about the provider and is not
// reported.
func ObserveAttempts(ctx context.Context, observe func(Attempt)) context.Context {
	return context.WithValue(ctx, attemptsKey{}, observe)
}

// ReportAttempt reports an attempt to the observer of the context, if any. Adapters call it once for each attempt.
func ReportAttempt(ctx context.Context, a Attempt) {
	if observe, ok := ctx.Value(attemptsKey{}).(func(Attempt)); ok {
		observe(a)
	}
}
