package users

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/throttles"
)

// ResetForMail stores the hash of the token in one delivery attempt of a PasswordReset mail. It
// voids the links of other mails, but not those of the mail's other attempts, because one of them
// may have arrived. Fault: NotFound if no user has the address, the mail was requested more than a
// day ago, or a newer one replaces it.
func (s Store) ResetForMail(ctx context.Context, m notifications.Outgoing, hash [32]byte) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		userID, err := On(tx).lockUserOf(ctx, m.Address)
		if err != nil {
			return err
		}
		_, err = db.One[bool](ctx, tx,
			`SELECT true FROM outbox mine WHERE`+notifications.OfSender+`AND created_at > clock_timestamp() - $3::interval
			AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.address = mine.address AND o.message = mine.message
				AND (o.created_at, o.id) > (mine.created_at, mine.id))`, m.ID, m.Tries, reservedFor)
		if err == nil {
			_, err = db.Exec(ctx, tx,
				`DELETE FROM links WHERE user_id = $1 AND purpose = 'PASSWORD_RESET' AND outbox_id <> $2`,
				userID, m.ID)
		}
		if err == nil {
			err = InsertLink(ctx, tx, Link{
				Purpose: notifications.PasswordReset,
				UserID:  userID,
				Email:   m.Address,
				MailID:  m.ID,
			}, hash, LinkLifetime)
		}
		return err
	})
}

// ResetByHand stores the hash of a token that the operator passes on. It voids all earlier links
// and drops unsent mails that would carry one. Fault: NotFound if no user has the address.
func (s Store) ResetByHand(ctx context.Context, email string, hash [32]byte, by audit.Entry) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		userID, err := On(tx).lockUserOf(ctx, email)
		if err == nil {
			_, err = db.Exec(ctx, tx,
				`DELETE FROM links WHERE user_id = $1 AND purpose = 'PASSWORD_RESET'`, userID)
		}
		if err == nil {
			_, err = db.Exec(ctx, tx,
				`DELETE FROM outbox WHERE address = $1 AND message = $2 AND sent_at IS NULL`,
				email, string(notifications.PasswordReset))
		}
		if err == nil {
			err = InsertLink(ctx, tx, Link{Purpose: notifications.PasswordReset, UserID: userID, Email: email}, hash, LinkLifetime)
		}
		if err == nil {
			err = audit.On(tx).Record(ctx, by, userID)
		}
		return err
	})
}

// lockUserOf locks the user of an address. Lock the user before any link, in the same order as the
// deletion of a user. Fault: NotFound.
func (s Store) lockUserOf(ctx context.Context, email string) (uuid.UUID, error) {
	return db.One[uuid.UUID](ctx, s.db, `SELECT id FROM users WHERE email = $1 FOR UPDATE`, email)
}

// UserOfReset returns the user whose password a token can reset, without using it up. Fault:
// NotFound for a token that was used, has expired or is void.
func (s Store) UserOfReset(ctx context.Context, hash [32]byte) (account.User, error) {
	return db.One[account.User](ctx, s.db, `SELECT`+UserColumns+`FROM links l
		JOIN users u ON u.id = l.user_id AND u.email = l.email
		WHERE l.token_hash = $1 AND l.purpose = 'PASSWORD_RESET' AND l.expires_at > clock_timestamp()`,
		hash[:])
}

// Reset sets a password through a link.
type Reset struct {
	UserID uuid.UUID
	// Token is the SHA-256 of the link's token.
	Token        [32]byte
	PasswordHash string
	// Notify sends a mail to the address.
	Notify bool
	// Guesses are the throttle keys of wrong passwords. Their counts are deleted.
	Guesses [][32]byte
	By      audit.Entry
}

// ResetPassword uses up a token of a user: it replaces the password, ends every sign-in and
// verifies the address. Before the first verification, a stranger may have signed up with the
// address. It then also removes a second factor with its recovery codes and the tokens that the
// user created, and returns what else gives access to the user's accounts. Fault, after which
// nothing has changed: NotFound for a token that was used, has expired or is void.
func (s Store) ResetPassword(ctx context.Context, in Reset) (left *LeftBehind, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		user, err := db.One[AddressOf](ctx, tx,
			`SELECT email, email_verified_at AS verified_at FROM users WHERE id = $1 FOR UPDATE`,
			in.UserID)
		if err == nil {
			err = db.MustChange(db.Exec(ctx, tx,
				`DELETE FROM links WHERE token_hash = $1 AND purpose = 'PASSWORD_RESET'
				AND user_id = $2 AND email = $3 AND expires_at > clock_timestamp()`,
				in.Token[:], in.UserID, user.Email))
		}
		if err == nil {
			err = EndLinks(ctx, tx, in.UserID)
		}
		if err == nil && user.VerifiedAt == nil {
			left, err = On(tx).takeOver(ctx, in.UserID)
		}
		if err == nil {
			_, err = db.Exec(ctx, tx,
				`UPDATE users SET password_hash = $2, email_verified_at = coalesce(email_verified_at, clock_timestamp())
				WHERE id = $1`, in.UserID, in.PasswordHash)
		}
		if err == nil {
			_, err = EndSignIns(ctx, tx, `user_id = $1`, in.UserID)
		}
		if err == nil {
			err = throttles.On(tx).Unthrottle(ctx, in.Guesses...)
		}
		if err == nil {
			err = audit.On(tx).Record(ctx, in.By, in.UserID)
		}
		if err == nil && in.Notify {
			err = notifications.On(tx).InsertMail(ctx, notifications.PasswordChanged, user.Email)
		}
		return err
	})
	return left, err
}

// takeOver removes access that a squatter of the address may have set up, and returns what is left
// of it, in the caller's transaction.
func (s Store) takeOver(ctx context.Context, userID uuid.UUID) (*LeftBehind, error) {
	if _, err := DropFactor(ctx, s.db, userID, nil); err != nil {
		return nil, err
	}
	if err := RemoveUnverifiedTokens(ctx, s.db, userID); err != nil {
		return nil, err
	}
	left, err := s.leftBehind(ctx, userID)
	return &left, err
}

// RecentKey is a working key or account token, for its owners to recognize.
type RecentKey struct {
	// ExportName is the name of the key's export, or of the token.
	ExportName string
	Hint       string
	CreatedAt  time.Time
}

// recentKeyAge is the largest age of the keys that a notice lists.
const recentKeyAge = 30 * 24 * time.Hour

// RecentKeys returns the newest 100 keys and tokens in use that were created in the last 30 days in
// the accounts of an address's user, newest first. Fault: NotFound if no user has the address.
func (s Store) RecentKeys(ctx context.Context, email string) ([]RecentKey, error) {
	user, err := s.UserByEmail(ctx, email)
	if err != nil {
		return nil, err
	}
	return s.keysSince(ctx, user.ID, recentKeyAge, uuid.Nil)
}

// keysSince returns the keys of a user's accounts that are at most age old, and the tokens of that
// age that maker did not create.
func (s Store) keysSince(ctx context.Context, userID uuid.UUID, age time.Duration, maker uuid.UUID,
) ([]RecentKey, error) {
	return db.All[RecentKey](ctx, s.db, `SELECT recent.export_name, recent.hint, recent.created_at
		FROM memberships m CROSS JOIN LATERAL (
			SELECT e.name AS export_name, k.hint, k.created_at, k.id FROM api_exports e JOIN api_keys k ON k.export_id = e.id
			WHERE e.account_id = m.account_id AND e.removed_at IS NULL AND k.removed_at IS NULL
				AND (k.stops_at IS NULL OR k.stops_at > statement_timestamp())
			UNION ALL
			SELECT t.name, t.hint, t.created_at, t.id FROM account_tokens t WHERE t.account_id = m.account_id
				AND t.created_by <> $3 AND`+LiveToken+`
		) recent
		WHERE m.user_id = $1 AND m.role = 'OWNER' AND recent.created_at > statement_timestamp() - $2::interval
		ORDER BY recent.created_at DESC, recent.id DESC LIMIT 100`, userID, age, maker)
}

// LeftBehind is the access that a stranger may have left behind by signing up with an address
// before it was verified.
type LeftBehind struct {
	// Members are the addresses of the other members of the user's accounts.
	Members []string
	// Keys are the keys and tokens in use, the newest first. Members and Keys have at most 100 items
	// each.
	Keys []RecentKey
}

// leftBehind returns the other members, keys and tokens that give access to a user's accounts.
func (s Store) leftBehind(ctx context.Context, userID uuid.UUID) (LeftBehind, error) {
	const always = 100 * 365 * 24 * time.Hour
	members, err := db.All[string](ctx, s.db, `SELECT DISTINCT u.email FROM memberships mine
		JOIN memberships m ON m.account_id = mine.account_id AND m.user_id <> mine.user_id
		JOIN users u ON u.id = m.user_id
		WHERE mine.user_id = $1 AND mine.role = 'OWNER' ORDER BY u.email LIMIT 100`, userID)
	if err != nil {
		return LeftBehind{}, err
	}
	keys, err := s.keysSince(ctx, userID, always, userID)
	return LeftBehind{Members: members, Keys: keys}, err
}
