package erasure

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/tests"
)

// endOfToday is the end of the UTC day.
const endOfToday = `date_trunc('day', clock_timestamp(), 'UTC') + interval '1 day'`

// PurgeDeletedRuns deletes the sessions and results of at most limit deleted test runs, in the tested agent
// and the judge, then their rows. It returns their number. A run waits until its replica has stopped it.
// The row of a run that was started today stays until the day has ended, so that its credits, its start
// and its idempotency key still count: its deleted_at is then in the future.
func (s Store) PurgeDeletedRuns(ctx context.Context, limit int) (int, error) {
	type deleted struct{ ID, AccountID uuid.UUID }
	runs, err := db.All[deleted](ctx, s.db, `SELECT r.id, r.account_id FROM test_runs r
		WHERE r.deleted_at <= statement_timestamp() AND r.ended_at IS NOT NULL
		ORDER BY r.deleted_at LIMIT $1`, limit)
	if err != nil {
		return 0, err
	}
	for i, r := range runs {
		if err := s.deleteTestSessions(ctx, r.AccountID, `WHERE r.id = $1 AND`+tests.OfRun, r.ID); err != nil {
			return i, err
		}
		for _, step := range []string{
			`DELETE FROM test_results WHERE run_id = $1`,
			`UPDATE test_runs r SET deleted_at = ` + endOfToday + ` FROM agents a
				WHERE r.id = $1 AND r.created_at >= date_trunc('day', clock_timestamp(), 'UTC')
					AND a.id = r.agent_id AND a.deleted_at IS NULL`,
			`DELETE FROM test_runs WHERE id = $1 AND deleted_at <= clock_timestamp()`,
		} {
			if _, err := db.Exec(ctx, s.db, step, r.ID); err != nil {
				return i, err
			}
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
