package users

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// AccountColumns are the columns of an account.Account, of accounts AS a.
const AccountColumns = ` a.id, a.name, a.state, a.credit_balance, a.credits_held, a.require_second_factor,
	a.low_credits_at, a.retention_days, a.created_at `

// UserColumns are the columns of an account.User, of users AS u.
const UserColumns = ` u.id, u.email, u.name, u.second_factor_at IS NOT NULL AS second_factor,
	u.email_verified_at IS NOT NULL AS email_verified, u.created_at `

// User returns a user. Fault: NotFound.
func (s Store) User(ctx context.Context, id uuid.UUID) (account.User, error) {
	return db.One[account.User](ctx, s.db, `SELECT`+UserColumns+`FROM users u WHERE u.id = $1`, id)
}

// UserByEmail returns the user of an address in the form of account.ParseEmail. Fault: NotFound.
func (s Store) UserByEmail(ctx context.Context, email string) (account.User, error) {
	return db.One[account.User](ctx, s.db,
		`SELECT`+UserColumns+`FROM users u WHERE u.email = $1`, email)
}

// SetName changes a user's name, in the form of account.ParseName, and records the change in the
// user's trail, which every account of the user shows. Fault: NotFound.
func (s Store) SetName(ctx context.Context, userID uuid.UUID, name string, by audit.Entry,
) (account.User, error) {
	var out account.User
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		n, err := db.Exec(ctx, tx,
			`UPDATE users SET name = $2 WHERE id = $1 AND name <> $2`, userID, name)
		if err == nil && n > 0 {
			err = audit.On(tx).Record(ctx, by, userID)
		}
		if err == nil {
			out, err = On(tx).User(ctx, userID)
		}
		return err
	})
	return out, err
}

// SetPasswordHash replaces a user's password hash, a PHC string, and ends every sign-in of the user. Fault: NotFound.
func (s Store) SetPasswordHash(ctx context.Context, userID uuid.UUID, hash string, by audit.Entry,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		if err := db.MustChange(db.Exec(ctx, tx,
			`UPDATE users SET password_hash = $2 WHERE id = $1`, userID, hash)); err != nil {
			return err
		}
		if err := EndLinks(ctx, tx, userID); err != nil {
			return err
		}
		if _, err := EndSignIns(ctx, tx, `user_id = $1`, userID); err != nil {
			return err
		}
		return audit.On(tx).Record(ctx, by, userID)
	})
}
