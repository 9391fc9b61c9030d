package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/turns"
)

// anotherCall is the time that must be left for another model call: of the fallback model, or to
// repair a structured reply.
const anotherCall = 10 * time.Second

// fallback returns the model to call after one that has failed; false if the failure stands. It
// stands if there is no other model, if the failure was not the model's alone, after text was sent,
// if the reply is no longer wanted, and if too little time is left.
func (t *turn) fallback(ctx context.Context, begun *turns.BeginResult, failed error) (entry catalogue.Entry, ok bool) {
	name := begun.Settings.FallbackModel
	if name == nil || t.msg.Model != "" || !isModelFailure(failed) || t.delivery.begun() || t.isAbandoned() {
		return entry, false
	}
	if deadline, _ := ctx.Deadline(); time.Until(deadline) < anotherCall {
		return entry, false
	}
	entry, ok = t.catalogue.Lookup(*name)
	return entry, ok && entry.Available()
}

// isModelFailure reports whether another model may well do better: this one was not called, its
// provider is overloaded, or only its provider or the operator could have caused the failure. A
// message or an agent's settings can cause none of these.
func isModelFailure(failed error) bool {
	switch fault.KindOf(failed) {
	case fault.ModelUnavailable:
		return true
	case fault.ModelError, fault.ModelTimeout:
		return errors.Is(failed, llm.ErrProvider)
	}
	return false
}

// isAbandoned reports whether the caller has stopped the reply or this process has deleted the
// conversation.
func (t *turn) isAbandoned() bool {
	select {
	case <-t.msg.Stop:
	case <-t.deleted:
	default:
		return false
	}
	return true
}

// toFallback returns the turn for its fallback model, without the token counts, which are the first
// model's.
func toFallback(begun *turns.BeginResult) *turns.BeginResult {
	second := *begun
	second.History = slices.Clone(begun.History)
	for i, e := range second.History {
		second.History[i] = conversation.EarlierTurn{Message: e.Message, Reply: e.Reply}
	}
	return &second
}
