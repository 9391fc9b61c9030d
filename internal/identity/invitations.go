package identity

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
)

// Limits of what members can have made, each over all replicas.
const (
	// MaxInvitationMails is how many invitations by mail one account may send within InvitationWindow.
	MaxInvitationMails = 20
	InvitationWindow   = 24 * time.Hour
	// MaxAccounts is how many accounts one user may open within AccountWindow.
	MaxAccounts   = 10
	AccountWindow = time.Hour
)

// Invite invites an address into the principal's account; shown is the hash of the token that is for the principal to pass on. With mail
// the address is sent another one. Faults: InvalidInput for a malformed address; those of store.Invite; RateLimited over
// MaxInvitationMails, or over MaxMails for the address.
func (s *Service) Invite(ctx context.Context, p auth.Principal, address string, role account.Role, shown [32]byte,
) (account.Invitation, error) {
	email, err := account.ParseEmail(address)
	if err != nil {
		return account.Invitation{}, err
	}
	return s.invite(ctx, p, email, func() (account.Invitation, error) {
		return accounts.On(s.cfg.Store).Invite(ctx, accounts.NewInvitation{AccountID: p.AccountID, Email: email, Role: role, By: p.UserID, Shown: shown,
			Mail: s.cfg.Mail})
	})
}

// RenewInvitation gives an open invitation new tokens, as Invite does. Faults: NotFound; those of Invite.
func (s *Service) RenewInvitation(ctx context.Context, p auth.Principal, id uuid.UUID, shown [32]byte) (account.Invitation, error) {
	open, err := accounts.On(s.cfg.Store).InvitationTo(ctx, p.AccountID, id)
	if err != nil {
		return account.Invitation{}, err
	}
	return s.invite(ctx, p, open.Email, func() (account.Invitation, error) {
		return accounts.On(s.cfg.Store).RenewInvitation(ctx, id, accounts.NewInvitation{AccountID: p.AccountID, By: p.UserID, Shown: shown,
			Mail: s.cfg.Mail})
	})
}

// invite counts a mail that send then queues, if it does.
func (s *Service) invite(ctx context.Context, p auth.Principal, email string, send func() (account.Invitation, error),
) (account.Invitation, error) {
	var counted []func() error
	giveBack := func() {
		for _, back := range counted {
			_ = back() // it then counts as sent, which harms nobody
		}
	}
	for _, limit := range s.mailLimits(p, email) {
		back, err := s.attempt(ctx, limit.key, uuid.Nil, limit.most, limit.window)
		if err != nil {
			giveBack()
			return account.Invitation{}, err
		}
		counted = append(counted, back)
	}
	sent, err := send()
	if err != nil {
		giveBack()
	}
	return sent, err
}

// mailLimit is how many attempts count under a key within a window.
type mailLimit struct {
	key    [32]byte
	most   int
	window time.Duration
}

func (s *Service) mailLimits(p auth.Principal, email string) []mailLimit {
	if !s.cfg.Mail {
		return nil
	}
	return []mailLimit{{s.cfg.Tokens.ThrottleKey("invitations", p.AccountID.String()), MaxInvitationMails, InvitationWindow},
		{s.mailKey(email), MaxMails, MailWindow}}
}

// Invitation returns what a link's invitation is for, without using it up; nil if it does not work any more.
func (s *Service) Invitation(ctx context.Context, token string) (*account.InvitationPreview, error) {
	found, err := accounts.On(s.cfg.Store).Invitation(ctx, sha256.Sum256([]byte(token)))
	if fault.Is(err, fault.NotFound) {
		return nil, nil //nolint:nilnil // there is none
	}
	return &found, err
}

// AcceptInput is what somebody gives who accepts an invitation: a user who is signed in gives the token alone.
type AcceptInput struct {
	Token, Name, Password string
}

// AcceptInvitation uses a link up and makes the user of its address a member: the signed-in one, or for nil a new one, whom it does not
// sign in. Faults: InvalidInput for a token that was used, has run out or is void, and for a bad name or password; those of
// store.AcceptInvitation; RateLimited over MaxSignUps, or when too many of the network wait. Then nothing is used up.
func (s *Service) AcceptInvitation(ctx context.Context, p *auth.Principal, in AcceptInput, client Client) (account.Summary, error) {
	accepted := accounts.Acceptance{Token: sha256.Sum256([]byte(in.Token)), By: client.Does("acceptInvitation")}
	if p != nil {
		accepted.UserID, accepted.SignInID = p.UserID, p.SignInID
	} else if err := s.newUser(ctx, in, client, &accepted); err != nil {
		return account.Summary{}, badInvitation(err)
	}
	joined, err := accounts.On(s.cfg.Store).AcceptInvitation(ctx, accepted)
	return joined, badInvitation(err)
}

// newUser checks the name and the password of a new user, and hashes it.
func (s *Service) newUser(ctx context.Context, in AcceptInput, client Client, accepted *accounts.Acceptance) error {
	invitation, err := accounts.On(s.cfg.Store).Invitation(ctx, accepted.Token)
	if err == nil && invitation.Known {
		err = fault.New(fault.Conflict, "This address has a user. Sign in with it, then open the link again.")
	}
	if err != nil {
		return err
	}
	name, nameErr := account.ParseName(in.Name)
	if err := mergeInvalid(nameErr, auth.CheckPassword("password", in.Password, invitation.Email)); err != nil {
		return err
	}
	accepted.Name = name
	if accepted.PasswordHash, err = s.hashNew(ctx, in.Password, client); err != nil {
		return s.hashQueues.delayRefusal(ctx, err)
	}
	return nil
}

// badInvitation turns NotFound into what the reader of a link can do.
func badInvitation(err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.Invalid(fault.Field{Path: "token", Reason: fault.InvalidValue,
		Message: "This invitation does not work any more: it was used or taken back, is more than 7 days old, or a newer one has taken " +
			"its place. Ask for another."})
}

// OpenAccount opens one more account, which the principal owns, without starting credits. Faults: SignUpClosed; InvalidInput for a bad
// name; RateLimited over MaxAccounts; Conflict past the most that a user can have.
func (s *Service) OpenAccount(ctx context.Context, p auth.Principal, name string) (account.Summary, error) {
	if !s.cfg.SignUpOpen() {
		return account.Summary{}, fault.Wrap(fault.SignUpClosed, nil)
	}
	name, err := account.ParseName(name)
	if err == nil {
		_, err = s.attempt(ctx, s.cfg.Tokens.ThrottleKey("accounts", p.UserID.String()), uuid.Nil, MaxAccounts, AccountWindow)
	}
	if err != nil {
		return account.Summary{}, err
	}
	return accounts.On(s.cfg.Store).OpenAccount(ctx, p.UserID, name)
}

// SetRole changes a member's role in the principal's account. Faults: as of store.SetMemberRole.
func (s *Service) SetRole(ctx context.Context, p auth.Principal, userID uuid.UUID, role account.Role) (account.Member, error) {
	return accounts.On(s.cfg.Store).SetMemberRole(ctx, s.memberChange(p, userID), role)
}

// RemoveMember ends a membership in the principal's account, which may be the principal's. Faults: as of store.RemoveMember.
func (s *Service) RemoveMember(ctx context.Context, p auth.Principal, userID uuid.UUID, removeTokens bool) error {
	return accounts.On(s.cfg.Store).RemoveMember(ctx, s.memberChange(p, userID), removeTokens)
}

func (s *Service) memberChange(p auth.Principal, userID uuid.UUID) accounts.MemberChange {
	return accounts.MemberChange{AccountID: p.AccountID, UserID: userID, By: p.UserID, Notify: s.cfg.Mail}
}
