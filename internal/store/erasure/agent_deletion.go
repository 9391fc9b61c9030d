package erasure

import (
	"context"
	_ "embed" // the statements are files of their own
	"time"

	"github.com/google/uuid"

	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/tests"
	"agentchat/internal/store/usage"
)

var (
	//go:embed sql/erase_agent.sql
	eraseAgentSQL string
	//go:embed sql/purge_agent.sql
	purgeAgentSQL string
)

// wipeAgent marks an agent deleted and removes its text.
const wipeAgent = ` deleted_at = clock_timestamp(), description = '', settings = '{}' `

const (
	// Batches of these sizes stay far below the statement timeout, however much an agent has.
	eraseConversations = 200
	eraseTurns         = 2_000
	eraseVersions      = 200
	// eraseWithin limits the time in which a deletion erases text itself; the background erases the
	// rest.
	eraseWithin = 3 * time.Second
	// deletionTries is the number of attempts when a deletion deadlocks with other work on the same
	// keys.
	deletionTries = 3
)

// DeleteAgent deletes an agent. In one transaction it stops the exports, marks the turns in flight
// (see markTurns), and hides the agent from every reader. Its conversations are erased right
// afterwards; if that takes long or the process ends, PurgeDeletedAgents continues. The credit
// history stays, with the agent's name. Fault: NotFound.
//
// A begin locks its export's row and reads the newest version. If it comes first, it has committed
// when the deletion gets that lock, and later statements see its turn. If it comes second, it finds
// the export removed. Any other code that begins turns of an agent must lock the agent's or the
// export's row too. Readers of conversations join live agents.
func (s Store) DeleteAgent(ctx context.Context, accountID, id uuid.UUID) error {
	var turns []uuid.UUID
	var err error
	for range deletionTries {
		if turns, err = s.stopAgent(ctx, accountID, id); !db.IsRace(err) {
			break
		}
	}
	if err != nil {
		return err
	}
	db.TurnsDeleted(s.db, turns)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), eraseWithin)
	defer cancel()
	// The agent is already deleted. After an error the background erases the rest of its text.
	_, _ = s.eraseAgent(ctx, id)
	return nil
}

// stopAgent marks the agent and its turns in flight deleted, and returns the turns. It locks in the
// order agent, export, turn.
func (s Store) stopAgent(
	ctx context.Context, accountID, id uuid.UUID,
) (turns []uuid.UUID, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		err := db.MustChange(db.Exec(ctx, tx, `UPDATE agents SET`+
			wipeAgent+`WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`,
			accountID, id))
		if err != nil {
			return err
		}
		_, err = db.Exec(ctx, tx, `UPDATE api_exports SET removed_at = clock_timestamp()
			WHERE agent_id = $1 AND removed_at IS NULL`, id)
		if err != nil {
			return err
		}
		if turns, err = On(tx).markTurns(ctx, ofAgent, id); err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
	return turns, err
}

// PurgeDeletedAgents erases the remaining text of at most limit deleted agents, oldest deletions
// first, and removes the agents. It returns how many it removed. Several replicas can run it at
// once. A copy or an import in progress has a deleted_at in the future.
func (s Store) PurgeDeletedAgents(ctx context.Context, limit int) (int, error) {
	ids, err := db.All[uuid.UUID](ctx, s.db, `
		SELECT id FROM agents WHERE deleted_at <= statement_timestamp() ORDER BY deleted_at LIMIT $1`,
		limit)
	if err != nil {
		return 0, err
	}
	removed := 0
	for _, id := range ids {
		gone, err := s.eraseAgent(ctx, id)
		if err != nil {
			return removed, err
		}
		if gone {
			removed++
		}
	}
	return removed, nil
}

// eraseTestsAndVersions stops and hides the runs of the deleted agent $1, which PurgeDeletedRuns then
// deletes with the judge's sessions. It deletes $2 cases and as many versions, and returns a row for
// each.
const eraseTestsAndVersions = `
	WITH runs AS (
		UPDATE test_runs r SET deleted_at = least(r.deleted_at, clock_timestamp()), ` + tests.StopByOwner + `
		WHERE r.agent_id = $1 AND (r.deleted_at IS NULL OR r.deleted_at > clock_timestamp() OR r.ended_at IS NULL)
	), cases AS (
		DELETE FROM test_cases WHERE id IN (
			SELECT id FROM test_cases WHERE agent_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1
	), versions AS (
		DELETE FROM agent_versions WHERE agent_id = $1 AND number IN (
			SELECT number FROM agent_versions WHERE agent_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1
	)
	SELECT FROM cases UNION ALL SELECT FROM versions`

// deleteRatings deletes $2 ratings of the deleted agent $1 that eraseAgentSQL did not see. They keep the
// agent from being removed, so it runs only if the agent stays.
const deleteRatings = `
	DELETE FROM ratings WHERE (turn_id, kind) IN (
		SELECT turn_id, kind FROM ratings WHERE agent_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`

// eraseAgent erases a deleted agent's text in batches, each in its own transaction, and then
// removes the agent. gone is false while a turn of the agent is pending, whose charge will name the
// agent, while it has ratings or test runs, or while another replica works on it.
func (s Store) eraseAgent(ctx context.Context, id uuid.UUID) (gone bool, err error) {
	// This waits for requests that are being recorded. Later requests are not recorded, because the
	// agent is deleted.
	err = usage.On(s.db).BeforeErasing(ctx, `SELECT account_id FROM agents WHERE id = $1`, id)
	if err != nil {
		return false, err
	}
	for _, b := range []batches{{
		eraseTestsAndVersions, eraseVersions, eraseVersions}, {
		sources.DeletePassagesOf(`true`), sources.DeletePostings, 1}, {`
		DELETE FROM knowledge_sources WHERE id IN (
			SELECT s.id FROM knowledge_sources s
			WHERE s.agent_id = $1 AND NOT EXISTS (SELECT 1 FROM knowledge_passages p
				WHERE p.source = s.number)
			LIMIT $2 FOR UPDATE OF s SKIP LOCKED)`, eraseTurns, eraseTurns}, {`
		DELETE FROM rejected_requests WHERE id IN (
			SELECT r.id FROM api_exports x JOIN rejected_requests r ON r.export_id = x.id
				WHERE x.agent_id = $1
			LIMIT $2 FOR UPDATE OF r SKIP LOCKED)`, eraseTurns, eraseTurns}} {
		if err := s.runBatches(ctx, id, b); err != nil {
			return false, err
		}
	}
	for { // the turns that were pending at the deletion stay
		left, err := db.One[int](ctx, s.db, eraseAgentSQL, id, eraseConversations, eraseTurns)
		if err != nil {
			return false, err
		}
		if left == 0 {
			break
		}
	}
	n, err := db.Exec(ctx, s.db, purgeAgentSQL, id)
	if err != nil || n > 0 {
		return n > 0, err
	}
	return false, s.runBatches(ctx, id, batches{deleteRatings, eraseTurns, eraseTurns})
}

// batches is a statement that erases at most size rows of an agent.
type batches struct {
	text string
	size int
	// least is the number of rows after which there may be more.
	least int
}

// runBatches runs a statement until it finds no more rows of the agent.
func (s Store) runBatches(ctx context.Context, id uuid.UUID, b batches) error {
	for {
		n, err := db.Exec(ctx, s.db, b.text, id, b.size)
		if err != nil || n < b.least {
			return err
		}
	}
}
