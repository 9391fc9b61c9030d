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

// authenticateToken is Authenticate for an account token. Its statements share the database by
// network, so that a flood of invented tokens delays other networks by one statement, not by all.
func (s *Service) authenticateToken(
	ctx context.Context, token apikey.Key, client Client,
) (auth.Principal, account.Account, error) {
	network := share.Network(client.Address).Addr()
	var tenant uuid.UUID
	if network.IsValid() {
		tenant = network.As16()
	}
	ctx = store.ForAccount(ctx, tenant)
	found, err := accounts.On(s.cfg.Store.Panel()).TokenActive(ctx, token.Hash())
	if err != nil {
		return auth.Principal{}, account.Account{}, err
	}
	if !found.Used {
		s.used.add(found.TokenID)
	}
	p := auth.Principal{TokenID: found.TokenID, AccountID: found.Account.ID, Role: found.Role}
	return p, found.Account, nil
}

// usedTokens holds the account tokens whose last use is not stored yet. RecordTokenUse stores it in
// the background, so that requests do not wait.
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

// RecordTokenUse stores when account tokens were last used. If that fails, the token's next use is
// stored.
func (s *Service) RecordTokenUse(ctx context.Context) error {
	ids := s.used.take()
	if len(ids) == 0 {
		return nil
	}
	return accounts.On(s.cfg.Store).RecordTokenUse(ctx, ids)
}
