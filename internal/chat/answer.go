package chat

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store"
)

// answer asks the model and settles the turn. Nothing is held meanwhile: no transaction, no connection.
func (s *Service) answer(ctx context.Context, t *turn, begun store.Begun) (*Answer, error) {
	reply, err := s.ask(ctx, t, begun)
	if err == nil {
		reply, err = clean(reply)
	}
	if err != nil {
		s.fail(ctx, t, err)
		return nil, err
	}
	finished, err := s.settle(ctx, t, store.Settlement{
		TurnID: t.id, State: conversation.Answered, Reply: reply.Text, FinishReason: string(reply.Finish),
		InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens,
	}, settleFor)
	if err != nil {
		return nil, err
	}
	return &Answer{
		MessageID: t.id, Session: t.session, Reply: reply.Text, FinishReason: reply.Finish, Model: begun.Model,
		Credits: begun.Price, CreditsRemaining: finished.CreditsRemaining,
		InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens,
	}, nil
}

// ask calls the model with a deadline. A model that does not come back by itself is left behind when the deadline passes.
func (s *Service) ask(ctx context.Context, t *turn, begun store.Begun) (llm.Reply, error) {
	entry, ok := s.cfg.Catalogue.Lookup(begun.Model)
	if !ok || !entry.Available() {
		return llm.Reply{}, fault.New(fault.ModelUnavailable, "")
	}
	req := llm.Request{
		Model: entry.UpstreamName, Instructions: begun.Instructions, Message: t.req.Message, TurnNumber: begun.Number,
		History: contextOf(begun, t.req.Message, entry), Temperature: begun.Temperature, MaxOutputTokens: begun.MaxOutputTokens,
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.ModelTimeout)
	defer cancel()
	type result struct {
		reply llm.Reply
		err   error
	}
	done := make(chan result, 1)
	go func() {
		reply, err := generate(ctx, entry.Model, req)
		done <- result{reply, err}
	}()
	select {
	case r := <-done:
		return r.reply, modelFault(ctx, r.err)
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.reply, modelFault(ctx, r.err)
	case <-time.After(time.Second):
		return llm.Reply{}, fault.Wrap(fault.ModelTimeout, errors.New("the model's adapter did not stop at its deadline"))
	}
}

// generate runs the adapter; its panic costs this turn and nothing else.
func generate(ctx context.Context, model llm.Model, req llm.Request) (reply llm.Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.Wrap(fault.Internal, fmt.Errorf("a model's adapter panicked: %v\n%s", p, debug.Stack()))
		}
	}()
	return model.Generate(ctx, req, nil)
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
