package credits

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// lockReference serializes grants under one reference, over all accounts, until the end of the
// caller's transaction, so that the second grant finds the first. Call it before locking the
// account, because chats need the account's lock.
func (s Store) lockReference(ctx context.Context, reference string) error {
	_, err := db.Exec(ctx, s.db,
		`SELECT pg_advisory_xact_lock(hashtextextended('reference ' || $1::text, 0))`, reference)
	return err
}

// bindReference binds a reference to the account of a grant that asks to be unique. The caller has
// locked the reference. Fault: Conflict when the reference is bound to another account, or when
// this grant would bind it and another account was granted it.
func (s Store) bindReference(ctx context.Context, in Grant) error {
	another, err := db.One[bool](ctx, s.db, `
		SELECT EXISTS (SELECT 1 FROM bound_references b WHERE b.reference = $1 AND b.account_id <> $2)
			OR $3 AND EXISTS (SELECT 1 FROM credit_entries e WHERE e.reference = $1 AND e.account_id <> $2)`,
		in.Reference, in.AccountID, in.Unique)
	if err == nil && another {
		err = fault.New(fault.Conflict, "This reference was used for another account.")
	}
	if err == nil && in.Unique {
		_, err = db.Exec(ctx, s.db,
			`INSERT INTO bound_references (reference, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
			in.Reference, in.AccountID)
	}
	return err
}

// EntriesByReference returns at most limit entries under a reference, over all accounts, including
// deleted ones. They are in the order of their accounts' ids, starting after the id after.
func (s Store) EntriesByReference(ctx context.Context, reference string, after uuid.UUID, limit int,
) ([]credit.Entry, error) {
	return db.All[credit.Entry](ctx, s.db, `SELECT`+entryColumns+`FROM credit_entries e
		WHERE e.reference = $1 AND e.account_id > $2 ORDER BY e.account_id LIMIT $3`,
		reference, after, limit)
}
