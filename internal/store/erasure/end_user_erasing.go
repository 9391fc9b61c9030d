package erasure

import (
	"context"
	_ "embed" // the statement is a file of its own

	"github.com/google/uuid"

	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/usage"
)

//go:embed sql/erase_end_users.sql
var eraseEndUsersSQL string

// hideBatch is the number of an end user's conversations that one transaction hides.
const hideBatch = 5_000

// DeleteEndUser hides all conversations of an end user, of one agent or, for nil, of all agents,
// and returns how many. EraseEndUsers then erases their text. The same transactions mark the turns
// in flight (see markTurns). Rejected requests with the id, or of the end user's sessions, lose
// both ids. If the end user is deleted for all agents, their block and limit stay without the id.
// The ledger, which never has the id, and the counters of limits stay. Conversations that begin
// meanwhile stay. Fault: NotFound for an unknown agent.
func (s Store) DeleteEndUser(
	ctx context.Context, accountID uuid.UUID, userID string, agentID *uuid.UUID,
) (int, error) {
	if agentID != nil {
		if _, err := agents.On(s.db).Agent(ctx, accountID, *agentID); err != nil {
			return 0, err
		}
	}
	return s.whileForgetting(ctx, accountID, agentID, erasedUser, userID,
		func(entry *audit.OneEntry) (deleted int, err error) {
			if agentID == nil {
				_, err = audit.On(s.db).InTxRecorded(ctx, entry, func(tx *db.DB) (int, error) {
					return db.Exec(ctx, tx, `UPDATE end_users SET user_id = NULL
						WHERE account_id = $1 AND user_id = $2`, accountID, userID)
				})
			}
			for n := hideBatch; err == nil && n == hideBatch; deleted += n {
				n, err = s.hideEndUser(ctx, accountID, userID, agentID, entry)
			}
			return deleted, err
		})
}

// hideEndUser hides a batch of an end user's conversations. It locks conversations, turns, the
// usage and test cases, in this order, and conversations and turns in the order of their ids.
func (s Store) hideEndUser(
	ctx context.Context, accountID uuid.UUID, userID string, agentID *uuid.UUID, entry *audit.OneEntry,
) (n int, err error) {
	var turns []uuid.UUID
	for range deletionTries {
		n, err = audit.On(s.db).InTxRecorded(ctx, entry, func(tx *db.DB) (int, error) {
			hidden, err := db.All[deletedConversation](ctx, tx, `
				WITH due AS MATERIALIZED (
					SELECT c.* FROM conversations c WHERE c.account_id = $1 AND c.user_id = $2
						AND c.deleted_at IS NULL
						AND ($3::uuid IS NULL OR c.agent_id = $3::uuid)
						AND EXISTS (SELECT 1 FROM agents a WHERE a.id = c.agent_id AND a.deleted_at IS NULL)
					ORDER BY c.id LIMIT $4::bigint FOR UPDATE
				)
				UPDATE conversations c SET deleted_at = clock_timestamp(), session_id = '' FROM due
					WHERE c.id = due.id
				RETURNING `+deletedColumns,
				accountID, userID, agentID, hideBatch)
			if err != nil || len(hidden) == 0 {
				return 0, err
			}
			ids := db.Mapped(hidden, func(c deletedConversation) uuid.UUID { return c.ID })
			// A begin that held a conversation's lock has committed, and the next statement sees its turn.
			if turns, err = On(tx).markTurns(ctx, ofConversations, db.Texts(ids)); err != nil {
				return 0, err
			}
			return len(hidden), On(tx).forgetDeleted(ctx, accountID, hidden)
		})
		if !db.IsRace(err) {
			break
		}
	}
	if err != nil {
		return 0, err
	}
	db.TurnsDeleted(s.db, turns)
	return n, nil
}

// EraseEndUsers erases text that DeleteEndUser has hidden, of at most limit conversations and twice
// as many turns. It returns limit while more may be left, and less when nothing is left.
func (s Store) EraseEndUsers(ctx context.Context, limit int) (int, error) {
	err := usage.On(s.db).BeforeErasing(ctx, `
		SELECT DISTINCT c.account_id FROM conversations c WHERE c.deleted_at IS NOT NULL
			AND c.user_id IS NOT NULL`)
	if err != nil {
		return 0, err
	}
	return db.One[int](ctx, s.db, eraseEndUsersSQL, limit, 2*limit)
}
