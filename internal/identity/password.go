package identity

import (
	"context"

	"agentchat/internal/auth"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/users"
)

// ChangePassword replaces the password and ends every sign-in except the principal's. The new
// password may equal the old one. Faults: those of verify; InvalidInput with every bad field;
// RateLimited over MaxChanges; Conflict when the password was changed at the same time.
func (s *Service) ChangePassword(
	ctx context.Context, p auth.Principal, given Reauthentication, next string, client Client,
) error {
	user, err := users.On(s.cfg.Store).User(ctx, p.UserID)
	if err != nil {
		return err
	}
	err = mergeInvalid(
		given.requirePassword("currentPassword"), auth.CheckPassword("newPassword", next, user.Email))
	if err != nil {
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

// Reauthenticate reauthenticates the user, with a code if a second factor is on and with the
// password otherwise. It counts for users.ReauthenticatedFor. If the request has the sign-in's
// refresh token, that is renewed and the result is Renew's; otherwise the result is empty. Faults:
// those of verify; InvalidInput for no password; Unauthorized when the sign-in was ended at the
// same time, or the refresh token was used before.
func (s *Service) Reauthenticate(
	ctx context.Context, p auth.Principal, given Reauthentication, client Client,
) (SignedIn, error) {
	given.codeAlone = true
	if _, err := s.verify(ctx, p, given, client); err != nil {
		return SignedIn{}, err
	}
	if err := users.On(s.cfg.Store).ConfirmSignIn(ctx, p.UserID, p.SignInID); err != nil {
		return SignedIn{}, err
	}
	token, ok := s.cfg.Tokens.ParseRefresh(client.RefreshToken)
	if !ok || token.SignInID != p.SignInID {
		return SignedIn{}, nil
	}
	return s.Renew(ctx, client)
}

// DeleteAccount reauthenticates the user and deletes the account with its agents and conversations.
// Its keys and sign-ins stop working at once. The credit ledger stays for the operator, without the
// owner's name and address. Faults: those of verify; InvalidInput for an empty password; Conflict
// when the password was changed at the same time.
func (s *Service) DeleteAccount(
	ctx context.Context, p auth.Principal, given Reauthentication, client Client,
) error {
	if err := given.requirePassword("password"); err != nil {
		return err
	}
	found, err := s.verify(ctx, p, given, client)
	if err != nil {
		return err
	}
	entry := client.Does("deleteAccount")
	return erasure.On(s.cfg.Store).DeleteAccount(ctx, p.AccountID, p.UserID, found.PasswordHash, entry)
}
