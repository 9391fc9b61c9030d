package erasure

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// PurgeIdle deletes at most limit conversations of any account without a message for that long, as
// DeleteConversation does, and returns how many. It finds them by index, agent by agent. A
// conversation that gets a message at this moment stays.
func (s Store) PurgeIdle(ctx context.Context, idle time.Duration, limit int) (int, error) {
	before, err := db.One[time.Time](ctx, s.db, `SELECT clock_timestamp() - $1::interval`, idle)
	if err != nil {
		return 0, err
	}
	found, err := db.All[struct{ AccountID, ID uuid.UUID }](ctx, s.db, `
		SELECT a.account_id, c.id FROM agents a CROSS JOIN (VALUES ('API'), ('PLAYGROUND'), ('TEST')) s(source)
			CROSS JOIN LATERAL (
			SELECT c.id FROM conversations c
			WHERE c.agent_id = a.id AND c.source = s.source AND c.deleted_at IS NULL AND c.last_turn_at < $1
			ORDER BY c.last_turn_at LIMIT $2
		) c WHERE a.deleted_at IS NULL LIMIT $2`, before, limit)
	if err != nil {
		return 0, err
	}
	byAccount := map[uuid.UUID][]uuid.UUID{}
	for _, c := range found {
		byAccount[c.AccountID] = append(byAccount[c.AccountID], c.ID)
	}
	deleted := 0
	for account, ids := range byAccount {
		for batch := range slices.Chunk(ids, deleteBatch) {
			n, err := s.deleteConversations(ctx, account, batch, &before, nil)
			deleted += n
			if err != nil {
				return deleted, err
			}
		}
	}
	return deleted, nil
}
