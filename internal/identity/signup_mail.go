package identity

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/throttles"
	"agentchat/internal/store/users"
)

// mailSignUp has a link mailed that opens the account. The answer and its time are the same for an address that has one already, because
// only the mail worker checks that. Past MaxMails nothing is sent, with the same answer.
func (s *Service) mailSignUp(ctx context.Context, email, name, hash string) error {
	counted, err := throttles.On(s.cfg.Store).Throttle(ctx, s.mailKey(email), uuid.Nil, MaxMails, MailWindow)
	if err != nil || !counted.Allowed {
		return err
	}
	return users.On(s.cfg.Store).QueueLink(ctx, users.Link{Purpose: notifications.SignUpLink, Email: email, Name: name, PasswordHash: hash})
}

// openSignUp opens the account of a link together with its password. The one who typed the address knows the password, its owner the link.
func (s *Service) openSignUp(ctx context.Context, link users.Link, token [32]byte, password string, client Client) error {
	if !s.cfg.SignUpOpen() {
		return fault.Wrap(fault.SignUpClosed, nil)
	}
	if err := requirePassword("password", password); err != nil {
		return err
	}
	if err := s.checkSignUp(ctx, link, password, client); err != nil {
		return s.hashQueues.delayRefusal(ctx, err)
	}
	return badLink(accounts.On(s.cfg.Store).OpenSignUp(ctx, token, s.cfg.StartingCredits, client.Does("signUp", "emailVerified")))
}

// checkSignUp checks the password of a sign-up. Wrong ones are counted for all tries of its mail together. Faults: InvalidCredentials,
// RateLimited.
func (s *Service) checkSignUp(ctx context.Context, link users.Link, password string, client Client) error {
	leave, err := enter(ctx, s.hashQueues.unknown, client.wideNetwork())
	if err != nil {
		return err
	}
	defer leave()
	key := s.cfg.Tokens.ThrottleKey("sign-up by mail", link.MailID.String())
	giveBack, err := s.attempt(ctx, key, uuid.Nil, MaxGuesses, GuessWindow)
	if err != nil {
		return err
	}
	right, err := s.cfg.Hasher.Verify(ctx, link.PasswordHash, password)
	if err != nil {
		return hashFault(err)
	}
	if !right {
		return fault.New(fault.InvalidCredentials, "This is not the password that was chosen when signing up.")
	}
	return giveBack()
}
