package tests

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
)

// Change is the difference in a case's outcome between two runs.
type Change string

// The changes.
const (
	Worse  Change = "WORSE"
	Better Change = "BETTER"
	Same   Change = "SAME"
	Edited Change = "EDITED"
	New    Change = "NEW"
	Gone   Change = "GONE"
)

// Outcome is the outcome of a case in a run.
type Outcome struct {
	CaseID          uuid.UUID
	CaseNumber      int
	Passes, Repeats int
	Passed          bool
	Credits         int64
	// Before is the outcome in the run to compare with, and Change the difference; nil without a
	// comparison.
	Before *Outcome `bun:"-"`
	Change *Change  `bun:"-"`
}

// NewestOutcomes returns the outcome of each case in the newest run that has finished all of its
// attempts.
func (s Store) NewestOutcomes(
	ctx context.Context, accountID uuid.UUID, caseIDs []uuid.UUID,
) (map[uuid.UUID]Outcome, error) {
	found, err := db.All[Outcome](ctx, s.db, `
		SELECT c.id AS case_id, c.number AS case_number, o.passes, o.repeats, o.passes >= o.needed AS passed, o.credits
		FROM test_cases c CROSS JOIN LATERAL (
			SELECT r.repeats, r.needed, count(*) FILTER (WHERE t.passed) AS passes, sum(t.credits) AS credits
			FROM test_runs r JOIN test_results t ON t.run_id = r.id AND t.case_number = c.number AND t.case_id = c.id
			WHERE r.agent_id = c.agent_id AND r.deleted_at IS NULL
			GROUP BY r.id HAVING count(*) = r.repeats ORDER BY r.number DESC LIMIT 1
		) o
		WHERE c.account_id = $1 AND c.id = ANY($2::uuid[]) AND c.erased_at IS NULL`,
		accountID, db.Texts(caseIDs))
	return db.ByID(found, func(o Outcome) uuid.UUID { return o.CaseID }), err
}
