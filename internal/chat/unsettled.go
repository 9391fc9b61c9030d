package chat

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/turns"
)

const (
	maxUnsettled   = 10_000
	unsettledBatch = 32
	// retryEvery is the interval at which unsettled turns that are due are settled.
	retryEvery = time.Second
	// goneAfter is the time after which a turn that does not exist never will: a call is cancelled
	// after 10 s.
	goneAfter = 15 * time.Second
)

// retryAfter lists the times of the attempts after the turn's request gave up.
var retryAfter = []time.Duration{
	time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, goneAfter, 30 * time.Second,
	time.Minute,
}

// unsettledTurns are turns whose requests gave up or panicked: their begin may have committed, or
// may still commit, or their settlement failed. settleUnsettled fails them, except those whose
// answer was committed after all. Turns that are left after the last attempt, or do not fit, are
// released at their deadline.
type unsettledTurns struct {
	mu    sync.Mutex
	turns map[uuid.UUID]unsettledTurn
}

type unsettledTurn struct {
	id          uuid.UUID
	code        string
	unpaidCalls int
	// cachedTokens and providerCost are those of the settlement.
	cachedTokens, providerCost *int64
	since                      time.Time
	// tries is the number of attempts so far.
	tries int
}

func newUnsettledTurns() *unsettledTurns {
	return &unsettledTurns{turns: map[uuid.UUID]unsettledTurn{}}
}

// keep adds the turn of a settlement whose outcome is unknown.
func (u *unsettledTurns) keep(in turns.Settlement) { u.keepSince(time.Now(), in) }

func (u *unsettledTurns) keepSince(now time.Time, in turns.Settlement) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.turns) < maxUnsettled {
		u.turns[in.TurnID] = unsettledTurn{
			id:           in.TurnID,
			code:         cmp.Or(in.ErrorCode, string(fault.Unavailable)),
			unpaidCalls:  in.UnpaidCalls,
			cachedTokens: in.CachedTokens,
			providerCost: in.ProviderCost,
			since:        now,
		}
	}
}

func (u *unsettledTurns) count() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.turns)
}

// due returns the turns whose next attempt is due, and counts it.
func (u *unsettledTurns) due(now time.Time) (due []unsettledTurn) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for id, t := range u.turns {
		if now.Sub(t.since) < retryAfter[t.tries] {
			continue
		}
		t.tries++
		u.turns[id] = t
		due = append(due, t)
	}
	return due
}

// tried removes a turn that is settled, that does not exist and never will, or that had its last
// attempt. An attempt without a result has the outcome Retry.
func (u *unsettledTurns) tried(t unsettledTurn, outcome turns.Outcome) {
	last := t.tries == len(retryAfter)
	wait := outcome == turns.Retry || outcome == turns.Gone && retryAfter[t.tries-1] < goneAfter
	if wait && !last {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.turns, t.id)
}

// settlement fails the turn.
func (t unsettledTurn) settlement() turns.Settlement {
	return turns.Settlement{
		TurnID:       t.id,
		State:        conversation.Failed,
		ErrorCode:    t.code,
		UnpaidCalls:  t.unpaidCalls,
		CachedTokens: t.cachedTokens,
		ProviderCost: t.providerCost,
	}
}

// settleUnsettled fails the unsettled turns that are due.
func (s *Service) settleUnsettled(ctx context.Context) {
	for batch := range slices.Chunk(s.unsettled.due(time.Now()), unsettledBatch) {
		ended := make([]turns.Settlement, len(batch))
		for i, t := range batch {
			ended[i] = t.settlement()
		}
		results, err := turns.On(s.cfg.Store.Own()).SettleTogether(ctx, ended)
		for i, t := range batch {
			outcome := turns.Retry
			if err == nil {
				outcome = results[i].Outcome
			}
			if outcome == turns.Settled {
				s.cfg.Released(Unsettled, 1)
			}
			s.unsettled.tried(t, outcome)
		}
	}
}
