package users

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

// PasswordChange replaces a password hash by another, both PHC strings.
type PasswordChange struct {
	VerifiedHash string
	NewHash      string
	// Notify sends a mail about the change.
	Notify bool
}

// SetPasswordAndEndOthers replaces the password and ends every sign-in of the user except keep, in
// one transaction. keep counts as just confirmed. Faults, after which nothing has changed: Conflict
// when the password is no longer the one that was verified; Unauthorized when keep was ended or has
// expired.
func (s Store) SetPasswordAndEndOthers(
	ctx context.Context, userID, keep uuid.UUID, in PasswordChange, by audit.Entry,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		n, err := db.Exec(ctx, tx,
			`UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2`,
			userID, in.VerifiedHash, in.NewHash)
		if err == nil && n == 0 {
			return fault.New(fault.Conflict, "The password was changed elsewhere. Try again.")
		}
		if err != nil {
			return err
		}
		if err := EndLinks(ctx, tx, userID); err != nil {
			return err
		}
		if err := On(tx).keepSignIn(ctx, userID, keep); err != nil {
			return err
		}
		if err := audit.On(tx).Record(ctx, by, userID); err != nil || !in.Notify {
			return err
		}
		return notifications.On(tx).InsertNotice(ctx, notifications.PasswordChanged, userID, uuid.Nil)
	})
}

// keepSignIn ends every sign-in of the user except keep, which counts as just confirmed, in the
// caller's transaction. Fault: Unauthorized when keep was ended or has expired.
func (s Store) keepSignIn(ctx context.Context, userID, keep uuid.UUID) error {
	// In the order of EndSignIns, so that concurrent calls cannot deadlock.
	_, err := db.Exec(ctx, s.db,
		`SELECT FROM sign_ins WHERE user_id = $1 AND`+liveSignIn+`ORDER BY id FOR UPDATE`, userID)
	if err == nil {
		err = s.ConfirmSignIn(ctx, userID, keep)
	}
	if err == nil {
		_, err = EndSignIns(ctx, s.db, `user_id = $1 AND id <> $2`, userID, keep)
	}
	return err
}
