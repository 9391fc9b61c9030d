package chat

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// inTurn returns a context whose statements run when it is the turn of the message's account.
func (s *Service) forAccount(ctx context.Context, b *turns.Begin) context.Context {
	return store.ForAccount(ctx, s.accountOf(b))
}

// accountOf is the account of a message, uuid.Nil if it is not known.
func (s *Service) accountOf(b *turns.Begin) uuid.UUID {
	if b.Source == conversation.Playground {
		return b.AccountID
	}
	return s.AccountOf(b.Key)
}

// AccountOf returns the account whose key this was in earlier requests; uuid.Nil if it is not known. Only the database knows whether it
// still is: use it to find a place, in a queue or in the memory, and never to accept a key. All unknown keys wait as if they were of one
// account, so that made-up ones cannot fill the queue.
func (s *Service) AccountOf(key apikey.Hash) uuid.UUID {
	account, _ := s.accounts.Get(key)
	return account
}
