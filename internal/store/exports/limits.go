package exports

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/internal/db"
)

// startCounting initializes the counters of limits that an export did not have before. Its row is
// locked, so no turn begins meanwhile. A credit limit counts the charges of the period so far and
// the turns in flight. An end-user limit starts at zero.
func (s Store) startCounting(ctx context.Context, before, after agent.Export) error {
	day := before.DailyCreditLimit == nil && after.DailyCreditLimit != nil
	month := before.MonthlyCreditLimit == nil && after.MonthlyCreditLimit != nil
	user := before.UserDailyMessageLimit == nil && after.UserDailyMessageLimit != nil
	if !day && !month && !user {
		return nil
	}
	now, err := db.CurrentPeriods(ctx, s.db)
	if err != nil {
		return err
	}
	// Each turn in flight has either settled, and its charge is visible below, or waits for this
	// transaction and counts as marked here.
	_, err = db.Exec(ctx, s.db, `
		WITH due AS MATERIALIZED (
			SELECT t.id FROM turns t WHERE t.export_id = $1 AND t.state = 'PENDING' ORDER BY t.id FOR UPDATE
		)
		UPDATE turns t SET
			day_counted = CASE WHEN $2::bool AND t.created_at >= $5::timestamptz THEN $5::timestamptz::date
				ELSE t.day_counted END,
			month_counted = CASE WHEN $3::bool AND t.created_at >= $6::timestamptz THEN $6::timestamptz::date
				ELSE t.month_counted END,
			user_day_counted = CASE
				WHEN $4::bool AND t.user_day_counted = $5::timestamptz::date AND t.own_limit IS NOT TRUE
					THEN NULL
				ELSE t.user_day_counted END
		FROM due WHERE t.id = due.id AND t.state = 'PENDING'`,
		after.ID, day, month, user, now.Today, now.ThisMonth)
	if err != nil {
		return err
	}
	if user {
		_, err = db.Exec(ctx, s.db, `DELETE FROM limit_counters WHERE counted_for = $1
			AND period = 'USER_DAY' AND starts = $2::timestamptz::date`,
			after.ID, now.Today)
	}
	if err == nil && day {
		err = s.countSoFar(ctx, after, db.Day, now.Today, `t.day_counted`)
	}
	if err == nil && month {
		err = s.countSoFar(ctx, after, db.Month, now.ThisMonth, `t.month_counted`)
	}
	return err
}

// countSoFar sets an export's credit counter to the charges since the start of the period plus the
// holds of its turns in flight. counted is the column that marks these turns.
func (s Store) countSoFar(
	ctx context.Context, e agent.Export, period db.Period, start time.Time, counted string,
) error {
	charges := credits.CreditFilter{ExportID: &e.ID, From: &start} // nothing else names an export
	var text db.Statement
	credits.CreditBounds(&text, e.AccountID, charges)
	text.Add(`
		INSERT INTO limit_counters (counted_for, account_id, period, starts, base, used, allowed)
		SELECT ?::uuid, ?::uuid, ?::text, ?::timestamptz::date, charged.credits,
			charged.credits + held.credits, charged.credits + held.credits
		FROM (
			SELECT coalesce(-sum(e.amount), 0)::bigint AS credits FROM credit_entries e WHERE`,
		e.ID, e.AccountID, string(period), start)
	credits.CreditConditions(&text, e.AccountID, charges)
	text.Add(`
		) charged, (
			SELECT coalesce(sum(t.price), 0)::bigint AS credits FROM turns t
			WHERE t.export_id = ?::uuid AND t.state = 'PENDING' AND `+counted+` = ?::timestamptz::date
		) held
		ON CONFLICT (starts, counted_for, period, user_hash)
			DO UPDATE SET base = excluded.base, used = excluded.used, allowed = excluded.allowed,
				since = excluded.since`, e.ID, start)
	_, err := db.Exec(ctx, s.db, text.String(), text.Args()...)
	return err
}

// ExportUse holds the whole credits that an export used in the current periods.
type ExportUse struct{ Today, ThisMonth int64 }

// UseByExports returns the use of each export. With a limit, it is what counts against the limit,
// turns in flight included. Without one, it is the sum of the charges. For a removed export it no
// longer grows.
func (s Store) UseByExports(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]ExportUse, error) {
	now, err := db.CurrentPeriods(ctx, s.db)
	if err != nil {
		return nil, err
	}
	var text db.Statement
	credits.CreditBounds(&text, accountID, credits.CreditFilter{From: &now.ThisMonth})
	text.Add(`
		SELECT x.id, CASE WHEN x.daily_credit_limit IS NULL THEN coalesce(charged.today, 0)
			ELSE coalesce(d.used, 0) END AS today,
			CASE WHEN x.monthly_credit_limit IS NULL THEN coalesce(charged.this_month, 0) ELSE coalesce(m.used, 0) END AS this_month
		FROM api_exports x
		LEFT JOIN limit_counters d ON d.counted_for = x.id AND d.period = 'DAY'
			AND d.starts = ?::timestamptz::date
		LEFT JOIN limit_counters m ON m.counted_for = x.id AND m.period = 'MONTH'
			AND m.starts = ?::timestamptz::date
		LEFT JOIN LATERAL (
			SELECT -sum(e.amount) FILTER (WHERE e.created_at >= ?::timestamptz) AS today,
				-sum(e.amount) AS this_month
			FROM credit_entries e WHERE e.export_id = x.id
				AND e.number >= (SELECT max(lo) FROM low) AND e.created_at >= ?::timestamptz
		) charged ON x.removed_at IS NULL AND (x.daily_credit_limit IS NULL
			OR x.monthly_credit_limit IS NULL)
		WHERE x.account_id = ?::uuid AND x.id = ANY(?::uuid[])`,
		now.Today, now.ThisMonth, now.Today, now.ThisMonth, accountID, db.Texts(ids))
	type row struct {
		ID uuid.UUID
		ExportUse
	}
	rows, err := db.All[row](ctx, s.db, text.String(), text.Args()...)
	out := make(map[uuid.UUID]ExportUse, len(rows))
	for _, r := range rows {
		out[r.ID] = r.ExportUse
	}
	return out, err
}

// PurgeCounters removes at most limit counters of periods that ended at least a day ago, when no
// turn that they count can still be pending. It returns how many it removed.
func (s Store) PurgeCounters(ctx context.Context, limit int) (int, error) {
	now, err := db.CurrentPeriods(ctx, s.db)
	if err != nil {
		return 0, err
	}
	return db.Exec(ctx, s.db, `
		DELETE FROM limit_counters WHERE ctid IN (
			SELECT c.ctid FROM limit_counters c
			WHERE c.starts < $1::timestamptz::date - 1
				AND (c.period <> 'MONTH' OR c.starts < date_trunc('month', $1::timestamptz::date - 1)::date)
			LIMIT $2 FOR UPDATE SKIP LOCKED)`, now.Today, limit)
}
