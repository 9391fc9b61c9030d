package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/users"
)

//nolint:gosec // column names, not secrets
const (
	tokenColumns = ` t.id, t.account_id, t.name, t.hint, t.role, t.created_by, t.created_at, t.last_used_at, t.expires_at `
	// usedEvery is the minimum time between two updates of a token's last use.
	usedEvery = time.Minute
)

// CreateToken stores the hash and the hint of an account token that account.NewToken.Parse has
// accepted. Faults: Conflict for an account with account.MaxTokens tokens; InvalidInput on
// expiresAt for a time in the past or more than a year ahead; NotFound for an unknown account.
func (s Store) CreateToken(
	ctx context.Context, accountID uuid.UUID, in account.NewToken, token apikey.Key,
) (account.Token, error) {
	hash := token.Hash()
	var out account.Token
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		// The lock keeps the count exact and the account from being deleted.
		_, err := db.One[uuid.UUID](ctx, tx,
			`SELECT id FROM accounts WHERE id = $1 AND state = 'ACTIVE' FOR NO KEY UPDATE`, accountID)
		if err != nil {
			return err
		}
		count, err := db.One[int](ctx, tx,
			`SELECT count(*) FROM account_tokens t WHERE t.account_id = $1 AND`+users.LiveToken, accountID)
		if err == nil && count >= account.MaxTokens {
			err = fault.New(fault.Conflict, "This account has reached 20 tokens. Revoke one first.")
		}
		if err != nil {
			return err
		}
		out, err = db.One[account.Token](ctx, tx, `
			INSERT INTO account_tokens AS t (id, created_at, account_id, name, hash, hint, role, created_by, expires_at)
			SELECT `+db.NewID+`, n.now, $1::uuid, $2::text, $3::bytea, $4::text, $5::text, $6::uuid,
				coalesce($7::timestamptz, n.now + interval '1 year')
			FROM`+db.DatabaseTime+`WHERE $7::timestamptz IS NULL OR $7::timestamptz > n.now AND $7::timestamptz <= n.now + interval '1 year'
			RETURNING`+tokenColumns, accountID, in.Name, hash[:], token.Hint(), string(in.Role), in.CreatedBy, in.ExpiresAt)
		if fault.Is(err, fault.NotFound) {
			err = account.TokenEnd()
		}
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, out.ID.String())
	})
	return out, err
}

// Tokens returns the live tokens of an account, the newest first: at most account.MaxTokens.
func (s Store) Tokens(ctx context.Context, accountID uuid.UUID) ([]account.Token, error) {
	return db.All[account.Token](ctx, s.db, `SELECT`+tokenColumns+`FROM account_tokens t
		WHERE t.account_id = $1 AND`+users.LiveToken+`ORDER BY t.id DESC`, accountID)
}

// RemoveToken removes a token of an account. After it returns, no replica accepts the token: every
// request looks its token up. Fault: NotFound, also for a token that was already removed.
func (s Store) RemoveToken(ctx context.Context, accountID, id uuid.UUID) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		err := db.MustChange(db.Exec(ctx, tx,
			`DELETE FROM account_tokens WHERE account_id = $1 AND id = $2`, accountID, id))
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
}

// ActiveToken is a valid account token. Every request looks its token up.
type ActiveToken struct {
	Account account.Account `bun:"embed:"`
	TokenID uuid.UUID
	Role    account.Role
	// Used reports whether its last use was stored within the last minute.
	Used bool
}

// TokenActive returns a token with its account, in one statement. Fault: Unauthorized when the
// token is unknown, was removed or has expired, or its account is not active.
func (s Store) TokenActive(ctx context.Context, hash apikey.Hash) (ActiveToken, error) {
	out, err := db.One[ActiveToken](ctx, s.db, `
		SELECT`+users.AccountColumns+`, t.id AS token_id, t.role,
			coalesce(t.last_used_at > statement_timestamp() - $2::interval, false) AS used
		FROM account_tokens t JOIN accounts a ON a.id = t.account_id
		WHERE t.hash = $1 AND`+users.LiveToken+`AND a.state = 'ACTIVE'`, hash[:], usedEvery)
	return out, users.Unauthorized(err)
}

// RecordTokenUse stores the current time as the last use of tokens, at most once a minute for each.
func (s Store) RecordTokenUse(ctx context.Context, ids []uuid.UUID) error {
	// In order, so that replicas cannot deadlock.
	_, err := db.Exec(ctx, s.db,
		`UPDATE account_tokens SET last_used_at = statement_timestamp() WHERE id IN (
		SELECT id FROM account_tokens
		WHERE id = ANY($1::uuid[]) AND coalesce(last_used_at <= statement_timestamp() - $2::interval, true)
		ORDER BY id FOR NO KEY UPDATE)`, db.Texts(ids), usedEvery)
	return err
}

// PurgeTokens removes at most limit tokens that expired more than audit.Retention ago, so that no
// entry of the audit trail names them, and returns the number removed.
func (s Store) PurgeTokens(ctx context.Context, limit int) (int, error) {
	return db.Exec(ctx, s.db, `DELETE FROM account_tokens WHERE id IN (
		SELECT t.id FROM account_tokens t WHERE t.expires_at < statement_timestamp() - $1::interval
		LIMIT $2 FOR UPDATE SKIP LOCKED)`, audit.Retention, limit)
}
