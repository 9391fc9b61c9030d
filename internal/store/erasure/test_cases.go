package erasure

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/tests"
)

// emptyCases is the beginning of a statement that empties the test cases linked to conversations, in
// the transaction that deletes them. It sees every case, because creating one locks its
// conversation.
const emptyCases = `UPDATE test_cases SET document = '', erased_at = clock_timestamp()
	WHERE erased_at IS NULL AND conversation_id = `

// erasedCase is an erased case. Final means that no run may still send it.
type erasedCase struct {
	ID, AccountID uuid.UUID
	ErasedAt      time.Time
	Final         bool
}

// PurgeErasedCases deletes the sessions of all erased cases, in the tested agents and the judges, then the
// cases, and returns the number of deleted cases. While a run may still send a case, only its sessions
// are deleted. It reads limit cases at a time.
func (s Store) PurgeErasedCases(ctx context.Context, limit int) (purged int, err error) {
	var last erasedCase
	for {
		// A run that ends after this statement may have sent a case after its sessions were deleted.
		cases, err := db.All[erasedCase](ctx, s.db, `SELECT c.id, c.account_id, c.erased_at, NOT EXISTS (SELECT 1
				FROM test_runs r WHERE r.agent_id = c.agent_id AND r.ended_at IS NULL AND c.id = ANY(r.cases)) AS final
			FROM test_cases c WHERE c.erased_at IS NOT NULL AND (c.erased_at, c.id) > ($1::timestamptz, $2::uuid)
			ORDER BY c.erased_at, c.id LIMIT $3`, last.ErasedAt, last.ID, limit)
		if err != nil {
			return purged, err
		}
		for _, last = range cases {
			n, err := s.purgeErasedCase(ctx, last)
			if purged += n; err != nil {
				return purged, err
			}
		}
		if len(cases) < limit {
			return purged, nil
		}
	}
}

func (s Store) purgeErasedCase(ctx context.Context, c erasedCase) (int, error) {
	err := s.deleteTestSessions(ctx, c.AccountID, `JOIN test_cases c ON c.agent_id = r.agent_id AND c.id = ANY(r.cases)
		WHERE c.id = $1 AND`+tests.OfCase, c.ID)
	if err != nil || !c.Final {
		return 0, err
	}
	return db.Exec(ctx, s.db, `DELETE FROM test_cases WHERE id = $1`, c.ID)
}
