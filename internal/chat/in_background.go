package chat

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/turns"
)

const (
	// maxInBackground bounds the messages in the background in this process, and
	// maxInBackgroundOfAccount those of one account.
	maxInBackground, maxInBackgroundOfAccount = 512, 64
	// slotRetry is the Retry-After of a message over these limits.
	slotRetry = 5 * time.Second
)

const noSlot = "Too many background messages are in progress. Repeat the request later."

// backgroundSlots are the slots of messages in the background. Accounts share them as they share
// memory.Budget: an account may take a slot if it then holds no more than is left free.
type backgroundSlots struct {
	mu       sync.Mutex
	free     int
	accounts map[uuid.UUID]int
}

func newBackgroundSlots() *backgroundSlots {
	return &backgroundSlots{free: maxInBackground, accounts: map[uuid.UUID]int{}}
}

// take takes a slot for an account; ok is false if the account may not have another one.
func (b *backgroundSlots) take(account uuid.UUID) (leave func(), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if held := b.accounts[account] + 1; held > min(maxInBackgroundOfAccount, b.free-1) {
		return nil, false
	}
	b.free--
	b.accounts[account]++
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.free++
		decrement(b.accounts, account)
	}, true
}

// takeSlot takes the slot that a background message needs, and reports whether the message can
// begin. An unknown account gets none: its key must be checked first.
func (s *Service) takeSlot(t *turn) bool {
	if !t.msg.Background || t.leaveSlot != nil {
		return true
	}
	account := s.AccountOf(t.msg.Key)
	if account == uuid.Nil {
		return false
	}
	leave, ok := s.slots.take(account)
	t.leaveSlot = leave
	return ok
}

// timeLimit is the time limit of a message's reply.
func (s *Service) timeLimit(msg *Message) time.Duration {
	if msg.Background {
		return s.cfg.BackgroundTimeout
	}
	return s.cfg.ModelTimeout
}

// sendInBackground is Send for a message in the background. It returns once the turn has begun, and
// the turn continues. For an earlier request's turn, it returns the result or the ids.
func (s *Service) sendInBackground(ctx context.Context, t *turn) (Result, error) {
	t.response = make(chan response, 2) // accept's, which comes first, and the end
	go func() {
		result, err := s.finishInBackground(ctx, t)
		t.response <- response{result, err}
	}()
	first := <-t.response
	return first.result, first.err
}

// response holds the results of Send for a message in the background.
type response struct {
	result Result
	err    error
}

// finishInBackground answers a message, then releases its slot and memory. A panic affects no other
// message.
func (s *Service) finishInBackground(ctx context.Context, t *turn) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.Wrap(fault.Internal, fmt.Errorf("a message in the background panicked: %v\n%s", p, debug.Stack()))
			s.recordEnd(ctx, t, nil, err)
		}
		if t.leaveSlot != nil {
			t.leaveSlot()
		}
		if t.begun {
			t.msg.Memory.Release()
		}
	}()
	return s.answer(ctx, t)
}

// accept returns the ids of a turn to the caller of Send, while the turn continues. From now on it
// holds the memory of the request.
func (t *turn) accept() {
	t.begun = true
	t.msg.Memory = t.msg.Memory.Detach()
	t.response <- response{result: Result{
		Caller:     t.caller,
		InProgress: &BegunTurn{MessageID: t.id, Session: t.session, Caller: t.caller},
		Turn:       t.id,
		Model:      t.model,
		Version:    t.version,
	}}
}

// recordEnd logs and counts the end of a background turn whose ids were the response.
func (s *Service) recordEnd(ctx context.Context, t *turn, answer *Answer, err error) {
	if !t.begun {
		return
	}
	end := BackgroundEnd{Model: t.model}
	level, attrs := slog.LevelInfo, []slog.Attr{
		slog.String("request_id", t.msg.RequestID), slog.String("account", t.caller.AccountID.String()),
		slog.String("turn", t.id.String()), slog.String("model", t.model),
		slog.Float64("ms", float64(time.Since(t.arrived).Microseconds())/1000),
	}
	if err != nil {
		end.Code = string(fault.KindOf(err))
		attrs = append(attrs, slog.String("code", end.Code))
	} else {
		end.Credits = answer.Credits
		attrs = append(attrs, slog.Int64("credits", end.Credits))
	}
	if fault.Is(err, fault.Internal) {
		level, attrs = slog.LevelError, append(attrs, slog.String("error", err.Error()))
	}
	s.cfg.Logger.LogAttrs(ctx, level, "background reply", attrs...)
	if s.cfg.ObserveBackground != nil {
		s.cfg.ObserveBackground(end)
	}
}

// poll sets t.inProgress to the turn that an earlier request began.
func (s *Service) poll(ctx context.Context, t *turn, found *turns.BeginResult) (err error) {
	t.inProgress, err = s.earlierTurn(ctx, t, s.inFlight.find(found.ReplayOf), found)
	if fault.Is(err, fault.NotFound) { // it was withdrawn
		return joinedFault(fault.Unavailable)
	}
	return err
}
