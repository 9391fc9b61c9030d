package tests

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/sources"
)

// Standing is the test result of a draft.
type Standing string

// The standings. A draft that is NotNeeded or Passed needs no override to be published.
const (
	// NotNeeded is a draft with the settings and the knowledge of a version.
	NotNeeded Standing = "NOT_NEEDED"
	Passed    Standing = "PASSED"
	Failed    Standing = "FAILED"
	Untested  Standing = "UNTESTED"
)

// RequiredReason is the detail "reason" of the Conflict for a draft that has not passed its tests.
const RequiredReason = "tests_required"

// WithoutTestsField is the audit trail's field for a publication that overrides the gate.
const WithoutTestsField = "withoutTests"

// standing reads the standing of agents AS a. The run that counts is the newest whole run of this
// draft that passed or failed, with the draft's own model and the current test settings. It must have
// exactly the current cases.
const standing = `
	SELECT a.id, CASE
		WHEN EXISTS (SELECT 1 FROM agent_versions v WHERE v.agent_id = a.id AND v.fingerprint = f.fingerprint)
			THEN 'NOT_NEEDED'
		WHEN r.cases @> t.cases AND r.cases <@ t.cases THEN r.state
		ELSE 'UNTESTED' END AS value
	FROM agents a
	CROSS JOIN LATERAL (SELECT` + sources.DraftFingerprint + `AS fingerprint OFFSET 0) f
	CROSS JOIN LATERAL (SELECT array_agg(c.id) AS cases, bool_or(c.judge_checks > 0) AS judged FROM test_cases c
		WHERE c.agent_id = a.id AND c.enabled AND` + current + `) t
	LEFT JOIN LATERAL (
		SELECT r.state, r.cases FROM test_runs r
		WHERE r.agent_id = a.id AND r.fingerprint = f.fingerprint AND r.whole AND r.model IS NULL
			AND r.state IN ('PASSED', 'FAILED') AND r.deleted_at IS NULL
			AND r.repeats = ` + repeatsOf + ` AND r.needed = ` + neededOf + `
			AND (NOT t.judged OR EXISTS (SELECT 1 FROM agents j WHERE j.id = r.judge_agent_id
				AND j.id::text = a.tests->>'judge' AND j.published_version = r.judge_version
				AND j.state = 'LIVE' AND j.deleted_at IS NULL))
		ORDER BY r.number DESC LIMIT 1
	) r ON true
	WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL`

// Standings returns the standing of each agent's draft.
func (s Store) Standings(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID,
) (map[uuid.UUID]Standing, error) {
	return db.ValuesByID[Standing](ctx, s.db, standing, accountID, agentIDs)
}

// Override is a request to publish a draft that has not passed its tests.
type Override struct {
	WithoutTests bool
	// ByOwner means that an owner publishes.
	ByOwner bool
}

// CheckGate checks that a draft has passed the tests it needs to be published. The transaction must
// have locked the agent. It reports whether the override was needed. Fault: Conflict with
// RequiredReason.
func (s Store) CheckGate(
	ctx context.Context, accountID, agentID uuid.UUID, in Override,
) (overridden bool, err error) {
	gate, err := db.One[Gate](ctx, s.db, `SELECT `+gateOf+` FROM agents a WHERE a.id = $1`, agentID)
	if err != nil || gate == Off {
		return false, err
	}
	found, err := s.Standings(ctx, accountID, []uuid.UUID{agentID})
	if err != nil {
		return false, err
	}
	switch found[agentID] {
	case NotNeeded, Passed:
		return false, nil
	}
	message := "The draft has not passed its tests. Run all of them, or publish it with withoutTests."
	if gate == Require && !in.ByOwner {
		message = "The draft has not passed its tests. Run all of them. Only owners can publish it without tests."
	} else if in.WithoutTests {
		return true, nil
	}
	return false, &fault.Error{Kind: fault.Conflict, Message: message,
		Details: map[string]any{"reason": RequiredReason}}
}
