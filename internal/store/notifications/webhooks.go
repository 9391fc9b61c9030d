package notifications

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

const (
	// MaxWaiting is the most waiting rows of a webhook. Further events are dropped.
	MaxWaiting = 1000
	// WaitingRows counts the waiting rows of the webhook w, up to MaxWaiting.
	WaitingRows = ` (SELECT count(*) FROM (
		SELECT FROM outbox o WHERE o.webhook_id = w.id AND o.due_at IS NOT NULL LIMIT 1000) waiting) `
	// MessageJSON is a message of MessageCompleted and MessageFailed, from turns AS t.
	MessageJSON = ` json_strip_nulls(json_build_object('message_id', t.id,
		'conversation_id', t.conversation_id, 'agent_id', t.agent_id, 'export_id', t.export_id,
		'credits', CASE t.state WHEN 'ANSWERED' THEN t.price ELSE 0 END,
		'background', t.background IS TRUE, 'code', t.error_code)) `
	// MaxMessages is the most messages in one event.
	MaxMessages = 100
)

// queueForWebhooks queues the rows of events(account_id, event, data) for the webhooks that are ON
// and have the event, or counts them as dropped. The lock keeps a webhook from being deleted
// meanwhile, which would fail the caller's transaction.
var queueForWebhooks = `, wanted AS MATERIALIZED (
		SELECT w.id, w.account_id, w.events,` + WaitingRows + `< $1::bigint AS room FROM webhooks w
		WHERE w.state = 'ON' AND w.account_id IN (SELECT e.account_id FROM events e)
			AND w.events && ARRAY(SELECT e.event FROM events e)
		ORDER BY w.id FOR KEY SHARE
	), at_limit AS (
		SELECT w.id FROM webhooks w WHERE w.id IN (SELECT x.id FROM wanted x WHERE NOT x.room)
		ORDER BY w.id FOR NO KEY UPDATE
	), dropped AS (
		UPDATE webhooks w SET dropped = w.dropped + (SELECT count(*) FROM events e
			WHERE e.account_id = w.account_id AND e.event = ANY (w.events))
		FROM at_limit f WHERE w.id = f.id
	)
	INSERT INTO outbox (id, kind, message, address, webhook_id, data)
	SELECT ` + db.NewID + `, 'OWNER_WEBHOOK', n.event, '', n.id, n.data FROM (
		SELECT x.id, e.event, e.data, ` + db.OneAfterTheOther("row_number() OVER ()") + ` AS now
		FROM events e JOIN wanted x ON x.account_id = e.account_id AND e.event = ANY (x.events) AND x.room
		CROSS JOIN` + db.DatabaseTime + `) n`

// NotifyWebhooks queues an event for the account's webhooks, in the transaction of its cause. A
// webhook with MaxWaiting waiting rows drops it.
func (s Store) NotifyWebhooks(ctx context.Context, e Event, about EventData) error {
	if !db.ConfigOf(s.db).OwnerWebhooks {
		return nil
	}
	data, err := json.Marshal(about)
	if err == nil {
		_, err = db.Exec(ctx, s.db, `WITH events AS MATERIALIZED (
			SELECT $2::uuid AS account_id, $3::text AS event, $4::json AS data)`+queueForWebhooks,
			MaxWaiting, about.AccountID, string(e), string(data))
	}
	return err
}

// NotifyFailed is NotifyWebhooks for failed turns of the API, in the transaction that counts them.
// Turns of deleted conversations are left out.
func (s Store) NotifyFailed(ctx context.Context, turns []uuid.UUID) error {
	if !db.ConfigOf(s.db).OwnerWebhooks {
		return nil
	}
	_, err := db.Exec(ctx, s.db, `WITH events AS MATERIALIZED (
			SELECT m.account_id, $2::text AS event, json_build_object(
				'account_id', m.account_id, 'messages', json_agg(m.message ORDER BY m.place)) AS data
			FROM (
				SELECT t.account_id,`+MessageJSON+`AS message,
					row_number() OVER (PARTITION BY t.account_id ORDER BY t.id) - 1 AS place
				FROM turns t JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL
				WHERE t.id = ANY ($3::uuid[]) AND t.source = 'API'
			) m GROUP BY m.account_id, m.place / $4::bigint)`+queueForWebhooks,
		MaxWaiting, string(MessageFailed), db.Texts(turns), MaxMessages)
	return err
}
