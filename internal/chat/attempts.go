package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/schema"
	"agentchat/internal/store/turns"
)

// reply gets the model's reply. If a structured reply breaks the version's reply schema, or the
// calls in it break the parameters of their actions, the model is called once more. The reply then
// has the tokens of both attempts. Faults: those of generate.
func (s *Service) reply(ctx context.Context, t *turn, begun *turns.BeginResult, entry catalogue.Entry, req llm.Request) (llm.Reply, error) {
	first, err := s.attempt(ctx, t, entry.Model, req)
	reply := first
	if deadline, _ := ctx.Deadline(); canImprove(err) && time.Until(deadline) >= anotherCall {
		reply, err = s.repair(ctx, t, begun, entry, req, first, err)
		reply.InputTokens = sumTokens(first.InputTokens, reply.InputTokens)
		reply.OutputTokens = sumTokens(first.OutputTokens, reply.OutputTokens)
		reply.CachedTokens = sumTokens(first.CachedTokens, reply.CachedTokens)
	}
	if req.Schema != "" || len(req.Actions) > 0 {
		s.schemaFailures.record(t.msg.Source, begun, err)
	}
	switch {
	case err != nil && t.delivery.begun() && !errors.Is(err, llm.ErrProvider): // what was sent is the reply
		if !fault.Is(err, fault.InvalidOutput) {
			s.logFailure(ctx, t, err)
		}
		return sentSoFar(t.delivery.text, reply, err), nil
	case err == nil:
		reply.Text = t.delivery.sendRest(reply.Text)
	}
	return reply, err
}

// sentSoFar returns the reply whose text was sent before its second attempt failed.
func sentSoFar(sent string, second llm.Reply, err error) llm.Reply {
	out := llm.Reply{
		Text:         sent,
		Finish:       llm.FinishStop,
		InputTokens:  second.InputTokens,
		OutputTokens: second.OutputTokens,
		CachedTokens: second.CachedTokens,
	}
	if fault.Is(err, fault.Stopped) {
		out.Finish = FinishStopped
	}
	return out
}

// canImprove reports whether a second attempt may repair a rejected reply.
func canImprove(err error) bool {
	violation, ok := errors.AsType[*schema.Violation](err)
	return ok && violation.Reason != schema.Length
}

// attempt calls the model once and returns its reply if it is valid: under a schema as compact
// JSON, and with ids for its calls. The text of a first attempt is streamed while it arrives; a
// reply that is cut short after text was sent is no error (see cutShort). Fault: InvalidOutput with
// the cause *schema.Violation, along with the reply.
func (s *Service) attempt(ctx context.Context, t *turn, model llm.Model, req llm.Request) (llm.Reply, error) {
	buffer := &replyBuffer{reserve: t.reservePiece}
	structured := req.Schema != ""
	if structured {
		buffer.maxBytes = schema.MaxReply
	} else if t.msg.Stream != nil && req.Attempt < 2 {
		buffer.out = &t.delivery
	}
	inside, end := t.startCall(ctx)
	reply, err := s.call(inside, t, model, req, buffer)
	end(reply, err)
	switch {
	case structured && errors.Is(err, llm.ErrTooLong):
		return reply, t.tooLong(buffer.collected())
	case structured && err != nil:
		return reply, err
	case structured && reply.Finish == llm.FinishBlocked:
		return reply, fault.Wrap(fault.ContentBlocked, errors.New("the reply was blocked after some of its text"))
	case err != nil:
		return s.shortened(ctx, t, buffer, err)
	}
	text, err := buffer.end(reply)
	if err != nil && (len(reply.Calls) == 0 || reply.Finish == llm.FinishBlocked) {
		return reply, err
	}
	reply.Text = text
	if buffer.thoughts.found { // the model's own message has them, too
		withoutState(&reply)
	}
	if reply, err = s.withCalls(t, req, reply); err != nil || len(reply.Calls) > 0 || !structured {
		return reply, err
	}
	if reply.Finish == llm.FinishLength {
		return reply, t.tooLong(text)
	}
	shape, err := s.schemas.Of(req.Schema)
	if err != nil {
		return llm.Reply{}, fault.Wrap(fault.Internal, fmt.Errorf("a stored reply schema: %w", err))
	}
	if reply.Text, err = shape.Check(text); err != nil {
		violation, _ := errors.AsType[*schema.Violation](err)
		return reply, t.reject(text, violation.Start, violation.End, err)
	}
	return reply, nil
}

// shortened returns the sent text of a reply whose model call failed.
func (s *Service) shortened(ctx context.Context, t *turn, buffer *replyBuffer, failed error) (llm.Reply, error) {
	reply, err := cutShort(failed, buffer.stop())
	if err != nil {
		return llm.Reply{}, err
	}
	if reply.Finish == llm.FinishStop { // the finish reason does not show it
		s.logFailure(ctx, t, failed)
	}
	return reply, nil
}

// withCalls returns a reply with its accepted calls. If the reply was cut, or may not call actions,
// its text alone is the reply.
func (s *Service) withCalls(t *turn, req llm.Request, reply llm.Reply) (llm.Reply, error) {
	asked := reply.Calls
	if len(asked) == 0 {
		return reply, nil
	}
	if reply.Text != "" && (req.Answered || reply.Finish != llm.FinishStop) {
		reply.Calls, reply.ProviderState = nil, ""
		return reply, nil
	}
	reply.Text = clean(reply.Text)
	if reply.Finish == llm.FinishLength {
		text, _ := callsText(reply.Text, asked)
		return reply, t.tooLong(text)
	}
	for _, c := range asked {
		if err := t.reservePiece(c.Arguments + c.ProviderState); err != nil {
			return reply, fmt.Errorf("%w: %w", llm.ErrAnswered, err)
		}
	}
	accepted, asWritten, err := s.acceptCalls(t, req, asked)
	if violation, ok := errors.AsType[*callViolation](err); ok {
		text, begins := callsText(reply.Text, asked)
		start, end := violation.span(begins)
		return reply, t.reject(text, start, end, err)
	}
	reply.Calls, reply.Finish = accepted, llm.FinishActions
	if !asWritten { // the model's own message would show it calls that the results are not for
		withoutState(&reply)
	}
	return reply, err
}

// withoutState removes the model's own message from a reply, so that later prompts have the accepted
// one.
func withoutState(reply *llm.Reply) {
	reply.ProviderState = ""
	for i := range reply.Calls {
		reply.Calls[i].ProviderState = ""
	}
}

// tooLong returns the fault of a reply that was cut or is too large. The agent's owner sees the end
// of the reply.
func (t *turn) tooLong(text string) error {
	text = text[:len(text)-unfinished(text)]
	return t.reject(text, len(text), len(text), &schema.Violation{Reason: schema.Length})
}

// reject keeps a reply that broke a schema, for a second attempt and for the agent's owner, and
// returns its fault. The bytes from start to end broke the rule.
func (t *turn) reject(text string, start, end int, cause error) error {
	t.unpaidCalls++
	t.rejected = rejectedReply{text: text[:min(len(text), schema.MaxReply)], excerpt: excerpt(text, start, end)}
	out := fault.Wrap(fault.InvalidOutput, cause)
	if violation, ok := errors.AsType[*schema.Violation](cause); ok {
		out.Details = map[string]any{"reason": string(violation.Reason)}
		if violation.Reason == schema.Mismatch {
			out.Details["path"], out.Details["rule"] = violation.Path, violation.Rule
		}
	}
	if violation, ok := errors.AsType[*callViolation](cause); ok && violation.call >= 0 {
		out.Details["action"] = violation.publicAction()
	}
	return out
}

// repair calls the model once more, with the rejected reply and its violation. If that call fails
// by itself, the first fault stands.
func (s *Service) repair(ctx context.Context, t *turn, begun *turns.BeginResult, entry catalogue.Entry, req llm.Request, reply llm.Reply,
	first error,
) (llm.Reply, error) {
	var last []llm.EarlierTurn
	if violation, ok := errors.AsType[*callViolation](first); ok {
		req.Steps = append(slices.Clip(req.Steps), correctionStep(t, reply, violation))
	} else { // with the schema alone: no provider accepts it together with actions
		violation, _ := errors.AsType[*schema.Violation](first)
		answer := strings.TrimSpace(stepsText(req.Steps) + "\n\n" + clean(t.rejected.text))
		last = []llm.EarlierTurn{{User: req.Message, Assistant: answer}}
		req.Message = "Your reply was not accepted: " + violation.Error() +
			". Reply again, with nothing but one JSON object that fits this JSON Schema:\n" + req.Schema
		req.Actions, req.Steps = nil, nil
	}
	req.History, req.Attempt, req.Rules = last, 2, llm.Rules(entry.Model, req)
	fixed := promptBytes(req)
	if err := t.msg.Memory.Grow(fixed); err != nil {
		return llm.Reply{}, first
	}
	earlier := historyWithin(begun, fixed, entry)
	req.History = slices.Concat(earlier, last)
	req.MaxOutputTokens = outputLimit(begun, entry, promptBytes(req))
	t.inputBytes, t.earlierTurns = t.inputBytes+promptBytes(req), new(len(earlier))
	second, err := s.attempt(ctx, t, entry.Model, req)
	if err != nil && !fault.Is(err, fault.InvalidOutput) && !fault.Is(err, fault.Stopped) && !fault.Is(err, fault.ConversationDeleted) {
		s.logFailure(ctx, t, err)
		if t.isUnpaid(err) {
			t.unpaidCalls++
		}
		return second, first
	}
	return second, err
}

// sumTokens adds the tokens of two attempts; nil if one count is unknown: the sum would not match
// the size of both prompts.
func sumTokens(a, b *int64) *int64 {
	if a, b = plausible(a), plausible(b); a == nil || b == nil {
		return nil
	}
	both := *a + *b
	return &both
}
