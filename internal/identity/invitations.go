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

// Limits on what users can create, counted over all replicas.
const (
	// MaxInvitationMails is the most invitations by mail that one account may send within
	// InvitationWindow.
	MaxInvitationMails = 20
	InvitationWindow   = 24 * time.Hour
	// MaxAccounts is the most accounts that one user may open within AccountWindow.
	MaxAccounts   = 10
	AccountWindow = time.Hour
)

// Invite invites an address into the principal's account. shown is the hash of the token that the
// principal passes on; with mail, the address also gets a token of its own. Faults: InvalidInput
// for a malformed address; those of accounts.Invite; RateLimited over MaxInvitationMails, or over
// MaxMails for the address.
func (s *Service) Invite(
	ctx context.Context, p auth.Principal, address string, role account.Role, shown [32]byte,
) (account.Invitation, error) {
	email, err := account.ParseEmail(address)
	if err != nil {
		return account.Invitation{}, err
	}
	return s.invite(ctx, p, email, func() (account.Invitation, error) {
		return accounts.On(s.cfg.Store).Invite(ctx, accounts.NewInvitation{
			AccountID: p.AccountID,
			Email:     email,
			Role:      role,
			By:        p.UserID,
			Shown:     shown,
			Mail:      s.cfg.Mail,
		})
	})
}

// RenewInvitation gives an open invitation new tokens, as Invite does. Faults: NotFound; those of
// Invite.
func (s *Service) RenewInvitation(
	ctx context.Context, p auth.Principal, id uuid.UUID, shown [32]byte,
) (account.Invitation, error) {
	open, err := accounts.On(s.cfg.Store).InvitationTo(ctx, p.AccountID, id)
	if err != nil {
		return account.Invitation{}, err
	}
	return s.invite(ctx, p, open.Email, func() (account.Invitation, error) {
		return accounts.On(s.cfg.Store).RenewInvitation(ctx, id, accounts.NewInvitation{
			AccountID: p.AccountID, By: p.UserID, Shown: shown, Mail: s.cfg.Mail,
		})
	})
}

// invite counts a mail against its limits and calls send, which queues it. If that fails, the mail
// is not counted.
func (s *Service) invite(
	ctx context.Context, p auth.Principal, email string, send func() (account.Invitation, error),
) (account.Invitation, error) {
	var counted []func() error
	giveBack := func() {
		for _, back := range counted {
			_ = back() // if this fails, the mail counts as sent, which does no harm
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

// mailLimit is the most mails that may count under a key within a window.
type mailLimit struct {
	key    [32]byte
	most   int
	window time.Duration
}

func (s *Service) mailLimits(p auth.Principal, email string) []mailLimit {
	if !s.cfg.Mail {
		return nil
	}
	account := s.cfg.Tokens.ThrottleKey("invitations", p.AccountID.String())
	return []mailLimit{
		{account, MaxInvitationMails, InvitationWindow},
		{s.mailKey(email), MaxMails, MailWindow},
	}
}

// Invitation returns what a link's invitation is for; nil if the link no longer works. It does not
// use the link up.
func (s *Service) Invitation(
	ctx context.Context, token string,
) (*account.InvitationPreview, error) {
	found, err := accounts.On(s.cfg.Store).Invitation(ctx, sha256.Sum256([]byte(token)))
	if fault.Is(err, fault.NotFound) {
		return nil, nil //nolint:nilnil // no such invitation
	}
	return &found, err
}

// AcceptInput accepts an invitation. A signed-in user needs only the token.
type AcceptInput struct {
	Token, Name, Password string
}

// AcceptInvitation uses a link up and makes the user of its address a member. That is the signed-in
// user, or for a nil principal a new one, who is not signed in. Faults, after which the link still
// works: InvalidInput for a token that was used, has expired or was replaced, and for a bad name or
// password; those of accounts.AcceptInvitation; RateLimited over MaxSignUps, or when too many
// clients of the network wait.
func (s *Service) AcceptInvitation(
	ctx context.Context, p *auth.Principal, in AcceptInput, client Client,
) (account.Summary, error) {
	accepted := accounts.Acceptance{
		Token: sha256.Sum256([]byte(in.Token)),
		By:    client.Does("acceptInvitation"),
	}
	if p != nil {
		accepted.UserID, accepted.SignInID = p.UserID, p.SignInID
	} else if err := s.newUser(ctx, in, client, &accepted); err != nil {
		return account.Summary{}, badInvitation(err)
	}
	joined, err := accounts.On(s.cfg.Store).AcceptInvitation(ctx, accepted)
	return joined, badInvitation(err)
}

// newUser checks the name and the password of a new user, and hashes the password.
func (s *Service) newUser(
	ctx context.Context, in AcceptInput, client Client, accepted *accounts.Acceptance,
) error {
	invitation, err := accounts.On(s.cfg.Store).Invitation(ctx, accepted.Token)
	if err == nil && invitation.Known {
		err = fault.New(fault.Conflict,
			"This address already has a user. Sign in with it and open the link again.")
	}
	if err != nil {
		return err
	}
	name, nameErr := account.ParseName(in.Name)
	passwordErr := auth.CheckPassword("password", in.Password, invitation.Email)
	if err := mergeInvalid(nameErr, passwordErr); err != nil {
		return err
	}
	accepted.Name = name
	if accepted.PasswordHash, err = s.hashNew(ctx, in.Password, client); err != nil {
		return s.hashQueues.delayRefusal(ctx, err)
	}
	return nil
}

// badInvitation turns NotFound into a message for the person who opened the link.
func badInvitation(err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.Invalid(fault.Field{Path: "token", Reason: fault.InvalidValue,
		Message: "This invitation no longer works: it was used, revoked or replaced by a newer one, " +
			"or is more than 7 days old. Ask for a new one."})
}

// OpenAccount opens another account, which the principal owns, without starting credits. Faults:
// SignUpClosed; InvalidInput for a bad name; RateLimited over MaxAccounts; Conflict when the user
// has the most accounts allowed.
func (s *Service) OpenAccount(
	ctx context.Context, p auth.Principal, name string,
) (account.Summary, error) {
	if !s.cfg.SignUpOpen() {
		return account.Summary{}, fault.Wrap(fault.SignUpClosed, nil)
	}
	name, err := account.ParseName(name)
	if err == nil {
		key := s.cfg.Tokens.ThrottleKey("accounts", p.UserID.String())
		_, err = s.attempt(ctx, key, uuid.Nil, MaxAccounts, AccountWindow)
	}
	if err != nil {
		return account.Summary{}, err
	}
	return accounts.On(s.cfg.Store).OpenAccount(ctx, p.UserID, name)
}

// SetRole changes a member's role in the principal's account. Faults: those of
// accounts.SetMemberRole.
func (s *Service) SetRole(
	ctx context.Context, p auth.Principal, userID uuid.UUID, role account.Role,
) (account.Member, error) {
	return accounts.On(s.cfg.Store).SetMemberRole(ctx, s.memberChange(p, userID), role)
}

// RemoveMember ends a membership in the principal's account; the member may be the principal.
// Faults: those of accounts.RemoveMember.
func (s *Service) RemoveMember(
	ctx context.Context, p auth.Principal, userID uuid.UUID, removeTokens bool,
) error {
	return accounts.On(s.cfg.Store).RemoveMember(ctx, s.memberChange(p, userID), removeTokens)
}

func (s *Service) memberChange(p auth.Principal, userID uuid.UUID) accounts.MemberChange {
	return accounts.MemberChange{
		AccountID: p.AccountID, UserID: userID, By: p.UserID, Notify: s.cfg.Mail,
	}
}
