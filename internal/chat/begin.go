package chat

import (
	"context"
	"math/rand/v2"
	"time"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/turns"
)

const (
	// maxRetries bounds how often a call that lost a race is repeated without a pause.
	maxRetries = 20
	// minRetryInterval and maxRetryInterval bound the polling interval while another replica has the
	// conversation.
	minRetryInterval = 10 * time.Millisecond
	maxRetryInterval = 250 * time.Millisecond
)

// begin waits until the message is the first of its session and begins its turn, or finds an
// earlier request with its idempotency key. The outcome is Begun, Replay, KeptFailure or InProgress;
// everything else is a fault.
func (s *Service) begin(ctx context.Context, t *turn) (*turns.BeginResult, error) {
	begun, err := s.beginInOrder(ctx, t)
	if t.msg.IdempotencyKey == "" || !fault.Is(err, fault.SessionBusy) {
		return begun, err
	}
	// The earlier request may have waited for the session, too, and begun meanwhile.
	checked, failed := s.checkKey(ctx, t.message(false), t.msg.Address, nil)
	if failed != nil || !holdsKey(checked.Outcome) {
		return begun, err
	}
	s.recordCaller(t, checked)
	return checked, nil
}

// holdsKey reports whether an earlier request has the idempotency key.
func holdsKey(outcome turns.Outcome) bool {
	return outcome == turns.InProgress || outcome == turns.Replay || outcome == turns.KeptFailure
}

// beginInOrder is begin without the second look at the idempotency key.
func (s *Service) beginInOrder(ctx context.Context, t *turn) (*turns.BeginResult, error) {
	spendRate := !t.msg.KeyChecked
	if waits := t.ticket.mustWait(); waits || !s.takeSlot(t) {
		// Refusals and replays wait neither for the session nor for a slot.
		checked, err := s.checkKey(ctx, t.message(spendRate), t.msg.Address, nil)
		if err != nil {
			return nil, err
		}
		s.recordCaller(t, checked)
		switch {
		case holdsKey(checked.Outcome):
			return checked, nil
		case checked.Outcome != turns.Admitted:
			return checked, s.refuse(ctx, t, checked)
		case !s.takeSlot(t):
			return checked, &fault.Error{Kind: fault.RateLimited, RetryAfter: slotRetry, Message: noSlot}
		}
		spendRate = false
		if waits {
			_, end := startSpan(ctx, "wait")
			started := time.Now()
			err = t.ticket.wait(ctx, t.arrived.Add(s.cfg.SessionWait))
			t.waited += time.Since(started)
			if end(err); err != nil {
				return checked, err
			}
		}
	}
	ctx, end := startSpan(ctx, "begin")
	begun, err := s.beginFirst(ctx, t, spendRate)
	end(err)
	return begun, err
}

// recordCaller records the caller for the response, the key's use, and the key's agent for the
// queues. A key that has meanwhile stopped working has no caller.
func (s *Service) recordCaller(t *turn, result *turns.BeginResult) {
	s.recordAccount(t.msg.Key, result)
	if result.Outcome == turns.Unauthorized {
		t.caller = nil
		return
	}
	if caller := callerOf(result.Sender); caller != nil {
		t.caller = caller
		s.used.record(caller.KeyID)
		s.queues.recordAgent(t.msg.Key, caller.AgentID)
		t.msg.Memory.MoveTo(caller.AccountID)
	}
}

// beginFirst begins the turn of the message that is the first of its session in this process. While
// another replica has the conversation it tries again, until the wait is over or the client leaves.
func (s *Service) beginFirst(ctx context.Context, t *turn, spendRate bool) (*turns.BeginResult, error) {
	deadline := t.arrived.Add(s.cfg.SessionWait)
	retries := 0
	for {
		started := time.Now()
		begun, err := s.tryBegin(ctx, t, spendRate)
		if err != nil {
			return begun, err
		}
		s.recordCaller(t, begun)
		spendRate = spendRate && begun.Outcome == turns.Retry
		if s.outdated(begun.Outcome, t.catalogue) {
			continue
		}
		switch begun.Outcome {
		case turns.Begun:
			t.timing.Waited = time.Since(t.arrived)
			return begun, nil
		case turns.Replay, turns.KeptFailure, turns.InProgress:
			return begun, nil
		case turns.Retry:
			if retries++; retries < maxRetries {
				continue
			}
			retries = 0 // another replica was faster each time: wait as if it had the conversation
		case turns.Busy:
		case turns.ModelUnavailable:
			away := t.catalogue.RetryAfter(begun.Model, begun.Sender.AccountID)
			name := turns.VersionName(begun.Sender.AgentID, begun.Version)
			if wait := s.schemaFailures.retryAfter(t.msg.Source, begun.Sender.AccountID, name); wait > 0 {
				return begun, versionRefused(max(wait, away))
			}
			return begun, modelUnavailable(away)
		default:
			return begun, s.refuse(ctx, t, begun)
		}
		if err := pauseUntil(ctx, retryInterval(time.Since(t.arrived)), deadline); err != nil {
			return begun, err
		}
		t.waited += time.Since(started)
	}
}

// modelUnavailable refuses a message before anything is held. When the account's circuit is due for
// a probe, messages are not refused here: the first one to reach the model is the probe. The
// circuit refuses the others, and their turns are withdrawn. So are those of messages whose account
// is unknown.
func modelUnavailable(retryAfter time.Duration) error {
	return &fault.Error{Kind: fault.ModelUnavailable, RetryAfter: max(retryAfter, time.Second)}
}

// reloadTime is the Retry-After for a model that this process does not offer yet.
const reloadTime = 5 * time.Second

// newModel is the time after its publication for which a version may have a model that this process
// has never offered: replicas reload the models file one after the other.
const newModel = time.Minute

// isNew reports whether this process has not offered a model so far, or does so by now.
func (s *Service) isNew(model string) bool {
	entry, _ := s.cfg.Catalogue.Now().Lookup(model)
	return entry.Available() || !s.cfg.Catalogue.Offered(model)
}

// outdated reports whether a model was missing from a catalogue that has been replaced meanwhile.
func (s *Service) outdated(outcome turns.Outcome, models *catalogue.Catalogue) bool {
	return outcome == turns.ModelWithdrawn && models != s.cfg.Catalogue.Now()
}

// refuse returns the refusal of an outcome. If only other replicas offer the agent's model so far,
// the caller gets Retry-After.
func (s *Service) refuse(ctx context.Context, t *turn, result *turns.BeginResult) error {
	if result.Outcome == turns.ModelWithdrawn {
		model, err := s.turns.RecentModel(ctx, *t.message(false), newModel)
		switch {
		case err != nil:
			return err
		case model != "" && s.isNew(model):
			return modelUnavailable(reloadTime)
		}
	}
	return refusal(t.msg.Source, result)
}

// tryBegin runs begin once, even if the client has left: cancelling the call would leave unknown
// whether it was committed. After an error of the database the turn may be pending, and is released
// by its id.
func (s *Service) tryBegin(ctx context.Context, t *turn, spendRate bool) (*turns.BeginResult, error) {
	b := t.message(spendRate)
	t.catalogue = s.cfg.Catalogue.Now()
	b.Models, b.Prices = t.catalogue.PriceList()
	b.KnowledgePrices = t.catalogue.KnowledgePrices()
	b.Unavailable = append(t.catalogue.Away(s.accountOf(b)), s.schemaFailures.refused(t.msg.Source, s.accountOf(b))...)
	b.HoldFor, b.MaxContextBytes = s.timeLimit(&t.msg)+s.cfg.HoldGrace, conversation.MaxContextBytes
	b.Background = t.msg.Background
	leave, err := s.enter(ctx, s.accountOf(b), t.msg.Address, nil)
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx = s.forAccount(context.WithoutCancel(ctx), b)
	begun, err := s.turns.BeginTurn(ctx, *b)
	if err != nil {
		s.release(ctx, t)
	}
	return &begun, err
}

// retryInterval returns the time to the next attempt: an eighth of the wait so far, with jitter. A
// short wait ends soon and a long one costs few statements.
func retryInterval(waited time.Duration) time.Duration {
	interval := min(max(waited/8, minRetryInterval), maxRetryInterval)
	return interval/2 + rand.N(interval/2)
}

// pauseUntil pauses, unless the deadline comes first. Faults: SessionBusy for the deadline,
// Unavailable when the client left.
func pauseUntil(ctx context.Context, pause time.Duration, deadline time.Time) error {
	if time.Until(deadline) <= pause {
		return sessionBusy()
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fault.Wrap(fault.Unavailable, ctx.Err())
	}
}

func sessionBusy() error { return &fault.Error{Kind: fault.SessionBusy, RetryAfter: 5 * time.Second} }
