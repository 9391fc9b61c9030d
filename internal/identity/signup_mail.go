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

// mailSignUp mails a link that opens the account. The response and its time are the same for an
// address that has an account, because only the mail worker checks for one, and over MaxMails, when
// nothing is sent.
func (s *Service) mailSignUp(ctx context.Context, email, name, hash string) error {
	counted, err := throttles.On(s.cfg.Store).Throttle(ctx,
		s.mailKey(email), uuid.Nil, MaxMails, MailWindow)
	if err != nil || !counted.Allowed {
		return err
	}
	return users.On(s.cfg.Store).QueueLink(ctx,
		users.Link{Purpose: notifications.SignUpLink, Email: email, Name: name, PasswordHash: hash})
}

// openSignUp opens the account of a link. It also requires the password: the person who signed
// up knows the password, and the owner of the address has the link.
func (s *Service) openSignUp(
	ctx context.Context, link users.Link, token [32]byte, password string, client Client,
) error {
	if !s.cfg.SignUpOpen() {
		return fault.Wrap(fault.SignUpClosed, nil)
	}
	if err := requirePassword("password", password); err != nil {
		return err
	}
	if err := s.checkSignUp(ctx, link, password, client); err != nil {
		return s.hashQueues.delayRefusal(ctx, err)
	}
	entry := client.Does("signUp", "emailVerified")
	return badLink(accounts.On(s.cfg.Store).OpenSignUp(ctx, token, s.cfg.StartingCredits, entry))
}

// checkSignUp checks the password of a sign-up. Wrong passwords count per mail, over all of its
// links. Faults: InvalidCredentials, RateLimited.
func (s *Service) checkSignUp(
	ctx context.Context, link users.Link, password string, client Client,
) error {
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
		return fault.New(fault.InvalidCredentials, "This is not the password chosen at sign-up.")
	}
	return giveBack()
}
