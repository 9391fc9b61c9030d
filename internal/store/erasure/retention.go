package erasure

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// MaxPreview is the highest number that CountIdle returns.
const MaxPreview = 10_000

// retentionEnd is the time before which a last message ends a conversation's retention: the shorter
// of the account's days and the service's, where 0 means no limit. It is NULL if neither has one.
func retentionEnd(own, service string) string {
	return `clock_timestamp() - make_interval(days => least(` + own + `, nullif(` + service + `::integer, 0)))`
}

// idle selects conversations c of accounts o without a message since retentionEnd, in the order of
// an index, at most $2 of each agent and source. $1 is the service's retention in days.
func idle(own string) string {
	return ` FROM accounts o JOIN agents a ON a.account_id = o.id AND a.deleted_at IS NULL
		CROSS JOIN LATERAL (SELECT ` + retentionEnd(own, `$1`) + ` AS at) e
		CROSS JOIN (VALUES ('API'), ('PLAYGROUND'), ('TEST')) s(source)
		CROSS JOIN LATERAL (
			SELECT c.id FROM conversations c
			WHERE c.agent_id = a.id AND c.source = s.source AND c.deleted_at IS NULL AND c.last_turn_at < e.at
			ORDER BY c.last_turn_at LIMIT $2
		) c `
}

// PurgeIdle deletes at most limit conversations of any account without a message during its
// retention, as DeleteConversation does, and returns their number. The shorter of the account's
// retention and the service's applies; serviceDays is 0 for none. It finds conversations by index,
// agent by agent, and checks each again while it is locked: one that gets a message at this moment
// stays, and so does one whose account has just been given a longer retention.
func (s Store) PurgeIdle(ctx context.Context, serviceDays, limit int) (int, error) {
	accounts := ``
	if serviceDays == 0 {
		accounts = `WHERE o.retention_days IS NOT NULL ` // an index has these
	}
	found, err := db.All[struct{ AccountID, ID uuid.UUID }](ctx, s.db,
		`SELECT o.id AS account_id, c.id`+idle(`o.retention_days`)+accounts+`LIMIT $2`,
		serviceDays, limit)
	if err != nil {
		return 0, err
	}
	byAccount := map[uuid.UUID][]uuid.UUID{}
	for _, c := range found {
		byAccount[c.AccountID] = append(byAccount[c.AccountID], c.ID)
	}
	deleted := 0
	for account, ids := range byAccount {
		for batch := range slices.Chunk(ids, deleteBatch) {
			n, failed := s.deleteConversations(ctx, account, batch, &serviceDays, nil)
			deleted += n
			err = cmp.Or(err, failed) // the other accounts do not wait for it
		}
	}
	return deleted, err
}

// CountIdle returns the number of an account's conversations that PurgeIdle would delete if its
// retention were days, counted up to MaxPreview, and whether there are more.
func (s Store) CountIdle(ctx context.Context, accountID uuid.UUID, days, serviceDays int,
) (n int, more bool, err error) {
	n, err = db.One[int](ctx, s.db, `SELECT count(*) FROM (
		SELECT 1`+idle(`$3::integer`)+`WHERE o.id = $4 LIMIT $2) c`,
		serviceDays, MaxPreview+1, days, accountID)
	return min(n, MaxPreview), n > MaxPreview, err
}

// PurgeIdleRejected deletes at most limit rejected requests that are older than the retention of
// their account, and returns their number. Accounts without a retention of their own keep theirs as
// long as the service keeps rejected requests.
func (s Store) PurgeIdleRejected(ctx context.Context, serviceDays, limit int) (int, error) {
	// IDs begin with times since 1970, and the end of a long retention can be before that.
	const ofExport = `(SELECT r.id FROM rejected_requests r WHERE r.export_id = x.id AND r.id < e.id AND r.code `
	return db.Exec(ctx, s.db, `DELETE FROM rejected_requests WHERE id IN (
		SELECT r.id FROM rejected_requests r WHERE r.id = ANY (ARRAY(
			SELECT r.id FROM accounts o JOIN api_exports x ON x.account_id = o.id
				CROSS JOIN LATERAL (SELECT `+
		db.FirstID(`greatest(`+retentionEnd(`o.retention_days`, `$1`)+`, 'epoch')`)+` AS id) e
				CROSS JOIN LATERAL (
					`+ofExport+`IS NOT NULL ORDER BY r.id LIMIT $2)
					UNION ALL `+ofExport+`IS NULL ORDER BY r.id LIMIT $2)
				) r
			WHERE o.retention_days IS NOT NULL LIMIT $2)) FOR UPDATE SKIP LOCKED)`, serviceDays, limit)
}
