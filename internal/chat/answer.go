package chat

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/failpoint"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store"
)

// answer asks the model and settles the turn. Nothing is held meanwhile: no transaction, no connection.
func (s *Service) answer(ctx context.Context, t *turn, begun store.Begun) (*Answer, error) {
	reply, err := s.ask(ctx, t, begun)
	if err != nil {
		s.fail(ctx, t, err)
		return nil, err
	}
	finished, err := s.settle(ctx, t, store.Settlement{
		TurnID: t.id, State: conversation.Answered, Reply: reply.Text, FinishReason: string(reply.Finish),
		InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens,
	}, settleFor)
	if err == nil {
		err = failpoint.Hit("answer.settled")
	}
	if err != nil {
		return nil, err
	}
	return &Answer{
		MessageID: t.id, Session: t.session, Reply: reply.Text, FinishReason: reply.Finish, Model: begun.Model,
		Credits: begun.Price, CreditsRemaining: finished.CreditsRemaining,
		InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens,
	}, nil
}

// ask asks the model and returns its reply, fit to be stored.
func (s *Service) ask(ctx context.Context, t *turn, begun store.Begun) (llm.Reply, error) {
	entry, ok := s.cfg.Catalogue.Lookup(begun.Model)
	if !ok || !entry.Available() {
		return llm.Reply{}, fault.New(fault.ModelUnavailable, "")
	}
	text := &pieces{}
	if t.req.Stream != nil {
		t.req.Stream.Begun(Begun{MessageID: t.id, Session: t.session, Caller: t.caller})
		text.listen = t.req.Stream.Text
	}
	req := t.requestTo(entry, begun)
	reply, err := s.generate(ctx, entry.Model, req, text, t.stopped())
	if err != nil {
		text.stop()
		return llm.Reply{}, err
	}
	if reply.Text, err = text.end(reply.Text); err != nil {
		return llm.Reply{}, err
	}
	reply.InputTokens, reply.OutputTokens = plausible(reply.InputTokens), plausible(reply.OutputTokens)
	return reply, nil
}

// leaveBehindAfter is how long a model's adapter may take to stop once its time is over.
const leaveBehindAfter = time.Second

// generate calls the model with a deadline. A model that does not come back by itself is left behind when the deadline passes.
// Once stopped, the reply is what there is of it; before the first word the fault is Stopped.
func (s *Service) generate(ctx context.Context, model llm.Model, req llm.Request, text *pieces, stopped <-chan struct{},
) (llm.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.ModelTimeout)
	defer cancel()
	type result struct {
		reply llm.Reply
		err   error
	}
	done := make(chan result, 1)
	go func() {
		reply, err := call(ctx, model, req, text.add)
		done <- result{reply, err}
	}()
	select {
	case r := <-done:
		return ended(r.reply), modelFault(ctx, r.err)
	case <-stopped:
		if so := text.stop(); so != "" {
			return llm.Reply{Text: so, Finish: FinishStopped}, nil
		}
		return llm.Reply{}, fault.New(fault.Stopped, "")
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return ended(r.reply), modelFault(ctx, r.err)
	case <-time.After(leaveBehindAfter):
		return llm.Reply{}, fault.Wrap(fault.ModelTimeout, errors.New("the model's adapter did not stop at its deadline"))
	}
}

// ended gives a reply one of the two reasons that models end for.
func ended(reply llm.Reply) llm.Reply {
	if reply.Finish != llm.FinishLength {
		reply.Finish = llm.FinishStop
	}
	return reply
}

// call runs the adapter; its panic costs this turn and nothing else.
func call(ctx context.Context, model llm.Model, req llm.Request, emit func(string) error) (reply llm.Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.Wrap(fault.Internal, fmt.Errorf("a model's adapter panicked: %v\n%s", p, debug.Stack()))
		}
	}()
	return model.Generate(ctx, req, emit)
}

// modelFault gives every error of a model one kind. A deadline that passed is a timeout whatever the adapter made of it.
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

func replayed(p *store.Stored) *Answer {
	return &Answer{
		MessageID: p.TurnID, Session: p.Session, Reply: p.Reply, FinishReason: llm.FinishReason(p.FinishReason), Model: p.Model,
		Credits: p.Price, CreditsRemaining: p.CreditsRemaining, InputTokens: p.InputTokens, OutputTokens: p.OutputTokens,
		Replayed: true,
	}
}
