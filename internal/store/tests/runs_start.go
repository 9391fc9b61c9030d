package tests

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/sources"
)

// NewRun is a run to start.
type NewRun struct {
	AgentID uuid.UUID
	// Version is nil for the draft. Model is nil for the model of the draft or version.
	Version *int
	Model   *string
	// Cases are ids of cases; nil for all that are enabled.
	Cases []uuid.UUID
	// Budget is the most credits the run may spend; nil for the plan's price.
	Budget *int64
	// IdempotencyKey makes a retry return the run that the first request started; nil for none.
	IdempotencyKey *string
	// By is the user or token that starts it.
	By      uuid.UUID
	ByToken bool
}

// Plan describes the messages of a run.
type Plan struct {
	// Settings are those of the draft or version, and HasKnowledge means that it has sources.
	Settings     agent.Settings
	HasKnowledge bool
	// Model is the run's own model; nil for that of the settings.
	Model *string
	// Judge is nil without judge checks.
	Judge *Judge
	Cases []PlannedCase
	// Repeats is the number of attempts of each case.
	Repeats int
}

// PlannedCase has the properties of a case that determine its price. It has no texts, because the documents of
// a run can take 32 MiB.
type PlannedCase struct {
	ID uuid.UUID
	// HasResults means that the case has action results.
	HasResults  bool
	JudgeChecks int
}

// Judge is the published version of the agent that judges replies.
type Judge struct {
	AgentID      uuid.UUID
	Version      int
	Settings     agent.Settings
	HasKnowledge bool
}

// plannedRun is a plan with the other stored values of its run.
type plannedRun struct {
	Plan
	settings    Settings
	fingerprint []byte
	revision    int64
}

// Plan returns the plan of a run without starting it. Faults: those of StartRun, except for limits.
func (s Store) Plan(ctx context.Context, accountID uuid.UUID, in NewRun) (Plan, error) {
	planned, err := s.plan(ctx, accountID, in)
	return planned.Plan, err
}

// StartRun starts a run. price returns the most that its plan costs. A request with an earlier one's
// idempotency key gets the same run. Faults: NotFound, also for a case; InvalidInput on version and
// judge; those of price; Conflict for an exceeded limit, if there are no cases, if a case was replaced
// or deleted, if the key's run was deleted, and if it has another version, model or cases.
func (s Store) StartRun(
	ctx context.Context, accountID uuid.UUID, in NewRun, price func(Plan) (int64, error),
) (run Run, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		run, err = On(tx).startRun(ctx, accountID, in, price)
		return err
	})
	if err == nil {
		db.RunStarted(s.db)
	}
	return run, err
}

func (s Store) startRun(
	ctx context.Context, accountID uuid.UUID, in NewRun, price func(Plan) (int64, error),
) (Run, error) {
	// The agent's lock prevents changes to its cases, draft and knowledge, and other starts. A separate
	// statement takes it, so that the plan sees the changes that it waited for.
	if _, err := agents.On(s.db).LockAgent(ctx, accountID, in.AgentID); err != nil {
		return Run{}, err
	}
	planned, err := s.plan(ctx, accountID, in)
	if in.IdempotencyKey != nil { // even if the plan is no longer possible
		earlier, failed := s.earlierRun(ctx, accountID, in)
		if !fault.Is(failed, fault.NotFound) {
			return earlier, failed
		}
	}
	if err != nil {
		return Run{}, err
	}
	most, err := price(planned.Plan)
	if err != nil {
		return Run{}, err
	}
	budget := most
	if in.Budget != nil {
		budget = *in.Budget
	}
	if in.ByToken {
		if err := s.checkTokenCredits(ctx, in.AgentID, planned.settings.TokenCreditsPerDay, budget); err != nil {
			return Run{}, err
		}
	}
	if err := s.checkRuns(ctx, accountID); err != nil {
		return Run{}, err
	}
	run, err := s.insertRun(ctx, accountID, in, &planned, most, budget)
	if err == nil {
		err = audit.On(s.db).RecordIn(ctx, accountID, run.ID.String())
	}
	return run, err
}

// earlierRun returns the run of an earlier request with the same key. Faults: NotFound for a new key;
// Conflict if the run was deleted, and if the version, model or cases differ.
func (s Store) earlierRun(ctx context.Context, accountID uuid.UUID, in NewRun) (Run, error) {
	type row struct {
		Run
		Deleted, Same bool
	}
	found, err := db.One[row](ctx, s.db, `
		SELECT`+runColumns+`, r.deleted_at IS NOT NULL AS deleted,
			r.version IS NOT DISTINCT FROM $4::bigint AND r.model IS NOT DISTINCT FROM $5::text
				AND r.whole = $6::bool AND (r.whole OR r.cases @> $7::uuid[] AND r.cases <@ $7::uuid[]) AS same
		FROM test_runs r WHERE r.account_id = $1 AND r.agent_id = $2 AND r.idempotency_key = $3`,
		accountID, in.AgentID, *in.IdempotencyKey, in.Version, in.Model, in.Cases == nil, db.Texts(in.Cases))
	if err == nil && found.Deleted {
		err = fault.New(fault.Conflict, "The run with this idempotencyKey was deleted. Use a new key.")
	}
	if err == nil && !found.Same {
		err = fault.New(fault.Conflict, "This idempotencyKey has started a run with another version, model or cases. "+
			"Use a new key, or repeat the first request.")
	}
	return found.Run, err
}

func (s Store) plan(ctx context.Context, accountID uuid.UUID, in NewRun) (out plannedRun, err error) {
	type row struct {
		Settings     agent.Settings
		HasKnowledge bool
		Fingerprint  []byte
		Revision     int64
	}
	if v := in.Version; v != nil && (*v < 1 || *v > math.MaxInt32) {
		return out, agent.NoSuchVersion("version")
	}
	found, err := db.One[row](ctx, s.db, `
		SELECT coalesce(v.settings, a.settings) AS settings, coalesce(v.has_knowledge, a.has_knowledge) AS has_knowledge,
			CASE WHEN $3::int IS NULL THEN`+sources.DraftFingerprint+`ELSE v.fingerprint END AS fingerprint,
			`+revisionOf(`$3::int`)+` AS revision
		FROM agents a LEFT JOIN agent_versions v ON v.agent_id = a.id AND v.number = $3::int
		WHERE a.account_id = $1 AND a.id = $2 AND a.deleted_at IS NULL`,
		accountID, in.AgentID, in.Version)
	if err != nil {
		return out, err
	}
	if found.Fingerprint == nil {
		return out, agent.NoSuchVersion("version")
	}
	out.Settings, out.HasKnowledge, out.Model = found.Settings, found.HasKnowledge, in.Model
	settings, err := s.SettingsByAgents(ctx, accountID, []uuid.UUID{in.AgentID})
	if err != nil {
		return out, err
	}
	out.settings, out.Repeats = settings[in.AgentID], settings[in.AgentID].Repeats
	out.fingerprint, out.revision = found.Fingerprint, found.Revision
	if err = s.planCases(ctx, in, &out); err != nil {
		return out, err
	}
	if slices.ContainsFunc(out.Cases, func(c PlannedCase) bool { return c.JudgeChecks > 0 }) {
		out.Judge, err = s.judge(ctx, accountID, in.AgentID, out.settings.JudgeID)
	}
	return out, err
}

// revisionOf is the SQL expression of the revision that must not change while agents AS a are tested:
// the draft's revision, or the number of a version's sources.
func revisionOf(version string) string {
	return `CASE WHEN ` + version + ` IS NULL THEN a.draft_revision ELSE (
		SELECT count(*) FROM knowledge_sources s WHERE s.agent_id = a.id AND s.versions @> ` + version + `) END`
}

// planCases reads the cases of a plan. Faults: NotFound for a case that the agent never had; Conflict
// if a case was replaced or deleted, and for no cases or too many.
func (s Store) planCases(ctx context.Context, in NewRun, out *plannedRun) error {
	type row struct {
		PlannedCase
		Current bool
	}
	chosen := `c.enabled AND` + current
	if in.Cases != nil {
		chosen = `c.id = ANY($2::uuid[])`
	}
	rows, err := db.All[row](ctx, s.db, `SELECT c.id, c.has_results, c.judge_checks,`+current+`AS current FROM test_cases c
		WHERE c.agent_id = $1 AND cardinality($2::uuid[]) >= 0 AND `+chosen+` ORDER BY c.number`,
		in.AgentID, db.Texts(in.Cases))
	if err != nil {
		return err
	}
	for _, r := range rows {
		if !r.Current {
			return fault.New(fault.Conflict,
				"A case was replaced or deleted. Reload the list of cases.")
		}
		out.Cases = append(out.Cases, r.PlannedCase)
	}
	for _, id := range in.Cases {
		if !slices.ContainsFunc(out.Cases, func(c PlannedCase) bool { return c.ID == id }) {
			return fault.New(fault.NotFound, "")
		}
	}
	switch attempts := len(rows) * out.Repeats; {
	case attempts == 0:
		return fault.New(fault.Conflict, "The agent has no enabled test case. Create or enable one.")
	case attempts > MaxAttempts:
		return tooMany("A run can have up to 1,000 attempts, and this one would have %d. Choose fewer cases or repeats.",
			attempts)
	}
	return nil
}

// judge returns the published version of the agent that judges replies. Fault: InvalidInput on
// judge.
func (s Store) judge(
	ctx context.Context, accountID, tested uuid.UUID, id *uuid.UUID,
) (*Judge, error) {
	if id == nil {
		return nil, noJudge("Some checks need a judge. Choose one in the test settings first.")
	}
	found, err := db.One[Judge](ctx, s.db, `
		SELECT a.id AS agent_id, v.number AS version, v.settings, v.has_knowledge
		FROM agents a JOIN agent_versions v ON v.agent_id = a.id AND v.number = a.published_version
		WHERE a.account_id = $1 AND a.id = $2 AND a.state = 'LIVE' AND a.deleted_at IS NULL`, accountID, *id)
	required := func(v agent.Variable) bool { return v.Required }
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, noJudge("The judge is offline or was deleted. Choose another one in the test settings.")
	case err != nil:
		return nil, err
	case found.AgentID == tested || found.Settings.ReplySchema == nil ||
		!evaluation.CanJudge(*found.Settings.ReplySchema) || slices.ContainsFunc(found.Settings.Variables, required):
		return nil, noJudge("The judge’s published version can’t judge: it needs a reply schema that requires " +
			"passed (boolean) and reason (string), and may not have required variables.")
	}
	return &found, nil
}

func noJudge(message string) error {
	return fault.Invalid(fault.Field{Path: "judge", Reason: fault.InvalidValue, Message: message})
}

// checkTokenCredits checks what account tokens may spend on an agent's runs today. Fault: Conflict.
func (s Store) checkTokenCredits(
	ctx context.Context, agentID uuid.UUID, perDay, budget int64,
) error {
	if perDay == 0 {
		return fault.New(fault.Conflict,
			"Account tokens can’t start runs of this agent. An owner can change this in the test settings.")
	}
	used, err := db.One[int64](ctx, s.db, `
		SELECT coalesce(sum(CASE WHEN r.ended_at IS NULL THEN r.budget ELSE r.credits END), 0)::bigint
		FROM test_runs r WHERE r.agent_id = $1 AND r.by_token
			AND r.created_at >= date_trunc('day', statement_timestamp(), 'UTC')`, agentID)
	if err == nil && budget > perDay-used {
		err = tooMany("Account tokens can spend %d credits a day (UTC) on runs of this agent, and %d are left. "+
			"Set a lower budget, or wait until tomorrow.", perDay, max(perDay-used, 0))
	}
	return err
}

// checkRuns checks the number of an account's runs. It locks the account, so concurrent starts wait
// for each other. Fault: Conflict.
func (s Store) checkRuns(ctx context.Context, accountID uuid.UUID) error {
	_, err := db.One[uuid.UUID](ctx, s.db,
		`SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, accountID)
	if err != nil {
		return err
	}
	n, err := db.One[struct{ Unfinished, Today int }](ctx, s.db, `
		SELECT count(*) FILTER (WHERE r.due_at IS NOT NULL) AS unfinished,
			count(*) FILTER (WHERE r.created_at >= date_trunc('day', statement_timestamp(), 'UTC')) AS today
		FROM test_runs r WHERE r.account_id = $1`, accountID)
	switch {
	case err != nil:
		return err
	case n.Unfinished >= MaxUnfinished:
		return tooMany("An account can have up to %d unfinished runs. Wait, or stop one.", MaxUnfinished)
	case n.Today >= MaxStarts:
		return tooMany("An account can start up to %d runs a day (UTC). Wait until tomorrow.", MaxStarts)
	}
	return nil
}

func (s Store) insertRun(
	ctx context.Context, accountID uuid.UUID, in NewRun, planned *plannedRun, most, budget int64,
) (Run, error) {
	var judge Judge
	if planned.Judge != nil {
		judge = *planned.Judge
	}
	cases := db.Mapped(planned.Cases, func(c PlannedCase) string { return c.ID.String() })
	return db.One[Run](ctx, s.db, `
		WITH numbered AS (
			UPDATE agents SET last_test_run = last_test_run + 1 WHERE id = $2 RETURNING last_test_run AS number
		)
		INSERT INTO test_runs AS r (id, created_at, account_id, agent_id, number, version, model, fingerprint, revision,
			judge_agent_id, judge_version, cases, whole, repeats, needed, most_credits, budget, state, started_by,
			by_token, idempotency_key)
		SELECT `+db.NewID+`, n.now, $1::uuid, $2::uuid, numbered.number, $3::int, $4::text, $5::bytea, $6::bigint,
			nullif($7::uuid, `+db.NilUUID+`), nullif($8::int, 0), $9::uuid[], $10::bool, $11::int, $12::int, $13::bigint,
			$14::bigint, 'WAITING', $15::uuid, $16::bool, $17::text
		FROM`+db.DatabaseTime+`, numbered RETURNING`+runColumns,
		accountID, in.AgentID, in.Version, in.Model, planned.fingerprint, planned.revision,
		judge.AgentID, judge.Version, cases, in.Cases == nil,
		planned.Repeats, planned.settings.NeededPasses, most, budget, in.By, in.ByToken, in.IdempotencyKey)
}
