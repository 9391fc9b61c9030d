package identity

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/auth"
	"agentchat/internal/share"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
)

// authenticateToken is Authenticate for an account token. Statements for tokens take turns by network, so that somebody who makes tokens up
// keeps others waiting for one of them, and not for all.
func (s *Service) authenticateToken(ctx context.Context, token apikey.Key, client Client) (auth.Principal, account.Account, error) {
	network := share.Network(client.Address).Addr()
	var place uuid.UUID
	if network.IsValid() {
		place = network.As16()
	}
	found, err := accounts.On(s.cfg.Store.Panel()).TokenActive(store.ForAccount(ctx, place), token.Hash())
	if err != nil {
		return auth.Principal{}, account.Account{}, err
	}
	if !found.Used {
		s.used.add(found.TokenID)
	}
	return auth.Principal{TokenID: found.TokenID, AccountID: found.Account.ID, Role: found.Role}, found.Account, nil
}

// usedTokens are the account tokens whose last use is to be stored, so that no request waits for that or fails because of it.
type usedTokens struct {
	mu  sync.Mutex
	ids map[uuid.UUID]bool
}

func (u *usedTokens) add(id uuid.UUID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ids == nil {
		u.ids = map[uuid.UUID]bool{}
	}
	u.ids[id] = true
}

func (u *usedTokens) take() []uuid.UUID {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := slices.Collect(maps.Keys(u.ids))
	u.ids = nil
	return taken
}

// RecordTokenUse stores when account tokens were last used. What cannot be stored is tried again with the token's next use.
func (s *Service) RecordTokenUse(ctx context.Context) error {
	ids := s.used.take()
	if len(ids) == 0 {
		return nil
	}
	return accounts.On(s.cfg.Store).RecordTokenUse(ctx, ids)
}
