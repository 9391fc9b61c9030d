package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
)

const invitationColumns = ` i.id, i.email, i.role, coalesce(i.invited_by, ` + nobody + `) AS invited_by, i.created_at, i.expires_at `

// NewInvitation is an invitation to send.
type NewInvitation struct {
	AccountID uuid.UUID
	// Email is in the form of account.ParseEmail.
	Email string
	Role  account.Role
	// By is the owner who invites; uuid.Nil for the operator.
	By uuid.UUID
	// Shown is the hash of the token that is shown to the inviter.
	Shown [32]byte
	// Mail has the address sent another token.
	Mail bool
}

// Invite lets the user of an address join an account. Faults: NotFound without the account; Conflict for a member's address or one that is
// invited already, past account.MaxMembers or account.MaxInvitations, and when By is no owner any more.
func (s *Store) Invite(ctx context.Context, in NewInvitation) (account.Invitation, error) {
	var out account.Invitation
	err := s.inTx(ctx, func(tx *Store) error {
		if err := tx.mayInvite(ctx, in); err != nil {
			return err
		}
		var err error
		if out, err = tx.insertInvitation(ctx, in); err == nil {
			err = tx.recordIn(ctx, in.AccountID, out.ID.String(), "role")
		}
		return err
	})
	return out, err
}

// mayInvite locks the members and checks an invitation against them and the open ones.
func (s *Store) mayInvite(ctx context.Context, in NewInvitation) error {
	members, err := s.lockForOwner(ctx, in.AccountID, in.By)
	if err == nil {
		_, err = s.exec(ctx, `DELETE FROM invitations
			WHERE account_id = $1 AND expires_at <= clock_timestamp() AND invited_by IS NOT NULL`, in.AccountID)
	}
	if err != nil {
		return err
	}
	found, err := one[struct {
		Open   int
		Member bool
	}](ctx, s, `SELECT (SELECT count(*) FROM invitations WHERE account_id = $1) AS open, EXISTS (SELECT 1 FROM memberships m
		JOIN users u ON u.id = m.user_id WHERE m.account_id = $1 AND u.email = $2) AS member`, in.AccountID, in.Email)
	switch {
	case err != nil:
		return err
	case found.Member:
		return fault.New(fault.Conflict, "This address is a member's already.")
	case len(members) >= account.MaxMembers:
		return errTooMany("members", account.MaxMembers)
	case found.Open >= account.MaxInvitations:
		return errTooMany("open invitations", account.MaxInvitations)
	}
	return nil
}

func errTooMany(what string, limit int) error {
	return fault.New(fault.Conflict, fmt.Sprintf("An account has at most %d %s.", limit, what))
}

// insertInvitation inserts an invitation with its links, in the caller's transaction. Fault: NotFound without the account.
func (s *Store) insertInvitation(ctx context.Context, in NewInvitation) (account.Invitation, error) {
	out, err := one[account.Invitation](ctx, s, `
		INSERT INTO invitations AS i (id, account_id, email, role, invited_by, expires_at)
		SELECT $1, a.id, $3, $4, nullif($5::uuid, `+nobody+`), clock_timestamp() + $6::interval
		FROM accounts a WHERE a.id = $2 AND a.state <> 'DELETED' RETURNING`+invitationColumns,
		uuid.Must(uuid.NewV7()), in.AccountID, in.Email, string(in.Role), in.By, InvitationLifetime)
	if err == nil {
		err = s.insertInvitationLinks(ctx, in, out)
	}
	return out, err
}

// insertInvitationLinks stores the token that is shown, and promises the one by mail, in the caller's transaction.
func (s *Store) insertInvitationLinks(ctx context.Context, in NewInvitation, i account.Invitation) error {
	l := Link{Purpose: InvitationLink, Email: i.Email, InvitationID: i.ID, AccountID: in.AccountID}
	err := s.insertLink(ctx, l, in.Shown, InvitationLifetime)
	if err == nil && in.Mail {
		err = s.promise(ctx, l)
	}
	return err
}

// RenewInvitation voids the tokens of an invitation and gives it new ones; it is By's from then on. Email and Role are not looked at.
// Faults: NotFound; Conflict when By is no owner any more.
func (s *Store) RenewInvitation(ctx context.Context, id uuid.UUID, in NewInvitation) (account.Invitation, error) {
	var out account.Invitation
	err := s.inTx(ctx, func(tx *Store) error {
		_, err := tx.lockForOwner(ctx, in.AccountID, in.By)
		if err == nil {
			out, err = one[account.Invitation](ctx, tx, `
				UPDATE invitations i SET invited_by = $3, created_at = clock_timestamp(),
					expires_at = clock_timestamp() + $4::interval
				WHERE i.id = $1 AND i.account_id = $2 AND i.expires_at > clock_timestamp() RETURNING`+invitationColumns,
				id, in.AccountID, in.By, InvitationLifetime)
		}
		if err == nil {
			_, err = tx.exec(ctx, `DELETE FROM links WHERE invitation_id = $1`, id)
		}
		if err == nil {
			err = tx.insertInvitationLinks(ctx, in, out)
		}
		if err == nil {
			err = tx.recordIn(ctx, in.AccountID, id.String())
		}
		return err
	})
	return out, err
}

// RevokeInvitation takes an invitation back. Faults: as of RenewInvitation.
func (s *Store) RevokeInvitation(ctx context.Context, accountID, id, by uuid.UUID) error {
	return s.inTx(ctx, func(tx *Store) error {
		_, err := tx.lockForOwner(ctx, accountID, by)
		if err == nil {
			err = mustChange(tx.exec(ctx, `DELETE FROM invitations WHERE id = $1 AND account_id = $2`, id, accountID))
		}
		if err == nil {
			err = tx.recordIn(ctx, accountID, id.String())
		}
		return err
	})
}

// Invitations returns the open invitations to an account, the newest first.
func (s *Store) Invitations(ctx context.Context, accountID uuid.UUID) ([]account.Invitation, error) {
	return all[account.Invitation](ctx, s, `SELECT`+invitationColumns+`FROM invitations i
		WHERE i.account_id = $1 AND i.expires_at > clock_timestamp() ORDER BY i.created_at DESC, i.id DESC LIMIT $2`,
		accountID, account.MaxInvitations)
}

// InvitationTo returns an open invitation to an account. Fault: NotFound.
func (s *Store) InvitationTo(ctx context.Context, accountID, id uuid.UUID) (account.Invitation, error) {
	return one[account.Invitation](ctx, s, `SELECT`+invitationColumns+`FROM invitations i
		WHERE i.id = $1 AND i.account_id = $2 AND i.expires_at > clock_timestamp()`, id, accountID)
}

// Invitation returns what a token's invitation is for, without using it up. Fault: NotFound for one that was used or taken back, has run
// out, or is void because its inviter is no owner any more or the account is not active.
func (s *Store) Invitation(ctx context.Context, hash [32]byte) (account.InvitationPreview, error) {
	return one[account.InvitationPreview](ctx, s, `
		SELECT a.name AS account_name, i.email, i.role, coalesce(inviter.email, '') AS invited_by, l.expires_at,
			EXISTS (SELECT 1 FROM users u WHERE u.email = i.email) AS known
		FROM links l JOIN invitations i ON i.id = l.invitation_id
		JOIN accounts a ON a.id = i.account_id AND a.state = 'ACTIVE'
		LEFT JOIN memberships m ON m.account_id = i.account_id AND m.user_id = i.invited_by AND m.role = 'OWNER'
		LEFT JOIN users inviter ON inviter.id = m.user_id
		WHERE l.token_hash = $1 AND l.expires_at > clock_timestamp() AND (i.invited_by IS NULL OR m.user_id IS NOT NULL)`, hash[:])
}

// InvitationForMail stores the hash of a token that the try of an invitation's mail carries, with which its 7 days begin. Fault: NotFound
// if it was taken back or renewed, or is void, as of Invitation.
func (s *Store) InvitationForMail(ctx context.Context, m Outgoing, hash [32]byte) (account.InvitationPreview, error) {
	var out account.InvitationPreview
	err := s.inTx(ctx, func(tx *Store) error {
		// The lock comes before the links', as in RenewInvitation.
		_, err := tx.exec(ctx, `UPDATE invitations SET expires_at = clock_timestamp() + $2::interval
			WHERE id = (SELECT invitation_id FROM links WHERE outbox_id = $1 LIMIT 1)`, m.ID, InvitationLifetime)
		if err != nil {
			return err
		}
		l, err := one[Link](ctx, tx, `SELECT`+linkColumns+`FROM links l
			WHERE l.outbox_id = $1 AND l.expires_at > clock_timestamp() LIMIT 1`, m.ID)
		if err == nil {
			err = tx.insertLink(ctx, l, hash, InvitationLifetime)
		}
		if err == nil {
			out, err = tx.Invitation(ctx, hash)
		}
		return err
	})
	return out, err
}

// Acceptance is somebody who accepts an invitation.
type Acceptance struct {
	// Token is the SHA-256 of the link's.
	Token [32]byte
	// UserID and SignInID are who is signed in; uuid.Nil for a new user, with Name and PasswordHash.
	UserID, SignInID   uuid.UUID
	Name, PasswordHash string
	By                 AuditEntry
}

// AcceptInvitation uses an invitation up: its user joins the account. If the token was mailed, it proves the address. An address that was
// never proved may have had a squatter, whose second factor, codes, links and other sign-ins go then. Faults: NotFound, as of Invitation;
// Conflict for another user, a member, a new user whose address is taken, and past account.MaxMembers. Then nothing changed.
func (s *Store) AcceptInvitation(ctx context.Context, in Acceptance) (account.Summary, error) {
	var out account.Summary
	err := s.inTx(ctx, func(tx *Store) error {
		l, err := tx.Link(ctx, in.Token)
		if err == nil && l.Purpose != InvitationLink {
			err = fault.Wrap(fault.NotFound, nil)
		}
		if err == nil {
			in.UserID, err = tx.invited(ctx, in, l)
		}
		if err == nil {
			out, err = tx.joinByInvitation(ctx, in, l)
		}
		if err != nil {
			return err
		}
		in.By.ActorID = &in.UserID
		return tx.recordIn(Acting(ctx, in.By), out.ID, l.InvitationID.String())
	})
	return out, err
}

// invited locks the user whose address is invited, or inserts a new one, and proves the address by a mailed link.
func (s *Store) invited(ctx context.Context, in Acceptance, l Link) (uuid.UUID, error) {
	mailed := l.MailID != uuid.Nil
	if mailed {
		in.By.Fields = append(in.By.Fields, "emailVerified")
	}
	if in.UserID == uuid.Nil {
		id := uuid.Must(uuid.NewV7())
		_, err := s.exec(ctx, `INSERT INTO users (id, email, name, password_hash, email_verified_at)
			VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN clock_timestamp() END)`, id, l.Email, in.Name, in.PasswordHash, mailed)
		if err == nil {
			err = s.mustBeFree(ctx, l.Email, id)
		}
		if err == nil {
			err = s.record(ctx, in.By, id)
		}
		return id, err
	}
	user, err := one[addressOf](ctx, s, `SELECT email, email_verified_at AS verified_at FROM users WHERE id = $1 FOR UPDATE`, in.UserID)
	switch {
	case err != nil:
		return in.UserID, err
	case user.Email != l.Email:
		return in.UserID, fault.New(fault.Conflict,
			"This invitation is for another address. Sign in with that one, then open the link again.")
	case !mailed || user.VerifiedAt != nil:
		return in.UserID, nil
	}
	err = s.endLinks(ctx, in.UserID)
	if err == nil {
		err = s.removeUnprovedTokens(ctx, in.UserID)
	}
	if err == nil {
		err = s.proved(ctx, in.UserID)
	}
	if err == nil {
		_, err = s.dropFactor(ctx, in.UserID, nil)
	}
	if err == nil {
		_, err = s.endSignIns(ctx, `user_id = $1 AND id <> $2`, in.UserID, in.SignInID)
	}
	if err == nil {
		err = s.record(ctx, in.By, in.UserID)
	}
	return in.UserID, err
}

// joinByInvitation removes an invitation and makes the user a member. After the lock nobody renews it, takes it back or demotes its
// inviter.
func (s *Store) joinByInvitation(ctx context.Context, in Acceptance, l Link) (account.Summary, error) {
	accountID, err := one[uuid.UUID](ctx, s, `SELECT account_id FROM invitations WHERE id = $1`, l.InvitationID)
	if err != nil {
		return account.Summary{}, err
	}
	members, err := s.lockMembers(ctx, accountID)
	if err == nil {
		_, err = s.Invitation(ctx, in.Token)
	}
	if err != nil {
		return account.Summary{}, err
	}
	// A deletion of the account waits for this and then finds the new member, or comes first, and this finds no invitation.
	role, err := one[account.Role](ctx, s, `DELETE FROM invitations WHERE id = $1 RETURNING role`, l.InvitationID)
	switch _, member := members[in.UserID]; {
	case err != nil:
		return account.Summary{}, err
	case member:
		return account.Summary{}, fault.New(fault.Conflict, "You are a member of this account already.")
	case len(members) >= account.MaxMembers:
		return account.Summary{}, errTooMany("members", account.MaxMembers)
	}
	if err := s.join(ctx, accountID, in.UserID, role); err != nil {
		return account.Summary{}, err
	}
	return one[account.Summary](ctx, s, `SELECT a.id, a.name, a.credit_balance - a.credits_held AS credits_available
		FROM accounts a WHERE a.id = $1`, accountID)
}

// PurgeInvitations removes at most limit invitations by owners that have run out; it returns how many. Those of the operator say whom an
// account is for, and can be renewed.
func (s *Store) PurgeInvitations(ctx context.Context, limit int) (int, error) {
	return s.exec(ctx, `DELETE FROM invitations WHERE id IN (
		SELECT id FROM invitations WHERE expires_at < statement_timestamp() AND invited_by IS NOT NULL
		LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit)
}
