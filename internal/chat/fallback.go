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

// anotherCall is how much time must be left for another call of a model: for its fallback model, or for a second attempt at a reply that
// fits.
const anotherCall = 10 * time.Second

// fallback returns the model that answers in place of one that has failed; false if the failure stands: there is no other model, it was not
// the model's alone, text has left the service, nobody wants the reply any more, or there is too little time.
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

// isModelFailure reports whether another model may well do better: this one was not called, its provider is overloaded, or only its provider
// or the operator can have brought the failure about. Nothing that a message or an agent's settings bring about is among these.
func isModelFailure(failed error) bool {
	switch fault.KindOf(failed) {
	case fault.ModelUnavailable:
		return true
	case fault.ModelError, fault.ModelTimeout:
		return errors.Is(failed, llm.ErrProvider)
	}
	return false
}

// isAbandoned reports whether the caller has stopped the reply, or this process has deleted the conversation.
func (t *turn) isAbandoned() bool {
	select {
	case <-t.msg.Stop:
	case <-t.deleted:
	default:
		return false
	}
	return true
}

// toFallback is the turn as its fallback model is asked: the tokens of the earlier turns are those of the first model.
func toFallback(begun *turns.BeginResult) *turns.BeginResult {
	second := *begun
	second.History = slices.Clone(begun.History)
	for i, e := range second.History {
		second.History[i] = conversation.EarlierTurn{Message: e.Message, Reply: e.Reply}
	}
	return &second
}
