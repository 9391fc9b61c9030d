package identity

import (
	"context"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/store/users"
)

// ChangeName changes the user's name. Faults: InvalidInput on name; RateLimited over MaxChanges.
func (s *Service) ChangeName(
	ctx context.Context, p auth.Principal, name string, client Client,
) (account.User, error) {
	name, err := account.ParseName(name)
	if err == nil {
		err = s.countChange(ctx, p, "name")
	}
	if err != nil {
		return account.User{}, err
	}
	return users.On(s.cfg.Store).SetName(ctx, p.UserID, name, client.Does("updateUser", "name"))
}
