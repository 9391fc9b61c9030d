package chat

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime/debug"
	"strings"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/memory"
	"agentchat/internal/store/turns"
)

// abandonAfter is the time that a model's adapter gets to return after its deadline.
const abandonAfter = time.Second

// generate gets the reply of the turn's model, or of its fallback model, and streams it. The text
// that it returns is stored. A reply that is cut short after text has been sent is no error (see
// cutShort). The faults are those of the model that was called last: ModelUnavailable,
// ModelTimeout, ModelError, InvalidOutput, ContentBlocked, Stopped, ConversationDeleted,
// Unavailable without memory, InvalidInput from prompt, Internal.
func (s *Service) generate(ctx context.Context, t *turn, begun *turns.BeginResult) (llm.Reply, error) {
	entry, ok := t.catalogue.Lookup(begun.Model)
	if !ok || !entry.Available() { // it was in the price list
		return llm.Reply{}, fault.New(fault.ModelUnavailable, "")
	}
	req, err := t.prompt(entry, begun)
	if err != nil {
		return llm.Reply{}, err
	}
	if t.msg.Stream != nil {
		t.msg.Stream.Begun(BegunTurn{MessageID: t.id, Session: t.session, Caller: t.caller})
	}
	if t.msg.Background {
		t.accept()
	}
	ctx, end := startSpan(ctx, "model")
	ctx, cancel := context.WithTimeout(ctx, s.timeLimit(&t.msg))
	defer cancel()
	reply, err := s.ask(ctx, t, begun, entry, req)
	if second, ok := t.fallback(ctx, begun, err); ok {
		begun = toFallback(begun)
		if again, tooLong := t.prompt(second, begun); tooLong == nil { // otherwise the failure stands
			t.fellBack = true
			reply, err = s.ask(ctx, t, begun, second, again)
		}
	}
	end(err)
	return reply, err
}

// ask gets the reply of one of the turn's models, and observes it. Faults: those of generate except
// InvalidInput.
func (s *Service) ask(ctx context.Context, t *turn, begun *turns.BeginResult, entry catalogue.Entry, req llm.Request,
) (llm.Reply, error) {
	t.model, t.price, t.cost = entry.Name, entry.Price(begun.HasKnowledge), entry.Cost
	req.Account, req.Memory, req.Fallback = begun.Sender.AccountID, t.msg.Memory, t.fellBack
	t.inputBytes, t.earlierTurns = promptBytes(req), new(len(req.History))
	called := time.Now()
	reply, err := s.reply(ctx, t, begun, entry, req)
	reply.InputTokens, reply.OutputTokens = plausible(reply.InputTokens), plausible(reply.OutputTokens)
	reply.CachedTokens = cachedTokens(reply)
	t.called = t.called || !notCalled(err)
	s.observe(ctx, t, time.Since(called), reply, err)
	return reply, err
}

// notCalled reports whether a call was refused before it reached the provider: the circuit is open,
// the account is throttled, or there is no memory for the request.
func notCalled(err error) bool {
	return errors.Is(err, llm.ErrCircuitOpen) || errors.Is(err, llm.ErrThrottled) ||
		errors.Is(err, memory.ErrUsedUp) && !errors.Is(err, llm.ErrAnswered)
}

// observe counts a model call, and logs it if it failed: the log shows the operator a key that the
// provider refuses.
func (s *Service) observe(ctx context.Context, t *turn, took time.Duration, reply llm.Reply, err error) {
	call := ModelCall{Model: t.model, Duration: took}
	if err != nil {
		call.Cause = llm.CauseOf(err)
	}
	t.cause = call.Cause
	if call.Cause == llm.CircuitOpen || call.Cause == llm.Throttled {
		call.Duration = 0
	}
	if reply.InputTokens != nil {
		call.InputTokens = *reply.InputTokens
	}
	if reply.CachedTokens != nil {
		call.CachedTokens = *reply.CachedTokens
	}
	if reply.OutputTokens != nil {
		call.OutputTokens = *reply.OutputTokens
	}
	if s.cfg.Observe != nil {
		s.cfg.Observe(call)
	}
	if call.Cause != "" {
		s.logFailure(ctx, t, err)
	}
}

// logFailure logs why a model call failed.
func (s *Service) logFailure(ctx context.Context, t *turn, err error) {
	account, agentID := t.msg.AccountID, t.msg.AgentID
	if t.caller != nil {
		account, agentID = t.caller.AccountID, t.caller.AgentID
	}
	s.cfg.Logger.InfoContext(ctx, "model call failed", slog.String("request_id", t.msg.RequestID),
		slog.String("account", account.String()), slog.String("agent", agentID.String()), slog.String("turn", t.id.String()),
		slog.String("model", t.model), slog.String("cause", string(llm.CauseOf(err))), slog.String("error", failureText(err)))
}

// failureText returns the cause of a model's failure. It holds neither the key nor text of the
// provider or the caller.
func failureText(err error) string {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Err != nil {
		err = f.Err
	}
	line, _, _ := strings.Cut(err.Error(), "\n") // a panic brings its stack
	return line
}

// errTimeLimit is the model timeout.
var errTimeLimit = errors.New("the reply was not complete at the model timeout")

// cutShort ends a reply that failed after text was sent. The text is paid for unless the provider
// failed: callers can provoke every other failure. Without text the failure is the error.
func cutShort(err error, sent string) (llm.Reply, error) {
	reply := llm.Reply{Text: sent, Finish: llm.FinishStop}
	switch {
	case sent == "" || errors.Is(err, llm.ErrProvider):
		return llm.Reply{}, err
	case fault.Is(err, fault.Stopped):
		reply.Finish = FinishStopped
	case fault.Is(err, fault.ModelTimeout):
		reply.Finish = FinishTimeout
	case errors.Is(err, llm.ErrTooLong), errors.Is(err, memory.ErrUsedUp):
		reply.Finish = llm.FinishLength
	case fault.Is(err, fault.ContentBlocked):
		reply.Finish = llm.FinishBlocked
	}
	return reply, nil
}

// call calls a model, until the deadline of the context, and adds the call to the turn's cost.
func (s *Service) call(ctx context.Context, t *turn, model llm.Model, req llm.Request, buffer *replyBuffer) (llm.Reply, error) {
	done := make(chan modelResult, 1)
	go func() { done <- callModel(ctx, model, req, buffer) }()
	reply, err := t.await(ctx, done, buffer)
	reply.CachedTokens = cachedTokens(reply)
	s.spend(t, reply)
	return reply, err
}

// await waits for the model. It ends the call early when the caller stops the reply, or when the
// conversation is deleted before any text was sent: sent text is paid for, so such a reply
// continues. An adapter that does not return at the deadline is abandoned. An abandoned call may be
// billed.
func (t *turn) await(ctx context.Context, done <-chan modelResult, buffer *replyBuffer) (llm.Reply, error) {
	deleted, abandoned := t.deleted, llm.Reply{Accepted: true}
	for {
		select {
		case r := <-done:
			return r.reply, r.err
		case <-t.msg.Stop:
			return abandoned, fault.New(fault.Stopped, "")
		case <-deleted: // by this process
			if buffer.stopUnsent() {
				return abandoned, fault.New(fault.ConversationDeleted, "")
			}
			deleted = nil
		case <-ctx.Done():
			select {
			case r := <-done:
				return r.reply, r.err
			case <-time.After(abandonAfter):
				return abandoned, fault.Wrap(fault.ModelTimeout, errTimeLimit)
			}
		}
	}
}

type modelResult struct {
	reply llm.Reply
	err   error
}

// callModel runs the adapter. A panic there fails this turn only.
func callModel(ctx context.Context, model llm.Model, req llm.Request, buffer *replyBuffer) (r modelResult) {
	defer func() {
		if p := recover(); p != nil {
			r.reply.Accepted = true // it may have been
			r.err = fault.Wrap(fault.Internal, fmt.Errorf("a model's adapter panicked: %v\n%s", p, debug.Stack()))
		}
		r.err = modelFault(ctx, r.err)
	}()
	r.reply, r.err = model.Generate(ctx, req, buffer.add)
	r.reply.Accepted = r.reply.Accepted || r.err == nil
	if r.reply.Finish != llm.FinishLength && r.reply.Finish != llm.FinishBlocked {
		r.reply.Finish = llm.FinishStop
	}
	return r
}

// modelFault makes every error of a model a fault. Any error after the deadline is a timeout.
func modelFault(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fault.Wrap(fault.ModelTimeout, fmt.Errorf("%w: %w", errTimeLimit, err))
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	return fault.Wrap(fault.ModelError, err)
}

// plausible drops token counts that cannot be real. The price never depends on them.
func plausible(tokens *int64) *int64 {
	if tokens == nil || *tokens < 0 || *tokens > math.MaxInt32 {
		return nil
	}
	return tokens
}
