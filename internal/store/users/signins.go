package users

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
)

// The lifetimes of a sign-in and its tokens, by the database's clock.
const (
	// SignInLifetime is the maximum lifetime of a sign-in.
	SignInLifetime = 30 * 24 * time.Hour
	// SignInIdle is the time after which a sign-in that is not renewed expires.
	SignInIdle = 7 * 24 * time.Hour
	// RotationGrace is the time during which the previous refresh token still returns the current one,
	// for clients that lost the response of a renewal and for tabs that renew at the same time.
	RotationGrace = 10 * time.Second
	// ReauthenticatedFor is the time after the password or a code was entered for which no reauthentication is needed.
	ReauthenticatedFor = 10 * time.Minute
	// MaxSignIns is the largest number of sign-ins of a user. A further one ends the least recently
	// renewed.
	MaxSignIns = 100
)

// liveSignIn is the condition that a sign-in was not ended and has not expired.
const liveSignIn = ` ended_at IS NULL AND renew_before > statement_timestamp() `

// Credentials hold a user's password hash and second factor. They never reach an API.
type Credentials struct {
	UserID uuid.UUID
	// PasswordHash is a PHC string; a secret.
	PasswordHash string
	// SecondFactorAt is the time at which the second factor was switched on; nil without one. With a
	// second factor the password alone does not sign in.
	SecondFactorAt *time.Time
	// SecondFactorSecret is the encrypted secret of the second factor.
	SecondFactorSecret []byte
	// WrongCodes counts the wrong codes in a row.
	WrongCodes int
	// Now is the database's time.
	Now time.Time
}

// credentialColumns are the columns of Credentials, of users AS u.
//
//nolint:gosec // names of columns
const credentialColumns = ` u.id AS user_id, u.password_hash, u.second_factor_at, u.second_factor_secret, u.wrong_codes,
	statement_timestamp() AS now `

// MembershipsOf selects a user's memberships AS m with their accounts AS its, which are active or
// suspended.
func MembershipsOf(userID string) string {
	return ` FROM memberships m JOIN accounts its ON its.id = m.account_id AND its.state <> 'DELETED' WHERE m.user_id = ` + userID
}

// ActiveFirst is the order of a user's memberships. A request without X-Account-Id uses the first.
const ActiveFirst = ` its.state = 'ACTIVE' DESC, m.created_at, m.account_id `

// firstAccount is the account of a user who names none; NULL if the user has no account.
func firstAccount(userID string) string {
	return `(SELECT m.account_id` + MembershipsOf(userID) + ` ORDER BY` + ActiveFirst + `LIMIT 1)`
}

// roleIn is the column with a user's role in the account a.
func roleIn(userID string) string {
	return ` (SELECT m.role FROM memberships m WHERE m.account_id = a.id AND m.user_id = ` + userID + `) AS role `
}

// CredentialsByEmail returns the credentials of an address in the form of account.ParseEmail. Fault: NotFound.
func (s Store) CredentialsByEmail(ctx context.Context, email string) (Credentials, error) {
	return db.One[Credentials](ctx, s.db,
		`SELECT`+credentialColumns+`FROM users u WHERE u.email = $1`, email)
}

// Credentials returns the credentials of a user. Fault: NotFound.
func (s Store) Credentials(ctx context.Context, userID uuid.UUID) (Credentials, error) {
	return db.One[Credentials](ctx, s.db,
		`SELECT`+credentialColumns+`FROM users u WHERE u.id = $1`, userID)
}

// NewSignIn is a sign-in to create, in generation 1.
type NewSignIn struct {
	ID          uuid.UUID
	RefreshHash [32]byte
	// Browser is at most 100 characters, without control characters.
	Browser string
	Address string
	// NewBrowser reports that the browser has not signed in to the account before.
	NewBrowser bool
	// Notify sends a mail about a new browser.
	Notify bool
	// Replaces is the browser's earlier sign-in, of any user, which ends with this one; uuid.Nil for
	// none.
	Replaces uuid.UUID
}

// Opened is a sign-in that was created or renewed.
type Opened struct {
	// Account is the user's first; the zero Account for a user without one.
	Account account.Account `bun:"embed:"`
	// Role is the user's in the account.
	Role   account.Role
	UserID uuid.UUID
	// Now is the database's time. Access tokens are issued by it.
	Now time.Time
	// RenewBefore is the time at which the refresh token expires.
	RenewBefore time.Time
}

// CreateSignIn opens a sign-in for a user whose password and code were checked against the
// credentials. Fault: InvalidCredentials when the password or the second factor has changed since
// the check, or the user was deleted.
func (s Store) CreateSignIn(ctx context.Context, verified Credentials, in NewSignIn,
) (Opened, error) {
	var out Opened
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		var err error
		if out, err = InsertSignIn(ctx, tx, verified, in); err != nil {
			return err
		}
		entry := in.Entry("signIn")
		entry.Subject = in.ID.String()
		if in.NewBrowser {
			entry.Fields = append(entry.Fields, audit.NewBrowser)
		}
		if err := audit.On(tx).Record(ctx, entry, verified.UserID); err != nil || !in.NewBrowser || !in.Notify {
			return err
		}
		return notifications.On(tx).InsertNotice(ctx, notifications.NewBrowserMail, verified.UserID,
			uuid.Nil)
	})
	return out, err
}

// Entry returns the audit entry of an action by the user who signs in.
func (in NewSignIn) Entry(action string) audit.Entry {
	return audit.Entry{Actor: audit.ByUser, Action: action, Address: in.Address, Browser: in.Browser}
}

// InsertSignIn is CreateSignIn in the caller's transaction, without an entry.
func InsertSignIn(ctx context.Context, tx *db.DB, verified Credentials, in NewSignIn,
) (Opened, error) {
	userID := verified.UserID
	// The share lock orders this sign-in and a change of the password or factor. A later change ends
	// the sign-in.
	first, err := db.One[Opened](ctx, tx, `SELECT`+AccountColumns+`,`+roleIn("u.id")+`
		FROM users u LEFT JOIN accounts a ON a.id = `+firstAccount("u.id")+`
		WHERE u.id = $1 AND u.password_hash = $2 AND u.second_factor_at IS NOT DISTINCT FROM $3 FOR SHARE OF u`,
		userID, verified.PasswordHash, verified.SecondFactorAt)
	if fault.Is(err, fault.NotFound) {
		return Opened{}, fault.Wrap(fault.InvalidCredentials, err)
	}
	if err != nil {
		return Opened{}, err
	}
	if in.Replaces != uuid.Nil {
		if _, err := EndSignIns(ctx, tx, `id = $1`, in.Replaces); err != nil {
			return Opened{}, err
		}
	}
	_, err = db.Exec(ctx, tx, `
		UPDATE sign_ins SET ended_at = clock_timestamp() WHERE id IN (
			SELECT id FROM sign_ins WHERE user_id = $1 AND`+liveSignIn+`
			ORDER BY last_used_at DESC, id DESC OFFSET $2::integer)`, userID, MaxSignIns-1)
	if err != nil {
		return Opened{}, err
	}
	out, err := db.One[Opened](ctx, tx, `
		INSERT INTO sign_ins (id, user_id, browser, address, refresh_hash, expires_at, renew_before)
		VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6::interval, clock_timestamp() + $7::interval)
		RETURNING user_id, clock_timestamp() AS now, renew_before`,
		in.ID, userID, in.Browser, in.Address, in.RefreshHash[:], SignInLifetime, SignInIdle)
	out.Account, out.Role = first.Account, first.Role
	return out, err
}

// Active is a live sign-in. Every request looks its sign-in up.
type Active struct {
	// Account is the zero Account for a user without one. It may be suspended.
	Account account.Account `bun:"embed:"`
	// Role is the user's in the account.
	Role account.Role
	// Several reports whether the user is a member of more than one account.
	Several bool
	// Reauthenticated reports whether the password or a code was entered within ReauthenticatedFor.
	Reauthenticated bool
	// SecondFactor reports whether the user has a second factor.
	SecondFactor bool
	// Now is the database's time. Access tokens are checked against it.
	Now time.Time
}

// SignInActive returns a sign-in with an account of its user, in one statement: the account with
// accountID, if the user is a member of it, otherwise the first, if there is one. Fault:
// Unauthorized when the sign-in was ended, has expired or belongs to another user.
func (s Store) SignInActive(ctx context.Context, userID, id, accountID uuid.UUID) (Active, error) {
	out, err := db.One[Active](ctx, s.db, `
		SELECT`+AccountColumns+`, mine.role, coalesce(mine.accounts > 1, false) AS several,
			reauthenticated_at > statement_timestamp() - $3::interval AS reauthenticated, u.second_factor_at IS NOT NULL AS second_factor,
			statement_timestamp() AS now
		FROM sign_ins s JOIN users u ON u.id = s.user_id LEFT JOIN LATERAL (
			SELECT m.account_id, m.role, count(*) OVER () AS accounts`+MembershipsOf("s.user_id")+`
			ORDER BY (m.account_id = $4) DESC,`+ActiveFirst+`LIMIT 1
		) mine ON true LEFT JOIN accounts a ON a.id = mine.account_id
		WHERE s.id = $2 AND s.user_id = $1 AND`+liveSignIn, userID, id, ReauthenticatedFor, accountID)
	return out, Unauthorized(err)
}

// Unauthorized turns NotFound into Unauthorized and returns every other error unchanged: an
// unavailable database does not invalidate a token.
func Unauthorized(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.Wrap(fault.Unauthorized, err)
	}
	return err
}

// ConfirmSignIn stores that the password or a code was entered now. Fault: Unauthorized when the
// sign-in was ended or has expired.
func (s Store) ConfirmSignIn(ctx context.Context, userID, id uuid.UUID) error {
	return Unauthorized(db.MustChange(db.Exec(ctx, s.db, `
		UPDATE sign_ins SET reauthenticated_at = clock_timestamp() WHERE user_id = $1 AND id = $2 AND`+liveSignIn, userID, id)))
}

// EndAllSignIns ends every sign-in of a user and returns the number ended.
func (s Store) EndAllSignIns(ctx context.Context, userID uuid.UUID, by audit.Entry) (int, error) {
	return s.endRecorded(ctx, by, `user_id = $1`, userID)
}

// EndEverySignIn ends every sign-in of every user and returns the number ended.
func (s Store) EndEverySignIn(ctx context.Context, by audit.Entry) (int, error) {
	return s.endRecorded(ctx, by, `true`)
}

// EndSignIn ends a sign-in of a user. Fault: NotFound for one that was ended, has expired or
// belongs to another user.
func (s Store) EndSignIn(ctx context.Context, userID, id uuid.UUID, by audit.Entry) error {
	by.Subject = id.String()
	return db.MustChange(s.endRecorded(ctx, by, `user_id = $1 AND id = $2`, userID, id))
}

// EndSignInOfToken ends the sign-in that a refresh token names. The token's signature authenticates
// the owner. It succeeds if the sign-in was ended before.
func (s Store) EndSignInOfToken(ctx context.Context, id uuid.UUID, by audit.Entry) error {
	by.Subject = id.String()
	_, err := s.endRecorded(ctx, by, `id = $1`, id)
	return err
}

// endRecorded runs EndSignIns in a transaction and records an entry for each user who had one of
// the sign-ins.
func (s Store) endRecorded(ctx context.Context, by audit.Entry, condition string, args ...any,
) (n int, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		ended, err := EndSignIns(ctx, tx, condition, args...)
		if n = len(ended); err != nil || n == 0 {
			return err
		}
		slices.SortFunc(ended, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
		return audit.On(tx).Record(ctx, by, slices.Compact(ended)...)
	})
	return n, err
}

// EndSignIns ends the live sign-ins that match a condition and returns the user of each. From the
// next request on, no replica accepts their tokens. It locks them in order, so that concurrent
// calls cannot deadlock.
func EndSignIns(ctx context.Context, tx *db.DB, condition string, args ...any,
) (users []uuid.UUID, err error) {
	return db.All[uuid.UUID](ctx, tx, `UPDATE sign_ins SET ended_at = clock_timestamp() WHERE id IN (
		SELECT id FROM sign_ins WHERE `+condition+` AND`+liveSignIn+`ORDER BY id FOR UPDATE) RETURNING user_id`, args...)
}

// SignIn is a browser or program that is signed in.
type SignIn struct {
	ID uuid.UUID
	// Browser is the beginning of its User-Agent.
	Browser string
	// Address is the client address at sign-in.
	Address    string
	CreatedAt  time.Time
	LastUsedAt time.Time
}

// ListSignIns returns a user's live sign-ins, at most MaxSignIns, the most recently renewed first.
func (s Store) ListSignIns(ctx context.Context, userID uuid.UUID) ([]SignIn, error) {
	return db.All[SignIn](ctx, s.db, `
		SELECT id, browser, address, created_at, last_used_at FROM sign_ins WHERE user_id = $1 AND`+liveSignIn+`
		ORDER BY last_used_at DESC, id DESC LIMIT $2`, userID, MaxSignIns)
}

// PurgeSignIns removes at most limit ended or expired sign-ins and returns the number removed.
func (s Store) PurgeSignIns(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `
		DELETE FROM sign_ins WHERE id IN (
			SELECT s.id FROM sign_ins s WHERE s.ended_at IS NOT NULL OR s.renew_before < statement_timestamp()
			LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit)
}
