package llm

import "context"

// Attempt is how one request to a provider ended.
type Attempt struct {
	// Outage is set when the provider was away: no connection, a status of 5xx, or no answer in time. A refusal (a status of 4xx),
	// a blocked prompt or nonsense is an answer.
	Outage bool
}

type attemptsKey struct{}

// ObserveAttempts returns a context in which a model reports every attempt to observe, in the goroutine of the attempt. An attempt
// that its caller gave up says nothing about the provider and is not reported.
func ObserveAttempts(ctx context.Context, observe func(Attempt)) context.Context {
	return context.WithValue(ctx, attemptsKey{}, observe)
}

// ReportAttempt reports the end of an attempt to the observer of the context, if any. Adapters call it once for each attempt.
func ReportAttempt(ctx context.Context, a Attempt) {
	if observe, ok := ctx.Value(attemptsKey{}).(func(Attempt)); ok {
		observe(a)
	}
}
