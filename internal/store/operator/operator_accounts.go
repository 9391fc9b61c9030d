package operator

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/users"
)

// OpenAccountFor opens an account without members and starting credits, and invites the address as
// its owner. shown is the hash of the invitation's token. The address and the name are in the form
// of account.ParseEmail and account.ParseName. Fault: Conflict, with the ids of the accounts, if
// the address belongs to a user or the operator has already invited it.
func (s Store) OpenAccountFor(
	ctx context.Context, email, name string, shown [32]byte,
) (accounts.Owned, error) {
	var opened accounts.Owned
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		// A repeated or concurrent request finds the account of the first one.
		_, err := db.Exec(ctx, tx,
			`SELECT pg_advisory_xact_lock(hashtextextended('address ' || $1::text, 0))`, email)
		if err == nil {
			err = On(tx).mustBeUnknown(ctx, email)
		}
		id := uuid.Must(uuid.NewV7())
		if err == nil {
			err = accounts.On(tx).InsertEmptyAccount(ctx, id, name)
		}
		if err == nil {
			_, err = accounts.On(tx).InsertInvitation(ctx,
				accounts.NewInvitation{AccountID: id, Email: email, Role: account.Owner, Shown: shown})
		}
		if err == nil {
			opened, err = accounts.On(tx).OwnedAccount(ctx, id)
		}
		return err
	})
	return opened, err
}

func (s Store) mustBeUnknown(ctx context.Context, email string) error {
	_, err := users.On(s.db).UserByEmail(ctx, email)
	known := err == nil
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	ids, err := db.All[uuid.UUID](ctx, s.db, `
		SELECT m.account_id FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE u.email = $1 AND m.role = 'OWNER'
		UNION SELECT i.account_id FROM invitations i WHERE i.email = $1 AND i.invited_by IS NULL
		ORDER BY 1`, email)
	if err != nil || !known && len(ids) == 0 {
		return err
	}
	list := strings.Join(db.Mapped(ids, uuid.UUID.String), ", ")
	return fault.New(fault.Conflict, "The address is known. Its accounts: "+list+".")
}

// RenewOwnersInvitation replaces the token of the invitation of OpenAccountFor, also after it has
// expired. shown is the hash of the new token. Fault: Conflict if the invitation was accepted.
func (s Store) RenewOwnersInvitation(
	ctx context.Context, accountID uuid.UUID, shown [32]byte,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		_, err := accounts.On(tx).LockMembers(ctx, accountID)
		if err != nil {
			return err
		}
		renewed, err := db.One[account.Invitation](ctx, tx, `
			UPDATE invitations i
				SET created_at = clock_timestamp(), expires_at = clock_timestamp() + $2::interval
			WHERE i.account_id = $1 AND i.invited_by IS NULL RETURNING`+accounts.InvitationColumns,
			accountID, users.InvitationLifetime)
		if fault.Is(err, fault.NotFound) {
			err = fault.New(fault.Conflict, "The account has had its owner, who invites others.")
		}
		if err == nil {
			_, err = db.Exec(ctx, tx, `DELETE FROM links WHERE invitation_id = $1`, renewed.ID)
		}
		if err == nil {
			err = accounts.On(tx).InsertInvitationLinks(ctx,
				accounts.NewInvitation{AccountID: accountID, Email: renewed.Email, Shown: shown}, renewed)
		}
		if err == nil {
			err = audit.On(tx).RecordIn(ctx, accountID, renewed.ID.String())
		}
		return err
	})
}
