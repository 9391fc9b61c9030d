package llm

import "context"

// Attempt is how one request to a provider ended.
type Attempt struct {
	// Outage says that the provider was not there: no connection, a status of 5xx, or no answer in time. A refusal (a status of
	// 4xx), a blocked prompt or nonsense is an answer.
	Outage bool
}

type attemptsKey struct{}

// ObserveAttempts returns a context in which observe is told of every attempt that a model makes, from the goroutine that makes
// it. An attempt that its caller gave up says nothing of the provider and is not told.
func ObserveAttempts(ctx context.Context, observe func(Attempt)) context.Context {
	return context.WithValue(ctx, attemptsKey{}, observe)
}

// ReportAttempt tells whoever observes the context that an attempt has ended. Adapters call it once for each attempt.
func ReportAttempt(ctx context.Context, a Attempt) {
	if observe, ok := ctx.Value(attemptsKey{}).(func(Attempt)); ok {
		observe(a)
	}
}
