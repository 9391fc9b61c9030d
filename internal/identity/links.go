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

// MaxChanges is the most changes of each kind that a user can make within ChangeWindow. The kinds are the address
// (with the links that verify it), the password and the second factor.
const (
	MaxChanges   = 10
	ChangeWindow = time.Hour
)

// RequestEmailVerification has a link mailed to the user's address that proves it; nothing if that was done before. Faults: InvalidInput
// when there is no mail; RateLimited over MaxChanges or MaxMails.
func (s *Service) RequestEmailVerification(ctx context.Context, p auth.Principal) error {
	if !s.cfg.Mail {
		return fault.Invalid(fault.Field{Path: "email", Reason: fault.NotSupported,
			Message: "This service sends no mail, so it cannot confirm an address."})
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
	return users.On(s.cfg.Store).QueueLink(ctx, users.Link{Purpose: notifications.VerifyAddress, UserID: user.ID, Email: user.Email})
}

// mailKey counts the mails of all kinds that strangers have sent to a mailbox.
func (s *Service) mailKey(email string) [32]byte {
	return s.cfg.Tokens.ThrottleKey("mail", account.Mailbox(email))
}

// countChange counts a change of the user's by what is changed. Fault: RateLimited over MaxChanges.
func (s *Service) countChange(ctx context.Context, p auth.Principal, what string) error {
	_, err := s.attempt(ctx, s.cfg.Tokens.ThrottleKey(what, p.UserID.String()), uuid.Nil, MaxChanges, ChangeWindow)
	return err
}

// ChangeEmail begins to change the user's address after a proof: a link to the new one ends it, used while signed in as the user. The
// answer and its time are the same for taken addresses, because only the mail worker checks that. Without mail the address changes at once,
// unproved, and all other sign-ins end. Faults: InvalidInput for a malformed address, the present one, or an empty password; those of
// verify; RateLimited over MaxChanges or MaxMails; Conflict, only without mail, for a taken address.
func (s *Service) ChangeEmail(ctx context.Context, p auth.Principal, address string, given Proof, client Client) error {
	email, addressErr := account.ParseEmail(address)
	if err := mergeInvalid(atPath("newEmail", addressErr), given.requirePassword("password")); err != nil {
		return err
	}
	user, err := users.On(s.cfg.Store).User(ctx, p.UserID)
	if err != nil {
		return err
	}
	if user.Email == email {
		return fault.Invalid(fault.Field{Path: "newEmail", Reason: fault.InvalidValue, Message: "This is your address already."})
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
		return users.On(s.cfg.Store).ChangeAddress(ctx, p.UserID, p.SignInID, found.PasswordHash, email,
			client.Does("changeEmail", "email"))
	}
	if _, err := s.attempt(ctx, s.mailKey(email), uuid.Nil, MaxMails, MailWindow); err != nil {
		return err
	}
	return users.On(s.cfg.Store).QueueLink(ctx, users.Link{Purpose: notifications.ChangeAddress, UserID: user.ID, Email: email},
		client.Does("changeEmail"))
}

// atPath gives the fields of an InvalidInput fault another path.
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

// VerifyEmail uses a mailed link up. One for a user's address, or for a new one, works only signed in as that user: p is nil for nobody.
// One of a sign-up opens the account, and only together with the password that was chosen; it signs nobody in. A refused try uses no link
// up. Faults: InvalidInput for a token that was used, has run out or is void, or of a sign-up without a password; Unauthorized when nobody
// is signed in; Conflict for another user's, and for an address that is taken by now; InvalidCredentials for a wrong password; RateLimited
// over MaxGuesses for a link, or when too many of the network wait; SignUpClosed.
func (s *Service) VerifyEmail(ctx context.Context, p *auth.Principal, token, password string, client Client) error {
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
		return fault.New(fault.Unauthorized, "Sign in first: this link works only for the user who asked for it.")
	case p.UserID != link.UserID:
		return fault.New(fault.Conflict, "Another user has asked for this link. Sign in as that user, then open it again.")
	}
	return badLink(users.On(s.cfg.Store).VerifyAddress(ctx, p.UserID, p.SignInID, hash, client.Does("verifyEmail")))
}

// UndoEmailChange uses a link up that brings an address back, whatever was changed after it, and ends all sign-ins of its user. The person
// who had changed it knew the password, which becomes void, too: a mail with a link for a new one follows. Faults: InvalidInput for a token
// that was used, has run out or is void; RateLimited when too many of the user wait.
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
			Message: "This link does not work any more: it was used, is more than 7 days old, or an earlier address was brought back."})
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
	return users.On(s.cfg.Store).UndoChange(ctx, hash, void, s.cfg.Mail, client.Does("undoEmailChange", "email", "password"))
}
