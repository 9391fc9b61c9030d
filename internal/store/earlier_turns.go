package store

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/agent"
)

// EarlierTurnSizes returns the sizes in bytes of the turns that each turn's model may have been given before its message, the newest first:
// at most agent.MaxContextTurns, found as begin_turns finds them, in one statement. Those of deleted conversations, which the turn's own
// may continue, are missing.
func (s *Store) EarlierTurnSizes(ctx context.Context, accountID uuid.UUID, turnIDs []uuid.UUID) (map[uuid.UUID][]int64, error) {
	type row struct {
		ID   uuid.UUID
		Size int64
	}
	rows, err := all[row](ctx, s, `
		SELECT t.id, e.size FROM`+ofLiveConversation+`JOIN turns t ON t.conversation_id = c.id CROSS JOIN LATERAL (
			WITH RECURSIVE part AS (
				SELECT 0 AS hop, t.conversation_id, t.number - 1 AS upto, c.continues
				UNION ALL
				SELECT p.hop + 1, t.conversation_id, t.number, c.continues
				FROM part p JOIN turns t ON t.id = p.continues
				JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL
				WHERE p.hop < $3::int
			)
			SELECT p.hop, e.number, e.size FROM part p CROSS JOIN LATERAL (
				SELECT e.number, octet_length(e.message) + octet_length(e.reply) AS size FROM turns e
				WHERE e.conversation_id = p.conversation_id AND e.number <= p.upto AND e.state = 'ANSWERED'
					AND e.finish_reason IS DISTINCT FROM 'content_blocked'
				ORDER BY e.number DESC LIMIT $3::int
			) e
			ORDER BY p.hop, e.number DESC LIMIT $3::int
		) e
		WHERE t.account_id = $1::uuid AND c.account_id = $1::uuid AND t.id = ANY($2::uuid[]) ORDER BY t.id, e.hop, e.number DESC`,
		accountID, texts(turnIDs), agent.MaxContextTurns)
	out := make(map[uuid.UUID][]int64, len(turnIDs))
	for _, r := range rows {
		out[r.ID] = append(out[r.ID], r.Size)
	}
	return out, err
}
