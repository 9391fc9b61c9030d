package identity

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/throttles"
	"agentchat/internal/store/users"
)

// Limits on mails that users who are not signed in can request, counted over all replicas.
const (
	// MaxResets is the most links that one network may request within ResetWindow.
	MaxResets   = 10
	ResetWindow = time.Hour
	// MaxMails is the most mails to one address that can be requested within MailWindow.
	MaxMails   = 3
	MailWindow = time.Hour
)

// RequestPasswordReset mails a link to an address if it is a user's. Only the mail worker looks the
// user up, so the response and its time are the same for other addresses. They are also the same
// over MaxMails, when nothing is sent. Faults: InvalidInput for a malformed address, or when the
// service sends no mail; RateLimited over MaxResets.
func (s *Service) RequestPasswordReset(ctx context.Context, address string, client Client) error {
	email, err := account.ParseEmail(address)
	if err != nil {
		return err
	}
	if !s.cfg.Mail {
		return fault.Invalid(fault.Field{Path: "email", Reason: fault.NotSupported,
			Message: "This service sends no email. For a new password: " + s.cfg.SupportContact})
	}
	network := s.cfg.Tokens.ThrottleKey("password reset", client.network())
	if _, err := s.attempt(ctx, network, uuid.Nil, MaxResets, ResetWindow); err != nil {
		return s.hashQueues.delayRefusal(ctx, err)
	}
	counted, err := throttles.On(s.cfg.Store).Throttle(ctx,
		s.mailKey(email), uuid.Nil, MaxMails, MailWindow)
	if err != nil || !counted.Allowed {
		return err
	}
	return notifications.On(s.cfg.Store).QueueMail(ctx, notifications.PasswordReset, email)
}

// IsReset reports whether a link's token can set a password now. It does not use the token up.
func (s *Service) IsReset(ctx context.Context, token string) (bool, error) {
	_, err := users.On(s.cfg.Store).UserOfReset(ctx, sha256.Sum256([]byte(token)))
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// ResetPassword sets the password of a link's user. It ends every sign-in and clears the count of
// wrong passwords, so that the user can sign in; it does not sign in itself. If this verifies the
// address for the first time, another person may have signed up with it before: the result lists
// what that person may have left, and is nil otherwise. A refused password does not use the link
// up. Faults: InvalidInput for a token that was used, has expired or was replaced, or for a bad
// password; RateLimited when too many requests of the user wait.
func (s *Service) ResetPassword(
	ctx context.Context, token, password string, client Client,
) (*users.LeftBehind, error) {
	hash := sha256.Sum256([]byte(token))
	user, err := users.On(s.cfg.Store).UserOfReset(ctx, hash)
	if err != nil {
		return nil, badLink(err)
	}
	if err := auth.CheckPassword("newPassword", password, user.Email); err != nil {
		return nil, err
	}
	leave, err := enter(ctx, s.hashQueues.known, user.ID.String())
	if err != nil {
		return nil, err
	}
	defer leave()
	hashed, err := s.known.Hash(ctx, password)
	if err != nil {
		return nil, hashFault(err)
	}
	left, err := users.On(s.cfg.Store).ResetPassword(ctx, users.Reset{
		UserID:       user.ID,
		Token:        hash,
		PasswordHash: hashed,
		Notify:       s.cfg.Mail,
		Guesses:      GuessKeys(s.cfg.Tokens, user.Email),
		By:           client.Does("resetPassword", "password"),
	})
	return left, badLink(err)
}

// badLink turns NotFound into a message for the person who opened the link.
func badLink(err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.Invalid(fault.Field{Path: "token", Reason: fault.InvalidValue,
		Message: "This link no longer works: it was used, is more than an hour old, " +
			"or was replaced by a newer one. Ask for a new one."})
}
