package erasure

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/tests"
)

// emptyCases is the beginning of a statement that empties the test cases linked to conversations, in
// the transaction that deletes them. It sees every case, because creating one locks its
// conversation.
const emptyCases = `UPDATE test_cases SET document = '', erased_at = clock_timestamp()
	WHERE erased_at IS NULL AND conversation_id = `

// PurgeErasedCases deletes the sessions of at most limit erased cases, in the tested agent and the
// judge, then the cases, and returns the number of deleted cases. While a run may still send a case,
// only its sessions are deleted.
func (s Store) PurgeErasedCases(ctx context.Context, limit int) (purged int, err error) {
	type erased struct {
		ID, AccountID, AgentID uuid.UUID
		Number                 int
		Final                  bool
	}
	// A run that ends after this statement may have sent a case after its sessions were deleted.
	cases, err := db.All[erased](ctx, s.db, `SELECT c.id, c.account_id, c.agent_id, c.number, NOT EXISTS (SELECT 1
			FROM test_runs r WHERE r.agent_id = c.agent_id AND r.ended_at IS NULL AND c.id = ANY(r.cases)) AS final
		FROM test_cases c WHERE c.erased_at IS NOT NULL ORDER BY c.erased_at LIMIT $1`, limit)
	for _, c := range cases {
		if err == nil {
			err = s.deleteCaseSessions(ctx, c.AccountID, c.AgentID, c.ID, c.Number)
		}
		if err != nil {
			return purged, err
		}
		if c.Final {
			n, failed := db.Exec(ctx, s.db, `DELETE FROM test_cases WHERE id = $1`, c.ID)
			purged, err = purged+n, failed
		}
	}
	return purged, err
}

// deleteCaseSessions deletes the sessions of a case in all runs that have it.
func (s Store) deleteCaseSessions(
	ctx context.Context, accountID, agentID, id uuid.UUID, number int,
) error {
	runs, err := db.All[tests.Run](ctx, s.db, `SELECT r.id, r.agent_id, r.judge_agent_id FROM test_runs r
		WHERE r.agent_id = $1 AND $2 = ANY(r.cases)`, agentID, id)
	for _, r := range runs {
		if err != nil {
			break
		}
		from, to := tests.SessionsOfCase(r.ID, number)
		err = s.deleteTestSessions(ctx, accountID, r.Agents(), from, to)
	}
	return err
}
