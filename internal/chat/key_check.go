package chat

import (
	"context"
	"fmt"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fair"
	"agentchat/internal/fault"
	"agentchat/internal/share"
	"agentchat/internal/store/turns"
)

const (
	// maxUnknownCallers bounds the requests of unknown keys that use the database at once, and
	// maxUnknownOfNetwork those of one network.
	maxUnknownCallers, maxUnknownOfNetwork = 64, 32
	// unknownCallerWait bounds their wait.
	unknownCallerWait = 10 * time.Second
	// maxKeyChecks bounds the requests of known keys that are refused anyway and use the database at
	// once, and maxKeyChecksOfAccount those of one account. That is enough for the database, and
	// little next to thousands of refused requests.
	maxKeyChecks, maxKeyChecksOfAccount = 16, 8
)

// CheckKey checks a key and spends one request of its rate, for requests that are refused before
// they can begin a turn. It returns the caller with all faults but Unauthorized and Unavailable.
// Faults: Unauthorized, AccountSuspended, ExportPaused, RateLimited, Unavailable.
func (s *Service) CheckKey(ctx context.Context, key apikey.Hash, from netip.Addr) (*Caller, error) {
	return s.admit(ctx, &turns.Begin{Key: key, SpendRate: true}, from, s.keyChecks)
}

// admit checks only a key, its rate and its end user: the agent need not be ready. It changes b.
// Faults: those of CheckKey, and UserBlocked.
func (s *Service) admit(
	ctx context.Context, b *turns.Begin, from netip.Addr, known *fair.Queue,
) (*Caller, error) {
	checked, err := s.checkKey(ctx, b, from, known)
	if err != nil {
		return nil, err
	}
	s.recordAccount(b.Key, checked)
	caller := callerOf(checked.Sender)
	switch checked.Outcome {
	case turns.Unauthorized, turns.AccountSuspended, turns.ExportPaused, turns.RateLimited, turns.UserBlocked:
		return caller, refusal(conversation.API, checked)
	default:
		s.used.record(caller.KeyID)
		return caller, nil
	}
}

// checkKey asks the database whether a message may begin, as far as that does not depend on its
// session. Known accounts wait in a queue, if it is not nil. It asks again only when the export or
// the catalogue changes at the same time. It changes b.
//
// Thousands may wait here, each on its connection's goroutine, whose stack never shrinks. So the
// wait needs little stack, and the statement runs on a goroutine of its own.
func (s *Service) checkKey(ctx context.Context, b *turns.Begin, from netip.Addr, known *fair.Queue) (out *turns.BeginResult, err error) {
	leave, err := s.enter(ctx, s.accountOf(b), from, known)
	if err != nil {
		return nil, err
	}
	defer leave()
	onNewGoroutine(func() {
		ctx := s.forAccount(ctx, b)
		b.AdmitOnly = true
		for range maxRetries {
			models := s.cfg.Catalogue.Now()
			b.Models, b.Prices = models.PriceList()
			checked, failed := s.turns.BeginTurn(ctx, *b)
			if failed != nil || checked.Outcome != turns.Retry && !s.outdated(checked.Outcome, models) {
				out, err = &checked, failed
				return
			}
			b.SpendRate = b.SpendRate && checked.Outcome == turns.Retry
		}
		err = fault.New(fault.Unavailable, "")
	})
	return out, err
}

// enter waits for the turn of the caller's network if the account of a request is unknown
// (uuid.Nil): made-up keys, which are all unknown, then delay a new key from elsewhere by one
// request and not by all. A known account waits for its turn in known, unless that is nil. Fault:
// Unavailable.
func (s *Service) enter(ctx context.Context, account uuid.UUID, from netip.Addr, known *fair.Queue) (leave func(), err error) {
	queue, tenant := known, account
	if account == uuid.Nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, unknownCallerWait)
		defer cancel()
		queue, tenant = s.unknownCallers, uuid.UUID(share.Network(from).Addr().As16())
	}
	if queue == nil {
		return func() {}, nil
	}
	if leave, err = queue.Enter(ctx, tenant); err != nil {
		return nil, fault.Wrap(fault.Unavailable, fmt.Errorf("waiting for a key check: %w", err))
	}
	return leave, nil
}

// onNewGoroutine runs f on a goroutine of its own, and panics as f does.
func onNewGoroutine(f func()) {
	done, panicked := make(chan struct{}), ""
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
		}()
		f()
	}()
	<-done
	if panicked != "" {
		panic(panicked)
	}
}

// recordAccount remembers the account of a key, or forgets a key that has stopped working.
func (s *Service) recordAccount(key apikey.Hash, result *turns.BeginResult) {
	if result.Outcome == turns.Unauthorized {
		s.accounts.Remove(key)
	} else if caller := callerOf(result.Sender); caller != nil {
		s.accounts.Add(key, caller.AccountID)
	}
}
