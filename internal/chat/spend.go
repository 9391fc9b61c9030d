package chat

import (
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
)

// spending is the sum of the costs of a turn's model calls at their providers.
type spending struct {
	nanos int64
	// unknown means that the cost of a call is unknown, and so is the sum.
	unknown bool
}

// total returns the sum in nano-dollars, 0 without a call; nil if it is unknown.
func (s spending) total() *int64 {
	if s.unknown {
		return nil
	}
	return &s.nanos
}

// spend adds a model call to its turn's cost. Every call ends here once, even if it failed or
// was abandoned.
func (s *Service) spend(t *turn, reply llm.Reply) {
	nanos := costOf(t.cost, reply)
	if s.cfg.ObserveCost != nil {
		s.cfg.ObserveCost(t.model, nanos)
	}
	if nanos == nil {
		t.spending.unknown = true
		return
	}
	t.spending.nanos += *nanos
}

// costOf returns the cost of a model call in nano-dollars, nil if it is unknown. A call that the
// provider did not accept costs nothing.
func costOf(cost *catalogue.Cost, reply llm.Reply) *int64 {
	input, output, cached := plausible(reply.InputTokens), plausible(reply.OutputTokens), int64(0)
	switch {
	case !reply.Accepted, cost != nil && *cost == catalogue.Cost{}:
		return new(int64)
	case cost == nil, input == nil, output == nil:
		return nil
	}
	if reply.CachedTokens != nil {
		cached = *reply.CachedTokens
	}
	nanos := cost.Of(*input, cached, *output)
	return &nanos
}

// cachedTokens returns the cached part of a reply's input tokens; nil if the provider reported none,
// or more than the input.
func cachedTokens(reply llm.Reply) *int64 {
	input, cached := plausible(reply.InputTokens), plausible(reply.CachedTokens)
	if input == nil || cached == nil || *cached > *input {
		return nil
	}
	return cached
}
