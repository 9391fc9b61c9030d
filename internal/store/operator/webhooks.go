package operator

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/webhooks"
)

// OwnersWebhook is a webhook with the numbers of its waiting and failed events.
type OwnersWebhook struct {
	webhooks.Webhook
	Waiting, Failed int64
}

const ownersWebhooks = `SELECT` + webhooks.Columns + `, c.waiting, c.failed FROM webhooks w CROSS JOIN LATERAL (
	SELECT count(*) FILTER (WHERE o.due_at IS NOT NULL) AS waiting, count(*) FILTER (WHERE o.failed_at IS NOT NULL) AS failed
	FROM outbox o WHERE o.webhook_id = w.id) c `

// Webhooks returns at most limit webhooks of all accounts, in the order of their ids, from the one
// after the given id; uuid.Nil starts with the first.
func (s Store) Webhooks(ctx context.Context, after uuid.UUID, limit int) ([]OwnersWebhook, error) {
	return db.All[OwnersWebhook](ctx, s.db, ownersWebhooks+`WHERE w.id > $1 ORDER BY w.id LIMIT $2`, after, limit)
}

// StopWebhook stops a webhook, so that owners cannot resume it. With stop false, it allows a
// stopped webhook to get events from now on. It is idempotent. Fault: NotFound.
func (s Store) StopWebhook(ctx context.Context, id uuid.UUID, stop bool) (OwnersWebhook, error) {
	var out OwnersWebhook
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		before, err := db.One[webhooks.Webhook](ctx, tx,
			`SELECT`+webhooks.Columns+`FROM webhooks w WHERE w.id = $1 FOR NO KEY UPDATE`, id)
		if fault.Is(err, fault.NotFound) {
			err = fault.New(fault.NotFound, "There is no such webhook.")
		}
		change := (before.State == webhooks.StateStopped) != stop
		switch {
		case err != nil || !change:
		case stop:
			err = webhooks.On(tx).SwitchOff(ctx, id, webhooks.StateStopped)
		default:
			_, err = db.Exec(ctx, tx, `UPDATE webhooks w SET state = 'ON',`+webhooks.FromNow+`WHERE w.id = $1`, id)
		}
		if err == nil && change {
			err = audit.On(tx).RecordIn(ctx, before.AccountID, id.String())
		}
		if err == nil {
			out, err = db.One[OwnersWebhook](ctx, tx, ownersWebhooks+`WHERE w.id = $1`, id)
		}
		return err
	})
	return out, err
}
