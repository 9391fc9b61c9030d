package usage

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// ChargedAgentNames returns the names of agents at their last charge, deleted agents included.
func (s Store) ChargedAgentNames(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]string, error) {
	return s.chargedNames(ctx, "agent", accountID, ids)
}

// ChargedExportNames is ChargedAgentNames for exports.
func (s Store) ChargedExportNames(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]string, error) {
	return s.chargedNames(ctx, "export", accountID, ids)
}

func (s Store) chargedNames(
	ctx context.Context, what string, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]string, error) {
	type named struct {
		ID   uuid.UUID
		Name string
	}
	rows, err := db.All[named](ctx, s.db, `
		SELECT x.id, e.name FROM unnest($2::uuid[]) x(id) CROSS JOIN LATERAL (
			SELECT e.`+what+`_name AS name FROM credit_entries e WHERE e.account_id = $1
				AND e.`+what+`_id = x.id
			ORDER BY e.number DESC LIMIT 1
		) e`, accountID, db.Texts(ids))
	out := make(map[uuid.UUID]string, len(rows))
	for _, r := range rows {
		out[r.ID] = r.Name
	}
	return out, err
}
