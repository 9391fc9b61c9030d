package users

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"

	"agentchat/internal/store/internal/db"
)

// MarkSeen records, in the caller's transaction, that an address has had an account, and reports
// whether this is the first time. The address, in the form of account.ParseEmail, is stored only as
// a hash, keyed with a secret of the database.
func MarkSeen(ctx context.Context, tx *db.DB, email string) (first bool, err error) {
	key, err := db.One[[]byte](ctx, tx, `SELECT key FROM seen_addresses_key`)
	if err != nil {
		return false, err
	}
	hash := hmac.New(sha256.New, key)
	_, _ = hash.Write([]byte(email)) // never fails
	n, err := db.Exec(ctx, tx,
		`INSERT INTO seen_addresses (address_hash) VALUES ($1) ON CONFLICT DO NOTHING`, hash.Sum(nil))
	return n == 1, err
}
