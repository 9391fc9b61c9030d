package turns

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// PendingTurn returns the session ID of an account's turn. Fault: NotFound for a turn that was
// withdrawn.
func (s Store) PendingTurn(
	ctx context.Context, accountID, turnID uuid.UUID,
) (sessionID string, err error) {
	return db.One[string](ctx, s.db, `
		SELECT c.session_id FROM turns t JOIN conversations c ON c.id = t.conversation_id
		WHERE t.account_id = $1 AND t.id = $2`, accountID, turnID)
}

// EndedTurns returns the turns that are not pending, or do not exist. It reads each by its key,
// even with misleading planner statistics.
func (s Store) EndedTurns(ctx context.Context, turnIDs []uuid.UUID) ([]uuid.UUID, error) {
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	return db.All[uuid.UUID](ctx, s.db, `
		SELECT i FROM unnest($1::uuid[]) i
		LEFT JOIN LATERAL (SELECT t.state FROM turns t WHERE t.id = i LIMIT 1) t ON true
		WHERE t.state IS DISTINCT FROM 'PENDING'`, turnIDs)
}

// FailedTurn returns the error code of an account's turn; empty if it has not failed. Fault:
// NotFound for a turn that was withdrawn.
func (s Store) FailedTurn(
	ctx context.Context, accountID, turnID uuid.UUID,
) (code string, err error) {
	return db.One[string](ctx, s.db, `
		SELECT CASE t.state WHEN 'FAILED' THEN t.error_code ELSE '' END
		FROM turns t WHERE t.account_id = $1 AND t.id = $2`, accountID, turnID)
}
