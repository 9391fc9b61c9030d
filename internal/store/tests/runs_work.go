package tests

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

const (
	// Lease is the time after which a run whose replica has not renewed its claim can be claimed
	// again.
	Lease = 2 * time.Minute
	// MaxLost is the number of lost claims after which the next claim stops a run. afterLoss is the delay
	// before a failed run can be claimed again.
	MaxLost   = 5
	afterLoss = 5 * time.Second
	// unpaidAhead is the share of an account's unpaid calls that a run may use up, in seconds of
	// accounts.unpaid_tat: 20 of 60 calls.
	unpaidAhead = 200 * time.Second
)

// ClaimRun claims the oldest waiting run of the next account, in the order of account ids, starting
// after the given account and wrapping around; or a run whose replica was lost. An account has one
// claimed run at a time. Fault: NotFound if no run is waiting.
func (s Store) ClaimRun(ctx context.Context, after uuid.UUID) (Run, error) {
	for {
		run, err := s.nextRun(ctx, after)
		// After a violation, another replica has claimed a run of this account.
		if !db.Violated(err, db.CodeUniqueViolation, "test_runs_running") {
			return run, err
		}
	}
}

func (s Store) nextRun(ctx context.Context, after uuid.UUID) (run Run, err error) {
	for _, from := range slices.Compact([]uuid.UUID{after, uuid.Nil}) {
		run, err = db.One[Run](ctx, s.db, `
			WITH due AS MATERIALIZED (
				SELECT r.id FROM test_runs r
				WHERE r.due_at <= clock_timestamp() AND r.account_id > $1 AND (r.state = 'RUNNING' OR NOT EXISTS (
					SELECT 1 FROM test_runs o WHERE o.account_id = r.account_id AND o.state = 'RUNNING'))
				ORDER BY r.account_id, r.due_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED
			)
			UPDATE test_runs r SET state = 'RUNNING', attempt = r.attempt + 1, lost = r.lost + 1,
				due_at = clock_timestamp() + $2::interval
			FROM due WHERE r.id = due.id RETURNING`+runColumns, from, Lease)
		if !fault.Is(err, fault.NotFound) {
			return run, err
		}
	}
	return run, err
}

// ofClaim selects the run r whose claim still holds. $1 and $2 are its ID and Attempt.
const ofClaim = ` r.id = $1 AND r.attempt = $2::int AND r.state = 'RUNNING' `

// RenewRun extends a claim. Fault: NotFound if it no longer holds; so do the next three.
func (s Store) RenewRun(ctx context.Context, run Run) error {
	return db.MustChange(db.Exec(ctx, s.db, `
		UPDATE test_runs r SET due_at = clock_timestamp() + $3::interval WHERE`+ofClaim,
		run.ID, run.Attempt, Lease))
}

// ReleaseRun gives up a claim, so that another one continues the run. With lost, that happens after a
// few seconds, and the claim counts as lost.
func (s Store) ReleaseRun(ctx context.Context, run Run, credits int64, lost bool) error {
	later := time.Duration(0)
	if lost {
		later = afterLoss
	}
	// If the owner has stopped the run meanwhile, it keeps its state, and the next claim ends it.
	return db.MustChange(db.Exec(ctx, s.db, `
		UPDATE test_runs r SET state = CASE WHEN r.stop_reason IS NULL THEN 'WAITING' ELSE r.state END,
			lost = r.lost - (NOT $4::bool)::int, due_at = clock_timestamp() + $5::interval,
			credits = greatest(r.credits, $3)
		WHERE`+ofClaim, run.ID, run.Attempt, credits, lost, later))
}

// EndRun ends a run for a reason. The reason is empty if all attempts have a result: the run then
// passes if all its cases that were not erased do. credits is the run's cost.
func (s Store) EndRun(ctx context.Context, run Run, reason StopReason, credits int64) error {
	return db.MustChange(db.Exec(ctx, s.db, `
		UPDATE test_runs r SET ended_at = clock_timestamp(), due_at = NULL, credits = greatest(r.credits, $4),
			stop_reason = nullif($3::text, ''),
			state = CASE WHEN $3::text <> '' THEN 'STOPPED' WHEN r.done = 0 OR EXISTS (
				SELECT 1 FROM test_cases c WHERE c.id = ANY(r.cases) AND c.erased_at IS NULL AND (
					SELECT count(*) FROM test_results t WHERE t.run_id = r.id AND t.case_number = c.number AND t.passed
				) < r.needed) THEN 'FAILED' ELSE 'PASSED' END
		WHERE`+ofClaim, run.ID, run.Attempt, reason, credits))
}

// LookAtRun returns the reason why a run must stop; empty if it may continue. Fault: NotFound if the
// claim no longer holds.
func (s Store) LookAtRun(ctx context.Context, run Run) (StopReason, error) {
	type row struct {
		Deleted, Unpaid bool
		StopReason      *StopReason
		Revision        int64
	}
	found, err := db.One[row](ctx, s.db, `
		SELECT a.deleted_at IS NOT NULL AS deleted, r.stop_reason, `+revisionOf(`r.version`)+` AS revision,
			o.unpaid_tat > clock_timestamp() + $3::interval AS unpaid
		FROM test_runs r JOIN agents a ON a.id = r.agent_id JOIN accounts o ON o.id = r.account_id
		WHERE`+ofClaim, run.ID, run.Attempt, unpaidAhead)
	switch {
	case err != nil:
		return "", err
	case found.StopReason != nil:
		return *found.StopReason, nil
	case found.Deleted:
		return Cancelled, nil
	case found.Revision != run.Revision && run.Version == nil:
		return DraftChanged, nil
	case found.Revision != run.Revision:
		return KnowledgeChanged, nil
	case found.Unpaid:
		return Unpaid, nil
	}
	return "", nil
}

// ModelTime returns the model time of answered turns, in milliseconds; nil if it is unknown.
func (s Store) ModelTime(ctx context.Context, accountID uuid.UUID, turnIDs []uuid.UUID) (*int64, error) {
	return db.One[*int64](ctx, s.db, `
		SELECT CASE WHEN count(t.model_ms) = $3 THEN sum(t.model_ms)::bigint END
		FROM turns t WHERE t.account_id = $1 AND t.id = ANY($2::uuid[])`,
		accountID, db.Texts(turnIDs), len(turnIDs))
}

// RunSettings are the settings that a run tests, and its judge; nil if it has none.
type RunSettings struct {
	Settings     agent.Settings
	HasKnowledge bool
	Judge        *Judge
}

// RunSettings returns the settings of a run. Fault: NotFound if the agent, the version or the judge
// was deleted.
func (s Store) RunSettings(ctx context.Context, run Run) (out RunSettings, err error) {
	out, err = db.One[RunSettings](ctx, s.db, `
		SELECT coalesce(v.settings, a.settings) AS settings, coalesce(v.has_knowledge, a.has_knowledge) AS has_knowledge
		FROM agents a LEFT JOIN agent_versions v ON v.agent_id = a.id AND v.number = $3::int
		WHERE a.account_id = $1 AND a.id = $2 AND a.deleted_at IS NULL`, run.AccountID, run.AgentID, run.Version)
	if err != nil || run.JudgeAgentID == nil {
		return out, err
	}
	judge, err := db.One[Judge](ctx, s.db, `
		SELECT a.id AS agent_id, v.number AS version, v.settings, v.has_knowledge
		FROM agents a JOIN agent_versions v ON v.agent_id = a.id AND v.number = $3::int
		WHERE a.account_id = $1 AND a.id = $2 AND a.deleted_at IS NULL`,
		run.AccountID, *run.JudgeAgentID, *run.JudgeVersion)
	out.Judge = &judge
	return out, err
}

// RunCase is a case of a run.
type RunCase struct {
	ID     uuid.UUID
	Number int
	// Repeats are the attempts that have a result.
	Repeats []int64 `bun:",array"`
}

// HasResult reports whether an attempt has a result.
func (c RunCase) HasResult(repeat int) bool { return slices.Contains(c.Repeats, int64(repeat)) }

// CasesOfRun returns the cases of a run that were not erased, in the order of their numbers.
func (s Store) CasesOfRun(ctx context.Context, run Run) ([]RunCase, error) {
	return db.All[RunCase](ctx, s.db, `
		SELECT c.id, c.number, array(SELECT t.repeat FROM test_results t
			WHERE t.run_id = r.id AND t.case_number = c.number)::bigint[] AS repeats
		FROM test_runs r JOIN test_cases c ON c.id = ANY(r.cases) AND c.erased_at IS NULL
		WHERE r.id = $1 ORDER BY c.number`, run.ID)
}

// CaseToSend is a case with the end user of the conversation that it was made from; nil without one.
type CaseToSend struct {
	Case   *evaluation.Case
	UserID *string
}

// CaseToSend returns a case. Fault: NotFound if it was erased.
func (s Store) CaseToSend(ctx context.Context, id uuid.UUID) (out CaseToSend, err error) {
	type row struct {
		Document string
		UserID   *string
	}
	found, err := db.One[row](ctx, s.db, `
		SELECT c.document, v.user_id FROM test_cases c LEFT JOIN conversations v ON v.id = c.conversation_id
		WHERE c.id = $1 AND c.erased_at IS NULL`, id)
	if err != nil {
		return out, err
	}
	out.UserID = found.UserID
	if out.Case, err = evaluation.Parse([]byte(found.Document)); err != nil {
		err = fault.Wrap(fault.Internal, err)
	}
	return out, err
}

// RunCharge is the held or charged price of a run's message, by its idempotency key.
type RunCharge struct {
	Key   string
	Price int64
	// Pending means that the price is held.
	Pending bool
}

// SQL of the live sessions s of runs r, in the tested agents and the judges. The conditions select the
// sessions of the run r, and of its case c. The bounds are the prefix with a dot, and the prefix with the
// character after the dot.
const (
	Sessions = ` test_runs r CROSS JOIN LATERAL unnest(ARRAY[r.agent_id, r.judge_agent_id]) tested(id)
		JOIN conversations s ON s.agent_id = tested.id AND s.source = 'TEST' AND s.deleted_at IS NULL `
	OfRun  = ` s.session_id >= format('test.%s.', r.id) AND s.session_id < format('test.%s/', r.id) `
	OfCase = ` s.session_id >= format('test.%s.%s.', r.id, c.number)
		AND s.session_id < format('test.%s.%s/', r.id, c.number) `
)

// RunCharges returns the held and charged prices of a run's messages.
func (s Store) RunCharges(ctx context.Context, run Run) ([]RunCharge, error) {
	return db.All[RunCharge](ctx, s.db, `
		SELECT t.idempotency_key AS key, t.price, t.state = 'PENDING' AS pending FROM`+Sessions+`
		JOIN turns t ON t.conversation_id = s.id AND t.state <> 'FAILED' AND t.idempotency_key IS NOT NULL
		WHERE r.id = $1 AND`+OfRun, run.ID)
}
