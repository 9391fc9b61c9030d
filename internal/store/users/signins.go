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
	// SignInLifetime is how long a sign-in lasts at most.
	SignInLifetime = 30 * 24 * time.Hour
	// SignInIdle is how long it lasts without being renewed.
	SignInIdle = 7 * 24 * time.Hour
	// RotationGrace is how long the previous refresh token still brings the current one: for clients that lost the answer of a
	// renewal, and for tabs that renew at the same time.
	RotationGrace = 10 * time.Second
	// ReauthenticatedFor is the time after the password or a code was entered for which no reauthentication
	// is needed.
	ReauthenticatedFor = 10 * time.Minute
	// MaxSignIns is how many sign-ins a user may have; a further sign-in ends the least recently renewed.
	MaxSignIns = 100
)

// liveSignIn is the condition of a sign-in that was neither ended nor has run out.
const liveSignIn = ` ended_at IS NULL AND renew_before > statement_timestamp() `

// Credentials are what a password is checked against. They never reach an API.
type Credentials struct {
	UserID uuid.UUID
	// PasswordHash is a PHC string; a secret.
	PasswordHash string
	// SecondFactorAt is since when a second factor is on, which the password alone does not do for; nil for none.
	SecondFactorAt *time.Time
	// SecondFactorSecret is its secret, sealed.
	SecondFactorSecret []byte
	// WrongCodes is how many codes in a row were wrong.
	WrongCodes int
	// Now is the database's time.
	Now time.Time
}

// credentialColumns are the columns of Credentials, of users AS u.
//
//nolint:gosec // names of columns
const credentialColumns = ` u.id AS user_id, u.password_hash, u.second_factor_at, u.second_factor_secret, u.wrong_codes,
	statement_timestamp() AS now `

// MembershipsOf are a user's memberships AS m of accounts AS its, which are active or suspended.
func MembershipsOf(userID string) string {
	return ` FROM memberships m JOIN accounts its ON its.id = m.account_id AND its.state <> 'DELETED' WHERE m.user_id = ` + userID
}

// ActiveFirst is the order of a user's memberships, of which a request without X-Account-Id is about the first.
const ActiveFirst = ` its.state = 'ACTIVE' DESC, m.created_at, m.account_id `

// firstAccount is the account that a user sees who names none; NULL for one who has none.
func firstAccount(userID string) string {
	return `(SELECT m.account_id` + MembershipsOf(userID) + ` ORDER BY` + ActiveFirst + `LIMIT 1)`
}

// roleIn is the column with a user's role in the account a.
func roleIn(userID string) string {
	return ` (SELECT m.role FROM memberships m WHERE m.account_id = a.id AND m.user_id = ` + userID + `) AS role `
}

// CredentialsByEmail returns the credentials of an address in the form of account.ParseEmail. Fault: NotFound.
func (s Store) CredentialsByEmail(ctx context.Context, email string) (Credentials, error) {
	return db.One[Credentials](ctx, s.db, `SELECT`+credentialColumns+`FROM users u WHERE u.email = $1`, email)
}

// Credentials returns the credentials of a user. Fault: NotFound.
func (s Store) Credentials(ctx context.Context, userID uuid.UUID) (Credentials, error) {
	return db.One[Credentials](ctx, s.db, `SELECT`+credentialColumns+`FROM users u WHERE u.id = $1`, userID)
}

// NewSignIn is a sign-in to create, in generation 1.
type NewSignIn struct {
	ID          uuid.UUID
	RefreshHash [32]byte
	// Browser is at most 100 characters, without control characters.
	Browser string
	Address string
	// NewBrowser says that the browser has not signed in to the account before.
	NewBrowser bool
	// Notify has a mail tell of a new browser.
	Notify bool
	// Replaces is the sign-in, of any user, that ends with this one: the browser's earlier one. uuid.Nil for none.
	Replaces uuid.UUID
}

// Opened is a sign-in that was created or renewed.
type Opened struct {
	// Account is the user's first; the zero Account for a user without one.
	Account account.Account `bun:"embed:"`
	// Role is the user's in the account.
	Role   account.Role
	UserID uuid.UUID
	// Now is the database's time, which access tokens are issued by.
	Now time.Time
	// RenewBefore is when the refresh token runs out.
	RenewBefore time.Time
}

// CreateSignIn opens a sign-in for a user whose password, and code, were checked against the credentials. Fault: InvalidCredentials when
// the password or the second factor was changed, or the user deleted, since.
func (s Store) CreateSignIn(ctx context.Context, verified Credentials, in NewSignIn) (Opened, error) {
	var out Opened
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		var err error
		if out, err = On(tx).InsertSignIn(ctx, verified, in); err != nil {
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
		return notifications.On(tx).InsertNotice(ctx, notifications.NewBrowserMail, verified.UserID, uuid.Nil)
	})
	return out, err
}

// Entry returns the audit entry of an action of the user who signs in.
func (in NewSignIn) Entry(action string) audit.Entry {
	return audit.Entry{Actor: audit.ByUser, Action: action, Address: in.Address, Browser: in.Browser}
}

// InsertSignIn is CreateSignIn in the caller's transaction, without an entry.
func (s Store) InsertSignIn(ctx context.Context, verified Credentials, in NewSignIn) (Opened, error) {
	userID := verified.UserID
	// With the share lock, a change of the password or the factor comes either before this sign-in or after it, and then ends it.
	first, err := db.One[Opened](ctx, s.db, `SELECT`+AccountColumns+`,`+roleIn("u.id")+`
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
		if _, err := s.EndSignIns(ctx, `id = $1`, in.Replaces); err != nil {
			return Opened{}, err
		}
	}
	_, err = db.Exec(ctx, s.db, `
		UPDATE sign_ins SET ended_at = clock_timestamp() WHERE id IN (
			SELECT id FROM sign_ins WHERE user_id = $1 AND`+liveSignIn+`
			ORDER BY last_used_at DESC, id DESC OFFSET $2::integer)`, userID, MaxSignIns-1)
	if err != nil {
		return Opened{}, err
	}
	out, err := db.One[Opened](ctx, s.db, `
		INSERT INTO sign_ins (id, user_id, browser, address, refresh_hash, expires_at, renew_before)
		VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6::interval, clock_timestamp() + $7::interval)
		RETURNING user_id, clock_timestamp() AS now, renew_before`,
		in.ID, userID, in.Browser, in.Address, in.RefreshHash[:], SignInLifetime, SignInIdle)
	out.Account, out.Role = first.Account, first.Role
	return out, err
}

// Active is a sign-in that is still good, as every request looks it up.
type Active struct {
	// Account is the zero Account for a user without one. It may be suspended.
	Account account.Account `bun:"embed:"`
	// Role is the user's in the account.
	Role account.Role
	// Several says that the user is a member of more than one account.
	Several bool
	// Reauthenticated means that the password or a code was entered within ReauthenticatedFor.
	Reauthenticated bool
	// SecondFactor says that the user has one.
	SecondFactor bool
	// Now is the database's time, which access tokens are checked against.
	Now time.Time
}

// SignInActive returns a sign-in with an account of its user, in one statement: the one with the ID, if the user is a member of it, else
// the first, if there is any. Fault: Unauthorized when the sign-in was ended, has run out, or is not the user's.
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

// Unauthorized turns NotFound into Unauthorized and returns every other error as it is: when the database is away, that says
// nothing about a token.
func Unauthorized(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.Wrap(fault.Unauthorized, err)
	}
	return err
}

// ConfirmSignIn notes that the password, or a code, was entered now. Fault: Unauthorized when the sign-in was ended or has run out.
func (s Store) ConfirmSignIn(ctx context.Context, userID, id uuid.UUID) error {
	return Unauthorized(db.MustChange(db.Exec(ctx, s.db, `
		UPDATE sign_ins SET reauthenticated_at = clock_timestamp() WHERE user_id = $1 AND id = $2 AND`+liveSignIn, userID, id)))
}

// EndAllSignIns ends every sign-in of a user, and returns how many.
func (s Store) EndAllSignIns(ctx context.Context, userID uuid.UUID, by audit.Entry) (int, error) {
	return s.endRecorded(ctx, by, `user_id = $1`, userID)
}

// EndEverySignIn ends every sign-in of everybody, and returns how many.
func (s Store) EndEverySignIn(ctx context.Context, by audit.Entry) (int, error) {
	return s.endRecorded(ctx, by, `true`)
}

// EndSignIn ends a sign-in of a user. Fault: NotFound for one that was ended, has run out, or is another user's.
func (s Store) EndSignIn(ctx context.Context, userID, id uuid.UUID, by audit.Entry) error {
	by.Subject = id.String()
	return db.MustChange(s.endRecorded(ctx, by, `user_id = $1 AND id = $2`, userID, id))
}

// EndSignInOfToken ends the sign-in that a refresh token names: the token's signature stands for the owner. It is fine if the
// sign-in was ended before.
func (s Store) EndSignInOfToken(ctx context.Context, id uuid.UUID, by audit.Entry) error {
	by.Subject = id.String()
	_, err := s.endRecorded(ctx, by, `id = $1`, id)
	return err
}

// endRecorded is endSignIns in a transaction with an entry for each user who had one of them.
func (s Store) endRecorded(ctx context.Context, by audit.Entry, condition string, args ...any) (n int, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		ended, err := On(tx).EndSignIns(ctx, condition, args...)
		if n = len(ended); err != nil || n == 0 {
			return err
		}
		slices.SortFunc(ended, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
		return audit.On(tx).Record(ctx, by, slices.Compact(ended)...)
	})
	return n, err
}

// EndSignIns ends the live sign-ins of a condition, and returns the user of each: from the next request on no replica takes their
// tokens. It locks them in order, so that two of these never wait for each other in a circle.
func (s Store) EndSignIns(ctx context.Context, condition string, args ...any) (users []uuid.UUID, err error) {
	return db.All[uuid.UUID](ctx, s.db, `UPDATE sign_ins SET ended_at = clock_timestamp() WHERE id IN (
		SELECT id FROM sign_ins WHERE `+condition+` AND`+liveSignIn+`ORDER BY id FOR UPDATE) RETURNING user_id`, args...)
}

// SignIn is a browser or program that is signed in.
type SignIn struct {
	ID uuid.UUID
	// Browser is the beginning of its User-Agent.
	Browser string
	// Address is the client address that it signed in from.
	Address    string
	CreatedAt  time.Time
	LastUsedAt time.Time
}

// ListSignIns returns a user's sign-ins that were neither ended nor have run out, at most MaxSignIns, the latest renewed
// first.
func (s Store) ListSignIns(ctx context.Context, userID uuid.UUID) ([]SignIn, error) {
	return db.All[SignIn](ctx, s.db, `
		SELECT id, browser, address, created_at, last_used_at FROM sign_ins WHERE user_id = $1 AND`+liveSignIn+`
		ORDER BY last_used_at DESC, id DESC LIMIT $2`, userID, MaxSignIns)
}

// PurgeSignIns removes at most limit sign-ins that were ended or have run out; it returns how many.
func (s Store) PurgeSignIns(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `
		DELETE FROM sign_ins WHERE id IN (
			SELECT s.id FROM sign_ins s WHERE s.ended_at IS NOT NULL OR s.renew_before < statement_timestamp()
			LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit)
}
