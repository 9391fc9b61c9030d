package chat

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
)

const (
	// maxUndecided bounds how often a statement that lost a race is run again at once.
	maxUndecided = 20
	// askAgainMin and askAgainMax bound the interval at which a message asks for a conversation that another replica has.
	askAgainMin = 10 * time.Millisecond
	askAgainMax = 250 * time.Millisecond
	// inTransit is how long a question is under way, on top of the interval that was announced.
	inTransit = 15 * time.Millisecond
)

// begin takes the turn's place in line and begins it, or says why not: an answered earlier request comes back as Replay.
func (s *Service) begin(ctx context.Context, t *turn) (store.Begun, error) {
	spend := !t.req.Admitted
	if t.place.mustWait() {
		begun, err := s.beforeWaiting(ctx, t, spend)
		if err != nil || begun.Outcome == store.Replay {
			return begun, err
		}
		spend = false
		if err := t.place.wait(ctx, t.arrived.Add(s.cfg.SessionWait)); err != nil {
			return store.Begun{}, err
		}
	}
	return s.beginInTurn(ctx, t, spend)
}

// beforeWaiting refuses at once what needs no turn to be refused, and finds replays: they do not wait for the session.
func (s *Service) beforeWaiting(ctx context.Context, t *turn, spend bool) (store.Begun, error) {
	begun, err := s.admit(ctx, t.gate(spend))
	if err != nil {
		return begun, err
	}
	t.saw(s, begun)
	if begun.Outcome == store.Pass || begun.Outcome == store.Replay {
		return begun, nil
	}
	return begun, refusal(begun)
}

// saw keeps who asks, and shows later messages of the same agent to the same lines. A key that has stopped meanwhile leaves
// nobody.
func (t *turn) saw(s *Service, begun store.Begun) {
	if begun.Outcome == store.Unauthorized {
		t.caller = nil
		return
	}
	if caller := s.caller(begun); caller != nil {
		t.caller = caller
		s.used.note(caller.KeyID)
		s.lines.learn(t.req.Key, caller.AgentID)
	}
}

// beginInTurn begins the turn of the message that is at the head of its line here. While another replica has the
// conversation it asks again, until the wait is over or the client is gone.
func (s *Service) beginInTurn(ctx context.Context, t *turn, spend bool) (store.Begun, error) {
	undecided := 0
	for {
		pause := askAgainIn(time.Since(t.arrived))
		begun, err := s.tryBegin(ctx, t, spend, pause)
		if err != nil {
			return begun, err
		}
		t.saw(s, begun)
		spend = spend && begun.Outcome == store.AgainUnspent
		switch begun.Outcome {
		case store.Go, store.Replay:
			return begun, nil
		case store.Again, store.AgainUnspent:
			if undecided++; undecided < maxUndecided {
				continue
			}
			// The messages of another replica were quicker each time: let some by, as if the conversation were theirs.
			undecided = 0
			if err := pauseUntil(ctx, pause, t.arrived.Add(s.cfg.SessionWait)); err != nil {
				return begun, err
			}
		case store.Busy:
			if err := pauseUntil(ctx, pause, t.arrived.Add(s.cfg.SessionWait)); err != nil {
				return begun, err
			}
		case store.ModelAway:
			return begun, s.away(begun.Model)
		default:
			return begun, refusal(begun)
		}
	}
}

// away refuses a message to a model that is away, before anything is held. When a probe is due, the message is let through
// instead: the first one to reach the model is the probe, and those that begin beside it lose that race, fail at once as any
// turn whose model is away, and cost nothing. So does one whose model's circuit opens while it begins.
func (s *Service) away(model string) error {
	return &fault.Error{Kind: fault.ModelUnavailable, RetryAfter: max(s.cfg.Catalogue.RetryAfter(model), time.Second)}
}

// tryBegin runs begin once. A client that left, or only closed its sending side, no longer matters here: its message arrived
// whole, and cutting the statement off in the middle would leave unknown whether it was committed. When the database fails it,
// the turn may be pending, and is given up by its id.
func (s *Service) tryBegin(ctx context.Context, t *turn, spend bool, pause time.Duration) (store.Begun, error) {
	gate := t.gate(spend)
	gate.Models, gate.Prices = s.cfg.Catalogue.PriceList()
	ctx = context.WithoutCancel(ctx)
	begun, err := s.cfg.Store.BeginTurn(ctx, store.Begin{
		Gate: gate, Session: t.session, Message: t.req.Message, TurnID: t.id, ConversationID: uuid.Must(uuid.NewV7()),
		HoldFor: s.cfg.ModelTimeout + s.cfg.HoldGrace, RequestID: t.req.RequestID, MaxContextBytes: maxContextBytes,
		AskAgainAfter: pause + inTransit, Away: s.cfg.Catalogue.Away(),
	})
	if err != nil {
		s.giveUp(ctx, t)
	}
	return begun, err
}

// askAgainIn is the interval to the next question after waiting so long: an eighth of the wait, jittered, so that a short
// wait ends soon and a long one costs few statements.
func askAgainIn(waited time.Duration) time.Duration {
	interval := min(max(waited/8, askAgainMin), askAgainMax)
	return interval/2 + rand.N(interval/2)
}

// pauseUntil waits a moment, at most until the deadline. Faults: SessionBusy at the deadline, Unavailable when the client left.
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

// refusal turns an outcome that is not a yes into its fault.
func refusal(b store.Begun) error {
	switch b.Outcome {
	case store.Unauthorized:
		return fault.New(fault.Unauthorized, "")
	case store.RateLimited:
		step := time.Minute / time.Duration(b.Asker.RatePerMinute)
		wait := b.Asker.RateAhead + step - step*time.Duration(b.Asker.RatePerMinute)
		return &fault.Error{Kind: fault.RateLimited, RetryAfter: max(wait, time.Millisecond)}
	case store.KeyReused:
		return fault.New(fault.IdempotencyKeyReused, "")
	case store.InProgress:
		return &fault.Error{Kind: fault.RequestInProgress, RetryAfter: time.Second}
	case store.ConversationDeleted:
		return fault.New(fault.ConversationDeleted, "")
	case store.Draft:
		return &fault.Error{Kind: fault.AgentNotReady, Details: map[string]any{"reason": "draft"},
			Message: "The agent is a draft. Its owner has to complete it in the control panel."}
	case store.NoModel:
		return &fault.Error{Kind: fault.AgentNotReady, Details: map[string]any{"reason": "no_model"},
			Message: "The agent has no model yet. Choose one, then try it."}
	case store.ModelWithdrawn:
		return &fault.Error{Kind: fault.AgentNotReady, Details: map[string]any{"reason": "model_withdrawn"},
			Message: "The agent's model is no longer offered. Its owner has to choose another in the control panel."}
	case store.InsufficientCredits:
		return &fault.Error{Kind: fault.InsufficientCredits,
			Details: map[string]any{"credits_required": b.Price, "credits_available": b.Available}}
	default:
		return fault.New(fault.Internal, "")
	}
}
