package notifications

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// Kind is how a message of the outbox is sent, and by which worker.
type Kind string

// The kinds of messages.
const (
	MailKind    Kind = "MAIL"
	WebhookKind Kind = "WEBHOOK"
	// OwnerWebhookKind is an event for a webhook of an account: see package webhooks.
	OwnerWebhookKind Kind = "OWNER_WEBHOOK"
)

// Mail is a mail's subject matter, as the outbox names it. The events that owners are mailed about
// are also of this type.
type Mail string

// The mails.
const (
	// PasswordReset requests a link for an address that may belong to no user.
	PasswordReset Mail = "PASSWORD_RESET"
	// PasswordChanged notifies the address that its password was changed.
	PasswordChanged Mail = "PASSWORD_CHANGED"
	// NewBrowserMail reports a sign-in from a browser that has not signed in before.
	NewBrowserMail Mail = "NEW_BROWSER"
	// SecondFactorOn and SecondFactorOff report that a second factor was set up, or removed.
	SecondFactorOn  Mail = "SECOND_FACTOR_ON"
	SecondFactorOff Mail = "SECOND_FACTOR_OFF"
	// RecoveryCodeUsed reports that a recovery code was used.
	RecoveryCodeUsed Mail = "RECOVERY_CODE_USED"
	// WrongCode reports a wrong code, entered by a person who knows the password or is signed in.
	WrongCode Mail = "WRONG_CODE"
	// SignUpLink has the link that opens an account.
	SignUpLink Mail = "SIGN_UP"
	// VerifyAddress has a link that proves a user's address, and ChangeAddress one that makes the
	// address the user's.
	VerifyAddress Mail = "VERIFY_ADDRESS"
	ChangeAddress Mail = "CHANGE_ADDRESS"
	// UndoChange notifies a user's former address of the new one, with a link that restores the
	// former.
	UndoChange Mail = "UNDO_CHANGE"
	// InvitationLink invites an address into an account.
	InvitationLink Mail = "INVITATION"
	// RoleChanged and MemberRemoved notify a member of an account that an owner has done that.
	RoleChanged   Mail = "ROLE_CHANGED"
	MemberRemoved Mail = "MEMBER_REMOVED"
	// WebhookFailing notifies owners that a webhook of the account was switched off after a 410 or
	// because all tries failed.
	WebhookFailing Mail = "WEBHOOK_FAILING"
)

const (
	// Lease is the time after which a sender counts as lost.
	Lease = 2 * time.Minute
	// keepSent and keepFailed are the retention times of sent and failed messages.
	keepSent   = 7 * 24 * time.Hour
	keepFailed = 90 * 24 * time.Hour
	// maxOutbox is the most messages that are listed.
	maxOutbox = 1000
)

// Pauses are the delays between the tries of a message. After the last try it has failed.
var Pauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, 45 * time.Minute,
	2 * time.Hour, 4 * time.Hour, 6 * time.Hour}

// interruptedReason is the error of a message whose senders were all lost.
const interruptedReason = "Sending it was interrupted."

// Outgoing is a message for this process to send.
type Outgoing struct {
	ID      uuid.UUID
	Message Mail
	// Address is the recipient of a mail; empty for a webhook.
	Address string
	// AccountID is the account that it is about; uuid.Nil for what is about the user alone.
	AccountID uuid.UUID
	// Data holds an event's EventData as JSON; empty for other mails.
	Data      string
	CreatedAt time.Time
	// Tries is the number of this try, from 1: a later claim of the message has another one.
	Tries int16
}

const outgoingColumns = ` id, message, address, coalesce(account_id, ` + db.NilUUID + `) AS account_id, coalesce(data::text, '') AS data,
	created_at, tries `

// QueueMail puts a mail for an address into the outbox.
func (s Store) QueueMail(ctx context.Context, message Mail, address string) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error { return On(tx).InsertMail(ctx, message, address) })
}

// InsertMail is QueueMail in the caller's transaction.
func (s Store) InsertMail(ctx context.Context, message Mail, address string) error {
	return s.InsertMailAs(ctx, uuid.Must(uuid.NewV7()), message, address, uuid.Nil)
}

// InsertMailAs is insertMail with an id, and the account that the mail is about, uuid.Nil for none.
func (s Store) InsertMailAs(ctx context.Context, id uuid.UUID, message Mail, address string, about uuid.UUID) error {
	db.OnCommit(s.db, func() { db.MailQueued(s.db) })
	_, err := db.Exec(ctx, s.db, `
		INSERT INTO outbox (id, kind, message, address, account_id) VALUES ($1, 'MAIL', $2, $3, nullif($4::uuid, `+db.NilUUID+`))`,
		id, string(message), address, about)
	return err
}

// InsertNotice puts a mail to a user's address into the outbox, in the transaction of what it
// tells. The account is the one that it is about, uuid.Nil for none. Past MaxEventMails an hour
// about one account no mail is sent, or its owners could cause any number.
func (s Store) InsertNotice(ctx context.Context, message Mail, userID, about uuid.UUID) error {
	db.OnCommit(s.db, func() { db.MailQueued(s.db) })
	_, err := db.Exec(ctx, s.db, `INSERT INTO outbox (id, kind, message, address, account_id)
		SELECT $1, 'MAIL', $2, u.email, nullif($4::uuid, `+db.NilUUID+`) FROM users u WHERE u.id = $3
			AND $5 > (SELECT count(*) FROM outbox o
				WHERE o.address = u.email AND o.account_id = $4 AND o.created_at > clock_timestamp() - interval '1 hour')`,
		uuid.Must(uuid.NewV7()), string(message), userID, about, MaxEventMails)
	return err
}

// ClaimOutgoing takes the message of a kind that has waited longest, for two minutes. Then its
// sender counts as lost, and another claim may take it. Several replicas may claim at once. Fault:
// NotFound if no message is due.
func (s Store) ClaimOutgoing(ctx context.Context, kind Kind) (Outgoing, error) {
	for {
		m, err := db.One[Outgoing](ctx, s.db, `
			UPDATE outbox SET tries = tries + 1, due_at = clock_timestamp() + $1::interval WHERE id = (
				SELECT id FROM outbox WHERE kind = $2 AND due_at <= clock_timestamp() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
			RETURNING`+outgoingColumns, Lease, string(kind))
		if err != nil || int(m.Tries) <= len(Pauses)+1 {
			return m, err
		}
		if err := s.OutgoingFailed(ctx, m, interruptedReason); err != nil && !fault.Is(err, fault.NotFound) {
			return m, err
		}
	}
}

// OfSender selects a message while the sender's claim on it lasts: $1 and $2 are its ID and Tries.
const OfSender = ` id = $1 AND tries = $2::smallint AND due_at IS NOT NULL `

// OutgoingSent ends a message that was taken. Fault: NotFound if it is no longer the sender's. So
// with the next three.
func (s Store) OutgoingSent(ctx context.Context, m Outgoing) error {
	return db.MustChange(db.Exec(ctx, s.db, `
		UPDATE outbox SET due_at = NULL, sent_at = clock_timestamp(), error = NULL WHERE`+OfSender, m.ID, m.Tries))
}

// OutgoingFailed ends a message without success. It stays to be seen, and to be tried again by
// Retry.
func (s Store) OutgoingFailed(ctx context.Context, m Outgoing, reason string) error {
	return db.MustChange(db.Exec(ctx, s.db, `UPDATE outbox SET due_at = NULL, failed_at = clock_timestamp(), error = $3 WHERE`+OfSender,
		m.ID, m.Tries, reason))
}

// OutgoingLater has a message tried again after a pause, which grows from a minute to six hours;
// the eighth try is the last.
func (s Store) OutgoingLater(ctx context.Context, m Outgoing, reason string) error {
	if int(m.Tries) > len(Pauses) {
		return s.OutgoingFailed(ctx, m, reason)
	}
	return db.MustChange(db.Exec(ctx, s.db, `UPDATE outbox SET due_at = clock_timestamp() + $3::interval, error = $4 WHERE`+OfSender,
		m.ID, m.Tries, Pauses[m.Tries-1], reason))
}

// ReleaseOutgoing gives a message back that was not tried.
func (s Store) ReleaseOutgoing(ctx context.Context, m Outgoing) error {
	return db.MustChange(db.Exec(ctx, s.db, `UPDATE outbox SET due_at = clock_timestamp(), tries = tries - 1 WHERE`+OfSender,
		m.ID, m.Tries))
}

// DropOutgoing deletes a message that has no recipient, or that another one has replaced.
func (s Store) DropOutgoing(ctx context.Context, m Outgoing) error {
	_, err := db.Exec(ctx, s.db, `DELETE FROM outbox WHERE`+OfSender, m.ID, m.Tries)
	return err
}

// OutboxState counts the messages of a kind that wait, and those that ended without success.
type OutboxState struct {
	Waiting, Failed int64
	// Oldest is the age of the oldest message that waits, in seconds; 0 without any.
	Oldest float64
	// Reason is the error of the oldest message that waits after a try; empty without any.
	Reason string
}

// OutboxState returns the state of a kind.
func (s Store) OutboxState(ctx context.Context, kind Kind) (OutboxState, error) {
	return db.One[OutboxState](ctx, s.db, `SELECT count(*) AS waiting,
		coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS oldest,
		coalesce((array_agg(error ORDER BY created_at, id) FILTER (WHERE error IS NOT NULL))[1], '') AS reason,
		(SELECT count(*) FROM outbox WHERE kind = $1 AND failed_at IS NOT NULL) AS failed
		FROM outbox WHERE kind = $1 AND due_at IS NOT NULL`, string(kind))
}

// UnsentMessage is a message that waits, or that ended without success.
type UnsentMessage struct {
	Outgoing
	// FailedAt is the time of the failure; nil while the message waits.
	FailedAt *time.Time
	// Error is the error of the last try; empty before the first one.
	Error string
}

// Unsent returns the oldest 1,000 messages of a kind that wait or that ended without success.
func (s Store) Unsent(ctx context.Context, kind Kind) ([]UnsentMessage, error) {
	return db.All[UnsentMessage](ctx, s.db, `SELECT`+outgoingColumns+`, failed_at, coalesce(error, '') AS error
		FROM outbox WHERE kind = $1 AND sent_at IS NULL ORDER BY created_at, id LIMIT $2`, string(kind), maxOutbox)
}

// Retry has messages of a kind that ended without success tried again, eight times: one, or all for
// uuid.Nil. It returns how many. The users among those whom mails are for get an entry each, and so
// do the accounts that events are about.
func (s Store) Retry(ctx context.Context, kind Kind, id uuid.UUID, by audit.Entry) (n int, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		about, err := db.All[string](ctx, tx, `UPDATE outbox SET due_at = clock_timestamp(), failed_at = NULL, tries = 0
			WHERE failed_at IS NOT NULL AND kind = $3 AND (id = $1 OR $1 = $2)
			RETURNING CASE kind WHEN 'MAIL' THEN address ELSE data->>'account_id' END`, id, uuid.Nil, string(kind))
		if n = len(about); err != nil || n == 0 {
			return err
		}
		if kind == WebhookKind {
			slices.Sort(about)
			for _, account := range slices.Compact(about) {
				if err := audit.On(tx).RecordIn(audit.Acting(ctx, by), uuid.MustParse(account), account); err != nil {
					return err
				}
			}
			return nil
		}
		users, err := db.All[uuid.UUID](ctx, tx, `SELECT u.id FROM users u WHERE u.email = ANY($1::text[]) ORDER BY u.id`, about)
		if err != nil || len(users) == 0 {
			return err
		}
		return audit.On(tx).Record(ctx, by, users...)
	})
	return n, err
}

// PurgeOutbox removes at most limit messages that ended long ago; it returns how many.
func (s Store) PurgeOutbox(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM outbox WHERE id IN (
		SELECT id FROM outbox WHERE sent_at < statement_timestamp() - $2::interval OR failed_at < statement_timestamp() - $3::interval
			OR due_at < statement_timestamp() - $3::interval -- never sent: mail was switched off
		LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit, keepSent, keepFailed)
}
