package graph_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

const (
	startTestRun = `mutation($input: StartTestRunInput!) { startTestRun(input: $input) { testRun {
		id number whole state stopReason attempts mostCredits budget startedBy { kind actorId } } } }`
	runOutcomes = `query($id: ID!, $against: ID) { testRun(id: $id) { outcomes(against: $against) {
		nodes { caseNumber } } results { nodes { caseNumber } } } }`
)

// TestRunsOfAnAgent prices, starts, compares and deletes runs.
func TestRunsOfAnAgent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	mine, theirs := u.world(t), other.world(t)
	id := uuid.MustParse(u.live(t))
	u.testCase(t, id, `{"message": "hello"}`)
	input := vars{"agentId": id, "idempotencyKey": "key"}
	u.do(t, `query($input: StartTestRunInput!) { testRunPrice(input: $input) { most exact attempts } }`,
		vars{"input": input}).wantValues(t, "a price", map[string]any{
		"testRunPrice.most": 1, "testRunPrice.exact": true, "testRunPrice.attempts": 1})
	started := u.do(t, startTestRun, vars{"input": input})
	const run = "startTestRun.testRun."
	started.wantValues(t, "a run", map[string]any{run + "number": 1, run + "whole": true, run + "state": "WAITING",
		run + "stopReason": nil, run + "attempts": 1, run + "mostCredits": 1, run + "budget": 1,
		run + "startedBy.kind": "USER", run + "startedBy.actorId": u.account.OwnerID.String()})
	u.do(t, startTestRun, vars{"input": input}).wantValues(t, "the same key", map[string]any{
		run + "id": started.text(t, run+"id")})
	u.do(t, startTestRun, vars{"input": vars{"agentId": id, "budget": -1, "cases": []any{}, "idempotencyKey": " "}}).
		wantFields(t, "a bad input", "cases out_of_range", "budget out_of_range", "idempotencyKey invalid_value")
	u.do(t, startTestRun, vars{"input": vars{"agentId": id, "model": "no/model"}}).
		wantFields(t, "an unknown model", "model invalid_value")
	compare := func(against uuid.UUID) answer {
		return u.do(t, runOutcomes, vars{"id": mine["testrun"], "against": against})
	}
	compare(mine["testrun"]).wantNone(t, "a comparison")
	compare(started.id(t, run+"id")).wantFields(t, "another agent's run", "against invalid_value")
	compare(theirs["testrun"]).want(t, "another account's run", http.StatusOK, "NOT_FOUND")
	compare(uuid.Must(uuid.NewV7())).want(t, "a random id", http.StatusOK, "NOT_FOUND")
	const remove = `mutation($id: ID!) { deleteTestRun(input: {id: $id}) { deletedTestRunId } }`
	u.do(t, remove, vars{"id": mine["testrun"]}).wantNone(t, "a deletion")
	compare(mine["testrun"]).want(t, "a deleted run", http.StatusOK, "NOT_FOUND")
}

// TestListsInRuns tests that the results and outcomes of several runs are refused, and that the turns of a
// page of results take a constant number of statements.
func TestListsInRuns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	id := uuid.MustParse(u.live(t))
	u.testCase(t, id, `{"message": "hello"}`)
	run := u.do(t, startTestRun, vars{"input": vars{"agentId": id}}).id(t, "startTestRun.testRun.id")
	u.do(t, startTestRun, vars{"input": vars{"agentId": id}}).wantNone(t, "a second run")
	for _, list := range []string{"results", "outcomes"} {
		query := `query($id: ID!, $first: Int) { agent(id: $id) { testRuns(first: $first) { nodes { ` + list + ` { nodes { caseNumber } } } } } }`
		u.do(t, query, vars{"id": id, "first": 1}).wantNone(t, list+" of one run")
		if a := u.do(t, query, vars{"id": id, "first": 2}); a.code() != "LIMIT_EXCEEDED" {
			t.Errorf("%s of two runs: %s", list, a.body)
		}
	}
	const turns = `query($id: ID!) { testRun(id: $id) { results { nodes { turn { message } verdicts { judgeTurn { message } } } } } }`
	var counts []int64
	for repeat := range 2 {
		storetest.Exec(t, b.store, `INSERT INTO test_results (run_id, case_number, repeat, case_id, passed, verdicts, turn_id, credits)
			VALUES ($1, 1, $2, $1, true, jsonb_build_array(jsonb_build_object('type', 'judge', 'judge_turn', $3::text)), $4, 0)`,
			run, repeat+1, u.try(t, id, "judge", "judged").Turn.String(), u.try(t, id, "talk", "said").Turn)
		counts = append(counts, u.statements(t, turns, vars{"id": run}))
	}
	u.do(t, turns, vars{"id": run}).wantValues(t, "the turns", map[string]any{
		"testRun.results.nodes.1.turn.message":                 "said",
		"testRun.results.nodes.1.verdicts.0.judgeTurn.message": "judged",
	})
	if counts[0] != counts[1] {
		t.Errorf("%d statements for one result, %d for two", counts[0], counts[1])
	}
}
