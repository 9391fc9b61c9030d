package webhooks

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

const (
	// gatherEntries is the number of ledger entries that are read for a webhook at a time.
	gatherEntries = 1000
	// gatherBelow is the number of waiting rows at which gathering for a webhook pauses.
	gatherBelow = 100
)

// Gather queues answered API messages for at most limit webhooks, after one of them, that have
// MessageCompleted and fewer than gatherBelow waiting rows. For each it reads the next gatherEntries
// entries of the ledger, and queues rows of at most notifications.MaxMessages messages. Pass next
// until it is uuid.Nil, so that busy webhooks delay no other. full reports that a webhook may have
// more entries. While another replica gathers, it does nothing. Messages of deleted conversations
// are left out. The ledger's numbers are in the order of commits, so no entry is skipped.
func (s Store) Gather(
	ctx context.Context, after uuid.UUID, limit int,
) (next uuid.UUID, full bool, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		alone, err := db.One[bool](ctx, tx, `SELECT pg_try_advisory_xact_lock(hashtext('webhooks'))`)
		if err != nil || !alone {
			return err
		}
		type gathered struct {
			Next uuid.UUID
			Full bool
		}
		g, err := db.One[gathered](ctx, tx, `
			WITH due AS MATERIALIZED (
				SELECT w.id, w.account_id, w.last_entry FROM webhooks w JOIN accounts a ON a.id = w.account_id
				WHERE w.id > $6 AND w.state = 'ON' AND $1 = ANY (w.events) AND a.entry_count > w.last_entry AND $2 > (SELECT count(*) FROM (
					SELECT FROM outbox o WHERE o.webhook_id = w.id AND o.due_at IS NOT NULL LIMIT $2) waiting)
				ORDER BY w.id LIMIT $3 FOR NO KEY UPDATE OF w SKIP LOCKED
			), read AS MATERIALIZED (
				SELECT d.id, d.account_id, e.number, e.kind, e.turn_id FROM due d CROSS JOIN LATERAL (
					SELECT * FROM credit_entries e WHERE e.account_id = d.account_id AND e.number > d.last_entry
					ORDER BY e.number LIMIT $4) e
			), messages AS (
				SELECT r.id, r.account_id, `+notifications.MessageJSON+`AS message,
					row_number() OVER (PARTITION BY r.id ORDER BY r.number) - 1 AS place
				FROM read r
				JOIN LATERAL (SELECT * FROM turns t WHERE t.id = r.turn_id LIMIT 1) t ON true -- one by one
				JOIN LATERAL (SELECT * FROM conversations c WHERE c.id = t.conversation_id LIMIT 1) c ON true
				WHERE r.kind = 'CHARGE' AND t.source = 'API' AND t.state = 'ANSWERED' AND c.deleted_at IS NULL
			), queued AS (
				INSERT INTO outbox (id, kind, message, address, webhook_id, data)
				SELECT `+db.NewID+`, 'OWNER_WEBHOOK', $1, '', n.id, n.data FROM (
					SELECT g.id, g.data, `+db.OneAfterTheOther(`g.place`)+` AS now FROM (
						SELECT m.id, min(m.place) AS place, json_build_object(
							'account_id', m.account_id, 'messages', json_agg(m.message ORDER BY m.place)) AS data
						FROM messages m GROUP BY m.id, m.account_id, m.place / $5::bigint
					) g CROSS JOIN`+db.DatabaseTime+`) n
			), moved AS (
				UPDATE webhooks w SET last_entry = r.last FROM (SELECT id, max(number) AS last FROM read GROUP BY id) r
				WHERE w.id = r.id
			)
			SELECT coalesce((SELECT d.id FROM due d ORDER BY d.id OFFSET $3 - 1 LIMIT 1), `+db.NilUUID+`) AS next,
				EXISTS (SELECT FROM read r GROUP BY r.id HAVING count(*) = $4) AS full`,
			string(notifications.MessageCompleted), gatherBelow, limit, gatherEntries, notifications.MaxMessages, after)
		next, full = g.Next, g.Full
		return err
	})
	return next, full, err
}
