package chat

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

const (
	// settleFor is how long settling an answered turn is tried while the database is away: a restart fits into it.
	settleFor = 20 * time.Second
	// releaseFor is the same for a failed one, whose hold the reaper releases anyway.
	releaseFor = 2 * time.Second
	settleWait = 50 * time.Millisecond
	// makeWayMost bounds how long a conversation is left to another replica.
	makeWayMost = 300 * time.Millisecond
)

// settle settles a turn, again and again until it is known to be settled: an error may hide a commit, and the statement finds
// out by the turn's id. Faults: Unavailable when the database stays away or the turn is gone, or what the turn failed with
// when the reaper or a deletion came first.
func (s *Service) settle(ctx context.Context, t *turn, in store.Settlement, within time.Duration) (store.Finished, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	pause := settleWait
	in.InputBytes = t.given
	for {
		finished, err := s.cfg.Store.FinishTurn(ctx, in)
		switch {
		case err == nil && finished.Outcome != store.Again:
			t.contended = finished.Contended
			return finished, settled(in.State, finished)
		case err != nil && !fault.Is(err, fault.Unavailable):
			return store.Finished{}, err
		}
		if err == nil {
			continue
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, time.Second)
		case <-ctx.Done():
			return store.Finished{}, err
		}
	}
}

// settled says whether the turn ended as it was meant to.
func settled(want conversation.TurnState, f store.Finished) error {
	switch {
	case f.Outcome == store.Settled, f.Outcome == store.Outcome(want):
		return nil
	case f.Outcome == store.AlreadyFailed && f.ErrorCode != "":
		return fault.Wrap(fault.Kind(f.ErrorCode), errors.New("the turn had been failed before its reply could be stored"))
	default:
		return fault.Wrap(fault.Unavailable, errors.New("the turn was lost before its reply could be stored"))
	}
}

// handOver gives the turn's place in line to the next message here, after leaving the conversation for a moment to another
// replica whose message is known to wait. The reply does not wait for that.
func (t *turn) handOver() {
	if t.contended > 0 && t.place.othersWait() {
		time.AfterFunc(min(t.contended, makeWayMost), t.place.leave)
		return
	}
	t.place.leave()
}

// fail releases the hold of a turn whose model failed. The caller's answer is the model's failure either way.
func (s *Service) fail(ctx context.Context, t *turn, cause error) {
	failed := store.Settlement{TurnID: t.id, State: conversation.Failed, ErrorCode: string(fault.KindOf(cause))}
	_, err := s.settle(ctx, t, failed, releaseFor)
	if err != nil {
		s.cfg.Logger.WarnContext(ctx, "a failed turn's hold could not be released now; the reaper will do it",
			slog.String("turn_id", t.id.String()), slog.String("error", err.Error()))
	}
}

// giveUp releases what a begin of unknown outcome may have held. Best effort: the reaper does it otherwise.
func (s *Service) giveUp(ctx context.Context, t *turn) {
	ctx, cancel := context.WithTimeout(ctx, releaseFor)
	defer cancel()
	_, _ = s.cfg.Store.FinishTurn(ctx, store.Settlement{TurnID: t.id, State: conversation.Failed, ErrorCode: string(fault.Unavailable)})
}
