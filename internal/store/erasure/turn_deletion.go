package erasure

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// Conditions that select the turns t of a deletion.
const (
	ofAccount       = `t.account_id = $1::uuid`
	ofAgent         = `t.agent_id = $1::uuid`
	ofConversations = `t.conversation_id = ANY($1::uuid[]) AND EXISTS (
		SELECT 1 FROM conversations c WHERE c.id = t.conversation_id AND c.deleted_at IS NOT NULL)`
)

// markTurns marks the pending turns of a deletion, erases their messages and variables, and returns
// them. They stay pending, with their holds: only settling knows whether text has left the service
// and must be paid for. It sees every turn whose begin has committed.
func (s Store) markTurns(ctx context.Context, of string, id any) ([]uuid.UUID, error) {
	return db.All[uuid.UUID](ctx, s.db, `
		WITH due AS MATERIALIZED (
			SELECT t.id FROM turns t WHERE t.state = 'PENDING' AND t.deleted_at IS NULL
				AND `+of+` ORDER BY t.id FOR UPDATE OF t
		)
		UPDATE turns t SET deleted_at = clock_timestamp(), message = '', variables = NULL,
			action_results = NULL
		FROM due WHERE t.id = due.id RETURNING t.id`, id)
}
