package chat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/schema"
	"agentchat/internal/store"
)

// secondAttempt is how much time must be left for a second attempt at a reply that fits.
const secondAttempt = 10 * time.Second

// shaped has the model reply in JSON that fits the version's schema, and asks once more if the first reply does not. Nothing is sent before
// a reply fits: then a stream gets all of it at once. The reply has the tokens of both attempts. Faults: those of generate, among them
// InvalidOutput.
func (s *Service) shaped(ctx context.Context, t *turn, begun store.BeginResult, entry catalogue.Entry, req llm.Request) (llm.Reply, error) {
	shape, err := s.schemas.Of(req.Schema)
	if err != nil {
		return llm.Reply{}, fault.Wrap(fault.Internal, fmt.Errorf("a stored reply schema: %w", err))
	}
	reply, err := s.attempt(ctx, t, entry.Model, req, shape)
	misfit, misfits := errors.AsType[*schema.MisfitError](err)
	if deadline, _ := ctx.Deadline(); misfits && misfit.Reason != schema.Length && time.Until(deadline) >= secondAttempt {
		var second llm.Reply
		second, err = s.again(ctx, t, begun, entry, req, shape, misfit, err)
		second.InputTokens, second.OutputTokens = sum(reply.InputTokens, second.InputTokens), sum(reply.OutputTokens, second.OutputTokens)
		reply = second
	}
	s.misfits.record(begun, err)
	if err != nil {
		return reply, err
	}
	if t.msg.Stream != nil {
		t.sendText(reply.Text)
		t.sent = true
	}
	return reply, nil
}

// attempt asks for one reply, and returns it as compact JSON if it fits. Fault: InvalidOutput, with the cause *schema.MisfitError.
func (s *Service) attempt(ctx context.Context, t *turn, model llm.Model, req llm.Request, shape *schema.Schema) (llm.Reply, error) {
	buffer := &replyBuffer{hold: t.holdPiece, most: schema.MaxReply}
	reply, err := s.call(ctx, t, model, req, buffer)
	switch {
	case errors.Is(err, llm.ErrTooLong):
		return reply, t.outOfShape(buffer.collected(), &schema.MisfitError{Reason: schema.Length})
	case err != nil:
		return reply, err
	case reply.Finish == llm.FinishBlocked:
		return reply, fault.Wrap(fault.ContentBlocked, errors.New("the reply was blocked after some of its text"))
	}
	text, err := buffer.end(reply)
	if err != nil {
		return reply, err
	}
	if reply.Finish == llm.FinishLength {
		return reply, t.outOfShape(text, &schema.MisfitError{Reason: schema.Length})
	}
	if reply.Text, err = shape.Check(text); err != nil {
		return reply, t.outOfShape(text, err)
	}
	return reply, nil
}

// outOfShape is the fault of a reply that does not fit. It keeps the reply for the owner.
func (t *turn) outOfShape(text string, cause error) error {
	t.misfits++
	t.misfit = text[:min(len(text), schema.MaxReply)]
	out := fault.Wrap(fault.InvalidOutput, cause)
	if misfit, ok := errors.AsType[*schema.MisfitError](cause); ok {
		out.Details = map[string]any{"reason": string(misfit.Reason)}
		if misfit.Reason == schema.Mismatch {
			out.Details["path"], out.Details["rule"] = misfit.Path, misfit.Rule
		}
	}
	return out
}

// again asks for the reply once more, with the first one and what was wrong with it. If that fails by itself, the first one's fault stays.
func (s *Service) again(ctx context.Context, t *turn, begun store.BeginResult, entry catalogue.Entry, req llm.Request, shape *schema.Schema,
	misfit *schema.MisfitError, first error,
) (llm.Reply, error) {
	message := "Your reply was not accepted: " + misfit.Error() + ". Reply again, with nothing but one JSON object that fits this JSON " +
		"Schema:\n" + req.Schema
	if err := t.msg.Memory.Grow(int64(len(message))); err != nil {
		return llm.Reply{}, first
	}
	answer := clean(t.misfit)
	req.History = append(contextOf(begun, req.Message+answer+message, entry),
		llm.EarlierTurn{User: req.Message, Assistant: answer})
	req.Message, req.Attempt = message, 2
	req.MaxOutputTokens = outputLimit(begun, entry, promptBytes(req))
	t.inputBytes += promptBytes(req)
	reply, err := s.attempt(ctx, t, entry.Model, req, shape)
	if err != nil && !fault.Is(err, fault.InvalidOutput) && !fault.Is(err, fault.Stopped) && !fault.Is(err, fault.ConversationDeleted) {
		s.logFailure(ctx, t, err)
		if t.isWaste(err) {
			t.misfits++
		}
		return reply, first
	}
	return reply, err
}

// sum adds the tokens of two attempts; nil if those of one are not known, which would say less than the prompts' bytes.
func sum(a, b *int64) *int64 {
	if a, b = plausible(a), plausible(b); a == nil || b == nil {
		return nil
	}
	both := *a + *b
	return &both
}
