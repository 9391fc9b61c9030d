package accounts

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// Actor is a user or token that made something in an account.
type Actor struct {
	ID uuid.UUID
	// Kind is ByUser or ByToken.
	Kind audit.ActorKind
	// Name is a user's address or a token's name.
	Name string
}

// ActorsByIDs returns the users and tokens of an account among ids.
func (s Store) ActorsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]Actor, error) {
	found, err := db.All[Actor](ctx, s.db, `
		SELECT u.id, $3::text AS kind, u.email AS name FROM users u JOIN memberships m ON m.user_id = u.id
		WHERE m.account_id = $1 AND u.id = ANY($2::uuid[])
		UNION ALL
		SELECT t.id, $4::text, t.name FROM account_tokens t WHERE t.account_id = $1 AND t.id = ANY($2::uuid[])`,
		accountID, db.Texts(ids), string(audit.ByUser), string(audit.ByToken))
	return db.ByID(found, func(a Actor) uuid.UUID { return a.ID }), err
}
