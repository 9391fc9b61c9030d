package accounts

import (
	"bytes"
	"context"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/users"
)

// OpenSignUp uses up the token of a sign-up and opens its account with a verified address. It
// grants the starting credits once per address, voids other links of the address and signs no user
// in. Faults, after which nothing has changed: NotFound for a token that was used, has expired or
// is void; Conflict when the address is now taken.
func (s Store) OpenSignUp(ctx context.Context, hash [32]byte, startingCredits int64, by audit.Entry,
) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		l, err := db.One[users.Link](ctx, tx, `SELECT`+users.LinkColumns+`FROM links l
			WHERE l.token_hash = $1 AND l.purpose = 'SIGN_UP' AND l.expires_at > clock_timestamp()`, hash[:])
		if err != nil {
			return err
		}
		// In order, so that concurrent tokens of one address cannot deadlock.
		open, err := db.All[[]byte](ctx, tx,
			`SELECT token_hash FROM links WHERE email = $1 AND purpose = 'SIGN_UP'
			ORDER BY token_hash FOR UPDATE`, l.Email)
		if err == nil && !slices.ContainsFunc(open, func(other []byte) bool { return bytes.Equal(other, hash[:]) }) {
			err = fault.Wrap(fault.NotFound, nil)
		}
		if err == nil {
			_, err = db.Exec(ctx, tx, `DELETE FROM links WHERE email = $1 AND purpose = 'SIGN_UP'`, l.Email)
		}
		var userID uuid.UUID
		if err == nil {
			userID, _, err = On(tx).insertAccount(ctx, NewAccount{Email: l.Email, Name: l.Name, PasswordHash: l.PasswordHash,
				StartingCredits: startingCredits, EmailVerified: true})
		}
		if err == nil {
			err = audit.On(tx).Record(ctx, by, userID)
		}
		return err
	})
}

// SignUp opens an account and its first sign-in in one transaction. Fault: Conflict for a known address.
func (s Store) SignUp(ctx context.Context, in NewAccount, signIn users.NewSignIn,
) (users.Opened, error) {
	var out users.Opened
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		userID, _, err := On(tx).insertAccount(ctx, in)
		if err == nil {
			out, err = users.InsertSignIn(ctx, tx,
				users.Credentials{UserID: userID, PasswordHash: in.PasswordHash}, signIn)
		}
		if err == nil {
			err = audit.On(tx).Record(ctx, signIn.Entry("signUp"), userID)
		}
		return err
	})
	return out, err
}
