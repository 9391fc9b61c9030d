package users

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

// isTaken reports whether an address belongs to a user other than the given one, or did until
// recently and can still be restored.
func (s Store) isTaken(ctx context.Context, email string, userID uuid.UUID) (bool, error) {
	return db.One[bool](ctx, s.db, `SELECT EXISTS (SELECT 1 FROM users WHERE email = $1 AND id <> $2)
		OR EXISTS (SELECT 1 FROM links WHERE email = $1 AND purpose = 'UNDO_CHANGE' AND user_id <> $2 AND expires_at > clock_timestamp())`,
		email, userID)
}

// MustBeFree checks that no other user has the address. Call it after the address has become the
// user's, in the same transaction: from then on, no other transaction can take it. Fault: Conflict.
func MustBeFree(ctx context.Context, tx *db.DB, email string, userID uuid.UUID) error {
	taken, err := On(tx).isTaken(ctx, email, userID)
	if err == nil && taken {
		err = fault.New(fault.Conflict, db.UniqueFaults["users_email"])
	}
	return err
}

// VerifyAddress uses up a token of a user. It either verifies the current address, or changes the
// user's address to the one that the link was sent to; then the former address is notified and all
// other sign-ins end. Faults, after which nothing has changed: NotFound for a token that was used,
// has expired, is void or belongs to another user; Conflict when the new address is now taken.
func (s Store) VerifyAddress(
	ctx context.Context, userID, signInID uuid.UUID, hash [32]byte, by audit.Entry,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		before, err := db.One[AddressOf](ctx, tx,
			`SELECT email, email_verified_at AS verified_at FROM users WHERE id = $1 FOR UPDATE`, userID)
		if err != nil {
			return err
		}
		l, err := db.One[Link](ctx, tx, `DELETE FROM links l WHERE l.token_hash = $1 AND l.user_id = $2
			AND (l.purpose = 'CHANGE_ADDRESS' OR l.purpose = 'VERIFY_ADDRESS' AND l.email = $3) AND l.expires_at > clock_timestamp()
			RETURNING`+LinkColumns, hash[:], userID, before.Email)
		if err != nil {
			return err
		}
		by.Fields = []string{"emailVerified"}
		if l.Purpose == notifications.ChangeAddress {
			by.Fields = []string{"email"}
			if err := On(tx).setAddress(ctx, userID, signInID, l.Email, true); err != nil {
				return err
			}
			err = ReserveLink(ctx, tx, Link{
				Purpose:    notifications.UndoChange,
				UserID:     userID,
				Email:      before.Email,
				VerifiedAt: before.VerifiedAt,
			})
		} else {
			err = MarkVerified(ctx, tx, userID)
		}
		if err == nil {
			err = audit.On(tx).Record(ctx, by, userID)
		}
		return err
	})
}

// AddressOf is a user's address with the time at which it was verified; nil if it never was.
type AddressOf struct {
	Email      string
	VerifiedAt *time.Time
}

// MarkVerified marks a user's address as verified, in the caller's transaction. Other links that
// would verify it are void.
func MarkVerified(ctx context.Context, tx *db.DB, userID uuid.UUID) error {
	_, err := db.Exec(ctx, tx,
		`DELETE FROM links WHERE user_id = $1 AND purpose = 'VERIFY_ADDRESS'`, userID)
	if err == nil {
		_, err = db.Exec(ctx, tx,
			`UPDATE users SET email_verified_at = coalesce(email_verified_at, clock_timestamp()) WHERE id = $1`,
			userID)
	}
	return err
}

// ChangeAddress changes the address of a user whose password was checked against verifiedHash, and
// ends all other sign-ins. The address is in the form of account.ParseEmail. It counts as
// unverified, and the former one cannot be restored. Faults: Conflict for a taken address, and when
// the password has changed since the check.
func (s Store) ChangeAddress(
	ctx context.Context, userID, signInID uuid.UUID, verifiedHash, email string, by audit.Entry,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		hash, err := db.One[string](ctx, tx,
			`SELECT password_hash FROM users WHERE id = $1 FOR UPDATE`, userID)
		if err == nil && hash != verifiedHash {
			err = fault.New(fault.Conflict, "The password was changed elsewhere. Try again.")
		}
		if err == nil {
			err = On(tx).setAddress(ctx, userID, signInID, email, false)
		}
		if err == nil {
			err = audit.On(tx).Record(ctx, by, userID)
		}
		return err
	})
}

// setAddress changes a user's address in the caller's transaction, marks it as seen, voids the
// user's links and ends every sign-in but keep. Fault: Conflict for a taken address.
func (s Store) setAddress(ctx context.Context, userID, keep uuid.UUID, email string, verified bool,
) error {
	err := s.forgetMails(ctx, userID)
	if err == nil {
		_, err = db.Exec(ctx, s.db,
			`UPDATE users SET email = $2, email_verified_at = CASE WHEN $3 THEN clock_timestamp() END WHERE id = $1`,
			userID, email, verified)
	}
	if err == nil {
		err = MustBeFree(ctx, s.db, email, userID)
	}
	if err == nil {
		_, err = MarkSeen(ctx, s.db, email)
	}
	if err == nil {
		err = EndLinks(ctx, s.db, userID)
	}
	if err == nil {
		_, err = EndSignIns(ctx, s.db, `user_id = $1 AND id <> $2`, userID, keep)
	}
	return err
}

// forgetMails removes finished mails to a user's current address, in the caller's transaction.
// After a change of address nothing links the user to them, and they would outlive the user.
func (s Store) forgetMails(ctx context.Context, userID uuid.UUID) error {
	_, err := db.Exec(ctx, s.db,
		`DELETE FROM outbox o USING users u WHERE u.id = $1 AND o.address = u.email AND o.due_at IS NULL`,
		userID)
	return err
}

// UndoChange uses up a token that restores the address it was sent to, regardless of later changes.
// It replaces the password hash by a void one and ends every sign-in of the user. All links created
// since the change are void. With resetting it queues a mail with a new link. If the address had
// never been verified, it is now, and a second factor is removed, as in ResetPassword. Fault:
// NotFound for a token that was used, has expired or is void.
func (s Store) UndoChange(
	ctx context.Context, hash [32]byte, void string, resetting bool, by audit.Entry,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		l, err := On(tx).Link(ctx, hash)
		if err == nil && l.Purpose != notifications.UndoChange {
			err = fault.Wrap(fault.NotFound, nil)
		}
		if err == nil {
			err = LockUser(ctx, tx, l.UserID)
		}
		if err == nil { // under the lock, no other transaction uses the user's links
			l, err = On(tx).Link(ctx, hash)
		}
		if err != nil {
			return err
		}
		// Links of earlier changes stay. Otherwise an attacker who makes two changes could void the link
		// that the owner got for the first one.
		_, err = db.Exec(ctx, tx,
			`DELETE FROM links WHERE user_id = $1 AND (purpose <> 'UNDO_CHANGE' OR created_at >= $2)`,
			l.UserID, l.CreatedAt)
		if err != nil {
			return err
		}
		if err := On(tx).forgetMails(ctx, l.UserID); err != nil {
			return err
		}
		_, err = db.Exec(ctx, tx, `UPDATE users SET email = $2, password_hash = $4,
			email_verified_at = coalesce($3::timestamptz, clock_timestamp()) WHERE id = $1`,
			l.UserID, l.Email, l.VerifiedAt, void)
		if err == nil && l.VerifiedAt == nil {
			_, err = DropFactor(ctx, tx, l.UserID, nil)
		}
		if err == nil {
			_, err = EndSignIns(ctx, tx, `user_id = $1`, l.UserID)
		}
		if err == nil {
			err = audit.On(tx).Record(ctx, by, l.UserID)
		}
		if err == nil && resetting {
			err = notifications.On(tx).InsertMail(ctx, notifications.PasswordReset, l.Email)
		}
		return err
	})
}
