package e2e_test

import (
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
	"agentchat/internal/testlong"
)

// TestTestRunProgram tests the example program for CI: each exit code, and that one key starts one
// run.
func TestTestRunProgram(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	r, owner := start(t, storetest.URL(t)), newBrowser(t)
	owner.signedUp(r, "tests@example.com", ownersPassword)
	var created struct{ Agent struct{ ID string } }
	owner.must(r, mutation("createAgent", "agent { id }"),
		map[string]any{"name": "Sample", "instructions": "Be brief.", "model": "sandbox/assistant"}).
		into(t, "createAgent", &created)
	agent := created.Agent.ID
	addCase := func(check string) {
		owner.must(r, mutation("createTestCase", "testCase { id }"),
			map[string]any{"agentId": agent, "document": `{"message":"Hello","checks":[` + check + `]}`})
	}
	settings := mutation("updateTestSettings", "agent { id }")
	owner.must(r, settings, map[string]any{"agentId": agent, "tokenCreditsPerDay": 6})
	_, token := newToken(t, r, owner)
	// run returns the program's exit code and output.
	run := func(want int, token, says string, args ...string) {
		t.Helper()
		command := example(t, "test-run/test-run.py", r.base(), "AGENTCHAT_TOKEN="+token)
		command.Args = append(command.Args, args...)
		out, _ := command.CombinedOutput()
		if got := command.ProcessState.ExitCode(); got != want || !strings.Contains(string(out), says) {
			t.Errorf("%q exits with %d, want %d and %q:\n%s", args, got, want, says, out)
		}
	}
	run(2, token, "usage:", agent)
	run(2, "", "usage:", agent, "build-0")
	run(2, token, "", agent, "build-0") // no case yet
	addCase(`{"type":"contains","text":"Hello"}`)
	run(0, token, "run 1: PASSED, 1 of 1 attempts, 1 credits", agent, "build-1")
	run(0, token, "run 1: PASSED", agent, "build-1")
	owner.must(r, mutation("publishAgent", "version { number }"),
		map[string]any{"id": agent})
	owner.must(r, mutation("startTestRun", "testRun { id }"),
		map[string]any{"agentId": agent, "version": 1})
	eventually(t, "the run of the live version ends", func() bool {
		runs := owner.must(r, `{ agent(id: "`+agent+`") { testRuns(first: 1) { nodes { state } } } }`, nil)
		return strings.Contains(runs.Raw, `"PASSED"`)
	})
	addCase(`{"type":"regex","pattern":"^never$"}`)
	run(1, token, "case 2: 0 of 1", agent, "build-2", "4")
	run(2, token, "", agent, "build-3", "4") // the limit of tokens is 6 a day
}
