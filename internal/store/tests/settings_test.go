package tests_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
)

// TestNewestOutcomes reads the outcome of the newest run that has all attempts of a case.
func TestNewestOutcomes(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ids := addCases(t, s, f.Agent, "a", "b")
	setTests(t, s, f.Agent, tests.SettingsChanges{Repeats: storetest.SetTo(3), NeededPasses: storetest.SetTo(2)})
	runAll(t, s, f.Agent, true, nil)
	runAll(t, s, f.Agent, false, nil)
	storetest.Exec(t, s, `DELETE FROM test_results t USING test_runs r WHERE r.id = t.run_id AND r.number = 2
		AND t.case_number = 2 AND t.repeat = 3`)
	found, err := tests.On(s).NewestOutcomes(t.Context(), f.Account.ID, ids)
	want := map[uuid.UUID]tests.Outcome{
		ids[0]: {CaseID: ids[0], CaseNumber: 1, Repeats: 3, Credits: 6},
		ids[1]: {CaseID: ids[1], CaseNumber: 2, Repeats: 3, Credits: 6, Passes: 3, Passed: true},
	}
	if err != nil || len(found) != 2 || found[ids[0]] != want[ids[0]] || found[ids[1]] != want[ids[1]] {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestDraftRevision tests that only changes to settings and sources raise the draft's revision.
func TestDraftRevision(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	var last int64
	for _, step := range []struct {
		what string
		more int64
		do   func()
	}{
		{"the start", 0, func() {}},
		{"a name", 0, func() { storetest.Edit(t, s, f.Agent, agent.Changes{Name: storetest.SetTo("other")}) }},
		{"settings", 1, func() { instruct(t, s, f.Agent, "one") }},
		{"the same settings", 0, func() { instruct(t, s, f.Agent, "one") }},
		{"knowledge", 1, func() { storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("manual", "text")) }},
		{"a version", 0, func() { storetest.Publish(t, s, f.Agent) }},
		{"test settings", 0, func() { setTests(t, s, f.Agent, tests.SettingsChanges{Repeats: storetest.SetTo(2)}) }},
	} {
		step.do()
		var got int64
		row := s.SQL().QueryRowContext(t.Context(), `SELECT draft_revision FROM agents WHERE id = $1`, f.Agent.ID)
		wantNoFault(t, row.Scan(&got))
		if step.what != "the start" && got != last+step.more {
			t.Errorf("%s: from %d to %d", step.what, last, got)
		}
		last = got
	}
}

// TestTestSettings tests the bounds of the settings, and that null restores a default.
func TestTestSettings(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	setTests(t, s, f.Agent, tests.SettingsChanges{Repeats: storetest.SetTo(5), NeededPasses: storetest.SetTo(4)})
	for path, c := range map[string]tests.SettingsChanges{
		"repeats":            {Repeats: storetest.SetTo(6)},
		"neededPasses":       {Repeats: storetest.SetNull[int]()}, // 4 of 1
		"tokenCreditsPerDay": {TokenCreditsPerDay: storetest.SetTo(int64(-1))},
		"judge":              {Judge: storetest.SetTo(f.Agent.ID)},
	} {
		_, err := tests.On(s).UpdateSettings(t.Context(), f.Account.ID, f.Agent.ID, c)
		if fields := storetest.FieldsOf(err); len(fields) != 1 || fields[0] != path {
			t.Errorf("%s: %v", path, err)
		}
	}
	setTests(t, s, f.Agent, tests.SettingsChanges{NeededPasses: storetest.SetNull[int]()})
	found, err := tests.On(s).SettingsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID})
	if want := (tests.Settings{AgentID: f.Agent.ID, Gate: tests.Off, Repeats: 5, NeededPasses: 1}); err != nil || found[f.Agent.ID] != want {
		t.Errorf("%+v, %v", found, err)
	}
}
