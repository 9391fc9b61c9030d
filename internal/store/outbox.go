package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// Mail is a mail's subject matter, as the outbox names it.
type Mail string

// The mails.
const (
	// PasswordReset asks for a link for an address, which may be nobody's.
	PasswordReset Mail = "PASSWORD_RESET"
	// PasswordChanged tells the address that its password was set anew.
	PasswordChanged Mail = "PASSWORD_CHANGED"
	// NewBrowserMail tells of a sign-in from a browser that has not signed in before.
	NewBrowserMail Mail = "NEW_BROWSER"
	// SecondFactorOn and SecondFactorOff tell that a second factor was set up, or removed.
	SecondFactorOn  Mail = "SECOND_FACTOR_ON"
	SecondFactorOff Mail = "SECOND_FACTOR_OFF"
	// RecoveryCodeUsed tells that a recovery code was given.
	RecoveryCodeUsed Mail = "RECOVERY_CODE_USED"
	// WrongCode tells that a code was wrong, given by somebody who knows the password or is signed in.
	WrongCode Mail = "WRONG_CODE"
	// SignUpLink has the link that opens an account.
	SignUpLink Mail = "SIGN_UP"
	// VerifyAddress has a link that proves a user's address, and ChangeAddress one that makes the address the user's.
	VerifyAddress Mail = "VERIFY_ADDRESS"
	ChangeAddress Mail = "CHANGE_ADDRESS"
	// UndoChange tells a user's former address of the new one, with a link that brings the former back.
	UndoChange Mail = "UNDO_CHANGE"
	// InvitationLink invites an address into an account.
	InvitationLink Mail = "INVITATION"
	// RoleChanged and MemberRemoved tell a member of an account that an owner has done that.
	RoleChanged   Mail = "ROLE_CHANGED"
	MemberRemoved Mail = "MEMBER_REMOVED"
)

const (
	// outboxLease is after what time whoever sends counts as lost.
	outboxLease = 2 * time.Minute
	// keepSent and keepFailed are how long mails stay in the outbox that were sent, or that could not be.
	keepSent   = 7 * 24 * time.Hour
	keepFailed = 90 * 24 * time.Hour
	// maxOutbox is how many are listed.
	maxOutbox = 1000
)

// outboxPauses are those between the tries of a mail. After the last try it has failed.
var outboxPauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, 45 * time.Minute,
	2 * time.Hour, 4 * time.Hour, 6 * time.Hour}

// interruptedReason is why a mail failed whose senders were all lost.
const interruptedReason = "Sending it was interrupted."

// OutboxMail is a mail that this process is to send.
type OutboxMail struct {
	ID      uuid.UUID
	Message Mail
	Address string
	// AccountID is the account that it is about; uuid.Nil for what is about the user alone.
	AccountID uuid.UUID
	// Tries is which try this is, from 1: whoever has the mail later has another one.
	Tries int16
}

// OnMail has notify told that there is a mail to send. It must not block. Call it before the store is used.
func (s *Store) OnMail(notify func()) { s.notifyMail = notify }

func (s *Store) mailed() {
	if s.notifyMail != nil {
		s.notifyMail()
	}
}

// QueueMail puts a mail for an address into the outbox.
func (s *Store) QueueMail(ctx context.Context, message Mail, address string) error {
	err := s.insertMail(ctx, message, address)
	if err == nil {
		s.mailed()
	}
	return err
}

// insertMail is QueueMail in the caller's transaction. After it is committed, the caller calls mailed.
func (s *Store) insertMail(ctx context.Context, message Mail, address string) error {
	return s.insertMailAs(ctx, uuid.Must(uuid.NewV7()), message, address, uuid.Nil)
}

// insertMailAs is insertMail with an id, and the account that the mail is about, uuid.Nil for none.
func (s *Store) insertMailAs(ctx context.Context, id uuid.UUID, message Mail, address string, about uuid.UUID) error {
	_, err := s.exec(ctx, `INSERT INTO outbox (id, kind, message, address, account_id) VALUES ($1, 'MAIL', $2, $3, nullif($4::uuid, `+nobody+`))`,
		id, string(message), address, about)
	return err
}

// insertNotice puts a mail to a user's address into the outbox, in the transaction of what it tells. After that is committed, the caller
// calls mailed.
func (s *Store) insertNotice(ctx context.Context, message Mail, userID uuid.UUID) error {
	_, err := s.exec(ctx, `INSERT INTO outbox (id, kind, message, address) SELECT $1, 'MAIL', $2, u.email FROM users u WHERE u.id = $3`,
		uuid.Must(uuid.NewV7()), string(message), userID)
	return err
}

// ClaimMail takes the mail that has waited longest, for two minutes; then its sender counts as lost, and it is taken again. Several
// replicas may do so at once. Fault: NotFound if there is none.
func (s *Store) ClaimMail(ctx context.Context) (OutboxMail, error) {
	for {
		mail, err := one[OutboxMail](ctx, s, `
			UPDATE outbox SET tries = tries + 1, due = clock_timestamp() + $1::interval WHERE id = (
				SELECT id FROM outbox WHERE kind = 'MAIL' AND due <= clock_timestamp() ORDER BY due LIMIT 1 FOR UPDATE SKIP LOCKED)
			RETURNING id, message, address, tries, coalesce(account_id, `+nobody+`) AS account_id`, outboxLease)
		if err != nil || int(mail.Tries) <= len(outboxPauses)+1 {
			return mail, err
		}
		if err := s.MailFailed(ctx, mail, interruptedReason); err != nil && !fault.Is(err, fault.NotFound) {
			return mail, err
		}
	}
}

// ofMail selects a mail as long as it is the sender's: $1 and $2 are its ID and Tries.
const ofMail = ` id = $1 AND tries = $2::smallint AND due IS NOT NULL `

// MailSent ends a mail that the server took. Fault: NotFound if it is no longer the sender's. So with the next three.
func (s *Store) MailSent(ctx context.Context, m OutboxMail) error {
	return mustChange(s.exec(ctx, `UPDATE outbox SET due = NULL, sent_at = clock_timestamp(), error = NULL WHERE`+ofMail, m.ID, m.Tries))
}

// MailFailed ends a mail without success. It stays to be seen, and to be tried again by RetryMail.
func (s *Store) MailFailed(ctx context.Context, m OutboxMail, reason string) error {
	return mustChange(s.exec(ctx, `UPDATE outbox SET due = NULL, failed_at = clock_timestamp(), error = $3 WHERE`+ofMail,
		m.ID, m.Tries, reason))
}

// MailLater has a mail tried again after a pause, which grows from a minute to six hours; the eighth try is the last.
func (s *Store) MailLater(ctx context.Context, m OutboxMail, reason string) error {
	if int(m.Tries) > len(outboxPauses) {
		return s.MailFailed(ctx, m, reason)
	}
	return mustChange(s.exec(ctx, `UPDATE outbox SET due = clock_timestamp() + $3::interval, error = $4 WHERE`+ofMail,
		m.ID, m.Tries, outboxPauses[m.Tries-1], reason))
}

// ReleaseMail gives a mail back that was not tried.
func (s *Store) ReleaseMail(ctx context.Context, m OutboxMail) error {
	return mustChange(s.exec(ctx, `UPDATE outbox SET due = clock_timestamp(), tries = tries - 1 WHERE`+ofMail, m.ID, m.Tries))
}

// DropMail forgets a mail that is for nobody, or that another one has taken the place of.
func (s *Store) DropMail(ctx context.Context, m OutboxMail) error {
	_, err := s.exec(ctx, `DELETE FROM outbox WHERE`+ofMail, m.ID, m.Tries)
	return err
}

// MailState returns how many mails wait, and how many ended without success.
func (s *Store) MailState(ctx context.Context) (waiting, failed int64, err error) {
	found, err := one[struct{ Waiting, Failed int64 }](ctx, s, `SELECT
		(SELECT count(*) FROM outbox WHERE due IS NOT NULL) AS waiting,
		(SELECT count(*) FROM outbox WHERE failed_at IS NOT NULL) AS failed`)
	return found.Waiting, found.Failed, err
}

// UnsentMail is a mail that waits, or that ended without success.
type UnsentMail struct {
	OutboxMail
	CreatedAt time.Time
	// FailedAt is when it ended; nil while it waits.
	FailedAt *time.Time
	// Error is what the last try came to; empty before the first one.
	Error string
}

// UnsentMails returns the oldest 1,000 mails that wait or that ended without success.
func (s *Store) UnsentMails(ctx context.Context) ([]UnsentMail, error) {
	return all[UnsentMail](ctx, s, `SELECT id, message, address, tries, created_at, failed_at, coalesce(error, '') AS error
		FROM outbox WHERE sent_at IS NULL ORDER BY created_at, id LIMIT $1`, maxOutbox)
}

// RetryMail has mails that ended without success tried again, eight times: one, or all for uuid.Nil. It returns how many.
func (s *Store) RetryMail(ctx context.Context, id uuid.UUID) (int, error) {
	return s.exec(ctx, `UPDATE outbox SET due = clock_timestamp(), failed_at = NULL, tries = 0
		WHERE failed_at IS NOT NULL AND (id = $1 OR $1 = $2)`, id, uuid.Nil)
}

// PurgeMail removes at most limit mails that ended long ago; it returns how many.
func (s *Store) PurgeMail(ctx context.Context, limit int) (int, error) {
	return s.exec(ctx, `DELETE FROM outbox WHERE id IN (
		SELECT id FROM outbox WHERE sent_at < statement_timestamp() - $2::interval OR failed_at < statement_timestamp() - $3::interval
			OR due < statement_timestamp() - $3::interval -- nobody has sent it: mail was switched off
		LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit, keepSent, keepFailed)
}
