package chat

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/share"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// inTurn returns a context whose statements run when it is the turn of the message's account.
func (s *Service) inTurn(ctx context.Context, b *turns.Begin) context.Context {
	return store.ForAccount(ctx, s.accountOf(b))
}

// accountOf is the account of a message, uuid.Nil if it is not known.
func (s *Service) accountOf(b *turns.Begin) uuid.UUID {
	if b.Source == conversation.Playground {
		return b.AccountID
	}
	return s.AccountOf(b.Key)
}

const (
	// maxStrangers bounds how many requests whose key is not known yet are with the database at once, and maxStrangersOfOne those of one
	// network.
	maxStrangers, maxStrangersOfOne = 64, 32
	// strangerWait bounds the wait for that.
	strangerWait = 10 * time.Second
)

// enter waits, if the account of a request is not known (uuid.Nil), until it is the turn of the caller's network. So made-up keys, which
// are all unknown, keep a new key from elsewhere waiting for one request of theirs, and not for all. Faults: Unavailable.
func (s *Service) enter(ctx context.Context, account uuid.UUID, from netip.Addr) (leave func(), err error) {
	if account != uuid.Nil {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, strangerWait)
	defer cancel()
	if leave, err = s.strangers.Enter(ctx, uuid.UUID(share.Network(from).Addr().As16())); err != nil {
		return nil, fault.Wrap(fault.Unavailable, fmt.Errorf("waiting for its network's turn among unknown keys: %w", err))
	}
	return leave, nil
}

// AccountOf returns the account whose key this was in earlier requests; uuid.Nil if it is not known. Only the database knows whether it
// still is: use it to find a place, in a queue or in the memory, and never to accept a key. All unknown keys wait as if they were of one
// account, so that made-up ones cannot fill the queue.
func (s *Service) AccountOf(key apikey.Hash) uuid.UUID {
	account, _ := s.accounts.Get(key)
	return account
}
