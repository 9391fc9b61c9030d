package tests

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// Limits of runs.
const (
	// MaxAttempts is the limit of attempts in a run: its cases times the repeats.
	MaxAttempts = 1_000
	// MaxUnfinished is the limit of an account's unfinished runs, and MaxStarts the limit of runs that
	// it starts per UTC day.
	MaxUnfinished = 10
	MaxStarts     = 200
)

// RunState is the state of a run.
//
//	WAITING <---- claim, release ----> RUNNING ----> PASSED, FAILED or STOPPED
//
// A run whose replica was lost stays RUNNING and is claimed again when its lease has expired.
type RunState string

// The states of a run.
const (
	RunWaiting RunState = "WAITING"
	RunRunning RunState = "RUNNING"
	RunPassed  RunState = "PASSED"
	RunFailed  RunState = "FAILED"
	RunStopped RunState = "STOPPED"
)

// StopReason says why a run was stopped before all its attempts had a result.
type StopReason string

// The reasons for stopping a run.
const (
	Cancelled        StopReason = "CANCELLED"
	OverBudget       StopReason = "BUDGET"
	NoCredits        StopReason = "CREDITS"
	DraftChanged     StopReason = "DRAFT_CHANGED"
	KnowledgeChanged StopReason = "KNOWLEDGE_CHANGED"
	NotAvailable     StopReason = "UNAVAILABLE"
	Unpaid           StopReason = "UNPAID"
)

// Run is a run of test cases.
type Run struct {
	ID, AccountID, AgentID uuid.UUID
	// Number is the run's number in its agent, from 1.
	Number int
	// Version is nil for the draft. Model is nil for the model of the draft or version.
	Version *int
	Model   *string
	// Revision is the draft's revision at the start, or the number of the version's sources.
	Revision int64
	// JudgeAgentID and JudgeVersion are nil without judge checks.
	JudgeAgentID *uuid.UUID
	JudgeVersion *int
	// Cases is the number of cases. Whole means that the run has all cases that were
	// enabled at its start.
	Cases int
	Whole bool
	// Repeats is the number of attempts of each case, and Needed the number that must pass.
	Repeats, Needed int
	// MostCredits is the price of the run at its start, and Budget the most credits it may spend.
	MostCredits, Budget int64
	State               RunState
	// StopReason is nil unless the run was stopped or is about to stop.
	StopReason *StopReason
	// Done counts the attempts with a result, and Passed the cases that have passed.
	Done, Passed int
	// Credits is the cost so far.
	Credits int64
	// StartedBy is a user or, with ByToken, an account token.
	StartedBy uuid.UUID
	ByToken   bool
	// Attempt is the number of the current claim. Lost counts the claims that were not released,
	// including the current one.
	Attempt, Lost int
	CreatedAt     time.Time
	EndedAt       *time.Time
}

// Attempts returns the total number of attempts, over all cases.
func (r *Run) Attempts() int { return r.Cases * r.Repeats }

// PassedCases returns the SQL expression of the number of passed cases of a run, a row of test_runs. It reads
// the run's results by their primary key.
func PassedCases(run string) string {
	return `(SELECT count(*) FROM (SELECT FROM test_results o WHERE o.run_id = ` + run + `.id AND o.passed
		GROUP BY o.case_number HAVING count(*) >= ` + run + `.needed) o) AS passed`
}

// runColumns are the columns of a Run, of test_runs AS r.
var runColumns = ` r.id, r.account_id, r.agent_id, r.number, r.version, r.model, r.revision, r.judge_agent_id,
	r.judge_version, cardinality(r.cases) AS cases, r.whole, r.repeats, r.needed, r.most_credits, r.budget,
	r.state, r.stop_reason, r.done, ` + PassedCases("r") + `, r.credits, r.started_by, r.by_token, r.attempt, r.lost,
	r.created_at, r.ended_at `

// ofAccount selects the runs r of the account $1 that its members see.
const ofAccount = ` r.account_id = $1 AND r.deleted_at IS NULL AND EXISTS (
	SELECT 1 FROM agents a WHERE a.id = r.agent_id AND a.deleted_at IS NULL) `

// Run returns a run of an account. Fault: NotFound.
func (s Store) Run(ctx context.Context, accountID, id uuid.UUID) (Run, error) {
	return db.One[Run](ctx, s.db,
		`SELECT`+runColumns+`FROM test_runs r WHERE`+ofAccount+`AND r.id = $2`, accountID, id)
}

// RunsByIDs returns the account's runs among ids.
func (s Store) RunsByIDs(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]Run, error) {
	found, err := db.All[Run](ctx, s.db, `SELECT`+runColumns+`FROM test_runs r WHERE`+ofAccount+`
		AND r.id = ANY($2::uuid[])`, accountID, db.Texts(ids))
	return db.ByID(found, func(r Run) uuid.UUID { return r.ID }), err
}

// RunPlace returns the cursor of a run in its agent's list.
func RunPlace(r Run) db.Cursor { return db.Cursor{Key: int64(r.Number), ID: r.AgentID} }

// RunsByAgents returns a page of each agent's runs, newest first, in one statement. after is a cursor
// of the same agent; nil starts with the newest. Faults, before any statement: InvalidInput on first,
// and on after for a cursor of another agent.
func (s Store) RunsByAgents(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, first int, after *db.Cursor,
) (map[uuid.UUID]db.Page[Run], error) {
	if _, err := db.PageSize(&first); err != nil {
		return nil, err
	}
	if after != nil && (len(agentIDs) != 1 || agentIDs[0] != after.ID) {
		return nil, db.BadCursor("after")
	}
	var text db.Statement
	text.Add(`SELECT` + runColumns + `FROM agents a CROSS JOIN LATERAL (`)
	text.Page(`number DESC`, first, func() {
		text.Add(`SELECT r.* FROM test_runs r WHERE r.agent_id = a.id AND r.deleted_at IS NULL`)
		if after != nil {
			text.Add(` AND r.number < ?::bigint`, after.Key)
		}
	})
	text.Add(`) r WHERE a.account_id = ?::uuid AND a.id = ANY(?::uuid[]) AND a.deleted_at IS NULL
		ORDER BY r.agent_id, r.number DESC`, accountID, db.Texts(agentIDs))
	items, err := db.All[Run](ctx, s.db, text.String(), text.Args()...)
	return db.CutEach(items, func(r Run) uuid.UUID { return r.AgentID }, first), err
}

// StopRun stops a run. A claimed run stops when its messages in flight have ended. A run that has
// ended does not change. Fault: NotFound.
func (s Store) StopRun(ctx context.Context, accountID, id uuid.UUID) (run Run, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		run, err = db.One[Run](ctx, tx, `
			SELECT`+runColumns+`FROM test_runs r WHERE`+ofAccount+`AND r.id = $2 FOR UPDATE`, accountID, id)
		if err != nil || run.EndedAt != nil || run.StopReason != nil {
			return err
		}
		run, err = db.One[Run](ctx, tx,
			`UPDATE test_runs r SET `+StopByOwner+`WHERE r.id = $1 RETURNING`+runColumns, id)
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
	return run, err
}

// StopByOwner is the part of an UPDATE that stops runs r. A claimed run only gets the reason: its
// replica, or the next one to claim it, then stops it.
const StopByOwner = `
	stop_reason = CASE WHEN r.ended_at IS NULL THEN coalesce(r.stop_reason, 'CANCELLED')
		ELSE r.stop_reason END,
	state = CASE r.state WHEN 'WAITING' THEN 'STOPPED' ELSE r.state END,
	ended_at = CASE r.state WHEN 'WAITING' THEN clock_timestamp() ELSE r.ended_at END,
	due_at = CASE r.state WHEN 'WAITING' THEN NULL ELSE r.due_at END `

// DeleteRun stops a run and hides it from all readers. The background deletes its sessions and results, and
// then its row: see erasure.Store.PurgeDeletedRuns. Fault: NotFound.
func (s Store) DeleteRun(ctx context.Context, accountID, id uuid.UUID) error {
	return db.InTx(ctx, s.db, func(tx *db.DB) error {
		err := db.MustChange(db.Exec(ctx, tx, `UPDATE test_runs r SET deleted_at = clock_timestamp(), `+
			StopByOwner+`WHERE`+ofAccount+`AND r.id = $2`, accountID, id))
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
}

// tooMany returns the Conflict for an exceeded limit.
func tooMany(format string, args ...any) error {
	return fault.New(fault.Conflict, fmt.Sprintf(format, args...))
}
