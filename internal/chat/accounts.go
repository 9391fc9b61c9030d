package chat

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/apikey"
	"agentchat/internal/store"
	"agentchat/internal/store/turns"
)

// forAccount returns a context whose statements use the slots of the message's account.
func (s *Service) forAccount(ctx context.Context, b *turns.Begin) context.Context {
	return store.ForAccount(ctx, s.accountOf(b))
}

// accountOf returns the account of a message; uuid.Nil if it is unknown.
func (s *Service) accountOf(b *turns.Begin) uuid.UUID {
	if !b.Source.IsAPI() {
		return b.AccountID
	}
	return s.AccountOf(b.Key)
}

// AccountOf returns the account whose key this was in earlier requests; uuid.Nil if it is unknown.
// Only the database knows whether it still is. Use it to choose a queue or a share of memory, never
// to accept a key.
func (s *Service) AccountOf(key apikey.Hash) uuid.UUID {
	account, _ := s.accounts.Get(key)
	return account
}
