package accounts

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// InvitationColumns are the columns of an account.Invitation, of invitations AS i.
const InvitationColumns = ` i.id, i.email, i.role, coalesce(i.invited_by,
	` + db.NilUUID + `) AS invited_by,
	i.created_at, i.expires_at `

// NewInvitation is an invitation to send.
type NewInvitation struct {
	AccountID uuid.UUID
	// Email is in the form of account.ParseEmail.
	Email string
	Role  account.Role
	// By is the owner who invites; uuid.Nil for the operator.
	By uuid.UUID
	// Shown is the hash of the token that the inviter sees.
	Shown [32]byte
	// Mail sends another token to the address.
	Mail bool
}

// Invite invites the user of an address to join an account. Faults: NotFound without the account;
// Conflict for the address of a member or of an open invitation, past account.MaxMembers or
// account.MaxInvitations, and when By is no longer an owner.
func (s Store) Invite(ctx context.Context, in NewInvitation) (account.Invitation, error) {
	var out account.Invitation
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		if err := On(tx).mayInvite(ctx, in); err != nil {
			return err
		}
		var err error
		if out, err = On(tx).InsertInvitation(ctx, in); err == nil {
			err = audit.On(tx).RecordIn(ctx, in.AccountID, out.ID.String(), "role")
		}
		return err
	})
	return out, err
}

// mayInvite locks the members and checks an invitation against them and against the open
// invitations.
func (s Store) mayInvite(ctx context.Context, in NewInvitation) error {
	members, err := s.lockForOwner(ctx, in.AccountID, in.By)
	if err == nil {
		_, err = db.Exec(ctx, s.db, `DELETE FROM invitations
			WHERE account_id = $1 AND expires_at <= clock_timestamp() AND invited_by IS NOT NULL`,
			in.AccountID)
	}
	if err != nil {
		return err
	}
	found, err := db.One[struct {
		Open   int
		Member bool
	}](ctx, s.db,
		`SELECT (SELECT count(*) FROM invitations WHERE account_id = $1) AS open, EXISTS (SELECT 1 FROM memberships m
		JOIN users u ON u.id = m.user_id WHERE m.account_id = $1 AND u.email = $2) AS member`,
		in.AccountID, in.Email)
	switch {
	case err != nil:
		return err
	case found.Member:
		return fault.New(fault.Conflict, "Already a member of this account.")
	case len(members) >= account.MaxMembers:
		return errTooMany("members", account.MaxMembers)
	case found.Open >= account.MaxInvitations:
		return errTooMany("open invitations", account.MaxInvitations)
	}
	return nil
}

func errTooMany(what string, limit int) error {
	return fault.New(fault.Conflict, fmt.Sprintf("An account can have up to %d %s.", limit, what))
}

// InsertInvitation inserts an invitation with its links, in the caller's transaction. Fault: NotFound without the account.
func (s Store) InsertInvitation(ctx context.Context, in NewInvitation) (account.Invitation, error) {
	out, err := db.One[account.Invitation](ctx, s.db, `
		INSERT INTO invitations AS i (id, account_id, email, role, invited_by, expires_at)
		SELECT $1, a.id, $3, $4, nullif($5::uuid, `+db.NilUUID+`), clock_timestamp() + $6::interval
		FROM accounts a WHERE a.id = $2 AND a.state <> 'DELETED' RETURNING`+InvitationColumns,
		uuid.Must(uuid.NewV7()), in.AccountID, in.Email, string(in.Role), in.By, users.InvitationLifetime)
	if err == nil {
		err = s.InsertInvitationLinks(ctx, in, out)
	}
	return out, err
}

// InsertInvitationLinks stores the token that the inviter sees and reserves the one for the mail,
// in the caller's transaction.
func (s Store) InsertInvitationLinks(ctx context.Context, in NewInvitation, i account.Invitation,
) error {
	l := users.Link{Purpose: notifications.InvitationLink, Email: i.Email, InvitationID: i.ID, AccountID: in.AccountID}
	err := users.InsertLink(ctx, s.db, l, in.Shown, users.InvitationLifetime)
	if err == nil && in.Mail {
		err = users.ReserveLink(ctx, s.db, l)
	}
	return err
}

// RenewInvitation voids the tokens of an invitation, gives it new ones and makes By its inviter. It
// ignores Email and Role. Faults: NotFound; Conflict when By is no longer an owner.
func (s Store) RenewInvitation(ctx context.Context, id uuid.UUID, in NewInvitation,
) (account.Invitation, error) {
	var out account.Invitation
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		_, err := On(tx).lockForOwner(ctx, in.AccountID, in.By)
		if err == nil {
			out, err = db.One[account.Invitation](ctx, tx, `
				UPDATE invitations i SET invited_by = $3, created_at = clock_timestamp(),
					expires_at = clock_timestamp() + $4::interval
				WHERE i.id = $1 AND i.account_id = $2 AND i.expires_at > clock_timestamp() RETURNING`+InvitationColumns,
				id, in.AccountID, in.By, users.InvitationLifetime)
		}
		if err == nil {
			_, err = db.Exec(ctx, tx, `DELETE FROM links WHERE invitation_id = $1`, id)
		}
		if err == nil {
			err = On(tx).InsertInvitationLinks(ctx, in, out)
		}
		if err == nil {
			err = audit.On(tx).RecordIn(ctx, in.AccountID, id.String())
		}
		return err
	})
	return out, err
}

// RevokeInvitation revokes an invitation. Faults: as for RenewInvitation.
func (s Store) RevokeInvitation(ctx context.Context, accountID, id, by uuid.UUID) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		_, err := On(tx).lockForOwner(ctx, accountID, by)
		if err == nil {
			err = db.MustChange(db.Exec(ctx, tx,
				`DELETE FROM invitations WHERE id = $1 AND account_id = $2`, id, accountID))
		}
		if err == nil {
			err = audit.On(tx).RecordIn(ctx, accountID, id.String())
		}
		return err
	})
}

// Invitations returns the open invitations to an account, the newest first.
func (s Store) Invitations(ctx context.Context, accountID uuid.UUID) ([]account.Invitation, error) {
	return db.All[account.Invitation](ctx, s.db, `SELECT`+InvitationColumns+`FROM invitations i
		WHERE i.account_id = $1 AND i.expires_at > clock_timestamp() ORDER BY i.created_at DESC, i.id DESC LIMIT $2`,
		accountID, account.MaxInvitations)
}

// InvitationTo returns an open invitation to an account. Fault: NotFound.
func (s Store) InvitationTo(ctx context.Context, accountID, id uuid.UUID,
) (account.Invitation, error) {
	return db.One[account.Invitation](ctx, s.db, `SELECT`+InvitationColumns+`FROM invitations i
		WHERE i.id = $1 AND i.account_id = $2 AND i.expires_at > clock_timestamp()`, id, accountID)
}

// Invitation returns the invitation of a token without using it up. Fault: NotFound for a token
// that was used, revoked or has expired, and for one that is void because its inviter is no longer
// an owner or the account is not active.
func (s Store) Invitation(ctx context.Context, hash [32]byte) (account.InvitationPreview, error) {
	return db.One[account.InvitationPreview](ctx, s.db, `
		SELECT a.name AS account_name, i.email, i.role, coalesce(inviter.email, '') AS invited_by, l.expires_at,
			EXISTS (SELECT 1 FROM users u WHERE u.email = i.email) AS known
		FROM links l JOIN invitations i ON i.id = l.invitation_id
		JOIN accounts a ON a.id = i.account_id AND a.state = 'ACTIVE'
		LEFT JOIN memberships m ON m.account_id = i.account_id AND m.user_id = i.invited_by AND m.role = 'OWNER'
		LEFT JOIN users inviter ON inviter.id = m.user_id
		WHERE l.token_hash = $1 AND l.expires_at > clock_timestamp() AND (i.invited_by IS NULL OR m.user_id IS NOT NULL)`, hash[:])
}

// InvitationForMail stores the hash of the token that a try of an invitation's mail carries. The
// invitation's 7 days start then. Fault: NotFound if it was revoked or renewed, or is void as for
// Invitation.
func (s Store) InvitationForMail(ctx context.Context, m notifications.Outgoing, hash [32]byte,
) (account.InvitationPreview, error) {
	var out account.InvitationPreview
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		// This lock comes before those of the links, as in RenewInvitation.
		_, err := db.Exec(ctx, tx, `UPDATE invitations SET expires_at = clock_timestamp() + $2::interval
			WHERE id = (SELECT invitation_id FROM links WHERE outbox_id = $1 LIMIT 1)`,
			m.ID, users.InvitationLifetime)
		if err != nil {
			return err
		}
		l, err := db.One[users.Link](ctx, tx, `SELECT`+users.LinkColumns+`FROM links l
			WHERE l.outbox_id = $1 AND l.expires_at > clock_timestamp() LIMIT 1`, m.ID)
		if err == nil {
			err = users.InsertLink(ctx, tx, l, hash, users.InvitationLifetime)
		}
		if err == nil {
			out, err = On(tx).Invitation(ctx, hash)
		}
		return err
	})
	return out, err
}

// Acceptance is the acceptance of an invitation.
type Acceptance struct {
	// Token is the SHA-256 of the link's token.
	Token [32]byte
	// UserID and SignInID are those of the signed-in user; uuid.Nil for a new user with Name and
	// PasswordHash.
	UserID, SignInID   uuid.UUID
	Name, PasswordHash string
	By                 audit.Entry
}

// AcceptInvitation uses an invitation up: its user joins the account. A mailed token verifies the
// address. If the address was never verified, a squatter may have used it: a second factor with its
// recovery codes, the user's links and the other sign-ins are removed. Faults, after which nothing
// has changed: NotFound, as for Invitation; Conflict for another user, for a member, for a new user
// whose address is taken, and past account.MaxMembers.
func (s Store) AcceptInvitation(ctx context.Context, in Acceptance) (account.Summary, error) {
	var out account.Summary
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		l, err := users.On(tx).Link(ctx, in.Token)
		if err == nil && l.Purpose != notifications.InvitationLink {
			err = fault.Wrap(fault.NotFound, nil)
		}
		if err == nil {
			in.UserID, err = On(tx).invited(ctx, in, l)
		}
		if err == nil {
			out, err = On(tx).joinByInvitation(ctx, in, l)
		}
		if err != nil {
			return err
		}
		in.By.ActorID = &in.UserID
		return audit.On(tx).RecordIn(audit.Acting(ctx, in.By), out.ID, l.InvitationID.String())
	})
	return out, err
}

// invited locks the user whose address is invited, or inserts a new one. A mailed link verifies the
// address.
func (s Store) invited(ctx context.Context, in Acceptance, l users.Link) (uuid.UUID, error) {
	mailed := l.MailID != uuid.Nil
	if mailed {
		in.By.Fields = append(in.By.Fields, "emailVerified")
	}
	if in.UserID == uuid.Nil {
		id := uuid.Must(uuid.NewV7())
		_, err := db.Exec(ctx, s.db,
			`INSERT INTO users (id, email, name, password_hash, email_verified_at)
			VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN clock_timestamp() END)`,
			id, l.Email, in.Name, in.PasswordHash, mailed)
		if err == nil {
			err = users.MustBeFree(ctx, s.db, l.Email, id)
		}
		if err == nil {
			err = audit.On(s.db).Record(ctx, in.By, id)
		}
		return id, err
	}
	user, err := db.One[users.AddressOf](ctx, s.db,
		`SELECT email, email_verified_at AS verified_at FROM users WHERE id = $1 FOR UPDATE`, in.UserID)
	switch {
	case err != nil:
		return in.UserID, err
	case user.Email != l.Email:
		return in.UserID, fault.New(fault.Conflict,
			"This invitation is for another address. Sign in with that one and open the link again.")
	case !mailed || user.VerifiedAt != nil:
		return in.UserID, nil
	}
	err = users.EndLinks(ctx, s.db, in.UserID)
	if err == nil {
		err = users.RemoveUnverifiedTokens(ctx, s.db, in.UserID)
	}
	if err == nil {
		err = users.MarkVerified(ctx, s.db, in.UserID)
	}
	if err == nil {
		_, err = users.DropFactor(ctx, s.db, in.UserID, nil)
	}
	if err == nil {
		_, err = users.EndSignIns(ctx, s.db, `user_id = $1 AND id <> $2`, in.UserID, in.SignInID)
	}
	if err == nil {
		err = audit.On(s.db).Record(ctx, in.By, in.UserID)
	}
	return in.UserID, err
}

// joinByInvitation deletes an invitation and makes the user a member. Under the lock, no other
// transaction can renew or revoke the invitation or demote its inviter.
func (s Store) joinByInvitation(ctx context.Context, in Acceptance, l users.Link,
) (account.Summary, error) {
	accountID, err := db.One[uuid.UUID](ctx, s.db,
		`SELECT account_id FROM invitations WHERE id = $1`, l.InvitationID)
	if err != nil {
		return account.Summary{}, err
	}
	members, err := s.LockMembers(ctx, accountID)
	if err == nil {
		_, err = s.Invitation(ctx, in.Token)
	}
	if err != nil {
		return account.Summary{}, err
	}
	// A deletion of the account either waits for this and finds the new member, or comes first and
	// leaves no invitation.
	role, err := db.One[account.Role](ctx, s.db,
		`DELETE FROM invitations WHERE id = $1 RETURNING role`, l.InvitationID)
	switch _, member := members[in.UserID]; {
	case err != nil:
		return account.Summary{}, err
	case member:
		return account.Summary{}, fault.New(fault.Conflict, "Already a member of this account.")
	case len(members) >= account.MaxMembers:
		return account.Summary{}, errTooMany("members", account.MaxMembers)
	}
	if err := s.join(ctx, accountID, in.UserID, role); err != nil {
		return account.Summary{}, err
	}
	return db.One[account.Summary](ctx, s.db,
		`SELECT a.id, a.name, a.credit_balance - a.credits_held AS credits_available
		FROM accounts a WHERE a.id = $1`, accountID)
}

// PurgeInvitations removes at most limit expired invitations by owners and returns the number
// removed. Invitations by the operator stay: they name the user an account is for, and can be
// renewed.
func (s Store) PurgeInvitations(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM invitations WHERE id IN (
		SELECT id FROM invitations WHERE expires_at < statement_timestamp() AND invited_by IS NOT NULL
		LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit)
}
