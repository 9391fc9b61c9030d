package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"agentchat/internal/account"
	"agentchat/internal/fault"
)

// The lives of a sign-in and its tokens, all by the database's clock.
const (
	// SignInLifetime is how long a sign-in lasts at most.
	SignInLifetime = 30 * 24 * time.Hour
	// SignInIdle is how long it lasts without being renewed.
	SignInIdle = 7 * 24 * time.Hour
	// RotationGrace is how long the refresh token before the present one still brings the present one: for whoever lost the
	// answer of a renewal, and for tabs that renew at the same time.
	RotationGrace = 10 * time.Second
	// ConfirmedFor is how long a given password counts as confirmed.
	ConfirmedFor = 10 * time.Minute
	// MaxSignIns is how many sign-ins of an account last at a time; one more ends the one that was renewed longest ago.
	MaxSignIns = 100
)

// liveSignIn is the condition of a sign-in s that lasts.
const liveSignIn = ` s.ended_at IS NULL AND s.renew_before > statement_timestamp() `

// accountColumns are the columns of an account a that accountTargets scans.
const accountColumns = ` a.id, a.email, a.name, a.state, a.credit_balance, a.credits_held, a.created_at `

// accountTargets are where a row of accountColumns goes, and more columns after them.
func accountTargets(a *account.Account, more ...any) []any {
	return append([]any{&a.ID, &a.Email, &a.Name, &a.State, &a.CreditBalance, &a.CreditsHeld, &a.CreatedAt}, more...)
}

var errRefreshReused = errors.New("store: a refresh token was used again after its grace; its sign-in is ended")

// Credentials are what a password is checked against. They never leave the core.
type Credentials struct {
	AccountID uuid.UUID
	// PasswordHash is a PHC string; a secret.
	PasswordHash string
	State        account.State
}

// CredentialsByEmail returns the credentials of an address in the form of account.ParseEmail. Fault: NotFound.
func (s *Store) CredentialsByEmail(ctx context.Context, email string) (Credentials, error) {
	return s.credentials(ctx, `SELECT id, password_hash, state FROM accounts WHERE email = $1`, email)
}

// Credentials returns the credentials of an account. Fault: NotFound.
func (s *Store) Credentials(ctx context.Context, accountID uuid.UUID) (Credentials, error) {
	return s.credentials(ctx, `SELECT id, password_hash, state FROM accounts WHERE id = $1`, accountID)
}

func (s *Store) credentials(ctx context.Context, query string, arg any) (Credentials, error) {
	var c Credentials
	err := s.pool.QueryRowContext(ctx, query, arg).Scan(&c.AccountID, &c.PasswordHash, &c.State)
	return c, translate(err)
}

// NewSignIn is a sign-in to create, in generation 1.
type NewSignIn struct {
	ID          uuid.UUID
	RefreshHash [32]byte
	// Browser is at most 100 characters, without control characters.
	Browser string
	Address string
}

// Opened is a sign-in that was created or renewed.
type Opened struct {
	Account account.Account
	// Now is the database's time, which access tokens are issued by.
	Now time.Time
	// RenewBefore is when the refresh token runs out.
	RenewBefore time.Time
}

// SignUp opens an account and its first sign-in in one transaction. Fault: Conflict for a known address.
func (s *Store) SignUp(ctx context.Context, in NewAccount, signIn NewSignIn) (Opened, error) {
	var out Opened
	err := s.inTx(ctx, func(tx bun.Tx) error {
		id := uuid.Must(uuid.NewV7())
		_, err := tx.Tx.ExecContext(ctx, `INSERT INTO accounts (id, email, name, password_hash) VALUES ($1, $2, $3, $4)`,
			id, in.Email, in.Name, in.PasswordHash)
		if err != nil {
			return err
		}
		if in.StartingCredits > 0 {
			if _, err := grant(ctx, tx, id, in.StartingCredits, "Starting credits", nil); err != nil {
				return err
			}
		}
		out, err = createSignIn(ctx, tx, id, in.PasswordHash, signIn)
		return err
	})
	return out, err
}

// CreateSignIn opens a sign-in for an account whose password was checked against verifiedHash. Fault: InvalidCredentials when
// the password was changed, or the account suspended or deleted, since.
func (s *Store) CreateSignIn(ctx context.Context, accountID uuid.UUID, verifiedHash string, in NewSignIn) (Opened, error) {
	var out Opened
	err := s.inTx(ctx, func(tx bun.Tx) error {
		var err error
		out, err = createSignIn(ctx, tx, accountID, verifiedHash, in)
		return err
	})
	return out, err
}

func createSignIn(ctx context.Context, tx bun.Tx, accountID uuid.UUID, verifiedHash string, in NewSignIn) (Opened, error) {
	var out Opened
	// The share lock makes a change of the password, which ends the sign-ins that it finds, come before or after this one.
	err := tx.Tx.QueryRowContext(ctx, `SELECT`+accountColumns+`FROM accounts a
		WHERE a.id = $1 AND a.password_hash = $2 AND a.state = 'ACTIVE' FOR SHARE`, accountID, verifiedHash).
		Scan(accountTargets(&out.Account)...)
	if errors.Is(err, sql.ErrNoRows) {
		return Opened{}, fault.Wrap(fault.InvalidCredentials, err)
	}
	if err != nil {
		return Opened{}, err
	}
	_, err = tx.Tx.ExecContext(ctx, `
		UPDATE sign_ins SET ended_at = clock_timestamp() WHERE id IN (
			SELECT s.id FROM sign_ins s WHERE s.account_id = $1 AND`+liveSignIn+`
			ORDER BY s.last_used_at DESC, s.id DESC OFFSET $2::integer)`, accountID, MaxSignIns-1)
	if err != nil {
		return Opened{}, err
	}
	err = tx.Tx.QueryRowContext(ctx, `
		INSERT INTO sign_ins (id, account_id, browser, address, refresh_hash, expires_at, renew_before)
		VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6::interval, clock_timestamp() + $7::interval)
		RETURNING clock_timestamp(), renew_before`,
		in.ID, accountID, in.Browser, in.Address, in.RefreshHash[:], SignInLifetime, SignInIdle).
		Scan(&out.Now, &out.RenewBefore)
	return out, err
}

// Active is a sign-in that lasts, as it is looked up with every request.
type Active struct {
	Account account.Account
	// Confirmed says that the password was given within ConfirmedFor.
	Confirmed bool
	// Now is the database's time, which access tokens are judged by.
	Now time.Time
}

// SignInActive returns a sign-in with its account, in one statement. Fault: Unauthorized when it was ended, has run out, is
// not the account's, or the account is suspended or gone.
func (s *Store) SignInActive(ctx context.Context, accountID, id uuid.UUID) (Active, error) {
	var out Active
	err := s.pool.QueryRowContext(ctx, `
		SELECT`+accountColumns+`, s.confirmed_at > statement_timestamp() - $3::interval, statement_timestamp()
		FROM sign_ins s JOIN accounts a ON a.id = s.account_id
		WHERE s.id = $2 AND s.account_id = $1 AND a.state = 'ACTIVE' AND`+liveSignIn, accountID, id, ConfirmedFor).
		Scan(accountTargets(&out.Account, &out.Confirmed, &out.Now)...)
	return out, unauthorized(err)
}

// Rotation is a refresh token that was presented, and the one that is to follow it.
type Rotation struct {
	SignInID      uuid.UUID
	Generation    uint32
	Hash          [32]byte
	SuccessorHash [32]byte
}

// RotateSignIn trades a sign-in's refresh token for its successor. The one before the present one, within RotationGrace of
// the trade, brings the same successor again and changes nothing; any other ends the sign-in. Fault:
// Unauthorized, also when the sign-in was ended or has run out, or the account is suspended.
func (s *Store) RotateSignIn(ctx context.Context, r Rotation) (Opened, error) {
	var out Opened
	err := s.pool.QueryRowContext(ctx, `
		UPDATE sign_ins s SET generation = s.generation + 1, refresh_hash = $4, rotated_at = clock_timestamp(),
			last_used_at = clock_timestamp(), renew_before = least(s.expires_at, clock_timestamp() + $5::interval)
		FROM accounts a
		WHERE s.id = $1 AND s.generation = $2 AND s.refresh_hash = $3 AND a.id = s.account_id AND a.state = 'ACTIVE'
			AND`+liveSignIn+`RETURNING`+accountColumns+`, clock_timestamp(), s.renew_before`,
		r.SignInID, r.Generation, r.Hash[:], r.SuccessorHash[:], SignInIdle).
		Scan(accountTargets(&out.Account, &out.Now, &out.RenewBefore)...)
	if errors.Is(err, sql.ErrNoRows) {
		return s.rotateAgain(ctx, r)
	}
	return out, translate(err)
}

// rotateAgain is about a refresh token that is not the present one. Generations only grow, so it cannot become it.
func (s *Store) rotateAgain(ctx context.Context, r Rotation) (Opened, error) {
	var out Opened
	var ended bool
	err := s.pool.QueryRowContext(ctx, `
		UPDATE sign_ins s SET ended_at = CASE
			WHEN s.generation = $2::integer + 1 AND s.refresh_hash = $3 AND s.rotated_at > clock_timestamp() - $4::interval THEN NULL
			ELSE clock_timestamp() END
		FROM accounts a
		WHERE s.id = $1 AND a.id = s.account_id AND a.state = 'ACTIVE' AND`+liveSignIn+`
		RETURNING`+accountColumns+`, clock_timestamp(), s.renew_before, s.ended_at IS NOT NULL`,
		r.SignInID, r.Generation, r.SuccessorHash[:], RotationGrace).
		Scan(accountTargets(&out.Account, &out.Now, &out.RenewBefore, &ended)...)
	if err == nil && ended {
		return Opened{}, fault.Wrap(fault.Unauthorized, errRefreshReused)
	}
	return out, unauthorized(err)
}

// unauthorized turns a missing row into the fault Unauthorized, and translates every other error: a database that is away is
// not a bad token.
func unauthorized(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Wrap(fault.Unauthorized, err)
	}
	return translate(err)
}

// ConfirmSignIn notes that the password was given now. Fault: Unauthorized when the sign-in does not last.
func (s *Store) ConfirmSignIn(ctx context.Context, accountID, id uuid.UUID) error {
	return confirmSignIn(ctx, s.pool, accountID, id)
}

// execer is a pool or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func confirmSignIn(ctx context.Context, db execer, accountID, id uuid.UUID) error {
	result, err := db.ExecContext(ctx, `UPDATE sign_ins s SET confirmed_at = clock_timestamp()
		WHERE s.account_id = $1 AND s.id = $2 AND`+liveSignIn, accountID, id)
	if err != nil {
		return translate(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return fault.Wrap(fault.Unauthorized, err)
	}
	return nil
}

// PasswordChange replaces a password hash by another, both PHC strings.
type PasswordChange struct {
	VerifiedHash string
	NewHash      string
}

// SetPasswordAndEndOthers replaces the password and ends every sign-in of the account but keep, which counts as confirmed, in
// one transaction. Faults: Conflict when the password is no longer the one that was verified; Unauthorized when keep does
// not last. Then nothing changed.
func (s *Store) SetPasswordAndEndOthers(ctx context.Context, accountID, keep uuid.UUID, in PasswordChange) error {
	return s.inTx(ctx, func(tx bun.Tx) error {
		result, err := tx.Tx.ExecContext(ctx, `UPDATE accounts SET password_hash = $3
			WHERE id = $1 AND password_hash = $2 AND state = 'ACTIVE'`, accountID, in.VerifiedHash, in.NewHash)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return &fault.Error{Kind: fault.Conflict, Message: "The password was changed in the meantime. Try again.", Err: err}
		}
		if err := confirmSignIn(ctx, tx.Tx, accountID, keep); err != nil {
			return err
		}
		return endSignIns(ctx, tx.Tx, accountID, keep)
	})
}

// EndAllSignIns ends every sign-in of an account.
func (s *Store) EndAllSignIns(ctx context.Context, accountID uuid.UUID) error {
	return translate(endSignIns(ctx, s.pool, accountID, uuid.Nil))
}

// endSignIns ends an account's sign-ins but one.
func endSignIns(ctx context.Context, db execer, accountID, keep uuid.UUID) error {
	_, err := db.ExecContext(ctx, `UPDATE sign_ins SET ended_at = clock_timestamp()
		WHERE account_id = $1 AND id <> $2 AND ended_at IS NULL`, accountID, keep)
	return err
}

// EndSignIn ends a sign-in of an account. Fault: NotFound for one that does not last or is another account's.
func (s *Store) EndSignIn(ctx context.Context, accountID, id uuid.UUID) error {
	return s.changeOne(ctx, `UPDATE sign_ins s SET ended_at = clock_timestamp()
		WHERE s.account_id = $1 AND s.id = $2 AND`+liveSignIn, accountID, id)
}

// EndSignInOfToken ends the sign-in that a refresh token names: the token's signature stands for the owner. One that does not
// last is fine.
func (s *Store) EndSignInOfToken(ctx context.Context, id uuid.UUID) error {
	_, err := s.pool.ExecContext(ctx, `UPDATE sign_ins SET ended_at = clock_timestamp() WHERE id = $1 AND ended_at IS NULL`, id)
	return translate(err)
}

// SignIn is one browser, or program, that is signed in.
type SignIn struct {
	ID         uuid.UUID
	Browser    string
	Address    string
	CreatedAt  time.Time
	LastUsedAt time.Time
}

// ListSignIns returns an account's sign-ins that last, at most MaxSignIns, the latest renewed first.
func (s *Store) ListSignIns(ctx context.Context, accountID uuid.UUID) ([]SignIn, error) {
	rows, err := s.pool.QueryContext(ctx, `
		SELECT s.id, s.browser, s.address, s.created_at, s.last_used_at FROM sign_ins s
		WHERE s.account_id = $1 AND`+liveSignIn+`ORDER BY s.last_used_at DESC, s.id DESC LIMIT $2::integer`, accountID, MaxSignIns)
	if err != nil {
		return nil, translate(err)
	}
	defer func() { _ = rows.Close() }()
	var out []SignIn
	for rows.Next() {
		var r SignIn
		if err := rows.Scan(&r.ID, &r.Browser, &r.Address, &r.CreatedAt, &r.LastUsedAt); err != nil {
			return nil, translate(err)
		}
		out = append(out, r)
	}
	return out, translate(rows.Err())
}

// PurgeSignIns removes at most limit sign-ins that no longer last; it returns how many.
func (s *Store) PurgeSignIns(ctx context.Context, limit int) (int, error) {
	return s.purge(ctx, `
		DELETE FROM sign_ins WHERE id IN (
			SELECT s.id FROM sign_ins s WHERE s.ended_at IS NOT NULL OR s.renew_before < statement_timestamp()
			LIMIT $1 FOR UPDATE SKIP LOCKED)`, limit)
}
