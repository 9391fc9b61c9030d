package webhooks

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

const (
	// waitAfter is a webhook's pause after a failed try. Without it, receivers that hang would occupy
	// all senders.
	waitAfter = time.Minute
	// failingFor is the time after which a webhook whose tries all failed is switched off.
	failingFor = 3 * 24 * time.Hour
	// keepRows is the number of newest rows that are kept of a webhook.
	keepRows = 1000
)

// Outgoing is a delivery for this process to post.
type Outgoing struct {
	ID, WebhookID uuid.UUID
	URL           string
	// Secret and PreviousSecret are encrypted for WebhookID; the second is nil unless it signs, too.
	Secret, PreviousSecret []byte
	Event                  notifications.Event
	Data                   string
	CreatedAt              time.Time
	// Tries is the number of this try, from 1: a later claim of the delivery has another one.
	Tries int16
}

// Claim leases at most limit deliveries for notifications.Lease, one for each of the webhooks whose
// last try was longest ago, so that many rows or a slow receiver delay no other webhook. Webhooks
// whose last try failed come last: their receivers may hang. It skips the webhooks inFlight, to
// which this process is posting, and counts them towards perAccount, the most of one account. It
// reads one row of each webhook that has waiting rows. Several replicas may claim at once.
func (s Store) Claim(ctx context.Context, limit, perAccount int, inFlight []uuid.UUID,
) ([]Outgoing, error) {
	for {
		claimed, err := s.claim(ctx, limit, perAccount, inFlight)
		out := claimed[:0]
		for _, o := range claimed {
			if int(o.Tries) <= len(notifications.Pauses)+1 {
				out = append(out, o)
			} else if err == nil { // the sender of each try was lost
				err = s.Record(ctx, o, Try{Reason: TimedOut})
			}
		}
		if err != nil && !fault.Is(err, fault.NotFound) || len(out) > 0 || len(claimed) == 0 {
			return out, err
		}
	}
}

func (s Store) claim(ctx context.Context, limit, perAccount int, inFlight []uuid.UUID,
) ([]Outgoing, error) {
	return db.All[Outgoing](ctx, s.db, `
		WITH RECURSIVE waiting AS (
			(SELECT o.webhook_id, o.due_at FROM outbox o WHERE o.webhook_id IS NOT NULL AND o.due_at IS NOT NULL
			ORDER BY o.webhook_id, o.due_at LIMIT 1)
			UNION ALL
			SELECT x.webhook_id, x.due_at FROM waiting l CROSS JOIN LATERAL (
				SELECT o.webhook_id, o.due_at FROM outbox o WHERE o.webhook_id > l.webhook_id AND o.due_at IS NOT NULL
				ORDER BY o.webhook_id, o.due_at LIMIT 1) x
		), ready AS (
			SELECT w.id, l.due_at, w.failing_since IS NOT NULL AS failing, w.wait_until,
				row_number() OVER (PARTITION BY w.account_id
					ORDER BY w.failing_since IS NOT NULL, w.wait_until NULLS FIRST, l.due_at, w.id)
				+ (SELECT count(*) FROM webhooks b WHERE b.account_id = w.account_id AND b.id = ANY ($1::uuid[])) AS place
			FROM waiting l JOIN webhooks w ON w.id = l.webhook_id JOIN accounts a ON a.id = w.account_id
			WHERE l.due_at <= clock_timestamp() AND w.state = 'ON' AND a.state = 'ACTIVE' AND w.id <> ALL ($1::uuid[])
				AND (w.wait_until <= clock_timestamp()) IS NOT FALSE
		), chosen AS MATERIALIZED (
			SELECT o.id FROM (SELECT id FROM ready WHERE place <= $2
				ORDER BY failing, wait_until NULLS FIRST, due_at, id LIMIT $3) r
			CROSS JOIN LATERAL (SELECT o.id FROM outbox o WHERE o.webhook_id = r.id AND o.due_at <= clock_timestamp()
				ORDER BY o.due_at LIMIT 1 FOR UPDATE SKIP LOCKED) o
		)
		UPDATE outbox o SET tries = o.tries + 1, due_at = clock_timestamp() + $4::interval
		FROM chosen c, webhooks w WHERE o.id = c.id AND w.id = o.webhook_id
		RETURNING o.id, o.webhook_id, w.url, w.secret,
			CASE WHEN w.previous_until > clock_timestamp() THEN w.previous_secret END AS previous_secret,
			o.message AS event, o.data::text AS data, o.created_at, o.tries`,
		db.Texts(inFlight), perAccount, limit, notifications.Lease)
}

// Try is the result of a try. Without a Reason the receiver has accepted the event.
type Try struct {
	// Status is the HTTP status; 0 without an answer.
	Status int
	Took   time.Duration
	Reason Reason
}

// Record stores the result of a try. A failed one is repeated after the next of
// notifications.Pauses, and its webhook waits for waitAfter. After a 410, or if all tries within
// failingFor have failed, the webhook is FAILING, its owners get a mail, and its waiting events
// fail. Fault: NotFound if the delivery has ended or another sender has claimed it.
func (s Store) Record(ctx context.Context, o Outgoing, t Try) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		_, err := db.One[bool](ctx, tx, `SELECT true FROM webhooks WHERE id = $1 FOR NO KEY UPDATE`, o.WebhookID)
		if err != nil {
			return err
		}
		var pause *time.Duration // nil: there is no other try
		if t.Reason != "" && int(o.Tries) <= len(notifications.Pauses) {
			pause = &notifications.Pauses[o.Tries-1]
		}
		err = db.MustChange(db.Exec(ctx, tx, `
			UPDATE outbox SET due_at = clock_timestamp() + $3::interval, error = nullif($4::text, ''),
				sent_at = CASE WHEN $4::text = '' THEN clock_timestamp() END,
				failed_at = CASE WHEN $4::text <> '' AND $3::interval IS NULL THEN clock_timestamp() END,
				status = nullif($5::int, 0), took_ms = $6
			WHERE`+notifications.OfSender, o.ID, o.Tries, pause, string(t.Reason), t.Status, t.Took.Milliseconds()))
		if err != nil {
			return err
		}
		if t.Reason == "" {
			_, err = db.Exec(ctx, tx,
				`UPDATE webhooks SET failing_since = NULL, wait_until = clock_timestamp() WHERE id = $1`, o.WebhookID)
			return err
		}
		return On(tx).recordFailure(ctx, o, t.Status == http.StatusGone)
	})
}

// recordFailure makes a webhook wait, or switches it off if it is gone or has failed for too long. A
// failure at a former address does nothing.
func (s Store) recordFailure(ctx context.Context, o Outgoing, gone bool) error {
	type failing struct {
		AccountID uuid.UUID
		Off       bool
	}
	w, err := db.One[failing](ctx, s.db, `
		UPDATE webhooks w SET failing_since = coalesce(w.failing_since, clock_timestamp()),
			wait_until = clock_timestamp() + $3::interval
		WHERE w.id = $1 AND w.url = $5 RETURNING w.account_id, w.state = 'ON'
			AND ($2 OR w.failing_since < clock_timestamp() - $4::interval) AS off`,
		o.WebhookID, gone, waitAfter, failingFor, o.URL)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil || !w.Off {
		return err
	}
	if err := s.SwitchOff(ctx, o.WebhookID, StateFailing); err != nil || !db.ConfigOf(s.db).Mail {
		return err
	}
	owners, err := db.All[uuid.UUID](ctx, s.db,
		`SELECT user_id FROM memberships WHERE account_id = $1 AND role = 'OWNER' ORDER BY user_id`, w.AccountID)
	for _, owner := range owners {
		if err == nil {
			err = notifications.On(s.db).InsertNotice(ctx, notifications.WebhookFailing, owner, w.AccountID)
		}
	}
	return err
}

// SwitchOff sets a webhook's state and fails its waiting events, in the caller's transaction.
func (s Store) SwitchOff(ctx context.Context, id uuid.UUID, state State) error {
	err := db.MustChange(db.Exec(ctx, s.db, `UPDATE webhooks SET state = $2 WHERE id = $1`, id, string(state)))
	if err == nil {
		_, err = db.Exec(ctx, s.db, `UPDATE outbox SET due_at = NULL, failed_at = clock_timestamp()
			WHERE webhook_id = $1 AND due_at IS NOT NULL`, id)
	}
	return err
}

// Release gives back a delivery that was not tried. Fault: NotFound if another sender has claimed
// it.
func (s Store) Release(ctx context.Context, o Outgoing) error {
	return notifications.On(s.db).ReleaseOutgoing(ctx, notifications.Outgoing{ID: o.ID, Tries: o.Tries})
}

// Purge removes at most limit of the oldest finished rows of webhooks with more than keepRows rows,
// and returns their number. PurgeOutbox removes the others by age.
func (s Store) Purge(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM outbox WHERE id IN (
		SELECT o.id FROM webhooks w
		CROSS JOIN LATERAL (SELECT id FROM outbox o WHERE o.webhook_id = w.id ORDER BY o.id DESC OFFSET $2 LIMIT 1) l
		JOIN outbox o ON o.webhook_id = w.id AND o.id <= l.id AND o.due_at IS NULL
		LIMIT $1 FOR UPDATE OF o SKIP LOCKED)`, limit, keepRows)
}
