package accounts

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// NewAccount is an account to create, with its owner. Email and Name are in the form of
// account.ParseEmail and account.ParseName.
type NewAccount struct {
	Email string
	Name  string
	// PasswordHash is a PHC string.
	PasswordHash string
	// StartingCredits are granted in the same transaction, with a history entry, unless the address
	// has had an account before; 0 grants nothing.
	StartingCredits int64
	// By is the audit entry of the actor; SignUp sets its own.
	By audit.Entry
	// EmailVerified marks the address as verified.
	EmailVerified bool
}

// CreateAccount opens an account and grants the starting credits once per address. Fault: Conflict
// for a known address.
func (s Store) CreateAccount(ctx context.Context, in NewAccount) (Owned, error) {
	var created Owned
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		userID, id, err := On(tx).insertAccount(ctx, in)
		if err == nil {
			created, err = On(tx).OwnedAccount(ctx, id)
		}
		if err == nil && in.By.Action != "" {
			err = audit.On(tx).Record(ctx, in.By, userID)
		}
		return err
	})
	return created, err
}

// insertAccount inserts a user with an account and grants its starting credits, in the caller's
// transaction. It inserts the user first, so that concurrent sign-ups of one address wait for each
// other there.
func (s Store) insertAccount(ctx context.Context, in NewAccount) (userID, id uuid.UUID, err error) {
	userID, id = uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	_, err = db.Exec(ctx, s.db, `
		WITH u AS (INSERT INTO users (id, email, name, password_hash, email_verified_at)
				VALUES ($1::uuid, $3::text, $5::text, $4::text, CASE WHEN $6::boolean THEN clock_timestamp() END)),
			a AS (INSERT INTO accounts (id, name) VALUES ($2::uuid, $5::text))
		INSERT INTO memberships (account_id, user_id, role) VALUES ($2::uuid, $1::uuid, 'OWNER')`,
		userID, id, in.Email, in.PasswordHash, in.Name, in.EmailVerified)
	if err == nil {
		err = users.MustBeFree(ctx, s.db, in.Email, userID)
	}
	if err != nil {
		return userID, id, err
	}
	first, err := users.MarkSeen(ctx, s.db, in.Email)
	if err == nil && first && in.StartingCredits > 0 {
		_, err = credits.On(s.db).Grant(ctx, id, credits.Grant{}.Kind(), in.StartingCredits,
			"Starting credits", nil)
	}
	if err == nil {
		err = notifications.On(s.db).NotifyOperator(ctx, notifications.SignedUp,
			notifications.EventData{AccountID: id})
	}
	return userID, id, err
}

// Account returns an account, including a deleted one. Fault: NotFound.
func (s Store) Account(ctx context.Context, id uuid.UUID) (account.Account, error) {
	return db.One[account.Account](ctx, s.db,
		`SELECT`+users.AccountColumns+`FROM accounts a WHERE a.id = $1`, id)
}

// AccountChange is a change of an account by a user. A nil field is left unchanged.
type AccountChange struct {
	// Name is in the form of account.ParseName.
	Name *string
	// RequireSecondFactor reports whether every member needs a second factor.
	RequireSecondFactor *bool
	// LowCreditsAt is the balance in credits at which the owners are notified; account.CheckLowCredits
	// has accepted it.
	LowCreditsAt agent.Change[int64]
	// RetentionDays is the retention of conversations; account.CheckRetention has accepted it.
	RetentionDays agent.Change[int]
	// Reauthenticated reports whether the user may shorten the retention.
	Reauthenticated bool
	UserID          uuid.UUID
}

// ErrReauthenticate refuses a shorter retention.
var ErrReauthenticate = errors.New("accounts: a shorter retention needs reauthentication")

// UpdateAccount changes an account. It returns ErrReauthenticate for a shorter or a first retention
// without Reauthenticated. Fault: Conflict when a user without a second factor requires one of all
// members.
func (s Store) UpdateAccount(ctx context.Context, id uuid.UUID, in AccountChange,
) (account.Account, error) {
	var out account.Account
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		before, err := db.One[account.Account](ctx, tx,
			`SELECT`+users.AccountColumns+`FROM accounts a WHERE a.id = $1 FOR NO KEY UPDATE`, id)
		switch {
		case err != nil:
			return err
		case account.Shortens(before.RetentionDays, in.RetentionDays.Value) && !in.Reauthenticated:
			return ErrReauthenticate
		}
		out, err = db.One[account.Account](ctx, tx, `UPDATE accounts a SET name = coalesce($2, a.name),
				require_second_factor = coalesce($3, a.require_second_factor),
				low_credits_at = CASE WHEN $5 THEN $6::bigint ELSE a.low_credits_at END,
				retention_days = CASE WHEN $7 THEN $8::integer ELSE a.retention_days END
			WHERE a.id = $1 AND a.state = 'ACTIVE' AND ($3 IS NOT TRUE
				OR EXISTS (SELECT 1 FROM users u WHERE u.id = $4 AND u.second_factor_at IS NOT NULL))
			RETURNING`+users.AccountColumns, id, in.Name, in.RequireSecondFactor, in.UserID, in.LowCreditsAt.Set, in.LowCreditsAt.Value,
			in.RetentionDays.Set, in.RetentionDays.Value)
		if err != nil {
			return err
		}
		var fields []string
		if out.Name != before.Name {
			fields = append(fields, "name")
		}
		if out.RequireSecondFactor != before.RequireSecondFactor {
			fields = append(fields, "requireSecondFactor")
		}
		if in.LowCreditsAt.Set && !audit.Equal(out.LowCreditsAt, before.LowCreditsAt) {
			fields = append(fields, "lowCreditsAt")
		}
		if in.RetentionDays.Set && !audit.Equal(out.RetentionDays, before.RetentionDays) {
			fields = append(fields, "retentionDays")
		}
		if fields == nil {
			return nil
		}
		return audit.On(tx).RecordIn(ctx, id, id.String(), fields...)
	})
	if fault.Is(err, fault.NotFound) && in.RequireSecondFactor != nil && *in.RequireSecondFactor {
		err = fault.New(fault.Conflict,
			"Turn on two-factor authentication for yourself first.")
	}
	return out, err
}

// Owned is an account with its owner: the first, if there are several. An account that no user has
// joined yet has none.
type Owned struct {
	account.Account
	OwnerID uuid.UUID
	// Email is the owner's address. Without an owner it is empty, and OwnerID is uuid.Nil.
	Email string
}

// SelectOwned begins a statement that reads accounts AS a, which are not deleted, with their owners
// AS owner.
const SelectOwned = `SELECT` + users.AccountColumns + `,
	coalesce(owner.id, ` + db.NilUUID + `) AS owner_id, coalesce(owner.email, '') AS email
	FROM accounts a LEFT JOIN LATERAL (
		SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.account_id = a.id AND m.role = 'OWNER' ORDER BY m.created_at, u.id LIMIT 1
	) owner ON true WHERE a.state <> 'DELETED' `

// OwnedAccount returns an account that is not deleted. Fault: NotFound.
func (s Store) OwnedAccount(ctx context.Context, id uuid.UUID) (Owned, error) {
	return db.One[Owned](ctx, s.db, SelectOwned+`AND a.id = $1`, id)
}
