package erasure

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/usage"
)

// KeepIdempotency is the time that the idempotency keys of a deleted conversation are kept. A
// repeated request gets conversation_deleted meanwhile.
const KeepIdempotency = 24 * time.Hour

// deleteBatch is the number of conversations that one transaction deletes. It stays far below the
// statement timeout.
const deleteBatch = 50

// DeleteConversation deletes a conversation's text and session ID, and marks a turn in flight in
// the same transaction (see markTurns). Rejected requests of the session lose the session's and the
// end user's ids. The credit history stays. Turns that hold an idempotency key keep id, key and
// body hash for KeepIdempotency, so that a repeated request is neither run nor charged again.
// Fault: NotFound.
func (s Store) DeleteConversation(ctx context.Context, accountID, id uuid.UUID) error {
	found, err := db.All[deletedConversation](ctx, s.db,
		`SELECT id, agent_id, session_id FROM conversations
		WHERE account_id = $1 AND id = $2 AND source = 'API' AND deleted_at IS NULL`, accountID, id)
	entry := &audit.OneEntry{AccountID: accountID, Subject: id.String()}
	for _, c := range found {
		// Within the deletion, this statement might take too long.
		err = s.forget(ctx, accountID, &c.AgentID, erasedSession, *c.SessionID, entry)
	}
	if err != nil {
		return err
	}
	return db.MustChange(s.deleteConversations(ctx, accountID, []uuid.UUID{id}, nil, entry))
}

// DeleteConversationsBySessionID deletes all conversations with a session ID that FindSessionID
// accepts, of all sources, of one agent or, for nil, of all agents, as DeleteConversation does.
// Rejected requests lose their ids even if the session has no conversation. It returns the number
// of deleted conversations. Conversations that begin meanwhile stay. After an error, run it again
// to delete the rest. Fault: NotFound for an unknown agent.
func (s Store) DeleteConversationsBySessionID(
	ctx context.Context, accountID uuid.UUID, sessionID string, agentID *uuid.UUID,
) (int, error) {
	if agentID != nil {
		if _, err := agents.On(s.db).Agent(ctx, accountID, *agentID); err != nil {
			return 0, err
		}
	}
	return s.whileForgetting(ctx, accountID, agentID, erasedSession, sessionID,
		func(entry *audit.OneEntry) (int, error) {
			return s.deleteSession(ctx, accountID, sessionID, agentID, entry)
		})
}

// deleteSession deletes the conversations with a session ID, of one agent or, for nil, of all
// agents.
func (s Store) deleteSession(
	ctx context.Context, accountID uuid.UUID, sessionID string, agentID *uuid.UUID,
	entry *audit.OneEntry,
) (deleted int, err error) {
	ids, err := db.All[uuid.UUID](ctx, s.db, `
		SELECT c.id FROM agents a CROSS JOIN (VALUES ('API'), ('PLAYGROUND'), ('TEST')) s(source)
		JOIN conversations c ON c.agent_id = a.id AND c.source = s.source AND c.session_id = $2
			AND c.deleted_at IS NULL
		WHERE a.account_id = $1 AND a.deleted_at IS NULL AND ($3::uuid IS NULL OR a.id = $3::uuid)`,
		accountID, sessionID, agentID)
	if err != nil {
		return 0, err
	}
	for batch := range slices.Chunk(ids, deleteBatch) {
		n, err := s.deleteConversations(ctx, accountID, batch, nil, entry)
		deleted += n
		if err != nil {
			return deleted, err
		}
	}
	return deleted, nil
}

// deleteConversations deletes the account's conversations among ids in one transaction, and returns
// how many. With serviceDays it deletes only those whose retention has ended, see PurgeIdle. It locks
// conversations, turns, the usage and test cases, in this order, and conversations and turns in the
// order of their ids.
func (s Store) deleteConversations(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID, serviceDays *int,
	entry *audit.OneEntry,
) (n int, err error) {
	var turns []uuid.UUID
	for range deletionTries {
		n, turns, err = s.tryDeleteConversations(ctx, accountID, ids, serviceDays, entry)
		if !db.IsRace(err) {
			break
		}
	}
	db.TurnsDeleted(s.db, turns)
	return n, err
}

func (s Store) tryDeleteConversations(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID, serviceDays *int,
	entry *audit.OneEntry,
) (n int, turns []uuid.UUID, err error) {
	n, err = audit.On(s.db).InTxRecorded(ctx, entry, func(tx *db.DB) (int, error) {
		gone, err := db.All[deletedConversation](ctx, tx, `
			WITH due AS MATERIALIZED (
				SELECT c.* FROM conversations c WHERE c.account_id = $1 AND c.id = ANY($2::uuid[])
					AND c.deleted_at IS NULL
					AND EXISTS (SELECT 1 FROM agents a WHERE a.id = c.agent_id AND a.deleted_at IS NULL)
					AND ($3::integer IS NULL OR c.last_turn_at < (
						SELECT `+retentionEnd(`o.retention_days`, `$3`)+` FROM accounts o WHERE o.id = c.account_id))
				ORDER BY c.id FOR UPDATE
			)
			UPDATE conversations c SET deleted_at = clock_timestamp(), session_id = '', user_id = NULL
				FROM due WHERE c.id = due.id
			RETURNING `+deletedColumns, accountID, db.Texts(ids), serviceDays)
		if err != nil || len(gone) == 0 {
			return 0, err
		}
		// A begin that held a conversation's lock has committed, and the next statements see its turn.
		if turns, err = On(tx).markTurns(ctx, ofConversations, db.Texts(ids)); err != nil {
			return 0, err
		}
		// The usage cannot count charges and failures after the turns are deleted.
		for added := usage.RollUpBatch; added >= usage.RollUpBatch && err == nil; {
			added, err = db.One[int](ctx, tx, `SELECT roll_up_charges_1($1, $2) + cardinality(count_failed_turns_1(array(
				SELECT t.id FROM turns t WHERE t.conversation_id = ANY($3::uuid[]) AND t.state = 'FAILED'
					AND NOT t.counted)))`,
				accountID, usage.RollUpBatch, db.Texts(ids))
		}
		if err == nil {
			err = On(tx).forgetDeleted(ctx, accountID, gone)
		}
		if err != nil {
			return 0, err
		}
		for _, step := range []string{`
			WITH rated AS (
				DELETE FROM ratings r WHERE r.turn_id = ANY (ARRAY(
					SELECT t.id FROM conversations c JOIN turns t ON t.conversation_id = c.id
					WHERE c.account_id = $1 AND c.id = ANY($2::uuid[]) AND c.deleted_at IS NOT NULL
						AND c.rated_up + c.rated_down > 0))
			)
			DELETE FROM turns t USING conversations c WHERE c.account_id = $1 AND c.id = ANY($2::uuid[])
				AND c.deleted_at IS NOT NULL
				AND t.conversation_id = c.id AND (t.state = 'ANSWERED' AND t.idempotency_key IS NULL
				OR t.state = 'FAILED' AND t.error_code <> 'conversation_deleted'
				AND (t.background AND t.error_code NOT IN ('unavailable', 'model_unavailable')) IS NOT TRUE)`, `
			UPDATE turns t SET message = '', reply = NULL, rejected_reply = NULL, variables = NULL,
				action_results = NULL, action_calls = NULL,
				action_provider = NULL, knowledge = NULL,
				provider_status = NULL, provider_code = NULL, provider_error = NULL
			FROM conversations c
			WHERE c.account_id = $1 AND c.id = ANY($2::uuid[]) AND c.deleted_at IS NOT NULL
				AND t.conversation_id = c.id`} {
			if _, err := db.Exec(ctx, tx, step, accountID, db.Texts(ids)); err != nil {
				return 0, err
			}
		}
		return len(gone), nil
	})
	if err != nil {
		return 0, nil, err
	}
	return n, turns, nil
}

// PurgeDeleted removes at most limit deleted conversations whose KeepIdempotency has passed, and
// returns how many.
func (s Store) PurgeDeleted(ctx context.Context, limit int) (int, error) {
	return db.One[int](ctx, s.db, `
		WITH old AS MATERIALIZED (
			SELECT id, rated_up + rated_down > 0 AS rated FROM conversations c WHERE deleted_at < statement_timestamp() - $1::interval
				AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.conversation_id = c.id AND t.state = 'PENDING')
			ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED
		), r AS ( -- for text that was not erased in time
			DELETE FROM ratings WHERE turn_id = ANY (ARRAY(
				SELECT t.id FROM old JOIN turns t ON t.conversation_id = old.id WHERE old.rated))
		), t AS (
			DELETE FROM turns USING old WHERE turns.conversation_id = old.id
		), c AS (
			DELETE FROM conversations USING old WHERE conversations.id = old.id RETURNING conversations.id
		)
		SELECT count(*) FROM c`, KeepIdempotency, limit)
}
