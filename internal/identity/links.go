package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// MaxChanges is the most changes of each kind that a user can make within ChangeWindow. The kinds
// are the address (with the links that verify it), the name, the password and the second factor.
const (
	MaxChanges   = 10
	ChangeWindow = time.Hour
)

// RequestEmailVerification mails a link to the user's address, which verifies it. It does nothing
// if the address is verified. Faults: InvalidInput when the service sends no mail; RateLimited over
// MaxChanges or MaxMails.
func (s *Service) RequestEmailVerification(ctx context.Context, p auth.Principal) error {
	if !s.cfg.Mail {
		return fault.Invalid(fault.Field{Path: "email", Reason: fault.NotSupported,
			Message: "This service sends no email, so it can’t verify an address."})
	}
	user, err := users.On(s.cfg.Store).User(ctx, p.UserID)
	if err != nil || user.EmailVerified {
		return err
	}
	if err := s.countChange(ctx, p, "address"); err != nil {
		return err
	}
	if _, err := s.attempt(ctx, s.mailKey(user.Email), uuid.Nil, MaxMails, MailWindow); err != nil {
		return err
	}
	return users.On(s.cfg.Store).QueueLink(ctx,
		users.Link{Purpose: notifications.VerifyAddress, UserID: user.ID, Email: user.Email})
}

// mailKey returns the key that counts the mails, of all kinds, that anyone can have sent to a
// mailbox.
func (s *Service) mailKey(email string) [32]byte {
	return s.cfg.Tokens.ThrottleKey("mail", account.Mailbox(email))
}

// countChange counts a change of a kind by the user. Fault: RateLimited over MaxChanges.
func (s *Service) countChange(ctx context.Context, p auth.Principal, kind string) error {
	key := s.cfg.Tokens.ThrottleKey(kind, p.UserID.String())
	_, err := s.attempt(ctx, key, uuid.Nil, MaxChanges, ChangeWindow)
	return err
}

// ChangeEmail reauthenticates the user and mails a link to the new address. The link, opened while
// signed in as the user, completes the change. The response and its time are the same for taken
// addresses, because only the mail worker checks for them. Without mail the address changes at
// once, unverified, and all other sign-ins end. Faults: InvalidInput for a malformed address, the
// current one, or an empty password; those of verify; RateLimited over MaxChanges or MaxMails;
// Conflict, only without mail, for a taken address.
func (s *Service) ChangeEmail(
	ctx context.Context, p auth.Principal, address string, given Reauthentication, client Client,
) error {
	email, addressErr := account.ParseEmail(address)
	err := mergeInvalid(atPath("newEmail", addressErr), given.requirePassword("password"))
	if err != nil {
		return err
	}
	user, err := users.On(s.cfg.Store).User(ctx, p.UserID)
	if err != nil {
		return err
	}
	if user.Email == email {
		return fault.Invalid(fault.Field{Path: "newEmail", Reason: fault.InvalidValue,
			Message: "This is already your address."})
	}
	found, err := s.verify(ctx, p, given, client)
	if err == nil {
		err = users.On(s.cfg.Store).ConfirmSignIn(ctx, p.UserID, p.SignInID)
	}
	if err == nil {
		err = s.countChange(ctx, p, "address")
	}
	if err != nil {
		return err
	}
	if !s.cfg.Mail {
		return users.On(s.cfg.Store).ChangeAddress(ctx,
			p.UserID, p.SignInID, found.PasswordHash, email, client.Does("changeEmail", "email"))
	}
	if _, err := s.attempt(ctx, s.mailKey(email), uuid.Nil, MaxMails, MailWindow); err != nil {
		return err
	}
	link := users.Link{Purpose: notifications.ChangeAddress, UserID: user.ID, Email: email}
	return users.On(s.cfg.Store).QueueLink(ctx, link, client.Does("changeEmail"))
}

// atPath replaces the path of each field of an InvalidInput fault.
func atPath(path string, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	all := make([]fault.Field, len(f.Fields))
	for i, field := range f.Fields {
		field.Path = path
		all[i] = field
	}
	return fault.Invalid(all...)
}

// VerifyEmail uses a mailed link up. A link that verifies or changes an address works only when
// signed in as its user; p is nil when no user is signed in. A sign-up's link opens the account,
// and needs the chosen password; it does not sign in. A refused attempt does not use the link up.
// Faults: InvalidInput for a token that was used, has expired or was replaced, or for a sign-up
// without a password; Unauthorized when no user is signed in; Conflict for another user's link, and
// for an address that has been taken since; InvalidCredentials for a wrong password; RateLimited
// over MaxGuesses for a link, or when too many clients of the network wait; SignUpClosed.
func (s *Service) VerifyEmail(
	ctx context.Context, p *auth.Principal, token, password string, client Client,
) error {
	hash := sha256.Sum256([]byte(token))
	link, err := users.On(s.cfg.Store).Link(ctx, hash)
	switch {
	case err != nil:
		return badLink(err)
	case link.Purpose == notifications.SignUpLink:
		return s.openSignUp(ctx, link, hash, password, client)
	case link.Purpose != notifications.VerifyAddress && link.Purpose != notifications.ChangeAddress:
		return badLink(fault.Wrap(fault.NotFound, nil))
	case p == nil:
		return fault.New(fault.Unauthorized,
			"Sign in first. This link only works for the user who "+
				"asked for it.")
	case p.UserID != link.UserID:
		return fault.New(fault.Conflict,
			"This link belongs to another user. Sign in as that user and open it again.")
	}
	return badLink(users.On(s.cfg.Store).VerifyAddress(ctx,
		p.UserID, p.SignInID, hash, client.Does("verifyEmail")))
}

// UndoEmailChange uses up a link that restores an earlier address, whatever changed since, and ends
// all sign-ins of the user. The person who changed the address knew the password, so that stops
// working too; a mail with a link for a new one follows. Faults: InvalidInput for a token that was
// used, has expired or was replaced; RateLimited when too many requests of the user wait.
func (s *Service) UndoEmailChange(ctx context.Context, token string, client Client) error {
	hash := sha256.Sum256([]byte(token))
	link, err := users.On(s.cfg.Store).Link(ctx, hash)
	if err == nil && link.Purpose == notifications.UndoChange {
		err = s.undo(ctx, link.UserID, hash, client)
	} else if err == nil {
		err = fault.Wrap(fault.NotFound, nil)
	}
	if fault.Is(err, fault.NotFound) {
		return fault.Invalid(fault.Field{Path: "token", Reason: fault.InvalidValue,
			Message: "This link no longer works: it was used, is more than 7 days old, " +
				"or an earlier address was restored."})
	}
	return err
}

func (s *Service) undo(ctx context.Context, userID uuid.UUID, hash [32]byte, client Client) error {
	leave, err := enter(ctx, s.hashQueues.known, userID.String())
	if err != nil {
		return err
	}
	defer leave()
	void, err := s.known.Hash(ctx, rand.Text())
	if err != nil {
		return hashFault(err)
	}
	entry := client.Does("undoEmailChange", "email", "password")
	return users.On(s.cfg.Store).UndoChange(ctx, hash, void, s.cfg.Mail, entry)
}
