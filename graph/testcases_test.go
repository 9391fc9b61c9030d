package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/storetest"
)

const (
	createTestCase = `mutation($input: CreateTestCaseInput!) { createTestCase(input: $input) { testCase {
		id number document conversation { id } newestOutcome { passes } createdBy { actorId } } } }`
	importTestCases = `mutation($input: ImportTestCasesInput!) { importTestCases(input: $input) {
		agent { id } imported skipped { line message } } }`
	updateTestSettings = `mutation($input: UpdateTestSettingsInput!) { updateTestSettings(input: $input) {
		agent { tests { gate repeats neededPasses judge { id } tokenCreditsPerDay standing } } } }`
	testCasesPage = `query($id: ID!, $first: Int, $search: String) { agent(id: $id) { testCases(first: $first, search: $search) {
		nodes { number document conversation { id } newestOutcome { passes } createdBy { name } } } } }`
)

// testCase creates a test case and returns its id.
func (u *user) testCase(t *testing.T, agent uuid.UUID, document string) uuid.UUID {
	t.Helper()
	return u.do(t, createTestCase, vars{"input": vars{"agentId": agent, "document": document}}).
		id(t, "createTestCase.testCase.id")
}

// TestTestCaseFromATurn proposes a case from the fifth turn of a conversation and links it to that
// conversation.
func TestTestCaseFromATurn(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := uuid.MustParse(u.live(t))
	var last begun
	for i := range 5 {
		last = u.try(t, agent, "talk", fmt.Sprint("message ", i+1))
	}
	u.try(t, agent, "talk", "later")
	proposed := u.do(t, `query($id: ID!) { testCaseFrom(turnId: $id) }`, vars{"id": last.Turn}).text(t, "testCaseFrom")
	for i, text := range []string{"message 1", "message 2", "message 3", "message 4", "message 5", "later"} {
		if n := strings.Count(proposed, `"message":"`+text+`"`); n != min(1, 5-i) {
			t.Errorf("%s comes %d times in %s", text, n, proposed)
		}
	}
	made := u.do(t, createTestCase, vars{"input": vars{"agentId": agent, "document": proposed, "turnId": last.Turn}})
	made.wantValues(t, "a case", map[string]any{
		"createTestCase.testCase.number":            1,
		"createTestCase.testCase.conversation.id":   last.Conversation.String(),
		"createTestCase.testCase.newestOutcome":     nil,
		"createTestCase.testCase.createdBy.actorId": u.account.OwnerID.String(),
	})
	id := made.id(t, "createTestCase.testCase.id")
	const update = `mutation($id: ID!) { updateTestCase(input: {id: $id, keep: true}) { testCase { number conversation { id } } } }`
	u.do(t, update, vars{"id": id}).wantValues(t, "kept", map[string]any{
		"updateTestCase.testCase.number": 1, "updateTestCase.testCase.conversation": nil})
	if n := storetest.CountRows(t, u.b.store, `SELECT count(*) FROM audit_entries WHERE action = 'updateTestCase'
		AND fields = '{keep}'`); n != 1 {
		t.Errorf("%d entries say that a case was kept", n)
	}
	u.do(t, update, vars{"id": id}).want(t, "replaced", http.StatusOK, "CONFLICT")
	u.do(t, `query($id: ID!) { testCase(id: $id) { id } }`, vars{"id": id}).want(t, "replaced", http.StatusOK, "NOT_FOUND")
	u.do(t, createTestCase, vars{"input": vars{"agentId": agent, "document": `{"message": "x", "checks": [{"type": "near"}]}`}}).
		want(t, "an unknown check", http.StatusOK, "BAD_USER_INPUT")
}

// TestImportTestCases tests that a file is imported completely or not at all.
func TestImportTestCases(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.live(t)
	send := func(skip bool, content string) answer {
		return u.send(t, u.token, withInput(t, importTestCases, vars{"agentId": agent, "file": nil, "skipUnsupported": skip}),
			part{"map", oneFile}, part{"0", content})
	}
	const eval = `{"input": [{"role": "system", "content": "s"}, {"role": "user", "content": "Hi"}], "ideal": "Hello"}`
	bad := send(false, "{\"message\": \"a\"}\n{\"message\": 1}\n")
	bad.wantFields(t, "a bad line", "file wrong_type")
	if !strings.Contains(bad.body, "Line 2") {
		t.Errorf("the line is not named: %s", bad.body)
	}
	send(false, eval).wantFields(t, "a system message", "file not_supported")
	u.do(t, testCasesPage, vars{"id": agent}).wantJSON(t, "nothing", "agent.testCases.nodes", `[]`)
	send(true, eval).wantValues(t, "without it", map[string]any{
		"importTestCases.imported": 1, "importTestCases.skipped.0.line": 1, "importTestCases.agent.id": agent})
	send(false, "message,contains\nPrice?,10\nHours?,\n").wantValues(t, "a table", map[string]any{"importTestCases.imported": 2})
	found := u.do(t, testCasesPage, vars{"id": agent, "search": "HOURS"})
	found.wantValues(t, "a case without checks", map[string]any{"agent.testCases.nodes.0.number": 3})
	if document := found.text(t, "agent.testCases.nodes.0.document"); !strings.Contains(document, `"enabled":false`) ||
		found.list("agent.testCases.nodes") != 1 {
		t.Errorf("found %s", found.body)
	}
}

// TestTestCasesTakeFewStatements reads one case and then several, with all their fields.
func TestTestCasesTakeFewStatements(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := uuid.MustParse(u.live(t))
	for i := range 3 {
		turn := u.try(t, agent, fmt.Sprint("talk ", i), "hello").Turn
		u.do(t, createTestCase, vars{"input": vars{"agentId": agent, "document": `{"message": "x"}`, "turnId": turn}}).
			wantNone(t, "a case")
	}
	one := u.statements(t, testCasesPage, vars{"id": agent, "first": 1})
	if many := u.statements(t, testCasesPage, vars{"id": agent}); many != one {
		t.Errorf("%d statements for three cases, %d for one", many, one)
	}
	const all = `{ agents { nodes { testCases { nodes { number } } tests { gate standing judge { id } } } } }`
	one = u.statements(t, all, nil)
	for range 3 {
		u.live(t)
	}
	if many := u.statements(t, all, nil); many != one {
		t.Errorf("%d statements for four agents, %d for one", many, one)
	}
}

// TestPublishingWithoutTests publishes an untested draft as an editor and as an owner.
func TestPublishingWithoutTests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, editor := signedIn(t, b), signedIn(t, b)
	agent := owner.live(t)
	editor.join(t, owner, account.Editor)
	owner.do(t, updateTestSettings, vars{"input": vars{"agentId": agent, "gate": "REQUIRE", "repeats": 3}}).
		wantValues(t, "settings", map[string]any{
			"updateTestSettings.agent.tests.gate":               "REQUIRE",
			"updateTestSettings.agent.tests.repeats":            3,
			"updateTestSettings.agent.tests.neededPasses":       1,
			"updateTestSettings.agent.tests.judge":              nil,
			"updateTestSettings.agent.tests.tokenCreditsPerDay": 0,
			"updateTestSettings.agent.tests.standing":           "NOT_NEEDED",
		})
	owner.do(t, updateAgent, vars{"input": vars{"id": agent, "instructions": "untested"}}).wantNone(t, "an edit")
	confirmed := vars{"input": vars{"id": agent, "withoutTests": true}}
	for what, a := range map[string]answer{
		"an owner without confirming": owner.do(t, publishAgent, vars{"input": vars{"id": agent}}),
		"an editor":                   editor.in(t, owner, publishAgent, confirmed),
	} {
		a.want(t, what, http.StatusOK, "CONFLICT")
		if reason := a.Errors[0].Extensions["reason"]; reason != "tests_required" {
			t.Errorf("%s: the reason is %v", what, reason)
		}
	}
	owner.do(t, publishAgent, confirmed).wantValues(t, "an owner", map[string]any{"publishAgent.version.number": 2})
}
