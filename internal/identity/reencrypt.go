package identity

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/store"
	"agentchat/internal/store/users"
	"agentchat/internal/store/webhooks"
)

// Reencrypt encrypts the secrets of second factors and webhooks with the current secret. Users stay
// signed in for weeks, and would be locked out once the previous secret is removed. It skips what
// no secret decrypts.
func (s *Service) Reencrypt(ctx context.Context) error {
	db, tokens := s.cfg.Store, s.cfg.Tokens
	err := eachOutdated(ctx, db, tokens, func(f users.EncryptedFactor, secret []byte, ok bool) error {
		if !ok {
			return nil
		}
		return users.On(db).ReencryptFactor(ctx, f, tokens.Encrypt(f.UserID, secret))
	})
	if err != nil {
		return err
	}
	return s.reencryptWebhooks(ctx)
}

func (s *Service) reencryptWebhooks(ctx context.Context) error {
	hooks, tokens := webhooks.On(s.cfg.Store), s.cfg.Tokens
	again := func(id uuid.UUID, encrypted []byte) []byte {
		if secret, ok := tokens.Decrypt(id, encrypted); ok {
			return tokens.Encrypt(id, secret)
		}
		return encrypted
	}
	for after := uuid.Nil; ; {
		found, err := hooks.SecretsToReencrypt(ctx, tokens.EncryptionKeyID(), after, purgeBatch)
		if err != nil || len(found) == 0 {
			return err
		}
		for _, f := range found {
			err := hooks.Reencrypt(ctx, f, webhooks.EncryptedSecrets{
				Secret: again(f.ID, f.Secret), Previous: again(f.ID, f.Previous)})
			if err != nil {
				return err
			}
			after = f.ID
		}
	}
}

// LostFactors counts the second factors whose secret cannot be decrypted. Their users can only sign
// in with recovery codes.
func LostFactors(ctx context.Context, db *store.DB, tokens *auth.Tokens) (lost int, err error) {
	err = eachOutdated(ctx, db, tokens, func(_ users.EncryptedFactor, _ []byte, ok bool) error {
		if !ok {
			lost++
		}
		return nil
	})
	return lost, err
}

// eachOutdated visits the second factors that the current secret did not encrypt. The visitor gets
// the decrypted secret; ok is false if no secret decrypts it.
func eachOutdated(ctx context.Context, db *store.DB, tokens *auth.Tokens,
	visit func(f users.EncryptedFactor, secret []byte, ok bool) error,
) error {
	current := tokens.EncryptionKeyID()
	for after := uuid.Nil; ; {
		found, err := users.On(db).FactorsToReencrypt(ctx, current, after, purgeBatch)
		if err != nil || len(found) == 0 {
			return err
		}
		for _, f := range found {
			secret, ok := tokens.Decrypt(f.UserID, f.EncryptedSecret)
			if err := visit(f, secret, ok); err != nil {
				return err
			}
			after = f.UserID
		}
	}
}
