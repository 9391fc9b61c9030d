package erasure

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/tests"
)

// PurgeDeletedRuns deletes the sessions of at most limit deleted test runs, in the tested agent and the
// judge, then their rows. It returns their number. A run waits until its replica has stopped it.
func (s Store) PurgeDeletedRuns(ctx context.Context, limit int) (int, error) {
	type deleted struct {
		ID, AccountID, AgentID uuid.UUID
		JudgeAgentID           *uuid.UUID
	}
	runs, err := db.All[deleted](ctx, s.db, `SELECT r.id, r.account_id, r.agent_id, r.judge_agent_id
		FROM test_runs r WHERE r.deleted_at IS NOT NULL AND r.ended_at IS NOT NULL
		ORDER BY r.deleted_at LIMIT $1`, limit)
	if err != nil {
		return 0, err
	}
	for i, r := range runs {
		run := tests.Run{ID: r.ID, AgentID: r.AgentID, JudgeAgentID: r.JudgeAgentID}
		from, to := tests.SessionsOf(r.ID)
		if err := s.deleteTestSessions(ctx, r.AccountID, run.Agents(), from, to); err != nil {
			return i, err
		}
		if _, err := db.Exec(ctx, s.db, `DELETE FROM test_runs WHERE id = $1`, r.ID); err != nil {
			return i, err
		}
	}
	return len(runs), nil
}

// deleteTestSessions deletes the sessions of test runs in a range of session IDs. It skips deleted
// agents, whose sessions are erased with them.
func (s Store) deleteTestSessions(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, from, to string,
) error {
	for {
		ids, err := db.All[uuid.UUID](ctx, s.db, `
			SELECT c.id FROM agents a JOIN conversations c ON c.agent_id = a.id AND c.source = 'TEST'
				AND c.session_id >= $2 AND c.session_id < $3 AND c.deleted_at IS NULL
			WHERE a.id = ANY($1::uuid[]) AND a.deleted_at IS NULL LIMIT $4`,
			db.Texts(agentIDs), from, to, deleteBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		if n, err := s.deleteConversations(ctx, accountID, ids, nil, nil); err != nil || n == 0 {
			return err
		}
	}
}
