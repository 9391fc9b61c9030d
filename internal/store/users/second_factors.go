package users

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/throttles"
)

const (
	// MaxWrongCodes is the number of wrong codes in a row after which only a recovery code is
	// accepted.
	MaxWrongCodes = 20
	// PendingFactorFor is the time limit for setting up a second factor.
	PendingFactorFor = 10 * time.Minute
)

// StartSecondFactor stores the encrypted secret of a factor that is being set up with its sign-in.
// It replaces an earlier one. Fault: Conflict while a factor is on.
func (s Store) StartSecondFactor(ctx context.Context, userID, signInID uuid.UUID, encrypted []byte,
) error {
	n, err := db.Exec(ctx, s.db,
		`UPDATE sign_ins s SET pending_factor = $3, pending_factor_at = clock_timestamp()
		WHERE s.id = $2 AND s.user_id = $1 AND EXISTS (SELECT 1 FROM users u WHERE u.id = $1 AND u.second_factor_at IS NULL)`,
		userID, signInID, encrypted)
	if err == nil && n == 0 {
		err = fault.New(fault.Conflict, "Two-factor authentication is already on. Turn it off first.")
	}
	return err
}

// PendingFactor is a second factor that is being set up.
type PendingFactor struct {
	EncryptedSecret []byte
	// Now is the database's time.
	Now time.Time
}

// PendingSecondFactor returns the factor that a sign-in is setting up. Fault: NotFound without a
// factor, or if it was started more than PendingFactorFor ago.
func (s Store) PendingSecondFactor(ctx context.Context, userID, signInID uuid.UUID,
) (PendingFactor, error) {
	return db.One[PendingFactor](ctx, s.db,
		`SELECT pending_factor AS encrypted_secret, statement_timestamp() AS now FROM sign_ins
		WHERE id = $2 AND user_id = $1 AND pending_factor_at > statement_timestamp() - $3::interval`,
		userID, signInID, PendingFactorFor)
}

// FactorChange is a change of a user's second factor through a sign-in. That sign-in stays; all
// others end.
type FactorChange struct {
	UserID, SignInID uuid.UUID
	// Since is the time at which the factor to change was switched on.
	Since *time.Time
	// Notify sends a mail about the change.
	Notify bool
	By     audit.Entry
}

var errFactorChanged = fault.New(fault.Conflict,
	"Two-factor authentication was changed elsewhere. Reload the page.")

// SetSecondFactor switches on the factor that the sign-in has set up. The code of the step counts
// as used. Faults, after which nothing has changed: Conflict when a factor is on, or another one is
// now being set up; Unauthorized when the sign-in was ended or has expired. RemoveSecondFactor and
// RenewRecoveryCodes have the same faults.
func (s Store) SetSecondFactor(
	ctx context.Context, in FactorChange, encrypted []byte, step int64, recovery [][32]byte,
) error {
	return s.changeFactor(ctx, in, notifications.SecondFactorOn, func(tx *db.DB) error {
		n, err := db.Exec(ctx, tx,
			`UPDATE users SET second_factor_at = clock_timestamp(), second_factor_secret = $2, second_factor_step = $3,
			wrong_codes = 0 WHERE id = $1 AND second_factor_at IS NULL`, in.UserID, encrypted, step)
		if err != nil || n == 0 {
			return orFault(err, errFactorChanged)
		}
		n, err = db.Exec(ctx, tx, `UPDATE sign_ins SET pending_factor = NULL, pending_factor_at = NULL
			WHERE id = $1 AND pending_factor = $2`, in.SignInID, encrypted)
		if err != nil || n == 0 {
			return orFault(err, errFactorChanged)
		}
		return On(tx).replaceRecoveryCodes(ctx, in.UserID, recovery)
	})
}

// RemoveSecondFactor switches the factor off and deletes its recovery codes.
func (s Store) RemoveSecondFactor(ctx context.Context, in FactorChange) error {
	return s.changeFactor(ctx, in, notifications.SecondFactorOff, func(tx *db.DB) error {
		n, err := DropFactor(ctx, tx, in.UserID, in.Since)
		if err != nil || n == 0 {
			return orFault(err, errFactorChanged)
		}
		return nil
	})
}

// DropFactor switches a user's factor off, in the caller's transaction: the one switched on at
// since, or any for nil. It returns 0 if there is no such factor.
func DropFactor(ctx context.Context, tx *db.DB, userID uuid.UUID, since *time.Time,
) (n int, err error) {
	n, err = db.Exec(ctx, tx,
		`UPDATE users SET second_factor_at = NULL, second_factor_secret = NULL, wrong_codes = 0
		WHERE id = $1 AND second_factor_at = coalesce($2, second_factor_at)`, userID, since)
	if err == nil && n > 0 {
		err = On(tx).replaceRecoveryCodes(ctx, userID, nil)
	}
	return n, err
}

// RenewRecoveryCodes replaces the recovery codes.
func (s Store) RenewRecoveryCodes(ctx context.Context, in FactorChange, recovery [][32]byte) error {
	return s.changeFactor(ctx, in, "", func(tx *db.DB) error {
		_, err := db.One[bool](ctx, tx,
			`SELECT true FROM users WHERE id = $1 AND second_factor_at = $2 FOR UPDATE`, in.UserID, in.Since)
		if fault.Is(err, fault.NotFound) {
			return errFactorChanged
		}
		if err != nil {
			return err
		}
		return On(tx).replaceRecoveryCodes(ctx, in.UserID, recovery)
	})
}

// changeFactor runs change, which locks the user, ends the user's other sign-ins, records the
// change and queues the notice.
func (s Store) changeFactor(
	ctx context.Context, in FactorChange, notice notifications.Mail, change func(tx *db.DB) error,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		err := change(tx)
		if err == nil {
			err = On(tx).keepSignIn(ctx, in.UserID, in.SignInID)
		}
		if err == nil {
			err = audit.On(tx).Record(ctx, in.By, in.UserID)
		}
		if err == nil && in.Notify && notice != "" {
			err = notifications.On(tx).InsertNotice(ctx, notice, in.UserID, uuid.Nil)
		}
		return err
	})
}

// orFault returns err, or otherwise if err is nil.
func orFault(err error, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func (s Store) replaceRecoveryCodes(ctx context.Context, userID uuid.UUID, hashes [][32]byte,
) error {
	_, err := db.Exec(ctx, s.db, `DELETE FROM recovery_codes WHERE user_id = $1`, userID)
	if err == nil && len(hashes) > 0 {
		_, err = db.Exec(ctx, s.db,
			`INSERT INTO recovery_codes (code_hash, user_id) SELECT h, $1 FROM unnest($2::bytea[]) h`,
			userID, db.Mapped(hashes, func(h [32]byte) []byte { return h[:] }))
	}
	return err
}

// RecoveryCodesLeft returns the number of a user's unused recovery codes.
func (s Store) RecoveryCodesLeft(ctx context.Context, userID uuid.UUID) (int, error) {
	return db.One[int](ctx, s.db, `SELECT count(*) FROM recovery_codes WHERE user_id = $1`, userID)
}

// Code is an entered code: a recovery code, or the code of a step.
type Code struct {
	// Step is the time step of the code, 0 for a wrong code.
	Step int64
	// Recovery is the SHA-256 of a recovery code; nil for any other code.
	Recovery []byte
}

// UseCode uses up a user's code and reports whether it was valid. Each step and each recovery code
// is accepted once, and steps only while fewer than MaxWrongCodes codes in a row were wrong. A
// wrong code is counted. A recovery code records the entry recovering. With notify, a mail reports
// a used recovery code and the first wrong code in a row.
func (s Store) UseCode(ctx context.Context, c Credentials, code Code, notify bool, recovering audit.Entry,
) (fits bool, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		n, err := On(tx).useCode(ctx, c, code)
		if err != nil {
			return err
		}
		fits = n > 0
		if fits && code.Recovery != nil {
			err = audit.On(tx).Record(ctx, recovering, c.UserID)
		}
		if err != nil {
			return err
		}
		wrong, err := db.One[int](ctx, tx,
			`UPDATE users SET wrong_codes = CASE WHEN $2 THEN 0 ELSE least(wrong_codes + 1, $3) END
			WHERE id = $1 RETURNING wrong_codes`, c.UserID, fits, MaxWrongCodes)
		switch {
		case err != nil || !notify:
			return Unauthorized(err)
		case fits && code.Recovery != nil:
			return notifications.On(tx).InsertNotice(ctx, notifications.RecoveryCodeUsed, c.UserID, uuid.Nil)
		case wrong == 1:
			return notifications.On(tx).InsertNotice(ctx, notifications.WrongCode, c.UserID, uuid.Nil)
		}
		return nil
	})
	return fits, err
}

// useCode locks the user and uses the code up. It returns 0 for a wrong code.
func (s Store) useCode(ctx context.Context, c Credentials, code Code) (int, error) {
	const ofFactor = ` id = $1 AND second_factor_at = $2 `
	if code.Recovery == nil {
		return db.Exec(ctx, s.db, `UPDATE users SET second_factor_step = $3
			WHERE`+ofFactor+`AND second_factor_step < $3 AND wrong_codes < $4`, c.UserID, c.SecondFactorAt, code.Step, MaxWrongCodes)
	}
	_, err := db.One[bool](ctx, s.db,
		`SELECT true FROM users WHERE`+ofFactor+`FOR UPDATE`, c.UserID, c.SecondFactorAt)
	if fault.Is(err, fault.NotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return db.Exec(ctx, s.db,
		`DELETE FROM recovery_codes WHERE code_hash = $2 AND user_id = $1`, c.UserID, code.Recovery)
}

// EncryptedFactor is the encrypted secret of a user's second factor.
type EncryptedFactor struct {
	UserID          uuid.UUID
	EncryptedSecret []byte
}

// FactorsToReencrypt returns at most limit secrets that do not begin with the id of a key, of the
// users after a given one.
func (s Store) FactorsToReencrypt(ctx context.Context, id []byte, after uuid.UUID, limit int,
) ([]EncryptedFactor, error) {
	return db.All[EncryptedFactor](ctx, s.db,
		`SELECT id AS user_id, second_factor_secret AS encrypted_secret FROM users
		WHERE id > $2 AND second_factor_secret IS NOT NULL AND substring(second_factor_secret FOR length($1::bytea)) <> $1
		ORDER BY id LIMIT $3`, id, after, limit)
}

// ReencryptFactor replaces an encrypted secret by the same secret, encrypted again, unless it has
// changed in the meantime.
func (s Store) ReencryptFactor(ctx context.Context, f EncryptedFactor, reencrypted []byte) error {
	_, err := db.Exec(ctx, s.db,
		`UPDATE users SET second_factor_secret = $3 WHERE id = $1 AND second_factor_secret = $2`,
		f.UserID, f.EncryptedSecret, reencrypted)
	return err
}

// ClearSecondFactor switches a user's factor off for the operator and ends every sign-in of the
// user. Fault: NotFound if no factor is on.
func (s Store) ClearSecondFactor(ctx context.Context, userID uuid.UUID, by audit.Entry) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		if err := db.MustChange(DropFactor(ctx, tx, userID, nil)); err != nil {
			return err
		}
		if _, err := EndSignIns(ctx, tx, `user_id = $1`, userID); err != nil {
			return err
		}
		return audit.On(tx).Record(ctx, by, userID)
	})
}

// Unlock deletes the wrong passwords that are counted under keys and resets a user's wrong codes.
func (s Store) Unlock(ctx context.Context, userID uuid.UUID, keys [][32]byte, by audit.Entry,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		if _, err := db.Exec(ctx, tx,
			`UPDATE users SET wrong_codes = 0 WHERE id = $1`, userID); err != nil {
			return err
		}
		if err := throttles.On(tx).Unthrottle(ctx, keys...); err != nil {
			return err
		}
		return audit.On(tx).Record(ctx, by, userID)
	})
}
