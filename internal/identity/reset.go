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

// Limits on what strangers can have sent, each over all replicas.
const (
	// MaxResets is how many links one network may ask for within ResetWindow.
	MaxResets   = 10
	ResetWindow = time.Hour
	// MaxMails is how many mails strangers can have sent to one address within MailWindow.
	MaxMails   = 3
	MailWindow = time.Hour
)

// RequestPasswordReset has a link mailed to an address, if it is a user's. The answer and its time are the same for other addresses,
// because only the mail worker looks the user up. Past MaxMails nothing is sent, with the same answer. Faults: InvalidInput for a malformed
// address, or when there is no mail; RateLimited over MaxResets.
func (s *Service) RequestPasswordReset(ctx context.Context, address string, client Client) error {
	email, err := account.ParseEmail(address)
	if err != nil {
		return err
	}
	if !s.cfg.Mail {
		return fault.Invalid(fault.Field{Path: "email", Reason: fault.NotSupported,
			Message: "This service sends no mail. For a new password: " + s.cfg.SupportContact})
	}
	network := s.cfg.Tokens.ThrottleKey("password reset", client.network())
	if _, err := s.attempt(ctx, network, uuid.Nil, MaxResets, ResetWindow); err != nil {
		return s.hashQueues.delayRefusal(ctx, err)
	}
	counted, err := throttles.On(s.cfg.Store).Throttle(ctx, s.mailKey(email), uuid.Nil, MaxMails, MailWindow)
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

// ResetPassword sets the password of a link's user, who then can sign in from everywhere: every sign-in ends, and the wrong passwords
// so far are forgotten. Nobody is signed in. If the address is proved by it for the first time, it returns what somebody may have left who
// signed up with the address; else nil. A refused password uses no link up. Faults: InvalidInput for a token that was used, has
// run out or is void, or for a bad password; RateLimited when too many of the user wait.
func (s *Service) ResetPassword(ctx context.Context, token, password string, client Client) (*users.LeftBehind, error) {
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
	left, err := users.On(s.cfg.Store).ResetPassword(ctx, users.Reset{UserID: user.ID, Token: hash, PasswordHash: hashed, Notify: s.cfg.Mail,
		Guesses: GuessKeys(s.cfg.Tokens, user.Email), By: client.Does("resetPassword", "password")})
	return left, badLink(err)
}

// badLink turns NotFound into what the reader of a link can do.
func badLink(err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.Invalid(fault.Field{Path: "token", Reason: fault.InvalidValue,
		Message: "This link does not work any more: it was used, is more than an hour old, or a newer one has taken its place. " +
			"Ask for another."})
}
