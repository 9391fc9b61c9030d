package identity

import (
	"context"

	"agentchat/internal/auth"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/users"
)

// ChangePassword replaces the password, also by itself, and ends every sign-in but the principal's. Faults: those of verify; InvalidInput
// with every bad field; RateLimited over MaxChanges; Conflict when the password was changed at the same time.
func (s *Service) ChangePassword(ctx context.Context, p auth.Principal, given Proof, next string, client Client) error {
	user, err := users.On(s.cfg.Store).User(ctx, p.UserID)
	if err != nil {
		return err
	}
	if err := mergeInvalid(given.requirePassword("currentPassword"), auth.CheckPassword("newPassword", next, user.Email)); err != nil {
		return err
	}
	found, err := s.verify(ctx, p, given, client)
	if err == nil {
		err = s.countChange(ctx, p, "password change")
	}
	if err != nil {
		return err
	}
	hash, err := s.known.Hash(ctx, next)
	if err != nil {
		return hashFault(err)
	}
	change := users.PasswordChange{VerifiedHash: found.PasswordHash, NewHash: hash, Notify: s.cfg.Mail}
	entry := client.Does("changePassword", "password")
	return users.On(s.cfg.Store).SetPasswordAndEndOthers(ctx, p.UserID, p.SignInID, change, entry)
}

// ConfirmPassword makes the proof count for store.ConfirmedFor: a code where a second factor is on, else the password. A refresh token of
// the sign-in that came along gets a new value: the result then is as of Renew, and else empty. Faults: those of verify; InvalidInput for
// no password; Unauthorized when the sign-in was ended at the same time, or the refresh token was used before.
func (s *Service) ConfirmPassword(ctx context.Context, p auth.Principal, given Proof, client Client) (SignedIn, error) {
	given.codeAlone = true
	if _, err := s.verify(ctx, p, given, client); err != nil {
		return SignedIn{}, err
	}
	if err := users.On(s.cfg.Store).ConfirmSignIn(ctx, p.UserID, p.SignInID); err != nil {
		return SignedIn{}, err
	}
	if token, ok := s.cfg.Tokens.ParseRefresh(client.RefreshToken); !ok || token.SignInID != p.SignInID {
		return SignedIn{}, nil
	}
	return s.Renew(ctx, client)
}

// DeleteAccount deletes the account with all its agents and conversations after a proof. From then on none of its keys and sign-ins is
// accepted. The operator's ledger stays, without the owner's name and address. Faults: those of verify; InvalidInput for an empty password;
// Conflict when the password was changed at the same time.
func (s *Service) DeleteAccount(ctx context.Context, p auth.Principal, given Proof, client Client) error {
	if err := given.requirePassword("password"); err != nil {
		return err
	}
	found, err := s.verify(ctx, p, given, client)
	if err != nil {
		return err
	}
	return erasure.On(s.cfg.Store).DeleteAccount(ctx, p.AccountID, p.UserID, found.PasswordHash, client.Does("deleteAccount"))
}
