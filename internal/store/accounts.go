package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"agentchat/internal/account"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
)

// accountRow is private because it holds the password hash: no schema or log can reach it by accident.
type accountRow struct {
	bun.BaseModel `bun:"table:accounts,alias:a"`
	ID            uuid.UUID `bun:"id,pk"`
	Email         string
	Name          string
	PasswordHash  string
	State         account.State
	CreditBalance int64
	CreditsHeld   int64
	CreatedAt     time.Time
}

func (r accountRow) account() account.Account {
	return account.Account{ID: r.ID, Email: r.Email, Name: r.Name, State: r.State, CreditBalance: r.CreditBalance,
		CreditsHeld: r.CreditsHeld, CreatedAt: r.CreatedAt}
}

// NewAccount is an account to create. Email and Name are in the form that package account's Parse functions return.
type NewAccount struct {
	Email string
	Name  string
	// PasswordHash is a PHC string.
	PasswordHash string
	// StartingCredits are granted in the same transaction, with a history row; 0 grants nothing.
	StartingCredits int64
}

// CreateAccount opens an account with its starting credits. Fault: Conflict for a known address.
func (s *Store) CreateAccount(ctx context.Context, in NewAccount) (account.Account, error) {
	id := uuid.Must(uuid.NewV7())
	var created accountRow
	err := s.inTx(ctx, func(tx bun.Tx) error {
		_, err := tx.Tx.ExecContext(ctx, `INSERT INTO accounts (id, email, name, password_hash) VALUES ($1, $2, $3, $4)`,
			id, in.Email, in.Name, in.PasswordHash)
		if err != nil {
			return err
		}
		if in.StartingCredits > 0 {
			if _, err := grant(ctx, tx, id, in.StartingCredits, "Starting credits", nil); err != nil {
				return err
			}
		}
		return tx.NewSelect().Model(&created).Where("a.id = ?", id).Scan(ctx)
	})
	if err != nil {
		return account.Account{}, err
	}
	return created.account(), nil
}

// AccountByEmail returns the account of an address in the form of account.ParseEmail. Fault: NotFound.
func (s *Store) AccountByEmail(ctx context.Context, email string) (account.Account, error) {
	var row accountRow
	if err := s.db.NewSelect().Model(&row).Where("a.email = ?", email).Scan(ctx); err != nil {
		return account.Account{}, translate(err)
	}
	return row.account(), nil
}

// Account returns an account. Fault: NotFound.
func (s *Store) Account(ctx context.Context, id uuid.UUID) (account.Account, error) {
	var row accountRow
	if err := s.db.NewSelect().Model(&row).Where("a.id = ?", id).Scan(ctx); err != nil {
		return account.Account{}, translate(err)
	}
	return row.account(), nil
}

// SetPasswordHash replaces an account's password hash, a PHC string. Fault: NotFound.
func (s *Store) SetPasswordHash(ctx context.Context, id uuid.UUID, hash string) error {
	return s.changeOne(ctx, `UPDATE accounts SET password_hash = $2 WHERE id = $1 AND state <> 'DELETED'`, id, hash)
}

// SetAccountState suspends an account or makes it active again; the keys of a suspended one stop at once. Fault: NotFound, also
// for a deleted one.
func (s *Store) SetAccountState(ctx context.Context, id uuid.UUID, state account.State) error {
	return s.changeOne(ctx, `UPDATE accounts SET state = $2 WHERE id = $1 AND state <> 'DELETED'`, id, string(state))
}

// SetAccountName changes an account's name to one in the form of account.ParseName. Fault: NotFound.
func (s *Store) SetAccountName(ctx context.Context, id uuid.UUID, name string) (account.Account, error) {
	var out account.Account
	err := s.pool.QueryRowContext(ctx, `UPDATE accounts a SET name = $2 WHERE a.id = $1 AND a.state = 'ACTIVE' RETURNING`+accountColumns,
		id, name).Scan(accountTargets(&out)...)
	return out, translate(err)
}

// changeOne runs a statement that changes exactly one row. Fault: NotFound when it changed none.
func (s *Store) changeOne(ctx context.Context, query string, args ...any) error {
	result, err := s.pool.ExecContext(ctx, query, args...)
	if err != nil {
		return translate(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return fault.Wrap(fault.NotFound, err)
	}
	return nil
}

// Grant is a top-up by the operator.
type Grant struct {
	// Email is the account's address in the form of account.ParseEmail.
	Email string
	// Amount is in whole credits, at least 1.
	Amount int64
	Note   string
	// Reference makes the grant repeatable: one account and reference is granted once.
	Reference string
}

// Granted is the outcome of a grant.
type Granted struct {
	Balance int64
	// Repeated says that the reference had been granted before; nothing changed.
	Repeated bool
}

// GrantCredits adds credits with a history row, once per account and reference. Faults: NotFound for an unknown address,
// InvalidInput for an amount below 1 or a balance past credit.MaxBalance, Conflict for a reference with another amount.
func (s *Store) GrantCredits(ctx context.Context, in Grant) (Granted, error) {
	if in.Amount < 1 || in.Amount > credit.MaxBalance {
		return Granted{}, fault.Invalid(fault.Field{Path: "amount", Reason: fault.OutOfRange,
			Message: "The amount must be a whole number from 1 to 9007199254740991."})
	}
	var out Granted
	err := s.inTx(ctx, func(tx bun.Tx) error {
		var id uuid.UUID
		var balance int64
		// The lock makes concurrent grants of one reference wait for each other, so that the second finds the first.
		err := tx.Tx.QueryRowContext(ctx, `SELECT id, credit_balance FROM accounts WHERE email = $1 FOR UPDATE`,
			in.Email).Scan(&id, &balance)
		if err != nil {
			return err
		}
		known, err := grantedBefore(ctx, tx, id, in)
		if known || err != nil {
			out = Granted{Balance: balance, Repeated: true}
			return err
		}
		out.Balance, err = grant(ctx, tx, id, in.Amount, in.Note, &in.Reference)
		return err
	})
	return out, err
}

func grantedBefore(ctx context.Context, tx bun.Tx, id uuid.UUID, in Grant) (bool, error) {
	var amounts []int64
	err := tx.NewSelect().TableExpr("credit_entries").Column("amount").
		Where("account_id = ? AND reference = ?", id, in.Reference).Scan(ctx, &amounts)
	if err != nil || len(amounts) == 0 {
		return false, err
	}
	if amounts[0] != in.Amount {
		return true, fault.New(fault.Conflict, "This reference was used for a grant of another amount; use a new reference.")
	}
	return true, nil
}

// grant moves the balance and writes its history row; the row's number comes from the same update.
func grant(ctx context.Context, tx bun.Tx, id uuid.UUID, amount int64, note string, reference *string) (balance int64, err error) {
	err = tx.Tx.QueryRowContext(ctx, `
		WITH a AS (
			UPDATE accounts SET credit_balance = credit_balance + $2::bigint, entry_count = entry_count + 1
			WHERE id = $1 RETURNING id, credit_balance, entry_count
		)
		INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, note, reference)
		SELECT $3::uuid, a.id, a.entry_count, 'GRANT', $2::bigint, a.credit_balance, $4::text, $5::text FROM a
		RETURNING balance_after`, id, amount, uuid.Must(uuid.NewV7()), note, reference).Scan(&balance)
	if errors.Is(err, context.Canceled) {
		return 0, fault.Wrap(fault.Unavailable, err)
	}
	return balance, err
}
