package webhooks

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

// Reason is the cause of a failed try, as owners see it.
type Reason string

// The reasons.
const (
	BadAddress Reason = "address"
	NotReached Reason = "connect"
	TLSFailed  Reason = "tls"
	TimedOut   Reason = "timeout"
	BadStatus  Reason = "status"
)

// Delivery is an event for a webhook.
type Delivery struct {
	// ID is the Webhook-Id, which all tries have in common.
	ID, WebhookID uuid.UUID
	Event         notifications.Event
	// Data holds the event's data as JSON.
	Data      string
	CreatedAt time.Time
	Tries     int
	// Status, TookMS and Error describe the last finished try. Error is nil after a success.
	Status, TookMS *int
	Error          *Reason
	SentAt         *time.Time
	// NextTryAt is nil once the delivery was sent or has failed.
	NextTryAt *time.Time
}

// deliveryColumns are the columns of a Delivery, of outbox AS o with its webhooks AS w.
const deliveryColumns = ` o.id, o.webhook_id, o.message AS event, o.data::text AS data, o.created_at, o.tries,
	o.status, o.took_ms, o.error, o.sent_at,
	CASE WHEN o.due_at IS NOT NULL THEN greatest(o.due_at, w.wait_until) END AS next_try_at `

// DeliveryQuery selects a page of deliveries.
type DeliveryQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the last delivery before the page; nil starts with the newest.
	After *db.Cursor
	// Failed selects failed deliveries, or, if false, the others; nil selects all.
	Failed *bool
}

// Deliveries returns a page of a webhook's deliveries, the newest first. Fault: InvalidInput on
// first, before any statement.
func (s Store) Deliveries(ctx context.Context, accountID, webhookID uuid.UUID, q DeliveryQuery,
) (db.Page[Delivery], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return db.Page[Delivery]{}, err
	}
	var text db.Statement
	text.Page(`id DESC`, q.First, func() {
		text.Add(`SELECT`+deliveryColumns+`FROM webhooks w JOIN outbox o ON o.webhook_id = w.id
			WHERE w.account_id = ?::uuid AND w.id = ?::uuid`, accountID, webhookID)
		if q.After != nil {
			text.Add(` AND o.id < ?::uuid`, q.After.ID)
		}
		if q.Failed != nil {
			text.Add(` AND (o.failed_at IS NOT NULL) = ?::boolean`, *q.Failed)
		}
	})
	items, err := db.All[Delivery](ctx, s.db, text.String(), text.Args()...)
	return db.Cut(items, q.First), err
}

// Delivery returns a delivery of an account. Fault: NotFound.
func (s Store) Delivery(ctx context.Context, accountID, id uuid.UUID) (Delivery, error) {
	return db.One[Delivery](ctx, s.db, `SELECT`+deliveryColumns+`FROM outbox o
		JOIN webhooks w ON w.id = o.webhook_id WHERE o.id = $2 AND w.account_id = $1`, accountID, id)
}

// Test queues a test event. Faults: NotFound; Conflict for a webhook that is not ON, or has
// notifications.MaxWaiting waiting events.
func (s Store) Test(ctx context.Context, accountID, id uuid.UUID) (Delivery, error) {
	var out Delivery
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		if err := On(tx).mustBeOn(ctx, accountID, id); err != nil {
			return err
		}
		queued, err := db.One[uuid.UUID](ctx, tx, `
			INSERT INTO outbox (id, kind, message, address, webhook_id, data)
			SELECT `+db.NewID+`, 'OWNER_WEBHOOK', $3, '', w.id, json_build_object('account_id', w.account_id)
			FROM webhooks w CROSS JOIN`+db.DatabaseTime+`
			WHERE w.id = $1 AND`+notifications.WaitingRows+`< $2 RETURNING id`,
			id, notifications.MaxWaiting, string(notifications.WebhookTest))
		if fault.Is(err, fault.NotFound) {
			err = fault.New(fault.Conflict,
				"1,000 events are already waiting for this webhook. Try again later.")
		}
		if err == nil {
			out, err = On(tx).Delivery(ctx, accountID, queued)
		}
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
	return out, err
}

// mustBeOn locks a webhook. Faults: NotFound; Conflict for one that is not ON.
func (s Store) mustBeOn(ctx context.Context, accountID, id uuid.UUID) error {
	w, err := s.lock(ctx, accountID, id)
	if err == nil && w.State != StateOn {
		err = fault.New(fault.Conflict, "This webhook isn’t on. Resume it first.")
	}
	return err
}

// RetryDelivery queues a sent or failed delivery again, with as many tries as a new one. Faults:
// NotFound; Conflict for a delivery that waits, or whose webhook is not ON.
func (s Store) RetryDelivery(ctx context.Context, accountID, id uuid.UUID) (Delivery, error) {
	var out Delivery
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		d, err := On(tx).Delivery(ctx, accountID, id)
		if err == nil {
			err = On(tx).mustBeOn(ctx, accountID, d.WebhookID)
		}
		if err != nil {
			return err
		}
		n, err := db.Exec(ctx, tx, `UPDATE outbox SET due_at = clock_timestamp(), sent_at = NULL, failed_at = NULL, tries = 0
			WHERE id = $1 AND due_at IS NULL`, id)
		if err == nil && n == 0 {
			err = fault.New(fault.Conflict, "This event is still waiting to be sent.")
		}
		if err == nil {
			out, err = On(tx).Delivery(ctx, accountID, id)
		}
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, d.WebhookID.String())
	})
	return out, err
}
