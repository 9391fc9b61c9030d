package identity

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

// ChangePassword replaces the password, also by itself, and ends every sign-in but the principal's. Faults: InvalidInput with
// every bad field; InvalidCredentials for a wrong current password; RateLimited over MaxGuesses, shared with ConfirmPassword and
// DeleteAccount; Conflict when the password was changed at the same time.
func (s *Service) ChangePassword(ctx context.Context, p auth.Principal, current, next string, client Client) (account.Account, error) {
	user, err := s.cfg.Store.User(ctx, p.UserID)
	if err != nil {
		return account.Account{}, err
	}
	if err := fields(given("currentPassword", current), auth.CheckPassword("newPassword", next, user.Email)); err != nil {
		return account.Account{}, err
	}
	verified, err := s.verify(ctx, p, current)
	if err != nil {
		return account.Account{}, err
	}
	hash, err := s.known.Hash(ctx, next)
	if err != nil {
		return account.Account{}, hashing(err)
	}
	change := store.PasswordChange{VerifiedHash: verified, NewHash: hash}
	entry := client.does("changePassword", "password")
	if err := s.cfg.Store.SetPasswordAndEndOthers(ctx, p.UserID, p.SignInID, change, entry); err != nil {
		return account.Account{}, err
	}
	return s.cfg.Store.Account(ctx, p.AccountID)
}

// ConfirmPassword makes the password count as confirmed for store.ConfirmedFor. Faults: InvalidInput for an empty password;
// InvalidCredentials for a wrong one; RateLimited over MaxGuesses; Unauthorized when the sign-in was ended at the same time.
func (s *Service) ConfirmPassword(ctx context.Context, p auth.Principal, password string) error {
	if err := given("password", password); err != nil {
		return err
	}
	if _, err := s.verify(ctx, p, password); err != nil {
		return err
	}
	return s.cfg.Store.ConfirmSignIn(ctx, p.UserID, p.SignInID)
}

// verify checks the password of a signed-in user and returns its hash. Only wrong passwords count as attempts, and they count and wait
// by sign-in: a stolen token has one, and must keep the user's other browsers from nothing. Fault, beside others: SecondFactorRequired
// for a user whose password alone proves nothing.
func (s *Service) verify(ctx context.Context, p auth.Principal, password string) (hash string, err error) {
	leave, err := enter(ctx, s.hashQueues.known, p.SignInID.String())
	if err != nil {
		return "", err
	}
	defer leave()
	key := s.cfg.Tokens.ThrottleKey("password", p.SignInID.String())
	giveBack, err := s.attempt(ctx, key, uuid.Nil, MaxGuesses, GuessWindow)
	if err != nil {
		return "", err
	}
	credentials, err := s.cfg.Store.Credentials(ctx, p.UserID)
	if fault.Is(err, fault.NotFound) || err == nil && !credentials.Active {
		return "", fault.Wrap(fault.Unauthorized, err)
	}
	if err != nil {
		return "", err
	}
	right, err := s.known.Verify(ctx, credentials.PasswordHash, password)
	if err != nil {
		return "", hashing(err)
	}
	if !right {
		return "", fault.New(fault.InvalidCredentials, "The password is wrong.")
	}
	if credentials.SecondFactor {
		return "", fault.Wrap(fault.SecondFactorRequired, giveBack())
	}
	return credentials.PasswordHash, giveBack()
}

// DeleteAccount deletes the account with all its agents and conversations if the password is right. From then on none of its keys
// and sign-ins is accepted. The operator's ledger stays, without the owner's name and address. Faults: InvalidInput for an empty
// password; InvalidCredentials for a wrong one; RateLimited over MaxGuesses; Conflict when the password was changed at the same
// time.
func (s *Service) DeleteAccount(ctx context.Context, p auth.Principal, password string) error {
	if err := given("password", password); err != nil {
		return err
	}
	verified, err := s.verify(ctx, p, password)
	if err != nil {
		return err
	}
	return s.cfg.Store.DeleteAccount(ctx, p.AccountID, p.UserID, verified)
}
