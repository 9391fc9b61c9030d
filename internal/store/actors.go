package store

import (
	"context"

	"github.com/google/uuid"
)

// Actor is who made something in an account.
type Actor struct {
	ID uuid.UUID
	// Kind is ByUser or ByToken.
	Kind ActorKind
	// Name is a user's address, or what a token is called.
	Name string
}

// ActorsByIDs returns the users and the tokens of an account among those with the ids.
func (s *Store) ActorsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]Actor, error) {
	found, err := all[Actor](ctx, s, `
		SELECT u.id, $3::text AS kind, u.email AS name FROM users u JOIN memberships m ON m.user_id = u.id
		WHERE m.account_id = $1 AND u.id = ANY($2::uuid[])
		UNION ALL
		SELECT t.id, $4::text, t.name FROM account_tokens t WHERE t.account_id = $1 AND t.id = ANY($2::uuid[])`,
		accountID, texts(ids), string(ByUser), string(ByToken))
	return byID(found, func(a Actor) uuid.UUID { return a.ID }), err
}
