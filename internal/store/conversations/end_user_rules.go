package conversations

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/sources"
)

// MaxEndUserRules is the largest number of an account's end users that are blocked or have their
// own limit.
const MaxEndUserRules = 100_000

// BlockEndUser blocks an end user: from the next request on, every replica answers their messages
// with user_blocked. Without block, it unblocks them. Repeating either changes nothing. An unknown
// end user can be blocked as well. Faults: NotFound to unblock an unknown end user; Conflict past
// MaxEndUserRules.
func (s Store) BlockEndUser(ctx context.Context, accountID uuid.UUID, userID string, block bool,
) (conversation.EndUser, error) {
	return s.changeEndUser(ctx, accountID, userID, func(tx *db.DB, hash []byte, before rules) (changed bool, err error) {
		if block {
			return !before.Blocked, On(tx).upsertEndUser(ctx, accountID, userID, hash,
				`blocked_at`, `clock_timestamp()`, `coalesce(u.blocked_at, excluded.blocked_at)`)
		}
		_, err = db.Exec(ctx, tx,
			`UPDATE end_users SET blocked_at = NULL WHERE account_id = $1 AND user_hash = $2`,
			accountID, hash)
		return before.Blocked, err
	})
}

// SetEndUserLimit gives an end user their own limit, which counts over the whole account and
// replaces the exports' limits; nil removes it. An unknown end user can get a limit as well. A new
// limit counts the messages that the end user has sent today and those in flight. Faults: NotFound
// to remove the limit of an unknown end user; Conflict past MaxEndUserRules.
func (s Store) SetEndUserLimit(ctx context.Context, accountID uuid.UUID, userID string, limit *int,
) (conversation.EndUser, error) {
	return s.changeEndUser(ctx, accountID, userID, func(tx *db.DB, hash []byte, before rules) (changed bool, err error) {
		if limit == nil {
			_, err = db.Exec(ctx, tx, `UPDATE end_users SET daily_message_limit = NULL
				WHERE account_id = $1 AND user_hash = $2`, accountID, hash)
			return before.DailyMessageLimit != nil, err
		}
		// Until this transaction ends, no turn of the account begins.
		_, err = db.Exec(ctx, tx, `SELECT 1 FROM api_exports WHERE account_id = $1 AND removed_at IS NULL
			ORDER BY id FOR NO KEY UPDATE`, accountID)
		if err == nil {
			before, err = On(tx).rulesOf(ctx, accountID, hash) // they may have changed while this waited
		}
		if err == nil && before.DailyMessageLimit == nil {
			err = On(tx).startCountingUser(ctx, accountID, userID, hash)
		}
		if err != nil {
			return false, err
		}
		return !audit.Equal(before.DailyMessageLimit, limit), On(tx).upsertEndUser(ctx, accountID, userID, hash,
			`daily_message_limit`, `$4::int`, `excluded.daily_message_limit`, *limit)
	})
}

// rules are an end user's restrictions.
type rules struct {
	Blocked           bool
	DailyMessageLimit *int
}

func (s Store) rulesOf(ctx context.Context, accountID uuid.UUID, hash []byte) (rules, error) {
	found, err := db.All[rules](ctx, s.db,
		`SELECT blocked_at IS NOT NULL AS blocked, daily_message_limit FROM end_users
		WHERE account_id = $1 AND user_hash = $2`, accountID, hash)
	if len(found) == 0 {
		return rules{}, err
	}
	return found[0], err
}

// changeEndUser changes the rules of an end user and returns the end user. change reports whether
// anything has changed. It locks in the order export, turn, counter, account.
func (s Store) changeEndUser(ctx context.Context, accountID uuid.UUID, userID string,
	change func(tx *db.DB, hash []byte, before rules) (changed bool, err error),
) (conversation.EndUser, error) {
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		hash, err := db.One[[]byte](ctx, tx, `SELECT end_user_hash_1($1)`, userID)
		if err != nil {
			return err
		}
		before, err := On(tx).rulesOf(ctx, accountID, hash)
		if err != nil {
			return err
		}
		changed, err := change(tx, hash, before)
		if err != nil || !changed {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, accountID.String()) // without the end user's id, which would outlive the erasure
	})
	if err != nil {
		return conversation.EndUser{}, err
	}
	return s.EndUser(ctx, accountID, userID)
}

// upsertEndUser sets a column of an end user's row. It inserts the row, or restores the id of an
// erased end user. first is the column's value in a new row, next the one in an existing row. It
// locks the account so that it is not deleted meanwhile. Faults: NotFound, Conflict.
func (s Store) upsertEndUser(ctx context.Context, accountID uuid.UUID, userID string, hash []byte, column, first, next string,
	values ...any,
) error {
	n, err := db.Exec(ctx, s.db, `
		INSERT INTO end_users AS u (account_id, user_id, user_hash, `+column+`)
		SELECT a.id, $2, $3::bytea, `+first+` FROM accounts a WHERE a.id = $1 AND a.state <> 'DELETED' FOR NO KEY UPDATE
		ON CONFLICT (account_id, user_hash) DO UPDATE SET user_id = excluded.user_id, `+column+` = `+next,
		append([]any{accountID, userID, hash}, values...)...)
	if err == nil && n == 0 {
		err = fault.Wrap(fault.NotFound, nil)
	}
	if err != nil {
		return err
	}
	return s.checkEndUserRules(ctx, accountID)
}

// checkEndUserRules checks the limit of an account. Over the limit it first deletes rows without a
// rule. Fault: Conflict.
func (s Store) checkEndUserRules(ctx context.Context, accountID uuid.UUID) error {
	n, err := sources.On(s.db).SumOfAccount(ctx,
		`SELECT count(*) FROM end_users WHERE account_id = $1`, accountID)
	if err != nil || n <= MaxEndUserRules {
		return err
	}
	without, err := db.Exec(ctx, s.db, `DELETE FROM end_users
		WHERE account_id = $1 AND blocked_at IS NULL AND daily_message_limit IS NULL`, accountID)
	if err == nil && n-without > MaxEndUserRules {
		err = fault.New(fault.Conflict, "This account has reached 100,000 users who are blocked or have "+
			"their own limit. Unblock some or clear their limits.")
	}
	return err
}

// startCountingUser creates the counter of an end user's own limit. The caller has locked the
// account's exports. A turn in flight either has been settled by now, and counts below as answered,
// or waits for this transaction. Then it is marked here and no longer counts for its export.
func (s Store) startCountingUser(
	ctx context.Context, accountID uuid.UUID, userID string, hash []byte,
) error {
	now, err := db.CurrentPeriods(ctx, s.db)
	if err != nil {
		return err
	}
	held, err := db.Exec(ctx, s.db, `
		WITH due AS MATERIALIZED (
			SELECT t.id, t.export_id, t.user_day_counted, t.own_limit FROM turns t
			WHERE t.id = ANY (ARRAY(
					SELECT t.id FROM conversations c JOIN turns t ON t.conversation_id = c.id AND t.state = 'PENDING'
					WHERE c.account_id = $1 AND c.user_id = $2 AND c.source = 'API' AND c.deleted_at IS NULL
				) || ARRAY( -- counted before, even if the conversation has been deleted since
					SELECT t.id FROM turns t WHERE t.state = 'PENDING' AND t.account_id = $1 AND t.user_hash = $3::bytea AND t.own_limit))
				AND t.state = 'PENDING' AND t.message_number IS NULL AND t.created_at >= $4::timestamptz
				AND coalesce(t.user_day_counted, $4::timestamptz::date) = $4::timestamptz::date
			ORDER BY t.id FOR UPDATE
		), counters AS MATERIALIZED (
			SELECT c.counted_for FROM limit_counters c
			WHERE c.account_id = $1 AND c.starts = $4::timestamptz::date AND c.period = 'USER_DAY' AND c.user_hash = $3::bytea
				AND (SELECT count(*) FROM due) > 0
			ORDER BY c.counted_for FOR NO KEY UPDATE
		), given_back AS (
			UPDATE limit_counters c SET used = c.used - x.n
			FROM (SELECT d.export_id, count(*) AS n FROM due d JOIN counters l ON l.counted_for = d.export_id
				WHERE d.user_day_counted IS NOT NULL AND d.own_limit IS NOT TRUE GROUP BY 1) x
			WHERE c.counted_for = x.export_id AND c.starts = $4::timestamptz::date AND c.period = 'USER_DAY' AND c.user_hash = $3::bytea
		)
		UPDATE turns t SET own_limit = true, user_day_counted = $4::timestamptz::date, user_hash = $3::bytea FROM due
		WHERE t.id = due.id AND t.state = 'PENDING'`, accountID, userID, hash, now.Today)
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, s.db, `
		INSERT INTO limit_counters (counted_for, account_id, period, starts, user_hash, base, used, allowed)
		SELECT $1::uuid, $1::uuid, 'USER_DAY', $4::timestamptz::date, $3::bytea, sent.answered, sent.answered + $5::int,
			sent.answered + $5::int
		FROM (
			SELECT count(*) AS answered FROM conversations c JOIN turns t ON t.conversation_id = c.id
			WHERE c.account_id = $1 AND c.user_id = $2 AND c.source = 'API' AND c.deleted_at IS NULL
				AND t.state = 'ANSWERED' AND t.message_number IS NULL AND t.created_at >= $4::timestamptz
		) sent
		ON CONFLICT (starts, counted_for, period, user_hash)
			DO UPDATE SET base = excluded.base, used = excluded.used, allowed = excluded.allowed, since = excluded.since`,
		accountID, userID, hash, now.Today, held)
	return err
}
