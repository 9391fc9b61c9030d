package identity

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/store"
	"agentchat/internal/store/users"
)

// Reseal seals the secrets of second factors anew that another secret has sealed: people stay signed in for weeks, and would be locked out
// once that is dropped. It leaves those that no secret opens.
func (s *Service) Reseal(ctx context.Context) error {
	return sealedElsewhere(ctx, s.cfg.Store, s.cfg.Tokens, func(f users.SealedFactor, secret []byte, ok bool) error {
		if !ok {
			return nil
		}
		return users.On(s.cfg.Store).ResealFactor(ctx, f, s.cfg.Tokens.Seal(f.UserID, secret))
	})
}

// LostFactors is how many users have a second factor that none of the secrets opens: of theirs only recovery codes fit.
func LostFactors(ctx context.Context, db *store.DB, tokens *auth.Tokens) (lost int, err error) {
	err = sealedElsewhere(ctx, db, tokens, func(_ users.SealedFactor, _ []byte, ok bool) error {
		if !ok {
			lost++
		}
		return nil
	})
	return lost, err
}

// sealedElsewhere visits all secrets that the secret which issues has not sealed, with what is in them, if any secret opens them.
func sealedElsewhere(ctx context.Context, db *store.DB, tokens *auth.Tokens,
	visit func(f users.SealedFactor, secret []byte, ok bool) error,
) error {
	for after := uuid.Nil; ; {
		found, err := users.On(db).FactorsSealedElsewhere(ctx, tokens.SealID(), after, purgeBatch)
		if err != nil || len(found) == 0 {
			return err
		}
		for _, f := range found {
			secret, ok := tokens.Open(f.UserID, f.Sealed)
			if err := visit(f, secret, ok); err != nil {
				return err
			}
			after = f.UserID
		}
	}
}
