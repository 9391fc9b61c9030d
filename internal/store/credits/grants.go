package credits

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// Grant is a top-up or a correction by the operator.
type Grant struct {
	AccountID uuid.UUID
	// Adjustment says that it is a correction.
	Adjustment bool
	// Amount is in whole credits: at least 1. A correction may be negative.
	Amount int64
	Note   string
	// Reference makes the grant repeatable: each account and reference is granted once.
	Reference string
	// Unique binds the reference to the account for good: no other account may have been granted it
	// before, or can be granted it later.
	Unique bool
}

// Kind returns the kind of the grant's entry in the credit history.
func (g Grant) Kind() string {
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

// GrantCredits adds credits with a history row, once per account and reference. A correction may
// take credits away. Faults: NotFound for an unknown account; InvalidInput for an amount out of
// range or a balance past credit.MaxBalance; Conflict for a reference with another amount or kind
// or of another account (see bindReference), and for a correction that exceeds the available
// credits.
func (s Store) GrantCredits(ctx context.Context, in Grant) (Granted, error) {
	if err := in.check(); err != nil {
		return Granted{}, err
	}
	var out Granted
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		if err := On(tx).lockReference(ctx, in.Reference); err != nil {
			return err
		}
		owner, err := db.One[account.Account](ctx, tx,
			`SELECT id, credit_balance, credits_held FROM accounts
			WHERE id = $1 AND state <> 'DELETED' FOR UPDATE`, in.AccountID)
		if err == nil {
			err = On(tx).bindReference(ctx, in)
		}
		if err != nil {
			return err
		}
		before, err := db.All[struct {
			Amount int64
			Kind   string
		}](ctx, tx,
			`SELECT amount, kind FROM credit_entries WHERE account_id = $1 AND reference = $2`,
			owner.ID, in.Reference)
		switch {
		case err != nil:
			return err
		case len(before) == 0 && owner.CreditsAvailable()+in.Amount < 0:
			return fault.New(fault.Conflict, fmt.Sprintf(
				"Only %d credits are available: what is held for messages in progress cannot be taken.", owner.CreditsAvailable()))
		case len(before) == 0:
			if out.Balance, err = On(tx).Grant(ctx, owner.ID, in.Kind(), in.Amount, in.Note, &in.Reference); err != nil {
				return err
			}
			return audit.On(tx).RecordIn(ctx, owner.ID, owner.ID.String())
		case before[0].Amount != in.Amount || before[0].Kind != in.Kind():
			return fault.New(fault.Conflict,
				"This reference was used for a grant of another amount; use a new reference.")
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

// Grant adds credits with a history row and returns the new balance. The row's number comes from
// the update that changes the balance.
func (s Store) Grant(
	ctx context.Context, id uuid.UUID, kind string, amount int64, note string, reference *string,
) (int64, error) {
	return db.One[int64](ctx, s.db, `
		WITH a AS (
			UPDATE accounts SET credit_balance = credit_balance + $2::bigint, entry_count = entry_count + 1
			WHERE id = $1 RETURNING id, credit_balance, entry_count
		)
		INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, note, reference)
		SELECT $3::uuid, a.id, a.entry_count, $6::text, $2::bigint, a.credit_balance, $4::text, $5::text FROM a
		RETURNING balance_after`, id, amount, uuid.Must(uuid.NewV7()), note, reference, kind)
}
