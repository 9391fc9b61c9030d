package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
)

// accountColumns are the columns of an account.Account, of accounts AS a.
const accountColumns = ` a.id, a.name, a.state, a.credit_balance, a.credits_held, a.require_second_factor,
	a.low_credits_at, a.created_at `

// userColumns are the columns of an account.User, of users AS u.
const userColumns = ` u.id, u.email, u.name, u.second_factor_at IS NOT NULL AS second_factor,
	u.email_verified_at IS NOT NULL AS email_verified, u.created_at `

// NewAccount is an account to create with the user who owns it; Email and Name are as account.ParseEmail
// and account.ParseName return them.
type NewAccount struct {
	Email string
	Name  string
	// PasswordHash is a PHC string.
	PasswordHash string
	// StartingCredits are granted in the same transaction, with a history entry, unless the address has had an account before;
	// 0 grants nothing.
	StartingCredits int64
	// By is who opens it, for the audit trail; SignUp says so itself.
	By AuditEntry
	// EmailVerified says that the address is known to be the user's.
	EmailVerified bool
}

// CreateAccount opens an account, and grants the starting credits once per address. Fault: Conflict for a known address.
func (s *Store) CreateAccount(ctx context.Context, in NewAccount) (Owned, error) {
	var created Owned
	err := s.inTx(ctx, func(tx *Store) error {
		userID, id, err := tx.insertAccount(ctx, in)
		if err == nil {
			created, err = tx.OwnedAccount(ctx, id)
		}
		if err == nil && in.By.Action != "" {
			err = tx.record(ctx, in.By, userID)
		}
		return err
	})
	return created, err
}

// insertAccount inserts a user with an account and grants its starting credits, in the caller's transaction. The user comes first, so
// that sign-ups of one address at once wait for each other there.
func (s *Store) insertAccount(ctx context.Context, in NewAccount) (userID, id uuid.UUID, err error) {
	userID, id = uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	_, err = s.exec(ctx, `
		WITH u AS (INSERT INTO users (id, email, name, password_hash, email_verified_at)
				VALUES ($1::uuid, $3::text, $5::text, $4::text, CASE WHEN $6::boolean THEN clock_timestamp() END)),
			a AS (INSERT INTO accounts (id, name) VALUES ($2::uuid, $5::text))
		INSERT INTO memberships (account_id, user_id, role) VALUES ($2::uuid, $1::uuid, 'OWNER')`,
		userID, id, in.Email, in.PasswordHash, in.Name, in.EmailVerified)
	if err == nil {
		err = s.mustBeFree(ctx, in.Email, userID)
	}
	if err != nil {
		return userID, id, err
	}
	first, err := s.markSeen(ctx, in.Email)
	if err == nil && first && in.StartingCredits > 0 {
		_, err = s.grant(ctx, id, Grant{}.kind(), in.StartingCredits, "Starting credits", nil)
	}
	if err == nil {
		err = s.tellOperator(ctx, SignedUp, EventData{AccountID: id})
	}
	return userID, id, err
}

// Account returns an account, also a deleted one. Fault: NotFound.
func (s *Store) Account(ctx context.Context, id uuid.UUID) (account.Account, error) {
	return one[account.Account](ctx, s, `SELECT`+accountColumns+`FROM accounts a WHERE a.id = $1`, id)
}

// User returns a user. Fault: NotFound.
func (s *Store) User(ctx context.Context, id uuid.UUID) (account.User, error) {
	return one[account.User](ctx, s, `SELECT`+userColumns+`FROM users u WHERE u.id = $1`, id)
}

// UserByEmail returns the user of an address in the form of account.ParseEmail. Fault: NotFound.
func (s *Store) UserByEmail(ctx context.Context, email string) (account.User, error) {
	return one[account.User](ctx, s, `SELECT`+userColumns+`FROM users u WHERE u.email = $1`, email)
}

// SetPasswordHash replaces a user's password hash, a PHC string, and ends every sign-in of the user. Fault: NotFound.
func (s *Store) SetPasswordHash(ctx context.Context, userID uuid.UUID, hash string, by AuditEntry) error {
	return s.inTx(ctx, func(tx *Store) error {
		if err := mustChange(tx.exec(ctx, `UPDATE users SET password_hash = $2 WHERE id = $1`, userID, hash)); err != nil {
			return err
		}
		if err := tx.endLinks(ctx, userID); err != nil {
			return err
		}
		if _, err := tx.endSignIns(ctx, `user_id = $1`, userID); err != nil {
			return err
		}
		return tx.record(ctx, by, userID)
	})
}

// AccountChange is a change of an account by a user; nil leaves things as they are.
type AccountChange struct {
	// Name is in the form of account.ParseName.
	Name *string
	// RequireSecondFactor is whether members need a second factor.
	RequireSecondFactor *bool
	// LowCreditsAt is at how many credits the owners are told, as account.CheckLowCredits has passed it.
	LowCreditsAt agent.Change[int64]
	UserID       uuid.UUID
}

// UpdateAccount changes an account. Fault: Conflict when a user without a second factor asks it of all.
func (s *Store) UpdateAccount(ctx context.Context, id uuid.UUID, in AccountChange) (account.Account, error) {
	var out account.Account
	err := s.inTx(ctx, func(tx *Store) error {
		before, err := tx.Account(ctx, id)
		if err != nil {
			return err
		}
		out, err = one[account.Account](ctx, tx, `UPDATE accounts a SET name = coalesce($2, a.name),
				require_second_factor = coalesce($3, a.require_second_factor),
				low_credits_at = CASE WHEN $5 THEN $6::bigint ELSE a.low_credits_at END
			WHERE a.id = $1 AND a.state = 'ACTIVE' AND ($3 IS NOT TRUE
				OR EXISTS (SELECT 1 FROM users u WHERE u.id = $4 AND u.second_factor_at IS NOT NULL))
			RETURNING`+accountColumns, id, in.Name, in.RequireSecondFactor, in.UserID, in.LowCreditsAt.Set, in.LowCreditsAt.Value)
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
		if in.LowCreditsAt.Set && !equal(out.LowCreditsAt, before.LowCreditsAt) {
			fields = append(fields, "lowCreditsAt")
		}
		if fields == nil {
			return nil
		}
		return tx.recordIn(ctx, id, id.String(), fields...)
	})
	if fault.Is(err, fault.NotFound) && in.RequireSecondFactor != nil && *in.RequireSecondFactor {
		err = fault.New(fault.Conflict, "Set up a second factor of your own first, then ask it of all members.")
	}
	return out, err
}

// Grant is a top-up or a correction by the operator.
type Grant struct {
	AccountID uuid.UUID
	// Adjustment says that it is a correction.
	Adjustment bool
	// Amount is in whole credits: at least 1, of a correction also below 0.
	Amount int64
	Note   string
	// Reference makes the grant repeatable: one account and reference is granted once.
	Reference string
	// Unique binds the reference to the account for good: no other one may have had it, or is ever granted it.
	Unique bool
}

// kind is the kind of its entry in the credit history.
func (g Grant) kind() string {
	if g.Adjustment {
		return "ADJUSTMENT"
	}
	return "GRANT"
}

// Granted is the outcome of a grant.
type Granted struct {
	Balance int64
	// Repeated says that the reference had been granted before; nothing changed.
	Repeated bool
}

// GrantCredits adds credits with a history row, once per account and reference; a correction may take some away. Faults: NotFound for an
// unknown account, InvalidInput for an amount out of range or a balance past credit.MaxBalance, Conflict for a reference with another
// amount or kind or of another account (see bindReference), and for a correction that would take more than is available.
func (s *Store) GrantCredits(ctx context.Context, in Grant) (Granted, error) {
	if err := in.check(); err != nil {
		return Granted{}, err
	}
	var out Granted
	err := s.inTx(ctx, func(tx *Store) error {
		if err := tx.lockReference(ctx, in.Reference); err != nil {
			return err
		}
		owner, err := one[account.Account](ctx, tx, `SELECT id, credit_balance, credits_held FROM accounts
			WHERE id = $1 AND state <> 'DELETED' FOR UPDATE`, in.AccountID)
		if err == nil {
			err = tx.bindReference(ctx, in)
		}
		if err != nil {
			return err
		}
		before, err := all[struct {
			Amount int64
			Kind   string
		}](ctx, tx, `SELECT amount, kind FROM credit_entries WHERE account_id = $1 AND reference = $2`, owner.ID, in.Reference)
		switch {
		case err != nil:
			return err
		case len(before) == 0 && owner.CreditsAvailable()+in.Amount < 0:
			return fault.New(fault.Conflict, fmt.Sprintf(
				"Only %d credits are available: what is held for messages in progress cannot be taken.", owner.CreditsAvailable()))
		case len(before) == 0:
			if out.Balance, err = tx.grant(ctx, owner.ID, in.kind(), in.Amount, in.Note, &in.Reference); err != nil {
				return err
			}
			return tx.recordIn(ctx, owner.ID, owner.ID.String())
		case before[0].Amount != in.Amount || before[0].Kind != in.kind():
			return fault.New(fault.Conflict, "This reference was used for a grant of another amount; use a new reference.")
		}
		out = Granted{Balance: owner.CreditBalance, Repeated: true}
		return nil
	})
	return out, err
}

func (g Grant) check() error {
	least, text := int64(1), "The amount must be a whole number from 1 to 9007199254740991."
	if g.Adjustment {
		least, text = -credit.MaxBalance, "The amount must be a whole number from -9007199254740991 to 9007199254740991, and not 0."
	}
	if g.Amount < least || g.Amount > credit.MaxBalance || g.Amount == 0 {
		return fault.Invalid(fault.Field{Path: "amount", Reason: fault.OutOfRange, Message: text})
	}
	return nil
}

// grant adds credits with a history row, whose number comes from the update that moves the balance; it returns the new balance.
func (s *Store) grant(ctx context.Context, id uuid.UUID, kind string, amount int64, note string, reference *string) (int64, error) {
	return one[int64](ctx, s, `
		WITH a AS (
			UPDATE accounts SET credit_balance = credit_balance + $2::bigint, entry_count = entry_count + 1
			WHERE id = $1 RETURNING id, credit_balance, entry_count
		)
		INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, note, reference)
		SELECT $3::uuid, a.id, a.entry_count, $6::text, $2::bigint, a.credit_balance, $4::text, $5::text FROM a
		RETURNING balance_after`, id, amount, uuid.Must(uuid.NewV7()), note, reference, kind)
}
