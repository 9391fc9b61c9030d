package tests

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

const (
	// keptOfAgent and keptOfAccount are the numbers of newest finished runs to keep. Every run is kept
	// for at least keptFor.
	keptOfAgent, keptOfAccount = 100, 500
	keptFor                    = 24 * time.Hour
	// endedFor is the time for which an ended case is kept, so that changing it is a Conflict instead of
	// NotFound.
	endedFor = time.Hour
)

// HideOldRuns hides finished runs that are no longer kept, as DeleteRun does. See oneByOne.
func (s Store) HideOldRuns(ctx context.Context, limit int) (int, error) {
	return s.oneByOne(ctx, limit, `
		WITH next AS (
			SELECT r.account_id AS id FROM test_runs r WHERE r.account_id > $1 ORDER BY r.account_id LIMIT 1
		), changed AS (
			UPDATE test_runs SET deleted_at = clock_timestamp() WHERE id IN (
				SELECT r.id FROM (
					SELECT r.id, r.ended_at, row_number() OVER (PARTITION BY r.agent_id ORDER BY r.number DESC) AS of_agent,
						row_number() OVER (ORDER BY r.id DESC) AS of_account
					FROM next JOIN test_runs r ON r.account_id = next.id
					WHERE r.ended_at IS NOT NULL AND r.deleted_at IS NULL
				) r WHERE (r.of_agent > $2 OR r.of_account > $3) AND r.ended_at < clock_timestamp() - $4::interval
			) RETURNING 1
		)
		SELECT next.id, (SELECT count(*) FROM changed) AS changed FROM next`,
		keptOfAgent, keptOfAccount, keptFor)
}

// PurgeEndedCases deletes replaced and deleted cases that no kept run has. See oneByOne.
func (s Store) PurgeEndedCases(ctx context.Context, limit int) (int, error) {
	return s.oneByOne(ctx, limit, `
		WITH next AS (
			SELECT c.agent_id AS id FROM test_cases c
			WHERE c.agent_id > $1 AND c.ended_at < statement_timestamp() - $2::interval ORDER BY c.agent_id LIMIT 1
		), kept AS MATERIALIZED (
			SELECT DISTINCT k.id FROM next JOIN test_runs r ON r.agent_id = next.id AND r.deleted_at IS NULL
			CROSS JOIN unnest(r.cases) k(id)
		), changed AS (
			DELETE FROM test_cases c USING next
			WHERE c.agent_id = next.id AND c.ended_at < statement_timestamp() - $2::interval
				AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.id = c.id)
			RETURNING 1
		)
		SELECT next.id, (SELECT count(*) FROM changed) AS changed FROM next`, endedFor)
}

// oneByOne runs a statement for one account or agent after the other, until limit rows have changed, and
// returns their number. $1 is the previous id, and args follow. The statement returns the next id with the
// number of changed rows. This way, no statement reads the rows of the whole service.
func (s Store) oneByOne(ctx context.Context, limit int, statement string, args ...any) (changed int, err error) {
	type row struct {
		ID      uuid.UUID
		Changed int
	}
	for at := (row{}); changed < limit; changed += at.Changed {
		at, err = db.One[row](ctx, s.db, statement, append([]any{at.ID}, args...)...)
		if fault.Is(err, fault.NotFound) {
			return changed, nil
		}
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}
