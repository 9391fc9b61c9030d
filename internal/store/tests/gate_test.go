package tests_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
	"agentchat/internal/store/versions"
	"agentchat/internal/testlong"
)

// runAll runs all cases once on an agent's draft, all with the same outcome.
func runAll(t *testing.T, s *store.DB, a agent.Agent, passed bool, change func(*tests.NewRun)) {
	t.Helper()
	if _, err := startRun(t, s, a, change); err != nil {
		t.Fatal(err)
	}
	run := claim(t, s, uuid.Nil)
	cases, err := tests.On(s).CasesOfRun(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for repeat := range run.Repeats {
			in := tests.Result{CaseNumber: c.Number, Repeat: repeat + 1, CaseID: c.ID, Passed: passed, Credits: 2}
			if err := tests.On(s).InsertResult(t.Context(), run, in, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := tests.On(s).EndRun(t.Context(), run, "", 0); err != nil {
		t.Fatal(err)
	}
}

func standingOf(t *testing.T, s *store.DB, a agent.Agent) tests.Standing {
	t.Helper()
	found, err := tests.On(s).Standings(t.Context(), a.AccountID, []uuid.UUID{a.ID})
	if err != nil {
		t.Fatal(err)
	}
	return found[a.ID]
}

func instruct(t *testing.T, s *store.DB, a agent.Agent, text string) {
	t.Helper()
	storetest.Edit(t, s, a, agent.Changes{Instructions: storetest.SetTo(text)})
}

func setTests(t *testing.T, s *store.DB, a agent.Agent, c tests.SettingsChanges) {
	t.Helper()
	if _, err := tests.On(s).UpdateSettings(t.Context(), a.AccountID, a.ID, c); err != nil {
		t.Fatal(err)
	}
}

// TestStandings takes a draft through everything that changes its standing.
func TestStandings(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ids := addCases(t, s, f.Agent, "a", "b")
	var knowledge uuid.UUID
	for _, step := range []struct {
		what string
		do   func()
		want tests.Standing
	}{
		{"published", func() {}, tests.NotNeeded},
		{"edited", func() { instruct(t, s, f.Agent, "one") }, tests.Untested},
		{"a run of some cases", func() {
			runAll(t, s, f.Agent, true, func(in *tests.NewRun) { in.Cases = ids[:1] })
		}, tests.Untested},
		{"a run with another model", func() {
			runAll(t, s, f.Agent, true, func(in *tests.NewRun) { in.Model = new(storetest.SandboxModel) })
		}, tests.Untested},
		{"a run that failed", func() { runAll(t, s, f.Agent, false, nil) }, tests.Failed},
		{"a run that passed", func() { runAll(t, s, f.Agent, true, nil) }, tests.Passed},
		{"knowledge", func() {
			knowledge = storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("manual", "# Returns\nThirty days.")).ID
		}, tests.Untested},
		{"a run with it", func() { runAll(t, s, f.Agent, true, nil) }, tests.Passed},
		{"the same words without a heading", func() {
			in := storetest.KnowledgeText("manual", "# Returns Thirty days.")
			replaced, err := sources.On(s).ReplaceKnowledge(t.Context(), f.Account.ID, knowledge, in)
			wantNoFault(t, err)
			knowledge = replaced.ID
		}, tests.Untested},
		{"without it again", func() {
			_, _, err := sources.On(s).RemoveKnowledge(t.Context(), f.Account.ID, knowledge)
			wantNoFault(t, err)
		}, tests.Passed},
		{"more repeats", func() {
			setTests(t, s, f.Agent, tests.SettingsChanges{Repeats: storetest.SetTo(2)})
		}, tests.Untested},
		{"as many again", func() {
			setTests(t, s, f.Agent, tests.SettingsChanges{Repeats: storetest.SetNull[int]()})
		}, tests.Passed},
		{"an edited case", func() {
			c, err := tests.On(s).UpdateCase(t.Context(), f.Account.ID, ids[0], caseOf("c"), false, nil)
			wantNoFault(t, err)
			ids[0] = c.ID
		}, tests.Untested},
		{"a run of it", func() { runAll(t, s, f.Agent, true, nil) }, tests.Passed},
		{"a disabled case", func() {
			off := caseOf("c")
			off.Enabled = false
			_, err := tests.On(s).UpdateCase(t.Context(), f.Account.ID, ids[0], off, false, nil)
			wantNoFault(t, err)
		}, tests.Untested},
		{"a run without it", func() { runAll(t, s, f.Agent, true, nil) }, tests.Passed},
		{"no cases", func() {
			wantNoFault(t, tests.On(s).DeleteCases(t.Context(), f.Account.ID, ids[1:]))
		}, tests.Untested},
		{"back to the version", func() {
			_, err := versions.On(s).DiscardChanges(t.Context(), f.Account.ID, f.Agent.ID, true)
			wantNoFault(t, err)
		}, tests.NotNeeded},
	} {
		if step.do(); standingOf(t, s, f.Agent) != step.want {
			t.Errorf("%s: %s, want %s", step.what, standingOf(t, s, f.Agent), step.want)
		}
	}
}

func wantNoFault(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestJudgedStanding tests that a new version of the judge makes a passed draft untested.
func TestJudgedStanding(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	judge := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{ReplySchema: `{"type": "object",
		"properties": {"passed": {"type": "boolean"}, "reason": {"type": "string"}}, "required": ["passed", "reason"]}`})
	storetest.Exec(t, s, `INSERT INTO test_cases (id, account_id, agent_id, number, document, enabled, has_results, judge_checks)
		VALUES ($1, $2, $3, 1, $4, true, false, 1)`, uuid.New(), f.Account.ID, f.Agent.ID,
		`{"message": "a", "checks": [{"type": "judge", "criterion": "Polite"}]}`)
	setTests(t, s, f.Agent, tests.SettingsChanges{Judge: storetest.SetTo(judge.ID)})
	instruct(t, s, f.Agent, "one")
	if runAll(t, s, f.Agent, true, nil); standingOf(t, s, f.Agent) != tests.Passed {
		t.Errorf("after a run: %s", standingOf(t, s, f.Agent))
	}
	instruct(t, s, judge, "Be strict.")
	if got := standingOf(t, s, f.Agent); got != tests.Passed {
		t.Errorf("with another draft of the judge: %s", got)
	}
	if storetest.Publish(t, s, judge); standingOf(t, s, f.Agent) != tests.Untested {
		t.Errorf("with another judge: %s", standingOf(t, s, f.Agent))
	}
}

func publish(t *testing.T, s *store.DB, a agent.Agent, in tests.Override) error {
	t.Helper()
	acting := audit.Acting(t.Context(), audit.Entry{Actor: audit.ByUser, Action: "publishAgent"})
	_, _, err := versions.On(s).PublishAgent(acting, a.AccountID, a.ID,
		versions.Publication{Override: in}, storetest.OnlySandbox)
	if refused, ok := errors.AsType[*fault.Error](err); ok && refused.Details["reason"] != tests.RequiredReason {
		t.Errorf("a refusal without its reason: %v", err)
	}
	return err
}

// TestGate publishes drafts under each gate. Only an override is recorded in the audit trail.
func TestGate(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	editor, owner := tests.Override{WithoutTests: true}, tests.Override{WithoutTests: true, ByOwner: true}
	passed, failed := new(true), new(false)
	for what, c := range map[string]struct {
		gate     tests.Gate
		run      *bool // whether a run of the draft has passed; nil without one
		override tests.Override
		refused  bool
		traced   int
	}{
		"off":                             {tests.Off, nil, tests.Override{}, false, 0},
		"warn":                            {tests.Warn, nil, tests.Override{}, true, 0},
		"warn, by an owner":               {tests.Warn, nil, tests.Override{ByOwner: true}, true, 0},
		"warn, confirmed":                 {tests.Warn, nil, editor, false, 1},
		"warn, confirmed without need":    {tests.Warn, passed, editor, false, 0},
		"require, tested":                 {tests.Require, passed, tests.Override{}, false, 0},
		"require, failed":                 {tests.Require, failed, tests.Override{}, true, 0},
		"require, confirmed by an editor": {tests.Require, failed, editor, true, 0},
		"require, confirmed by an owner":  {tests.Require, failed, owner, false, 1},
	} {
		f := storetest.Seed(t, s, storetest.Options{})
		addCases(t, s, f.Agent, "a")
		setTests(t, s, f.Agent, tests.SettingsChanges{Gate: storetest.SetTo(c.gate)})
		if err := publish(t, s, f.Agent, tests.Override{}); err != nil {
			t.Errorf("%s: without changes: %v", what, err)
		}
		instruct(t, s, f.Agent, "new")
		if c.run != nil {
			runAll(t, s, f.Agent, *c.run, nil)
		}
		if err := publish(t, s, f.Agent, c.override); fault.Is(err, fault.Conflict) != c.refused || !c.refused && err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if n := storetest.CountRows(t, s, `SELECT count(*) FROM audit_entries WHERE account_id = $1
			AND action = 'publishAgent' AND fields = '{withoutTests}'`, f.Account.ID); n != c.traced {
			t.Errorf("%s: %d overrides in the audit trail", what, n)
		}
	}
}

// TestGateAndUndo tests that a restored version can be published without tests.
func TestGateAndUndo(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	instruct(t, s, f.Agent, "two")
	storetest.Learn(t, s, f.Agent, storetest.KnowledgeText("manual", "text"))
	storetest.Publish(t, s, f.Agent)
	setTests(t, s, f.Agent, tests.SettingsChanges{Gate: storetest.SetTo(tests.Require)})
	for _, number := range []int{1, 2} {
		_, err := versions.On(s).RestoreVersion(t.Context(), f.Account.ID, f.Agent.ID, number, false)
		if err == nil {
			err = publish(t, s, f.Agent, tests.Override{})
		}
		wantNoFault(t, err)
	}
	if a, err := agents.On(s).Agent(t.Context(), f.Account.ID, f.Agent.ID); err != nil || *a.PublishedVersion != 4 {
		t.Errorf("published version %v, %v", *a.PublishedVersion, err)
	}
}

// TestGateWhileCasesChange edits a case while a draft that passed it is published. Whichever comes
// first, a version is created only if it passed the cases that were current then.
func TestGateWhileCasesChange(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	id := addCases(t, s, f.Agent, "a")[0]
	setTests(t, s, f.Agent, tests.SettingsChanges{Gate: storetest.SetTo(tests.Require)})
	for _, editFirst := range []bool{true, false} {
		instruct(t, s, f.Agent, "round "+id.String())
		runAll(t, s, f.Agent, true, nil)
		edit := func() error {
			c, err := tests.On(s).UpdateCase(t.Context(), f.Account.ID, id, caseOf(id.String()), false, nil)
			id = c.ID
			return err
		}
		var published error
		publishes := func() error {
			published = publish(t, s, f.Agent, tests.Override{})
			return nil
		}
		first, second := publishes, edit
		if editFirst {
			first, second = edit, publishes
		}
		release := storetest.WhileLocked(t, s, `SELECT id FROM agents`, first)
		done := make(chan error, 1)
		go func() { done <- second() }()
		storetest.WaitForLocks(t, s, 2)
		release()
		wantNoFault(t, <-done)
		if fault.Is(published, fault.Conflict) != editFirst || !editFirst && published != nil {
			t.Errorf("with the edit first (%t): %v", editFirst, published)
		}
	}
}

// TestGateRaces does the same a hundred times without forcing the order: every new version was tested
// with the case that was current then.
func TestGateRaces(t *testing.T) {
	testlong.Only(t)
	one, two := storetest.Replicas(t)
	f := storetest.Seed(t, one, storetest.Options{})
	id := addCases(t, one, f.Agent, "a")[0]
	setTests(t, one, f.Agent, tests.SettingsChanges{Gate: storetest.SetTo(tests.Require)})
	refused := 0
	for i := range 100 {
		instruct(t, one, f.Agent, fmt.Sprint("round ", i))
		runAll(t, one, f.Agent, true, nil)
		edited := make(chan tests.Case, 1)
		go func() {
			c, err := tests.On(two).UpdateCase(t.Context(), f.Account.ID, id, caseOf(fmt.Sprint(i)), false, nil)
			if err != nil {
				t.Error(err)
			}
			edited <- c
		}()
		err := publish(t, one, f.Agent, tests.Override{})
		c := <-edited
		first := storetest.CountRows(t, one, `SELECT count(*) FROM agent_versions WHERE agent_id = $1
			AND settings->>'instructions' = $2 AND created_at < $3`, f.Agent.ID, fmt.Sprint("round ", i), c.CreatedAt)
		if fault.Is(err, fault.Conflict) {
			refused++
		}
		if (err == nil) != (first == 1) || err != nil && !fault.Is(err, fault.Conflict) {
			t.Errorf("round %d: %v, with %d versions from before the edit", i, err, first)
		}
		id = c.ID
	}
	t.Logf("%d of 100 were refused", refused)
}
