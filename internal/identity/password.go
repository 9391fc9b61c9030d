package identity

import (
	"context"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

// ChangePassword replaces the password and ends every sign-in but the principal's; the old password again is fine. Faults:
// InvalidInput with every bad field; InvalidCredentials for a wrong current password; RateLimited over MaxGuesses, which
// ConfirmPassword counts to; Conflict when the password was changed meanwhile.
func (s *Service) ChangePassword(ctx context.Context, p auth.Principal, current, next string) (account.Account, error) {
	if err := fields(given("currentPassword", current), account.CheckPassword("newPassword", next)); err != nil {
		return account.Account{}, err
	}
	verified, err := s.verify(ctx, p, current)
	if err != nil {
		return account.Account{}, err
	}
	hash, err := s.cfg.Hasher.Hash(ctx, next)
	if err != nil {
		return account.Account{}, hashing(err)
	}
	change := store.PasswordChange{VerifiedHash: verified, NewHash: hash}
	if err := s.cfg.Store.SetPasswordAndEndOthers(ctx, p.AccountID, p.SignInID, change); err != nil {
		return account.Account{}, err
	}
	return s.cfg.Store.Account(ctx, p.AccountID)
}

// ConfirmPassword starts the sign-in's ten minutes anew in which the password counts as confirmed. Faults: InvalidInput for no
// password at all; InvalidCredentials for a wrong one; RateLimited over MaxGuesses; Unauthorized when the sign-in was ended
// meanwhile.
func (s *Service) ConfirmPassword(ctx context.Context, p auth.Principal, password string) error {
	if err := given("password", password); err != nil {
		return err
	}
	if _, err := s.verify(ctx, p, password); err != nil {
		return err
	}
	return s.cfg.Store.ConfirmSignIn(ctx, p.AccountID, p.SignInID)
}

// verify checks the password of a signed-in account and returns the hash that it fits. Only wrong ones count.
func (s *Service) verify(ctx context.Context, p auth.Principal, password string) (hash string, err error) {
	key := s.cfg.Tokens.ThrottleKey("password", p.AccountID.String())
	giveBack, err := s.attempt(ctx, key, MaxGuesses, GuessWindow)
	if err != nil {
		return "", err
	}
	credentials, err := s.cfg.Store.Credentials(ctx, p.AccountID)
	if fault.Is(err, fault.NotFound) || err == nil && credentials.State != account.Active {
		return "", fault.Wrap(fault.Unauthorized, err)
	}
	if err != nil {
		return "", err
	}
	right, err := s.cfg.Hasher.Verify(ctx, credentials.PasswordHash, password)
	if err != nil {
		return "", hashing(err)
	}
	if !right {
		return "", fault.New(fault.InvalidCredentials, "The password is wrong.")
	}
	return credentials.PasswordHash, giveBack()
}

// DeleteAccount deletes the account with all its agents and conversations, when the password is right: from then on no key and
// no sign-in of it is accepted. What stays is the operator's ledger, without the owner's name and address. Faults: InvalidInput
// for no password at all; InvalidCredentials for a wrong one; RateLimited over MaxGuesses; Conflict when the password was
// changed meanwhile.
func (s *Service) DeleteAccount(ctx context.Context, p auth.Principal, password string) error {
	if err := given("password", password); err != nil {
		return err
	}
	verified, err := s.verify(ctx, p, password)
	if err != nil {
		return err
	}
	return s.cfg.Store.DeleteAccount(ctx, p.AccountID, verified)
}
