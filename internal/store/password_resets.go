package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
)

// ResetLifetime is how long a link sets a password anew, from when it is handed over.
const ResetLifetime = time.Hour

// ResetForMail stores the hash of a token that the try of a PasswordReset mail carries. Links of other mails are void from now on, but not
// those of the mail's other tries, one of which may have arrived. Fault: NotFound if nobody has the address, or a newer mail takes the
// mail's place.
func (s *Store) ResetForMail(ctx context.Context, m OutboxMail, hash [32]byte) error {
	return s.inTx(ctx, func(tx *Store) error {
		userID, err := tx.lockUserOf(ctx, m.Address)
		if err != nil {
			return err
		}
		_, err = one[bool](ctx, tx, `SELECT true FROM outbox mine WHERE`+ofMail+`AND NOT EXISTS (
			SELECT 1 FROM outbox o WHERE o.address = mine.address AND o.message = mine.message
				AND (o.created_at, o.id) > (mine.created_at, mine.id))`, m.ID, m.Tries)
		if err == nil {
			_, err = tx.exec(ctx, `DELETE FROM password_resets WHERE user_id = $1 AND outbox_id IS DISTINCT FROM $2`, userID, m.ID)
		}
		if err == nil {
			err = tx.insertReset(ctx, userID, m.Address, &m.ID, hash)
		}
		return err
	})
}

// ResetByHand stores the hash of a token that the operator passes on. All other links are void, and those that wait to be sent are not
// sent. Fault: NotFound if nobody has the address.
func (s *Store) ResetByHand(ctx context.Context, email string, hash [32]byte, by AuditEntry) error {
	return s.inTx(ctx, func(tx *Store) error {
		userID, err := tx.lockUserOf(ctx, email)
		if err == nil {
			err = tx.endResets(ctx, userID)
		}
		if err == nil {
			_, err = tx.exec(ctx, `DELETE FROM outbox WHERE address = $1 AND message = $2 AND sent_at IS NULL`,
				email, string(PasswordReset))
		}
		if err == nil {
			err = tx.insertReset(ctx, userID, email, nil, hash)
		}
		if err == nil {
			err = tx.record(ctx, by, userID)
		}
		return err
	})
}

// lockUserOf locks the user before any link, as whoever deletes a user does. Fault: NotFound.
func (s *Store) lockUserOf(ctx context.Context, email string) (uuid.UUID, error) {
	return one[uuid.UUID](ctx, s, `SELECT id FROM users WHERE email = $1 FOR UPDATE`, email)
}

func (s *Store) insertReset(ctx context.Context, userID uuid.UUID, email string, mail *uuid.UUID, hash [32]byte) error {
	_, err := s.exec(ctx, `INSERT INTO password_resets (token_hash, user_id, email, outbox_id, expires_at)
		VALUES ($1, $2, $3, $4, clock_timestamp() + $5::interval)`, hash[:], userID, email, mail, ResetLifetime)
	return err
}

// endResets makes every link of a user void, in the caller's transaction.
func (s *Store) endResets(ctx context.Context, userID uuid.UUID) error {
	_, err := s.exec(ctx, `DELETE FROM password_resets WHERE user_id = $1`, userID)
	return err
}

// UserOfReset returns the user whose password a token may set anew, without using it up. Fault: NotFound for a token that was used, has run
// out, or is void.
func (s *Store) UserOfReset(ctx context.Context, hash [32]byte) (account.User, error) {
	return one[account.User](ctx, s, `SELECT`+userColumns+`FROM password_resets r
		JOIN users u ON u.id = r.user_id AND u.email = r.email
		WHERE r.token_hash = $1 AND r.expires_at > clock_timestamp()`, hash[:])
}

// ResetPassword uses a token of a user up: it replaces the password and ends every sign-in. It proves the address. If that is the first
// proof, somebody else may have signed up with the address, so that a second factor goes, too, with its codes. With notify a mail tells the address. Fault:
// NotFound for a token that was used, has run out, or is void; then nothing changed.
func (s *Store) ResetPassword(ctx context.Context, userID uuid.UUID, hash [32]byte, passwordHash string, notify bool,
	by AuditEntry,
) error {
	err := s.inTx(ctx, func(tx *Store) error {
		email, err := one[string](ctx, tx, `SELECT email FROM users WHERE id = $1 FOR UPDATE`, userID)
		if err == nil {
			err = mustChange(tx.exec(ctx, `DELETE FROM password_resets
				WHERE token_hash = $1 AND user_id = $2 AND email = $3 AND expires_at > clock_timestamp()`, hash[:], userID, email))
		}
		if err == nil {
			err = tx.endResets(ctx, userID)
		}
		if err != nil {
			return err
		}
		_, err = tx.exec(ctx, `UPDATE users SET password_hash = $2, wrong_codes = 0,
			second_factor_at = CASE WHEN email_verified_at IS NOT NULL THEN second_factor_at END,
			second_factor_secret = CASE WHEN email_verified_at IS NOT NULL THEN second_factor_secret END,
			email_verified_at = coalesce(email_verified_at, clock_timestamp()) WHERE id = $1`, userID, passwordHash)
		if err == nil {
			_, err = tx.exec(ctx, `DELETE FROM recovery_codes r USING users u
				WHERE r.user_id = $1 AND u.id = $1 AND u.second_factor_at IS NULL`, userID)
		}
		if err == nil {
			_, err = tx.endSignIns(ctx, `user_id = $1`, userID)
		}
		if err == nil {
			err = tx.record(ctx, by, userID)
		}
		if err == nil && notify {
			err = tx.insertMail(ctx, PasswordChanged, email)
		}
		return err
	})
	if err == nil && notify {
		s.mailed()
	}
	return err
}

// RecentKey is a key that works, for its owners to recognize.
type RecentKey struct {
	ExportName string
	Hint       string
	CreatedAt  time.Time
}

// RecentKeys returns the newest 100 keys in use of the accounts of an address's user that were made in the last 30 days, newest first.
// Fault: NotFound if nobody has the address.
func (s *Store) RecentKeys(ctx context.Context, email string) ([]RecentKey, error) {
	user, err := s.UserByEmail(ctx, email)
	if err != nil {
		return nil, err
	}
	return all[RecentKey](ctx, s, `SELECT e.name AS export_name, k.hint, k.created_at FROM memberships m
		JOIN api_keys k ON k.account_id = m.account_id
		JOIN api_exports e ON e.id = k.export_id
		WHERE m.user_id = $1 AND m.role = 'OWNER' AND k.created_at > statement_timestamp() - interval '30 days' AND k.removed_at IS NULL
			AND (k.stops_at IS NULL OR k.stops_at > statement_timestamp()) AND e.removed_at IS NULL
		ORDER BY k.created_at DESC, k.id DESC LIMIT 100`, user.ID)
}

// PurgeResets removes at most limit links that have run out; it returns how many.
func (s *Store) PurgeResets(ctx context.Context, limit int) (int, error) {
	return s.exec(ctx, `DELETE FROM password_resets WHERE token_hash IN (
		SELECT token_hash FROM password_resets WHERE expires_at < statement_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit)
}
