package store

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
)

// EarlierTurnSizes returns the sizes in bytes of the earlier turns that each turn's model may have been given, the newest first: found, put
// together and counted as for begin_turns, in one statement. Those of deleted conversations, which the turn's own may continue, are
// missing.
func (s *Store) EarlierTurnSizes(ctx context.Context, accountID uuid.UUID, turnIDs []uuid.UUID) (map[uuid.UUID][]int64, error) {
	type row struct {
		ID     uuid.UUID
		Counts []byte
	}
	rows, err := all[row](ctx, s, `
		SELECT t.id, e.counts FROM`+ofLiveConversation+`JOIN turns t ON t.conversation_id = c.id CROSS JOIN LATERAL (
			WITH RECURSIVE part AS (
				SELECT 0 AS hop, t.conversation_id, coalesce(t.message_number, t.number) - 1 AS upto, c.continues, c.has_results
				UNION ALL
				SELECT p.hop + 1, t.conversation_id, t.number, c.continues, c.has_results
				FROM part p JOIN turns t ON t.id = p.continues
				JOIN conversations c ON c.id = t.conversation_id AND c.deleted_at IS NULL
				WHERE p.hop < $3::int
			)
			SELECT string_agg(int4send(octet_length(e.message)) || int4send(octet_length(e.reply)) || int4send(e.kind)
				|| int8send(-1) || int8send(-1) || int8send(-1), '' ORDER BY e.hop, e.number DESC) AS counts
			FROM (SELECT p.hop, e.* FROM part p CROSS JOIN LATERAL (
				SELECT e.number, e.message, CASE WHEN e.finish_reason = 'content_blocked' THEN '' ELSE e.reply END AS reply,
					(e.message_number IS NOT NULL)::int + 2 * (e.action_count IS NOT NULL)::int AS kind
				FROM turns e
				WHERE e.conversation_id = p.conversation_id AND e.number <= p.upto AND e.state = 'ANSWERED'
					AND (e.finish_reason IS DISTINCT FROM 'content_blocked' OR e.message_number IS NOT NULL)
				ORDER BY e.number DESC LIMIT $3::int * CASE WHEN p.has_results THEN $4::int ELSE 1 END
			) e ORDER BY p.hop, e.number DESC LIMIT $3::int * $4::int) e
		) e
		WHERE t.account_id = $1::uuid AND c.account_id = $1::uuid AND t.id = ANY($2::uuid[])`,
		accountID, texts(turnIDs), agent.MaxContextTurns, 1+conversation.MaxRounds)
	out := make(map[uuid.UUID][]int64, len(turnIDs))
	for _, r := range rows {
		counts, wrong := decodeCounts(r.Counts)
		err = errors.Join(err, wrong)
		grouped := exchanges(counts)
		sizes := make([]int64, len(grouped))
		for i, x := range grouped {
			sizes[len(grouped)-1-i] = x.size(counts)
		}
		out[r.ID] = sizes
	}
	return out, err
}
