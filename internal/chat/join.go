package chat

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

const (
	// maxJoinedOfTurn and maxJoinedOfAccount bound the joined requests in this process. Each holds a
	// connection of its client and the memory of its body.
	maxJoinedOfTurn, maxJoinedOfAccount = 4, 64
	// joinRetry is the Retry-After of a request over these limits, or whose wait has ended.
	// endedRetry is that of a request whose turn failed, or whose replica shuts down.
	joinRetry, endedRetry = 5 * time.Second, time.Second
)

// ErrDraining marks the RequestInProgress of a joined request whose replica is shutting down.
var ErrDraining = errors.New("the replica is shutting down")

var (
	errJoinedFailed = errors.New("the turn that the request has joined has failed")
	errStillPending = errors.New("the turn is still pending")
)

// joins are the requests that wait for the turn of an earlier request with the same idempotency
// key.
type joins struct {
	mu              sync.Mutex
	turns, accounts map[uuid.UUID]int
	draining        chan struct{}
	drain           func()
}

func newJoins() *joins {
	j := &joins{
		turns:    map[uuid.UUID]int{},
		accounts: map[uuid.UUID]int{},
		draining: make(chan struct{}),
	}
	j.drain = sync.OnceFunc(func() { close(j.draining) })
	return j
}

// enter reports whether the limits admit one more request.
func (j *joins) enter(turn, account uuid.UUID) (leave func(), ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.turns[turn] >= maxJoinedOfTurn || j.accounts[account] >= maxJoinedOfAccount {
		return nil, false
	}
	j.turns[turn]++
	j.accounts[account]++
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		decrement(j.turns, turn)
		decrement(j.accounts, account)
	}, true
}

func decrement(counts map[uuid.UUID]int, id uuid.UUID) {
	if counts[id]--; counts[id] == 0 {
		delete(counts, id)
	}
}

// Drain ends the waits of joined requests, so that their callers retry on another replica. Live
// streams continue until their turn's end. Call Drain before Wait.
func (s *Service) Drain() { s.joins.drain() }

// join waits for the turn of an earlier request with the same idempotency key, and returns its
// result. Faults: RequestInProgress, that of the turn, those of begin and replay.
func (s *Service) join(
	ctx context.Context, t *turn, found *turns.BeginResult,
) (answer *Answer, err error) {
	t.ticket.leave() // the session's next message need not wait for this request
	leave, ok := s.joins.enter(found.ReplayOf, found.Sender.AccountID)
	if !ok {
		return nil, refusal(t.msg.Source, found)
	}
	defer leave()
	_, end := startSpan(ctx, "wait")
	defer func() { end(err) }()
	wait, cancel := context.WithDeadline(ctx, t.arrived.Add(s.cfg.SessionWait+s.cfg.ModelTimeout))
	defer cancel()
	first := s.inFlight.find(found.ReplayOf)
	if t.msg.Stream != nil {
		switch begun, err := s.earlierTurn(ctx, t, first, found); {
		case err == nil:
			t.msg.Stream.Begun(*begun)
		case !fault.Is(err, fault.NotFound): // that it was withdrawn is noticed next
			return nil, err
		}
		if first != nil && first.delivery.readers != nil {
			return s.joinLive(wait, t, first)
		}
	}
	for {
		started := time.Now()
		err = s.waitForEnd(wait, first, found.ReplayOf)
		if t.waited += time.Since(started); err != nil {
			return nil, err
		}
		answer, err = s.endOf(ctx, t, found)
		if !errors.Is(err, errStillPending) {
			return answer, err
		}
		first = nil // this process could not settle it: poll the database
	}
}

// earlierTurn returns the turn of an earlier request with the same idempotency key; first is nil if
// it is not in this process. Fault: NotFound for a turn that was withdrawn.
func (s *Service) earlierTurn(
	ctx context.Context, t, first *turn, found *turns.BeginResult,
) (begun *BegunTurn, err error) {
	begun = &BegunTurn{MessageID: found.ReplayOf, Caller: t.caller, Joined: true}
	if first != nil {
		begun.Session = first.session
		return begun, nil
	}
	account := found.Sender.AccountID
	begun.Session, err = s.turns.PendingTurn(store.ForAccount(ctx, account), account, found.ReplayOf)
	return begun, err
}

// waitForEnd waits until a turn ends, in this process if first is not nil. Faults:
// RequestInProgress, Unavailable when the client left.
func (s *Service) waitForEnd(ctx context.Context, first *turn, id uuid.UUID) error {
	var ended <-chan struct{}
	if first != nil {
		ended = first.ended
	} else {
		polled, leave, ok := s.polls.enter(id)
		if !ok {
			return &fault.Error{Kind: fault.RequestInProgress, RetryAfter: joinRetry}
		}
		defer leave()
		ended = polled
	}
	select {
	case <-ended:
		return nil
	case <-s.joins.draining:
		return &fault.Error{Kind: fault.RequestInProgress, RetryAfter: endedRetry, Err: ErrDraining}
	case <-ctx.Done():
		return waitOver(ctx)
	}
}

// waitOver returns the fault of a wait that its deadline or the client ended.
func waitOver(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &fault.Error{Kind: fault.RequestInProgress, RetryAfter: joinRetry}
	}
	return fault.Wrap(fault.Unavailable, ctx.Err())
}

// endOf returns the result of a turn. Before a stored reply is sent, the key is checked again: it
// may have been removed meanwhile. Error: errStillPending.
func (s *Service) endOf(ctx context.Context, t *turn, found *turns.BeginResult) (*Answer, error) {
	account := found.Sender.AccountID
	code, err := s.turns.FailedTurn(store.ForAccount(ctx, account), account, found.ReplayOf)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, joinedFault(fault.Unavailable)
	case err != nil:
		return nil, err
	case code != "":
		if !t.msg.Source.IsAPI() {
			t.joinedFailed = found.ReplayOf
		}
		failed := joinedFault(fault.Kind(code))
		if found.Outcome == turns.KeptFailure { // the standard messages say to try again
			failed.Message = "This background message failed with " + code + ". Nothing was charged. To try again, send it " +
				"with a new Idempotency-Key."
		}
		return nil, failed
	}
	checked, err := s.checkKey(ctx, t.message(false), t.msg.Address, nil)
	if err != nil {
		return nil, err
	}
	s.recordCaller(t, checked)
	switch checked.Outcome {
	case turns.Replay:
		return s.replay(ctx, t, checked)
	case turns.InProgress, turns.KeptFailure:
		return nil, errStillPending
	case turns.Admitted: // the turn is gone
		return nil, joinedFault(fault.Unavailable)
	default:
		return nil, s.refuse(ctx, t, checked)
	}
}

// joinedFault is the fault of a joined request whose turn failed. The next retry is a new attempt.
func joinedFault(kind fault.Kind) *fault.Error {
	return &fault.Error{Kind: kind, RetryAfter: endedRetry, Err: errJoinedFailed}
}
