package notifications

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// Event is the name of an event in webhooks. Owners get some events by mail, too.
type Event string

// The events. The first four are for owners and the operator, the next four for the operator alone,
// and the rest for owners' webhooks.
const (
	// CreditsLow says that the available credits have fallen to what the account set, and
	// CreditsUsedUp that they do not cover another message like the last one.
	CreditsLow    Event = "credits.low"
	CreditsUsedUp Event = "credits.used_up"
	// ExportLimitNear says that an export has used 90% of its credits for a day or a month.
	ExportLimitNear Event = "export.limit_near"
	// KeyStopsSoon says that a key stops within three days.
	KeyStopsSoon Event = "key.stops_soon"
	// SignedUp says that an account was opened, in whatever way.
	SignedUp  Event = "account.signed_up"
	Suspended Event = "account.suspended"
	Resumed   Event = "account.resumed"
	Deleted   Event = "account.deleted"
	// MessageCompleted and MessageFailed report up to 100 messages each.
	MessageCompleted Event = "message.completed"
	MessageFailed    Event = "message.failed"
	// VersionPublished reports that a version of an agent went live.
	VersionPublished Event = "version.published"
	// The next three are about members of the account.
	MemberAddedEvent       Event = "member.added"
	MemberRemovedEvent     Event = "member.removed"
	MemberRoleChangedEvent Event = "member.role_changed"
	// RatingGiven reports a rating of a reply.
	RatingGiven Event = "rating.given"
	// WebhookTest is sent on request, whatever events a webhook has.
	WebhookTest Event = "webhook.test"
)

// MaxEventMails is the most mails about events that an address gets in an hour, and the most about
// its membership of one account. Without this limit, editors and owners could cause any number.
const MaxEventMails = 20

// EventData describes an event by ids and figures alone. Webhooks carry its JSON.
type EventData struct {
	AccountID uuid.UUID `json:"account_id"`
	// CreditsAvailable and LowCreditsAt are of CreditsLow, the first also of CreditsUsedUp.
	CreditsAvailable *int64 `json:"credits_available,omitempty"`
	LowCreditsAt     *int64 `json:"low_credits_at,omitempty"`
	// ExportID is of ExportLimitNear and KeyStopsSoon.
	ExportID *uuid.UUID `json:"export_id,omitempty"`
	// Period is "day" or "month", in UTC, and Limit and Used are in credits.
	Period string `json:"period,omitempty"`
	Limit  *int64 `json:"limit,omitempty"`
	Used   *int64 `json:"used,omitempty"`
	// KeyHint and StopsAt are of KeyStopsSoon.
	KeyHint string     `json:"key_hint,omitempty"`
	StopsAt *time.Time `json:"stops_at,omitempty"`
	// AgentID and Version are set for VersionPublished.
	AgentID *uuid.UUID `json:"agent_id,omitempty"`
	Version *int       `json:"version,omitempty"`
	// MemberID and Role are set for events about members. Role is the new role, or the last one of a
	// removed member.
	MemberID *uuid.UUID `json:"member_id,omitempty"`
	Role     string     `json:"role,omitempty"`
	// MessageID and Value belong to RatingGiven. Value is 1, -1, or 0 for a withdrawn rating.
	MessageID *uuid.UUID `json:"message_id,omitempty"`
	Value     *int       `json:"value,omitempty"`
}

// NotifyOperator queues a webhook, in the transaction of its cause, if the operator has webhooks.
func (s Store) NotifyOperator(ctx context.Context, e Event, about EventData) error {
	if !db.ConfigOf(s.db).Webhooks {
		return nil
	}
	data, err := json.Marshal(about)
	if err == nil {
		_, err = db.Exec(ctx, s.db, `INSERT INTO outbox (id, kind, message, address, data)
			SELECT `+db.NewID+`, 'WEBHOOK', $1, '', $2::json FROM`+db.DatabaseTime, string(e), string(data))
	}
	return err
}

// notifyOwners does what NotifyOperator and NotifyWebhooks do, and also queues a mail to each owner
// of the account if the server sends mail.
func (s Store) notifyOwners(ctx context.Context, e Event, about EventData) error {
	err := s.NotifyOperator(ctx, e, about)
	if err == nil {
		err = s.NotifyWebhooks(ctx, e, about)
	}
	if err != nil || !db.ConfigOf(s.db).Mail {
		return err
	}
	data, err := json.Marshal(about)
	if err == nil {
		_, err = db.Exec(ctx, s.db, `INSERT INTO outbox (id, kind, message, address, data)
			SELECT `+db.NewID+`, 'MAIL', $1, u.email, $2::json
			FROM`+db.DatabaseTime+`CROSS JOIN memberships m JOIN users u ON u.id = m.user_id
			WHERE m.account_id = $3 AND m.role = 'OWNER' AND $4 > (SELECT count(*) FROM outbox o
				WHERE o.address = u.email AND o.data IS NOT NULL AND o.created_at > n.now - interval '1 hour')`,
			string(e), string(data), about.AccountID, MaxEventMails)
	}
	return err
}

// EventNames are the current names that appear in a mail about an event.
type EventNames struct {
	Account string
	// Export is empty for an event of the account.
	Export string
}

// EventForMail returns the names for a mail about an event. Fault: NotFound if the address is no
// longer an owner's, or the account or export is gone.
func (s Store) EventForMail(ctx context.Context, address string, about EventData) (EventNames, error) {
	return db.One[EventNames](ctx, s.db, `
		SELECT a.name AS account, coalesce(x.name, '') AS export
		FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id
		LEFT JOIN api_exports x ON x.id = $3::uuid AND x.account_id = a.id
		WHERE u.email = $1 AND m.account_id = $2 AND m.role = 'OWNER' AND a.state <> 'DELETED'
			AND ($3::uuid IS NULL OR x.removed_at IS NULL AND x.id IS NOT NULL)`, address, about.AccountID, about.ExportID)
}
