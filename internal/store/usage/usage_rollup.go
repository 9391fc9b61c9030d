package usage

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

const (
	// RollUpBatch is the number of entries that one transaction adds to the usage. It stays far below
	// the panel's statement timeout.
	RollUpBatch = 5_000
	// rollUpWithin limits the time in which a reader of the usage adds the latest charges first. Only
	// if the background is far behind does that take longer.
	rollUpWithin = time.Second
)

// RollUpCharges adds the charges of at most limit accounts to their usage, and returns the number
// of accounts. It skips accounts that are fewer than behind ledger entries behind. Several replicas
// can run it at once: each charge is added once, in the order of the ledger.
func (s Store) RollUpCharges(ctx context.Context, behind, limit int) (int, error) {
	ids, err := db.All[uuid.UUID](ctx, s.db, `
		SELECT a.id FROM accounts a LEFT JOIN usage_cursors u ON u.account_id = a.id
		WHERE a.entry_count - coalesce(u.last_entry, 0) >= $1 LIMIT $2`, behind, limit)
	if err != nil {
		return 0, err
	}
	return len(ids), s.rollUpAll(ctx, ids)
}

// rollUpAll adds all charges of accounts to their usage.
func (s Store) rollUpAll(ctx context.Context, accountIDs []uuid.UUID) error {
	for _, id := range accountIDs {
		for more := true; more; {
			var err error
			if more, err = s.rollUp(ctx, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// BeforeErasing adds the charges and the failed turns of some accounts to the usage, which cannot
// count them after the turns are erased. owners selects the accounts.
func (s Store) BeforeErasing(ctx context.Context, owners string, args ...any) error {
	ids, err := db.All[uuid.UUID](ctx, s.db, owners, args...)
	if err == nil {
		err = s.rollUpAll(ctx, ids)
	}
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.countAllFailed(ctx, ids)
}

// rollUp adds the next charges of an account to its usage. more reports that others follow. In a
// transaction it keeps the usage locked.
func (s Store) rollUp(ctx context.Context, accountID uuid.UUID) (more bool, err error) {
	n, err := db.One[int](ctx, s.db, `SELECT roll_up_charges_1($1, $2)`, accountID, RollUpBatch)
	return n == RollUpBatch, err
}

// errRollingUp reports that an account's ledger is too far ahead of its usage for a reader to wait.
var errRollingUp = errors.New("store: the usage is still being counted")

// Totals returns what each agent or export used since a time, in whole quarters of an hour; by is
// credit.ByAgent or credit.ByExport. Fault: Unavailable while the background is far behind.
func (s Store) Totals(
	ctx context.Context, accountID uuid.UUID, by credit.Dimension, since time.Time,
) (map[uuid.UUID]credit.UsageRow, error) {
	if err := s.catchUp(ctx, accountID); err != nil {
		return nil, err
	}
	from := since.Truncate(quarter)
	q := Query{SplitBy: []credit.Dimension{by},
		Filter: Filter{From: from, To: time.Now().Add(time.Hour).Truncate(quarter)}}
	text := q.statement(accountID, []time.Time{from}, nil, totalsOfUsage)
	rows, err := db.All[usageTotal](ctx, s.db, text.String(), text.Args()...)
	out := make(map[uuid.UUID]credit.UsageRow, len(rows))
	for _, r := range rows {
		if id := cmp.Or(r.AgentID, r.ExportID); id != nil {
			out[*id] = r.UsageRow
		}
	}
	return out, err
}

// catchUp adds all charges of an account to its usage. Fault: Unavailable if there are too many to
// wait for.
func (s Store) catchUp(ctx context.Context, accountID uuid.UUID) error {
	more, err := db.One[bool](ctx, s.db, `
		SELECT a.entry_count > coalesce((SELECT u.last_entry FROM usage_cursors u
			WHERE u.account_id = a.id), 0)
		FROM accounts a WHERE a.id = $1`, accountID)
	for start := time.Now(); err == nil && more; {
		if time.Since(start) > rollUpWithin {
			return &fault.Error{Kind: fault.Unavailable, Err: errRollingUp, RetryAfter: 5 * time.Second,
				Message: "The usage is still being counted. Try again in a few seconds."}
		}
		more, err = s.rollUp(ctx, accountID)
	}
	return err
}
