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
	// LinkLifetime is the lifetime of a link, from the moment it is handed over.
	LinkLifetime = time.Hour
	// UndoLifetime is the lifetime of a link that restores an address.
	UndoLifetime = 7 * 24 * time.Hour
	// InvitationLifetime is the lifetime of an invitation's link.
	InvitationLifetime = 7 * 24 * time.Hour
	// reservedFor is the time that a reserved link waits for its mail. It is longer than the mail is
	// retried.
	reservedFor = 24 * time.Hour
)

// Link is the action that a token authorizes.
type Link struct {
	// Purpose has the name of the mail that carries the link.
	Purpose notifications.Mail
	// UserID is the link's user; uuid.Nil for a sign-up and an invitation.
	UserID uuid.UUID
	// InvitationID is the invitation that an InvitationLink accepts. AccountID is the account that the
	// mail of a reserved link is about.
	InvitationID, AccountID uuid.UUID
	// Email is the address that the link was sent to.
	Email string
	// MailID is the mail that carries the link; uuid.Nil if the operator passes it on. Each try of a
	// mail has its own token.
	MailID uuid.UUID
	// CreatedAt is the time of the request, or of the address change that the link undoes. The store
	// sets it.
	CreatedAt time.Time
	// VerifiedAt is the time at which the address that UndoChange restores was verified; nil if it
	// never was.
	VerifiedAt *time.Time
	// Name and PasswordHash are those of the account that a SignUpLink opens.
	Name, PasswordHash string
}

// LinkColumns are the columns of a Link, of links AS l.
const LinkColumns = ` l.purpose, coalesce(l.user_id, ` + db.NilUUID + `) AS user_id, l.email,
		coalesce(l.invitation_id, ` + db.NilUUID + `) AS invitation_id, coalesce(l.outbox_id, ` + db.NilUUID + `) AS mail_id,
		l.created_at, l.verified_at, coalesce(l.name, '') AS name, coalesce(l.password_hash, '') AS password_hash `

// lifetime returns the link's lifetime, from the moment it is handed over.
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

// Link returns the link of a token without using it up. Fault: NotFound for a token that was used,
// has expired or is void.
func (s Store) Link(ctx context.Context, hash [32]byte) (Link, error) {
	return db.One[Link](ctx, s.db, `SELECT`+LinkColumns+`FROM links l
		WHERE l.token_hash = $1 AND l.expires_at > clock_timestamp()`, hash[:])
}

// QueueLink reserves a link and queues its mail. The user's older links of the same purpose are
// void. Sign-ups of one address do not void each other: each has its own password, so that no
// caller can spoil another's sign-up. It records the entries in by for the user. Fault: NotFound
// without the user.
func (s Store) QueueLink(ctx context.Context, l Link, by ...audit.Entry) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		if err := LockUser(ctx, tx, l.UserID); err != nil {
			return err
		}
		_, err := db.Exec(ctx, tx,
			`DELETE FROM links WHERE purpose = $1 AND user_id = $2`, string(l.Purpose), l.UserID)
		if err == nil {
			err = ReserveLink(ctx, tx, l)
		}
		for _, e := range by {
			if err == nil {
				err = audit.On(tx).Record(ctx, e, l.UserID)
			}
		}
		return err
	})
}

// ReserveLink stores a link without a usable token and puts its mail into the outbox, in the caller's
// transaction.
func ReserveLink(ctx context.Context, tx *db.DB, l Link) error {
	l.MailID = uuid.Must(uuid.NewV7())
	if err := notifications.On(tx).InsertMailAs(ctx, l.MailID, l.Purpose, l.Email, l.AccountID); err != nil {
		return err
	}
	var noToken [32]byte
	_, _ = rand.Read(noToken[:]) // never fails
	return InsertLink(ctx, tx, l, noToken, max(l.lifetime(), reservedFor))
}

// InsertLink stores a link under the hash of its token.
func InsertLink(ctx context.Context, tx *db.DB, l Link, hash [32]byte, lifetime time.Duration,
) error {
	_, err := db.Exec(ctx, tx, `
		INSERT INTO links (token_hash, purpose, user_id, email, outbox_id, verified_at, name, password_hash, created_at, expires_at,
			invitation_id)
		SELECT $1::bytea, $2::text, nullif($3::uuid, `+db.NilUUID+`), $4::text, nullif($5::uuid, `+db.NilUUID+`), $6::timestamptz,
			nullif($7::text, ''), nullif($8::text, ''),
			coalesce((SELECT min(created_at) FROM links WHERE outbox_id = $5::uuid), clock_timestamp()), clock_timestamp() + $9::interval,
			nullif($10::uuid, `+db.NilUUID+`)`,
		hash[:], string(l.Purpose), l.UserID, l.Email, l.MailID, l.VerifiedAt, l.Name, l.PasswordHash, lifetime, l.InvitationID)
	return err
}

// LinkForMail stores the hash of the token that a try of a mail carries. It returns false and
// stores nothing if the link would open an account with an address, or change a user's address to
// one, that is taken. Fault: NotFound if the link is void.
func (s Store) LinkForMail(ctx context.Context, m notifications.Outgoing, hash [32]byte,
) (free bool, err error) {
	const reserved = `SELECT` + LinkColumns + `FROM links l WHERE l.outbox_id = $1 AND l.expires_at > clock_timestamp() LIMIT 1`
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		l, err := db.One[Link](ctx, tx, reserved, m.ID)
		if err == nil {
			err = LockUser(ctx, tx, l.UserID)
		}
		if err == nil { // read again under the lock: it may have become void meanwhile
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
		return InsertLink(ctx, tx, l, hash, l.lifetime())
	})
	return free, err
}

// LockUser locks a user. It comes before any lock of a link, as when a user is deleted. For
// uuid.Nil it does nothing. Fault: NotFound.
func LockUser(ctx context.Context, tx *db.DB, id uuid.UUID) error {
	if id == uuid.Nil {
		return nil
	}
	_, err := db.One[bool](ctx, tx, `SELECT true FROM users WHERE id = $1 FOR UPDATE`, id)
	return err
}

// EndLinks voids every link of a user except those that restore an address, in the caller's
// transaction.
func EndLinks(ctx context.Context, tx *db.DB, userID uuid.UUID) error {
	_, err := db.Exec(ctx, tx,
		`DELETE FROM links WHERE user_id = $1 AND purpose <> 'UNDO_CHANGE'`, userID)
	return err
}

// PurgeLinks removes at most limit expired links and returns the number removed.
func (s Store) PurgeLinks(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM links WHERE token_hash IN (
		SELECT token_hash FROM links WHERE expires_at < statement_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit)
}

// LiveToken is the condition that an account token t has not expired.
//
//nolint:gosec // no secret: how tokens are selected
const LiveToken = ` t.expires_at > statement_timestamp() `

// RemoveUnverifiedTokens removes the account tokens that a user made, if the user's address was
// never verified, in the caller's transaction.
func RemoveUnverifiedTokens(ctx context.Context, tx *db.DB, userID uuid.UUID) error {
	_, err := db.Exec(ctx, tx,
		`DELETE FROM account_tokens t USING users u JOIN memberships m ON m.user_id = u.id
		WHERE u.id = $1 AND u.email_verified_at IS NULL AND t.account_id = m.account_id AND t.created_by = u.id`, userID)
	return err
}
