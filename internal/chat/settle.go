package chat

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store/turns"
)

const (
	// settleFor bounds the attempts to settle an answered turn while the database is unavailable: long
	// enough for a restart.
	settleFor = 20 * time.Second
	// releaseFor is the bound for a failed turn, which settleUnsettled settles otherwise.
	releaseFor = 2 * time.Second
	// settlePause is the first pause between two attempts.
	settlePause = 50 * time.Millisecond
)

// settle completes a settlement and repeats SettleTurn until the turn is known to be settled: an
// error may hide a commit, which a repetition finds by the turn's id. When it gives up,
// settleUnsettled fails the turn later. Faults: Unavailable when the database stays unavailable or
// the turn is gone; the turn's error code when the turn failed first or the conversation was
// deleted before any text was sent.
func (s *Service) settle(ctx context.Context, t *turn, in turns.Settlement, within time.Duration) (done turns.SettleResult, err error) {
	in.TurnID, in.InputBytes, in.EarlierTurns, in.Timing = t.id, t.inputBytes, t.earlierTurns, t.total()
	in.ProviderCost = t.spending.total()
	if t.fellBack {
		in.FallbackModel = t.model
	}
	if t.price != t.held {
		in.Charge = &t.price
	}
	ctx, end := startSpan(ctx, "settle")
	defer func() { end(err) }()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	ctx = s.forAccount(ctx, &turns.Begin{Source: t.msg.Source, Key: t.msg.Key, AccountID: t.msg.AccountID})
	pause := settlePause
	for {
		result, err := s.turns.SettleTurn(ctx, in)
		switch {
		case err == nil && result.Outcome != turns.Retry:
			return result, settled(in.State, result)
		case err != nil && !fault.Is(err, fault.Unavailable):
			s.unsettled.keep(in)
			return turns.SettleResult{}, err
		}
		if err == nil {
			continue
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, time.Second)
		case <-ctx.Done():
			s.unsettled.keep(in)
			return turns.SettleResult{}, err
		}
	}
}

// settled returns nil if the turn ended in the wanted state.
func settled(want conversation.TurnState, got turns.SettleResult) error {
	switch {
	case want == conversation.Answered && got.ErrorCode != "":
		return fault.Wrap(fault.Kind(got.ErrorCode), errors.New("the turn failed before its reply could be stored"))
	case want != conversation.Answered, got.Outcome == turns.Settled, got.Outcome == turns.AlreadyAnswered:
		return nil
	default:
		return fault.Wrap(fault.Unavailable, errors.New("the turn was lost before its reply could be stored"))
	}
}

// fail releases the hold of a turn whose model failed, and withdraws one that was refused before
// any model was called.
func (s *Service) fail(ctx context.Context, t *turn, cause error) {
	in := turns.Settlement{State: turns.Withdrawn}
	if t.called {
		in = turns.Settlement{
			State:       conversation.Failed,
			ErrorCode:   string(fault.KindOf(cause)),
			UnpaidCalls: t.unpaid(cause),
			Knowledge:   knowledgeText(t.usedKnowledge(false, "")),
		}
		if fault.Is(cause, fault.InvalidOutput) {
			in.RejectedReply = t.rejected.excerpt
		}
		if refused, ok := errors.AsType[*llm.ProviderError](cause); ok {
			in.ProviderStatus, in.ProviderCode = refused.Status, refused.Code
			in.ProviderError = refused.Message
		}
	}
	if _, err := s.settle(ctx, t, in, releaseFor); err != nil {
		s.cfg.Logger.WarnContext(ctx, "a failed turn's hold could not be released now; it will be retried",
			slog.String("turn_id", t.id.String()), slog.String("error", err.Error()))
	}
}

// unpaid counts the model calls of a failed turn that a user could have provoked. Calls whose reply
// breaks its schema count. Failures of the provider count only if text was sent before: a user may
// know how to crash it. A lack of memory counts only once the provider had answered.
func (t *turn) unpaid(cause error) int {
	if fault.Is(cause, fault.InvalidOutput) || !t.isUnpaid(cause) {
		return t.unpaidCalls
	}
	return t.unpaidCalls + 1
}

// isUnpaid reports whether a failed model call counts against the account.
func (t *turn) isUnpaid(cause error) bool {
	return t.delivery.begun() || errors.Is(cause, llm.ErrAnswered) || !fault.Is(cause, fault.InvalidInput) &&
		!errors.Is(cause, llm.ErrProvider) && !fault.Is(cause, fault.ModelUnavailable) && !fault.Is(cause, fault.Unavailable)
}

// release withdraws the turn of a begin whose outcome is unknown. A turn that it does not find may
// still begin, so settleUnsettled tries again.
func (s *Service) release(ctx context.Context, t *turn) {
	ctx, cancel := context.WithTimeout(ctx, releaseFor)
	defer cancel()
	ctx = s.forAccount(ctx, &turns.Begin{Source: t.msg.Source, Key: t.msg.Key, AccountID: t.msg.AccountID})
	in := turns.Settlement{TurnID: t.id, State: turns.Withdrawn, ProviderCost: t.spending.total()}
	result, err := s.turns.SettleTurn(ctx, in)
	if err != nil || result.Outcome == turns.Gone || result.Outcome == turns.Retry {
		s.unsettled.keep(in)
	}
}
