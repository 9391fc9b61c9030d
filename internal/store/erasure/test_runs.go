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
	type deleted struct{ ID, AccountID uuid.UUID }
	runs, err := db.All[deleted](ctx, s.db, `SELECT r.id, r.account_id FROM test_runs r WHERE r.deleted_at IS NOT NULL AND r.ended_at IS NOT NULL
		ORDER BY r.deleted_at LIMIT $1`, limit)
	if err != nil {
		return 0, err
	}
	for i, r := range runs {
		if err := s.deleteTestSessions(ctx, r.AccountID, `WHERE r.id = $1 AND`+tests.OfRun, r.ID); err != nil {
			return i, err
		}
		if _, err := db.Exec(ctx, s.db, `DELETE FROM test_runs WHERE id = $1`, r.ID); err != nil {
			return i, err
		}
	}
	return len(runs), nil
}

// deleteTestSessions deletes sessions s of test runs r, in the tested agents and the judges. It skips
// deleted agents, whose sessions are erased with them. The condition has one parameter.
func (s Store) deleteTestSessions(
	ctx context.Context, accountID uuid.UUID, condition string, parameter uuid.UUID,
) error {
	for {
		ids, err := db.All[uuid.UUID](ctx, s.db, `SELECT s.id FROM`+tests.Sessions+`
			JOIN agents a ON a.id = s.agent_id AND a.deleted_at IS NULL `+condition+` LIMIT $2`,
			parameter, deleteBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		if n, err := s.deleteConversations(ctx, accountID, ids, nil, nil); err != nil || n == 0 {
			return err
		}
	}
}
