package webhooks

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

const (
	// MaxWebhooks is the most webhooks of an account.
	MaxWebhooks = 5
	// previousFor is the time for which the previous secret also signs after a rotation.
	previousFor = 24 * time.Hour
)

// State is the state of a webhook. The package comment draws the transitions.
type State string

// The states.
const (
	StateOn      State = "ON"
	StatePaused  State = "PAUSED"
	StateFailing State = "FAILING"
	StateStopped State = "STOPPED"
)

// Webhook is an address to which events of an account are posted.
type Webhook struct {
	ID, AccountID uuid.UUID
	URL           string
	Events        []notifications.Event `bun:",array"`
	State         State
	// FailingSince is the time of the first failed try since the last success; nil after a success.
	FailingSince *time.Time
	// PreviousSecretUntil is the time until which the previous secret also signs; nil for none.
	PreviousSecretUntil *time.Time
	// Dropped counts the events that were dropped because too many were waiting.
	Dropped   int64
	CreatedBy *uuid.UUID
	CreatedAt time.Time
}

// Events are the events that a webhook can have.
var Events = []notifications.Event{
	notifications.MessageCompleted,
	notifications.MessageFailed,
	notifications.CreditsLow,
	notifications.CreditsUsedUp,
	notifications.ExportLimitNear,
	notifications.KeyStopsSoon,
	notifications.VersionPublished,
	notifications.MemberAddedEvent,
	notifications.MemberRemovedEvent,
	notifications.MemberRoleChangedEvent,
	notifications.RatingGiven,
}

// Columns are the columns of a Webhook, of webhooks AS w.
const Columns = ` w.id, w.account_id, w.url, w.events, w.state, w.failing_since,
	CASE WHEN w.previous_until > statement_timestamp() THEN w.previous_until END AS previous_secret_until,
	w.dropped, w.created_by, w.created_at `

// FromNow is the part of an UPDATE that makes webhooks w gather only messages answered from now on.
const FromNow = ` last_entry = (SELECT a.entry_count FROM accounts a WHERE a.id = w.account_id),
	failing_since = NULL, wait_until = NULL `

// New is a webhook to create.
type New struct {
	ID  uuid.UUID
	URL string
	// Events are some of Events.
	Events []notifications.Event
	// Secret is encrypted for ID.
	Secret    []byte
	CreatedBy *uuid.UUID
}

// Create stores a webhook. Faults: Conflict for an account with MaxWebhooks; NotFound for an
// unknown account.
func (s Store) Create(ctx context.Context, accountID uuid.UUID, in New) (Webhook, error) {
	var out Webhook
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		// The lock keeps the count exact and the account from being deleted.
		_, err := db.One[uuid.UUID](ctx, tx,
			`SELECT id FROM accounts WHERE id = $1 AND state = 'ACTIVE' FOR NO KEY UPDATE`, accountID)
		if err != nil {
			return err
		}
		count, err := db.One[int](ctx, tx, `SELECT count(*) FROM webhooks WHERE account_id = $1`, accountID)
		if err == nil && count >= MaxWebhooks {
			err = fault.New(fault.Conflict, "An account can have up to 5 webhooks. Delete one first.")
		}
		if err != nil {
			return err
		}
		out, err = db.One[Webhook](ctx, tx, `
			INSERT INTO webhooks AS w (id, account_id, url, events, secret, last_entry, created_by, created_at)
			SELECT $1::uuid, a.id, $3::text, $4::text[], $5::bytea, a.entry_count, $6::uuid, clock_timestamp()
			FROM accounts a WHERE a.id = $2 RETURNING`+Columns,
			in.ID, accountID, in.URL, names(in.Events), in.Secret, in.CreatedBy)
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, in.ID.String(), "url", "events")
	})
	return out, err
}

// List returns the webhooks of an account, the oldest first.
func (s Store) List(ctx context.Context, accountID uuid.UUID) ([]Webhook, error) {
	return db.All[Webhook](ctx, s.db,
		`SELECT`+Columns+`FROM webhooks w WHERE w.account_id = $1 ORDER BY w.created_at, w.id`, accountID)
}

// Webhook returns a webhook of an account. Fault: NotFound.
func (s Store) Webhook(ctx context.Context, accountID, id uuid.UUID) (Webhook, error) {
	return db.One[Webhook](ctx, s.db,
		`SELECT`+Columns+`FROM webhooks w WHERE w.account_id = $1 AND w.id = $2`, accountID, id)
}

// lock is Webhook with a lock on the row, for a change.
func (s Store) lock(ctx context.Context, accountID, id uuid.UUID) (Webhook, error) {
	return db.One[Webhook](ctx, s.db, `SELECT`+Columns+`FROM webhooks w
		WHERE w.account_id = $1 AND w.id = $2 FOR NO KEY UPDATE`, accountID, id)
}

// Change changes the fields of a webhook that are not nil.
type Change struct {
	URL    *string
	Events []notifications.Event
	// Paused false also resumes a webhook that is FAILING.
	Paused *bool
}

// apply returns the webhook after the change, the names of the fields that differ, and whether it
// starts to get messages.
func (c Change) apply(w Webhook) (after Webhook, fields []string, starts bool) {
	after = w
	if c.URL != nil && *c.URL != w.URL {
		after.URL = *c.URL
		fields = append(fields, "url")
	}
	if c.Events != nil && !slices.Equal(c.Events, w.Events) {
		after.Events = c.Events
		fields = append(fields, "events")
	}
	if c.Paused != nil && *c.Paused && w.State == StateOn {
		after.State = StatePaused
	}
	if c.Paused != nil && !*c.Paused {
		after.State = StateOn
	}
	if after.State != w.State {
		fields = append(fields, "paused")
	}
	got := slices.Contains(w.Events, notifications.MessageCompleted)
	gets := slices.Contains(after.Events, notifications.MessageCompleted)
	return after, fields, after.State == StateOn && w.State != StateOn || gets && !got
}

// Update changes a webhook. If it starts to get messages, it gets only those answered from now on.
// A new address is tried at once. Faults: NotFound; Conflict for one that the operator has stopped.
func (s Store) Update(ctx context.Context, accountID, id uuid.UUID, c Change) (Webhook, error) {
	var out Webhook
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		before, err := On(tx).lock(ctx, accountID, id)
		if err == nil && before.State == StateStopped {
			err = fault.New(fault.Conflict, "The operator has stopped this webhook. Contact the operator.")
		}
		if err != nil {
			return err
		}
		after, fields, starts := c.apply(before)
		if out = before; len(fields) == 0 {
			return nil
		}
		set := ``
		if starts {
			set = `,` + FromNow
		} else if after.URL != before.URL {
			set = `, wait_until = NULL`
		}
		out, err = db.One[Webhook](ctx, tx, `UPDATE webhooks w SET url = $2, events = $3::text[], state = $4`+set+`
			WHERE w.id = $1 RETURNING`+Columns, id, after.URL, names(after.Events), string(after.State))
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String(), fields...)
	})
	return out, err
}

// Rotate replaces the secret of a webhook. The previous one also signs for 24 hours. Fault:
// NotFound.
func (s Store) Rotate(ctx context.Context, accountID, id uuid.UUID, secret []byte) (Webhook, error) {
	var out Webhook
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		var err error
		out, err = db.One[Webhook](ctx, tx, `UPDATE webhooks w SET previous_secret = w.secret, secret = $3,
			previous_until = statement_timestamp() + $4::interval
			WHERE w.account_id = $1 AND w.id = $2 RETURNING`+Columns, accountID, id, secret, previousFor)
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
	return out, err
}

// Delete removes a webhook with all its deliveries. Fault: NotFound.
func (s Store) Delete(ctx context.Context, accountID, id uuid.UUID) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		err := db.MustChange(db.Exec(ctx, tx,
			`DELETE FROM webhooks WHERE account_id = $1 AND id = $2`, accountID, id))
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
}

// EncryptedSecrets are the encrypted secrets of a webhook; Previous is nil for none.
type EncryptedSecrets struct {
	ID               uuid.UUID
	Secret, Previous []byte
}

// SecretsToReencrypt returns at most limit webhooks after a given one with a secret that was
// encrypted with another key than id.
func (s Store) SecretsToReencrypt(ctx context.Context, id []byte, after uuid.UUID, limit int,
) ([]EncryptedSecrets, error) {
	return db.All[EncryptedSecrets](ctx, s.db, `
		SELECT w.id, w.secret, w.previous_secret AS previous FROM webhooks w
		WHERE w.id > $2 AND (substring(w.secret FOR length($1::bytea)) <> $1
			OR substring(w.previous_secret FOR length($1::bytea)) <> $1)
		ORDER BY w.id LIMIT $3`, id, after, limit)
}

// Reencrypt replaces encrypted secrets, unless they have changed in the meantime.
func (s Store) Reencrypt(ctx context.Context, before, after EncryptedSecrets) error {
	_, err := db.Exec(ctx, s.db, `UPDATE webhooks SET secret = $4, previous_secret = $5
		WHERE id = $1 AND secret = $2 AND previous_secret IS NOT DISTINCT FROM $3`,
		before.ID, before.Secret, before.Previous, after.Secret, after.Previous)
	return err
}

// names returns events as a parameter for text[].
func names(events []notifications.Event) []string {
	return db.Mapped(events, func(e notifications.Event) string { return string(e) })
}
