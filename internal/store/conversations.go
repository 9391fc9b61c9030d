package store

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"agentchat/internal/fault"
)

// KeepIdempotency is how long the idempotency keys of a deleted conversation are kept: a replay answers that it is gone.
const KeepIdempotency = 24 * time.Hour

// DeleteConversation deletes a conversation's text and label. A turn under way is failed and its hold released, in the same
// transaction; the credit history stays; turns with an idempotency key keep id, key and body hash for KeepIdempotency, so that
// a replay is neither run nor charged again. Fault: NotFound.
func (s *Store) DeleteConversation(ctx context.Context, accountID, id uuid.UUID) error {
	return s.inTx(ctx, func(tx bun.Tx) error {
		result, err := tx.Tx.ExecContext(ctx, `
			UPDATE conversations SET deleted_at = clock_timestamp(), session_id = ''
			WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`, accountID, id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return fault.Wrap(fault.NotFound, err)
		}
		// A begin that held the conversation's lock has committed by now, and this new snapshot sees its turn.
		if _, err := tx.Tx.ExecContext(ctx, releaseConversationSQL, id); err != nil {
			return err
		}
		_, err = tx.Tx.ExecContext(ctx, `
			DELETE FROM turns WHERE conversation_id = $1 AND (state = 'ANSWERED' AND idempotency_key IS NULL
				OR state = 'FAILED' AND error_code <> 'conversation_deleted')`, id)
		if err != nil {
			return err
		}
		_, err = tx.Tx.ExecContext(ctx, `UPDATE turns SET message = '', reply = NULL WHERE conversation_id = $1`, id)
		return err
	})
}

// PurgeDeleted removes what is left of at most limit conversations whose KeepIdempotency has passed; it returns how many.
func (s *Store) PurgeDeleted(ctx context.Context, limit int) (int, error) {
	var n int
	err := s.pool.QueryRowContext(ctx, `
		WITH old AS MATERIALIZED (
			SELECT id FROM conversations WHERE deleted_at < statement_timestamp() - $1::interval
			ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED
		), t AS (
			DELETE FROM turns USING old WHERE turns.conversation_id = old.id
		), c AS (
			DELETE FROM conversations USING old WHERE conversations.id = old.id RETURNING conversations.id
		)
		SELECT count(*) FROM c`, KeepIdempotency, limit).Scan(&n)
	return n, translate(err)
}

// RecordKeyUse notes when keys were last used, in one statement for all of them. Earlier times than those known change nothing.
func (s *Store) RecordKeyUse(ctx context.Context, ids []uuid.UUID, at []time.Time) error {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	ctx, cancel := context.WithTimeout(ctx, statementDeadline)
	defer cancel()
	_, err := s.pool.ExecContext(ctx, `
		UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, u.at)
		FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::timestamptz[]) AS at) u WHERE k.id = u.id`, texts, at)
	return translate(err)
}
