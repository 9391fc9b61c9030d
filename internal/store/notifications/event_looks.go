package notifications

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

const (
	// keyStopsWithin is how long before its end a key is told of, and chargedWithin how long ago a charge may be that used credits up:
	// accounts that have stood still for long are not told when events are first sent.
	keyStopsWithin = `interval '3 days'`
	chargedWithin  = `interval '1 day'`
	// keepTold is how long it is kept what was told of keys and periods; a month's has to outlive it.
	keepTold = `interval '40 days'`
)

// finding is what a look has found.
type finding struct {
	Subject uuid.UUID
	About   string
	EventData
}

// lookFor has a look tell what it finds, once over all replicas: while another one looks, this one need not. It returns how many rows the
// look went through. It locks no account, export or key, so that no chat waits for it.
func (s Store) lookFor(ctx context.Context, e Event, look func(tx *db.DB) (found []finding, seen int, err error)) (int, error) {
	if !db.ConfigOf(s.db).Mail && !db.ConfigOf(s.db).Webhooks {
		return 0, nil
	}
	seen := 0
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		alone, err := db.One[bool](ctx, tx, `SELECT pg_try_advisory_xact_lock(hashtext('events'))`)
		if err != nil || !alone {
			return err
		}
		var found []finding
		if found, seen, err = look(tx); err != nil {
			return err
		}
		for _, f := range found {
			n, err := db.Exec(ctx, tx, `INSERT INTO told (event, subject, about) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
				string(e), f.Subject, f.About)
			if err == nil && n > 0 {
				err = On(tx).tellOwners(ctx, e, f.EventData)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return seen, err
}

// notTold selects what was not told: $1 is the event.
const notTold = ` NOT EXISTS (SELECT 1 FROM told WHERE told.event = $1 AND told.subject = f.subject AND told.about = f.about) `

// TellLowCredits tells of at most limit accounts whose available credits have fallen to what they set, once until there are more than 1.2
// times as many. It returns how many there were; so do the next three.
func (s Store) TellLowCredits(ctx context.Context, limit int) (int, error) {
	return s.lookFor(ctx, CreditsLow, func(tx *db.DB) ([]finding, int, error) {
		_, err := db.Exec(ctx, tx, `DELETE FROM told USING accounts a WHERE told.event = $1 AND a.id = told.subject
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
			) f WHERE f.credits_available <= f.low_credits_at AND`+notTold+`LIMIT $2`, string(CreditsLow), limit)
		return found, len(found), err
	})
}

// TellUsedUp looks at at most limit accounts that were charged or granted credits since the last look, and tells of those that have less
// left than their last message cost, once until they are given more.
func (s Store) TellUsedUp(ctx context.Context, limit int) (int, error) {
	type changed struct {
		AccountID        uuid.UUID
		CreditsAvailable int64
		UsedUp, More     bool
	}
	return s.lookFor(ctx, CreditsUsedUp, func(tx *db.DB) ([]finding, int, error) {
		accounts, err := db.All[changed](ctx, tx, `
			WITH due AS MATERIALIZED (
				SELECT a.id, a.entry_count, a.credit_balance, a.credits_held, coalesce(l.entries, 0) AS before
				FROM accounts a LEFT JOIN credit_looks l ON l.account_id = a.id
				WHERE a.entry_count > coalesce(l.entries, 0) AND a.state = 'ACTIVE' LIMIT $1
			), looked AS (
				INSERT INTO credit_looks (account_id, entries) SELECT id, entry_count FROM due
				ON CONFLICT (account_id) DO UPDATE SET entries = excluded.entries
			)
			SELECT d.id AS account_id, d.credit_balance - d.credits_held AS credits_available,
				coalesce(last.price > d.credit_balance AND last.at > clock_timestamp() - `+chargedWithin+`, false) AS used_up,
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
		_, err = db.Exec(ctx, tx, `DELETE FROM told WHERE event = $1 AND subject = ANY($2::uuid[])`, string(CreditsUsedUp), db.Texts(refilled))
		return found, len(accounts), err
	})
}

// TellLimits tells of at most limit exports that have used 90% of their credits for a day or a month, once in each.
func (s Store) TellLimits(ctx context.Context, limit int) (int, error) {
	// Most counters are left out by themselves, by the limit when a turn was last counted, and their exports are not read.
	return s.lookFor(ctx, ExportLimitNear, func(tx *db.DB) ([]finding, int, error) {
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
			) f WHERE f.used >= f.limit - f.limit / 10 AND`+notTold+`LIMIT $4`, string(ExportLimitNear), now.Today, now.ThisMonth, limit)
		return found, len(found), err
	})
}

// TellKeys tells of at most limit keys that stop within three days, by themselves or with their export, once for each such time.
func (s Store) TellKeys(ctx context.Context, limit int) (int, error) {
	return s.lookFor(ctx, KeyStopsSoon, func(tx *db.DB) ([]finding, int, error) {
		found, err := db.All[finding](ctx, tx, `
			SELECT f.* FROM (
				SELECT k.id AS subject, to_char(least(k.stops_at, x.expires_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS about,
					k.account_id, k.export_id, k.hint AS key_hint, least(k.stops_at, x.expires_at) AS stops_at
				FROM api_keys k JOIN api_exports x ON x.id = k.export_id JOIN accounts a ON a.id = k.account_id
				WHERE k.removed_at IS NULL AND x.removed_at IS NULL AND a.state = 'ACTIVE' AND k.id = ANY (ARRAY(
						SELECT s.id FROM api_keys s WHERE s.removed_at IS NULL
							AND s.stops_at > statement_timestamp() AND s.stops_at <= statement_timestamp() + `+keyStopsWithin+`
					) || ARRAY(
						SELECT s.id FROM api_exports e JOIN api_keys s ON s.export_id = e.id WHERE e.removed_at IS NULL
							AND e.expires_at > statement_timestamp() AND e.expires_at <= statement_timestamp() + `+keyStopsWithin+`
					))
			) f WHERE f.stops_at > statement_timestamp() AND`+notTold+`LIMIT $2`, string(KeyStopsSoon), limit)
		for _, f := range found {
			*f.StopsAt = f.StopsAt.UTC()
		}
		return found, len(found), err
	})
}

// PurgeTold forgets at most limit periods and times of keys that are long past; it returns how many.
func (s Store) PurgeTold(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM told WHERE ctid IN (
		SELECT t.ctid FROM told t WHERE t.about <> '' AND t.at < clock_timestamp() - `+keepTold+` LIMIT $1)`, limit)
}
