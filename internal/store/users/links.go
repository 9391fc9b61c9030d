package users

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

const (
	// LinkLifetime is how long a link works, from when it is handed over.
	LinkLifetime = time.Hour
	// UndoLifetime is LinkLifetime of a link that brings an address back.
	UndoLifetime = 7 * 24 * time.Hour
	// InvitationLifetime is LinkLifetime of an invitation.
	InvitationLifetime = 7 * 24 * time.Hour
	// reservedFor is the lifetime of a reserved link. It is longer than all attempts to send its mail.
	reservedFor = 24 * time.Hour
)

// Link is what a token stands for.
type Link struct {
	// Purpose is called like the mail that carries it.
	Purpose notifications.Mail
	// UserID is whose it is; uuid.Nil for a sign-up and an invitation.
	UserID uuid.UUID
	// InvitationID is, of InvitationLink, what it accepts; AccountID, of one that is reserved, the
	// account that the mail is about.
	InvitationID, AccountID uuid.UUID
	// Email is the address that it was sent to.
	Email string
	// MailID is the mail that carries it, in several tries perhaps, each with a token of its own;
	// uuid.Nil if the operator passes it on.
	MailID uuid.UUID
	// CreatedAt is when it was asked for, or the address was changed that it brings back. The store
	// fills it in.
	CreatedAt time.Time
	// VerifiedAt is, of UndoChange, since when the address had been proved; nil if it never was.
	VerifiedAt *time.Time
	// Name and PasswordHash are, of SignUpLink, the account to open and what the password is checked
	// against.
	Name, PasswordHash string
}

// LinkColumns are the columns of a Link, of links AS l.
const LinkColumns = ` l.purpose, coalesce(l.user_id, ` + db.Nobody + `) AS user_id, l.email,
		coalesce(l.invitation_id, ` + db.Nobody + `) AS invitation_id, coalesce(l.outbox_id, ` + db.Nobody + `) AS mail_id,
		l.created_at, l.verified_at, coalesce(l.name, '') AS name, coalesce(l.password_hash, '') AS password_hash `

// lifetime is how long a link works once it is handed over.
func (l Link) lifetime() time.Duration {
	switch l.Purpose {
	case notifications.UndoChange:
		return UndoLifetime
	case notifications.InvitationLink:
		return InvitationLifetime
	default:
		return LinkLifetime
	}
}

// Link returns what a token stands for, without using it up. Fault: NotFound for one that was used,
// has run out, or is void.
func (s Store) Link(ctx context.Context, hash [32]byte) (Link, error) {
	return db.One[Link](ctx, s.db, `SELECT`+LinkColumns+`FROM links l
		WHERE l.token_hash = $1 AND l.expires_at > clock_timestamp()`, hash[:])
}

// QueueLink reserves a link and queues its mail. The user's older links of the purpose are void.
// Links of other sign-ups stay valid: each takes its own password, and no sign-up can void
// another's. With an entry, which is the user's, it is recorded. Fault: NotFound without the user.
func (s Store) QueueLink(ctx context.Context, l Link, by ...audit.Entry) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		if err := On(tx).LockUser(ctx, l.UserID); err != nil {
			return err
		}
		_, err := db.Exec(ctx, tx, `DELETE FROM links WHERE purpose = $1 AND user_id = $2`, string(l.Purpose), l.UserID)
		if err == nil {
			err = On(tx).ReserveLink(ctx, l)
		}
		for _, e := range by {
			if err == nil {
				err = audit.On(tx).Record(ctx, e, l.UserID)
			}
		}
		return err
	})
}

// ReserveLink stores a link without a token and queues its mail, in the caller's transaction.
// Sending the mail makes the token: see LinkForMail.
func (s Store) ReserveLink(ctx context.Context, l Link) error {
	l.MailID = uuid.Must(uuid.NewV7())
	if err := notifications.On(s.db).InsertMailAs(ctx, l.MailID, l.Purpose, l.Email, l.AccountID); err != nil {
		return err
	}
	var ofNoToken [32]byte
	_, _ = rand.Read(ofNoToken[:]) // never fails
	return s.InsertLink(ctx, l, ofNoToken, max(l.lifetime(), reservedFor))
}

// InsertLink stores a link under the hash of its token.
func (s Store) InsertLink(ctx context.Context, l Link, hash [32]byte, lifetime time.Duration) error {
	_, err := db.Exec(ctx, s.db, `
		INSERT INTO links (token_hash, purpose, user_id, email, outbox_id, verified_at, name, password_hash, created_at, expires_at,
			invitation_id)
		SELECT $1::bytea, $2::text, nullif($3::uuid, `+db.Nobody+`), $4::text, nullif($5::uuid, `+db.Nobody+`), $6::timestamptz,
			nullif($7::text, ''), nullif($8::text, ''),
			coalesce((SELECT min(created_at) FROM links WHERE outbox_id = $5::uuid), clock_timestamp()), clock_timestamp() + $9::interval,
			nullif($10::uuid, `+db.Nobody+`)`,
		hash[:], string(l.Purpose), l.UserID, l.Email, l.MailID, l.VerifiedAt, l.Name, l.PasswordHash, lifetime, l.InvitationID)
	return err
}

// LinkForMail stores the hash of a token that the try of a mail carries. It stores nothing, and
// returns false, if the address that the link is to open an account with, or to become a user's, is
// taken. Fault: NotFound if the link is void.
func (s Store) LinkForMail(ctx context.Context, m notifications.Outgoing, hash [32]byte) (free bool, err error) {
	const reserved = `SELECT` + LinkColumns + `FROM links l WHERE l.outbox_id = $1 AND l.expires_at > clock_timestamp() LIMIT 1`
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		l, err := db.One[Link](ctx, tx, reserved, m.ID)
		if err == nil {
			err = On(tx).LockUser(ctx, l.UserID)
		}
		if err == nil { // it may have become void meanwhile, and must not before the token is stored
			l, err = db.One[Link](ctx, tx, reserved+` FOR UPDATE`, m.ID)
		}
		if err != nil {
			return err
		}
		if l.Purpose == notifications.SignUpLink || l.Purpose == notifications.ChangeAddress {
			taken, err := On(tx).isTaken(ctx, l.Email, l.UserID)
			if err != nil || taken {
				return err
			}
		}
		free = true
		return On(tx).InsertLink(ctx, l, hash, l.lifetime())
	})
	return free, err
}

// LockUser locks a user before any link, as deleting a user does; nobody for uuid.Nil. Fault:
// NotFound.
func (s Store) LockUser(ctx context.Context, id uuid.UUID) error {
	if id == uuid.Nil {
		return nil
	}
	_, err := db.One[bool](ctx, s.db, `SELECT true FROM users WHERE id = $1 FOR UPDATE`, id)
	return err
}

// EndLinks makes every link of a user void, in the caller's transaction, but those that bring an
// address back.
func (s Store) EndLinks(ctx context.Context, userID uuid.UUID) error {
	_, err := db.Exec(ctx, s.db, `DELETE FROM links WHERE user_id = $1 AND purpose <> 'UNDO_CHANGE'`, userID)
	return err
}

// PurgeLinks removes at most limit links that have run out; it returns how many.
func (s Store) PurgeLinks(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM links WHERE token_hash IN (
		SELECT token_hash FROM links WHERE expires_at < statement_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit)
}

// LiveToken is the condition of an account token t that has not expired.
//
//nolint:gosec // no secret: how tokens are selected
const LiveToken = ` t.expires_at > statement_timestamp() `

// RemoveUnprovedTokens removes the tokens that a user made whose address was never proved, in the
// caller's transaction.
func (s Store) RemoveUnprovedTokens(ctx context.Context, userID uuid.UUID) error {
	_, err := db.Exec(ctx, s.db, `DELETE FROM account_tokens t USING users u JOIN memberships m ON m.user_id = u.id
		WHERE u.id = $1 AND u.email_verified_at IS NULL AND t.account_id = m.account_id AND t.created_by = u.id`, userID)
	return err
}
