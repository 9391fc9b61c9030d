package notifications

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

const (
	// keyExpiryNotice is the time before a key expires at which owners are notified.
	keyExpiryNotice = `interval '3 days'`
	// recentCharge is the largest age of the charge that used up the credits. Without it, idle
	// accounts would be notified when events are first switched on.
	recentCharge = `interval '1 day'`
	// keepNotifications is the retention of rows about keys and periods. It is longer than the longest
	// period, a month.
	keepNotifications = `interval '40 days'`
)

// finding is an event that a scan has found.
type finding struct {
	Subject uuid.UUID
	About   string
	EventData
}

// scan calls find and notifies of each finding, once over all replicas. It does nothing while
// another replica scans. It returns the number of rows that find has read. It locks no account,
// export or key, so no chat waits for a scan.
func (s Store) scan(
	ctx context.Context, e Event, find func(tx *db.DB) (found []finding, seen int, err error),
) (int, error) {
	if on := db.ConfigOf(s.db); !on.Mail && !on.Webhooks && !on.OwnerWebhooks {
		return 0, nil
	}
	seen := 0
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		alone, err := db.One[bool](ctx, tx, `SELECT pg_try_advisory_xact_lock(hashtext('events'))`)
		if err != nil || !alone {
			return err
		}
		var found []finding
		if found, seen, err = find(tx); err != nil {
			return err
		}
		for _, f := range found {
			n, err := db.Exec(ctx, tx, `INSERT INTO notifications_sent (event, subject, about)
				VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, string(e), f.Subject, f.About)
			if err == nil && n > 0 {
				err = On(tx).notifyOwners(ctx, e, f.EventData)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return seen, err
}

// notSent leaves out findings that were sent before. $1 is the event, and f the findings.
const notSent = ` NOT EXISTS (
	SELECT 1 FROM notifications_sent n WHERE n.event = $1 AND n.subject = f.subject AND n.about = f.about) `

// NotifyLowCredits sends CreditsLow for at most limit accounts whose available credits have fallen
// to their threshold, and again only after the credits were above 1.2 times the threshold. It
// returns the number of accounts read. The next three return the number of rows read, too.
func (s Store) NotifyLowCredits(ctx context.Context, limit int) (int, error) {
	return s.scan(ctx, CreditsLow, func(tx *db.DB) ([]finding, int, error) {
		_, err := db.Exec(ctx, tx, `DELETE FROM notifications_sent n USING accounts a WHERE n.event = $1 AND a.id = n.subject
			AND (a.low_credits_at IS NULL OR a.credit_balance - a.credits_held > a.low_credits_at + a.low_credits_at / 5)`,
			string(CreditsLow))
		if err != nil {
			return nil, 0, err
		}
		found, err := db.All[finding](ctx, tx, `
			SELECT f.* FROM (
				SELECT a.id AS subject, '' AS about, a.id AS account_id, a.credit_balance - a.credits_held AS credits_available,
					a.low_credits_at
				FROM accounts a WHERE a.low_credits_at IS NOT NULL AND a.state = 'ACTIVE'
			) f WHERE f.credits_available <= f.low_credits_at AND`+notSent+`LIMIT $2`, string(CreditsLow), limit)
		return found, len(found), err
	})
}

// NotifyUsedUp reads at most limit accounts that were charged or granted credits since the last
// scan. It sends CreditsUsedUp for those that have less left than their last message cost, and
// again only after a grant.
func (s Store) NotifyUsedUp(ctx context.Context, limit int) (int, error) {
	type changed struct {
		AccountID        uuid.UUID
		CreditsAvailable int64
		UsedUp, More     bool
	}
	return s.scan(ctx, CreditsUsedUp, func(tx *db.DB) ([]finding, int, error) {
		accounts, err := db.All[changed](ctx, tx, `
			WITH due AS MATERIALIZED (
				SELECT a.id, a.entry_count, a.credit_balance, a.credits_held, coalesce(c.last_entry, 0) AS before
				FROM accounts a LEFT JOIN credit_check_cursors c ON c.account_id = a.id
				WHERE a.entry_count > coalesce(c.last_entry, 0) AND a.state = 'ACTIVE' LIMIT $1
			), checked AS (
				INSERT INTO credit_check_cursors (account_id, last_entry) SELECT id, entry_count FROM due
				ON CONFLICT (account_id) DO UPDATE SET last_entry = excluded.last_entry
			)
			SELECT d.id AS account_id, d.credit_balance - d.credits_held AS credits_available,
				coalesce(last.price > d.credit_balance AND last.at > clock_timestamp() - `+recentCharge+`, false) AS used_up,
				EXISTS (SELECT 1 FROM credit_entries e WHERE e.account_id = d.id AND e.kind <> 'CHARGE'
					AND e.number > d.before AND e.amount > 0) AS more
			FROM due d LEFT JOIN LATERAL (
				SELECT -e.amount AS price, e.created_at AS at FROM credit_entries e
				WHERE e.account_id = d.id AND e.kind = 'CHARGE' AND e.number > d.before ORDER BY e.number DESC LIMIT 1
			) last ON true`, limit)
		if err != nil {
			return nil, 0, err
		}
		var found []finding
		var refilled []uuid.UUID
		for _, a := range accounts {
			if a.More {
				refilled = append(refilled, a.AccountID)
			}
			if a.UsedUp {
				found = append(found, finding{Subject: a.AccountID,
					EventData: EventData{AccountID: a.AccountID, CreditsAvailable: &a.CreditsAvailable}})
			}
		}
		_, err = db.Exec(ctx, tx, `DELETE FROM notifications_sent WHERE event = $1 AND subject = ANY($2::uuid[])`,
			string(CreditsUsedUp), db.Texts(refilled))
		return found, len(accounts), err
	})
}

// NotifyLimits sends ExportLimitNear for at most limit exports that have used 90% of their credits
// for a day or a month, once per period.
func (s Store) NotifyLimits(ctx context.Context, limit int) (int, error) {
	// The inner condition compares a counter with the limit at its last turn. It leaves out most
	// counters without reading their exports.
	return s.scan(ctx, ExportLimitNear, func(tx *db.DB) ([]finding, int, error) {
		now, err := db.CurrentPeriods(ctx, tx)
		if err != nil {
			return nil, 0, err
		}
		found, err := db.All[finding](ctx, tx, `
			SELECT f.* FROM (
				SELECT x.id AS subject, c.period || ' ' || c.starts AS about, x.account_id, x.id AS export_id,
					lower(c.period) AS period,
					CASE c.period WHEN 'DAY' THEN x.daily_credit_limit ELSE x.monthly_credit_limit END AS "limit",
					c.used
				FROM (
					SELECT c.counted_for, c.period, c.starts, c.used FROM limit_counters c
					WHERE (c.starts = $2::timestamptz::date AND c.period = 'DAY' OR c.starts = $3::timestamptz::date AND c.period = 'MONTH')
						AND c.used >= c.allowed - c.allowed / 10
				) c JOIN api_exports x ON x.id = c.counted_for JOIN accounts a ON a.id = x.account_id
				WHERE x.removed_at IS NULL AND a.state = 'ACTIVE'
			) f WHERE f.used >= f.limit - f.limit / 10 AND`+notSent+`LIMIT $4`, string(ExportLimitNear), now.Today, now.ThisMonth, limit)
		return found, len(found), err
	})
}

// NotifyKeys sends KeyStopsSoon for at most limit keys that stop within keyExpiryNotice, alone or
// with their export, once per stop time.
func (s Store) NotifyKeys(ctx context.Context, limit int) (int, error) {
	return s.scan(ctx, KeyStopsSoon, func(tx *db.DB) ([]finding, int, error) {
		found, err := db.All[finding](ctx, tx, `
			SELECT f.* FROM (
				SELECT k.id AS subject, to_char(least(k.stops_at, x.expires_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS about,
					k.account_id, k.export_id, k.hint AS key_hint, least(k.stops_at, x.expires_at) AS stops_at
				FROM api_keys k JOIN api_exports x ON x.id = k.export_id JOIN accounts a ON a.id = k.account_id
				WHERE k.removed_at IS NULL AND x.removed_at IS NULL AND a.state = 'ACTIVE' AND k.id = ANY (ARRAY(
						SELECT s.id FROM api_keys s WHERE s.removed_at IS NULL
							AND s.stops_at > statement_timestamp() AND s.stops_at <= statement_timestamp() + `+keyExpiryNotice+`
					) || ARRAY(
						SELECT s.id FROM api_exports e JOIN api_keys s ON s.export_id = e.id WHERE e.removed_at IS NULL
							AND e.expires_at > statement_timestamp() AND e.expires_at <= statement_timestamp() + `+keyExpiryNotice+`
					))
			) f WHERE f.stops_at > statement_timestamp() AND`+notSent+`LIMIT $2`, string(KeyStopsSoon), limit)
		for _, f := range found {
			*f.StopsAt = f.StopsAt.UTC()
		}
		return found, len(found), err
	})
}

// PurgeNotificationsSent removes at most limit rows about past periods and keys. It returns their
// number.
func (s Store) PurgeNotificationsSent(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM notifications_sent WHERE ctid IN (
		SELECT n.ctid FROM notifications_sent n WHERE n.about <> '' AND n.at < clock_timestamp() - `+keepNotifications+` LIMIT $1)`, limit)
}
