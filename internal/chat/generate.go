package chat

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store"
)

// abandonAfter is how long after its deadline a model's adapter may take to return.
const abandonAfter = time.Second

// generate has the turn's model reply, and streams the reply. Its text is what is stored. Faults: ModelUnavailable, ModelTimeout,
// ModelError, ContentBlocked, Stopped, Internal.
func (s *Service) generate(ctx context.Context, t *turn, begun store.BeginResult) (llm.Reply, error) {
	entry, ok := s.cfg.Catalogue.Lookup(begun.Model)
	if !ok || !entry.Available() {
		return llm.Reply{}, fault.New(fault.ModelUnavailable, "")
	}
	buffer := &replyBuffer{}
	if t.req.Stream != nil {
		t.req.Stream.Begun(Begun{MessageID: t.id, Session: t.session, Caller: t.caller})
		buffer.emit = t.req.Stream.Text
	}
	req := prompt(entry, begun, t.req.Message)
	t.inputBytes = promptBytes(req)
	reply, err := s.call(ctx, entry.Model, req, buffer, t.req.Stop)
	if err != nil {
		buffer.stop()
		return llm.Reply{}, err
	}
	if reply.Text, err = buffer.end(reply.Text); err != nil {
		return llm.Reply{}, err
	}
	reply.InputTokens, reply.OutputTokens = plausible(reply.InputTokens), plausible(reply.OutputTokens)
	return reply, nil
}

// call calls a model with a deadline. An adapter that does not return then is abandoned. When stop is closed, the reply is the text
// so far, or the fault Stopped if there is none.
func (s *Service) call(
	ctx context.Context, model llm.Model, req llm.Request, buffer *replyBuffer, stop <-chan struct{},
) (llm.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.ModelTimeout)
	defer cancel()
	done := make(chan modelResult, 1)
	go func() { done <- callModel(ctx, model, req, buffer) }()
	select {
	case r := <-done:
		return r.reply, r.err
	case <-stop:
		if text := buffer.stop(); text != "" {
			return llm.Reply{Text: text, Finish: FinishStopped}, nil
		}
		return llm.Reply{}, fault.New(fault.Stopped, "")
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.reply, r.err
	case <-time.After(abandonAfter):
		return llm.Reply{}, fault.Wrap(fault.ModelTimeout, errors.New("the model's adapter did not stop at its deadline"))
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
			r.err = fault.Wrap(fault.Internal, fmt.Errorf("a model's adapter panicked: %v\n%s", p, debug.Stack()))
		}
		r.err = modelFault(ctx, r.err)
	}()
	r.reply, r.err = model.Generate(ctx, req, buffer.add)
	if r.reply.Finish != llm.FinishLength {
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
		return fault.Wrap(fault.ModelTimeout, err)
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	return fault.Wrap(fault.ModelError, err)
}

// plausible drops token counts that no model can mean; the price never depends on them.
func plausible(tokens *int64) *int64 {
	if tokens == nil || *tokens < 0 || *tokens > math.MaxInt32 {
		return nil
	}
	return tokens
}
