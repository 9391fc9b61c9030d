package tests_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
)

// addCases adds a case for each message.
func addCases(t *testing.T, s *store.DB, a agent.Agent, messages ...string) (ids []uuid.UUID) {
	t.Helper()
	for _, m := range messages {
		c, err := tests.On(s).CreateCase(t.Context(), a.AccountID, a.ID,
			&evaluation.Case{Name: m, Enabled: true, Message: m}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.ID)
	}
	return ids
}

func free(tests.Plan) (int64, error) { return 0, nil }

func startRun(t *testing.T, s *store.DB, a agent.Agent, change func(*tests.NewRun)) (tests.Run, error) {
	t.Helper()
	in := tests.NewRun{AgentID: a.ID, By: uuid.New()}
	if change != nil {
		change(&in)
	}
	return tests.On(s).StartRun(t.Context(), a.AccountID, in, free)
}

func mustStart(t *testing.T, s *store.DB, a agent.Agent) tests.Run {
	t.Helper()
	run, err := startRun(t, s, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func claim(t *testing.T, s *store.DB, after uuid.UUID) tests.Run {
	t.Helper()
	run, err := tests.On(s).ClaimRun(t.Context(), after)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// wantFault checks the kind of an error.
func wantFault(t *testing.T, what string, err error, kind fault.Kind) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Errorf("%s: %v, want %s", what, err, kind)
	}
}

// TestStartRun tests what a run requires, and the limits of runs.
func TestStartRun(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	_, err := startRun(t, s, f.Agent, nil)
	wantFault(t, "no cases", err, fault.Conflict)
	ids := addCases(t, s, f.Agent, "a", "b")
	_, err = startRun(t, s, f.Agent, func(in *tests.NewRun) { in.Version = new(9) })
	wantFault(t, "an unknown version", err, fault.InvalidInput)
	_, err = startRun(t, s, f.Agent, func(in *tests.NewRun) { in.Cases = []uuid.UUID{uuid.New()} })
	wantFault(t, "an unknown case", err, fault.NotFound)
	ended := addCases(t, s, f.Agent, "ended")
	if err := tests.On(s).DeleteCases(t.Context(), f.Account.ID, ended); err != nil {
		t.Fatal(err)
	}
	_, err = startRun(t, s, f.Agent, func(in *tests.NewRun) { in.Cases = ended })
	wantFault(t, "a deleted case", err, fault.Conflict)
	byKey := func(in *tests.NewRun) { in.IdempotencyKey, in.Cases = new("k"), ids[:1] }
	first, err := startRun(t, s, f.Agent, byKey)
	if err != nil || first.Number != 1 || first.Whole || first.Cases != 1 || first.State != tests.RunWaiting {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, err := startRun(t, s, f.Agent, byKey); err != nil || again.ID != first.ID {
		t.Errorf("the same key starts %+v, %v", again, err)
	}
	for what, change := range map[string]func(*tests.NewRun){
		"another budget":  func(in *tests.NewRun) { in.Budget = new(int64(9)) },
		"another version": func(in *tests.NewRun) { in.Version = new(1) },
		"another model":   func(in *tests.NewRun) { in.Model = new("other") },
		"more cases":      func(in *tests.NewRun) { in.Cases = ids },
		"another case":    func(in *tests.NewRun) { in.Cases = ids[1:] },
		"all cases":       func(in *tests.NewRun) { in.Cases = nil },
		"a repeated case": func(in *tests.NewRun) { in.Cases = []uuid.UUID{ids[0], ids[0]} },
	} {
		again, err := startRun(t, s, f.Agent, func(in *tests.NewRun) { byKey(in); change(in) })
		if what == "another budget" || what == "a repeated case" {
			if err != nil || again.ID != first.ID {
				t.Errorf("the same key with %s starts %+v, %v", what, again, err)
			}
			continue
		}
		wantFault(t, "the same key with "+what, err, fault.Conflict)
	}
	for range tests.MaxUnfinished - 1 {
		mustStart(t, s, f.Agent)
	}
	_, err = startRun(t, s, f.Agent, nil)
	wantFault(t, "an eleventh unfinished run", err, fault.Conflict)
	storetest.Exec(t, s, `UPDATE test_runs SET state = 'STOPPED', stop_reason = 'CANCELLED', ended_at = now(), due_at = NULL`)
	storetest.Exec(t, s, `INSERT INTO test_runs (id, account_id, agent_id, number, fingerprint, revision, cases, whole, repeats,
			needed, most_credits, budget, state, stop_reason, started_by, by_token, ended_at, due_at)
		SELECT gen_random_uuid(), r.account_id, r.agent_id, 1000 + n, r.fingerprint, 0, r.cases, false, 1, 1, 0, 0, 'STOPPED',
			'CANCELLED', r.started_by, false, now(), NULL
		FROM test_runs r, generate_series(1, $1::int) n WHERE r.number = 1`, tests.MaxStarts-tests.MaxUnfinished)
	_, err = startRun(t, s, f.Agent, nil)
	wantFault(t, "the 201st run of a day", err, fault.Conflict)
}

// TestTokenCredits starts two runs concurrently with an account token. Together they exceed the limit.
func TestTokenCredits(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	addCases(t, s, f.Agent, "a")
	byToken := func(in *tests.NewRun) { in.ByToken, in.Budget = true, new(int64(15)) }
	_, err := startRun(t, s, f.Agent, func(in *tests.NewRun) { in.ByToken = true })
	wantFault(t, "a free run without a limit", err, fault.Conflict)
	if _, err := tests.On(s).UpdateSettings(t.Context(), f.Account.ID, f.Agent.ID,
		tests.SettingsChanges{TokenCreditsPerDay: storetest.SetTo(int64(20))}); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	faults := make([]error, 2)
	for i := range faults {
		work.Go(func() { _, faults[i] = startRun(t, s, f.Agent, byToken) })
	}
	work.Wait()
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM test_runs`); n != 1 ||
		!slices.ContainsFunc(faults, func(err error) bool { return fault.Is(err, fault.Conflict) }) {
		t.Errorf("%d runs, %v", n, faults)
	}
}

// TestClaims tests that accounts take turns, with one run of each at a time, and that lost claims are
// fenced off.
func TestClaims(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	one, two := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	for _, f := range []storetest.Fixture{one, two} {
		addCases(t, s, f.Agent, "a")
		mustStart(t, s, f.Agent)
		mustStart(t, s, f.Agent)
	}
	first := claim(t, s, uuid.Nil)
	second := claim(t, s, first.AccountID)
	if first.AccountID == second.AccountID || first.Number != 1 || second.Number != 1 {
		t.Errorf("claimed %+v and %+v", first, second)
	}
	_, err := tests.On(s).ClaimRun(t.Context(), uuid.Nil)
	wantFault(t, "a second run of an account", err, fault.NotFound)
	lost := first
	storetest.Exec(t, s, `UPDATE test_runs SET due_at = now() WHERE id = $1`, first.ID)
	next := claim(t, s, second.AccountID)
	fenced := func() {
		t.Helper()
		wantFault(t, "a lost claim", tests.On(s).RenewRun(t.Context(), lost), fault.NotFound)
		wantFault(t, "its end", tests.On(s).EndRun(t.Context(), lost, "", 0), fault.NotFound)
	}
	fenced()
	if _, err := tests.On(s).StopRun(t.Context(), first.AccountID, first.ID); err != nil {
		t.Fatal(err)
	}
	if err := tests.On(s).ReleaseRun(t.Context(), next, 3, false); err != nil {
		t.Fatal(err)
	}
	fenced()
	if again := claim(t, s, second.AccountID); again.ID != first.ID || again.Attempt != 3 || again.Lost != 2 || again.Credits != 3 {
		t.Errorf("after a release %+v", again)
	}
}

// TestResults stores results and reads them page by page. The result of an erased case is dropped.
func TestResults(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ids := addCases(t, s, f.Agent, "a", "b", "c")
	mustStart(t, s, f.Agent)
	run := claim(t, s, uuid.Nil)
	storetest.Exec(t, s, `UPDATE test_cases SET document = '', erased_at = now() WHERE id = $1`, ids[2])
	for i, id := range ids {
		verdict := tests.Verdict{Verdict: evaluation.Verdict{Check: 0, Type: "judge", Passed: true}, JudgeTurn: new(uuid.New())}
		err := tests.On(s).InsertResult(t.Context(), run, tests.Result{CaseNumber: i + 1, Repeat: 1, CaseID: id, Passed: true,
			Verdicts: []tests.Verdict{verdict}}, int64(i+1))
		if err != nil {
			t.Fatal(err)
		}
	}
	var read []string
	query := tests.ResultQuery{First: 1}
	for more := true; more; {
		page, err := tests.On(s).ResultPage(t.Context(), f.Account.ID, run.ID, query)
		if err != nil || len(page.Items) != 1 || page.Items[0].Verdicts[0].JudgeTurn == nil {
			t.Fatalf("%+v, %v", page, err)
		}
		read = append(read, fmt.Sprint(page.Items[0].CaseNumber))
		query.After, more = new(tests.ResultPlace(page.Items[0])), page.HasNext
	}
	if err := tests.On(s).EndRun(t.Context(), run, "", 2); err != nil {
		t.Fatal(err)
	}
	got, err := tests.On(s).Run(t.Context(), f.Account.ID, run.ID)
	if err != nil || !slices.Equal(read, []string{"1", "2"}) || got.State != tests.RunPassed || got.Done != 2 ||
		got.Passed != 2 || got.Credits != 2 {
		t.Errorf("read %v; %+v, %v", read, got, err)
	}
	err = tests.On(s).InsertResult(t.Context(), run, tests.Result{CaseNumber: 1, Repeat: 2, CaseID: ids[0]}, 0)
	wantFault(t, "a result after the end", err, fault.NotFound)
}

// TestResultsTogether stores the results of both attempts of a case at the same time. The case counts
// as passed once.
func TestResultsTogether(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	ids := addCases(t, s, f.Agent, "a")
	mustStart(t, s, f.Agent)
	storetest.Exec(t, s, `UPDATE test_runs SET repeats = 2, needed = 2`)
	run := claim(t, s, uuid.Nil)
	insert := func(repeat int) error {
		return tests.On(s).InsertResult(t.Context(), run,
			tests.Result{CaseNumber: 1, Repeat: repeat, CaseID: ids[0], Passed: true}, 0)
	}
	release := storetest.WhileLocked(t, s, `SELECT id FROM test_runs`, func() error { return insert(1) })
	second := make(chan error, 1)
	go func() { second <- insert(2) }()
	storetest.WaitForLocks(t, s, 2)
	release()
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	got, err := tests.On(s).Run(t.Context(), f.Account.ID, run.ID)
	if err != nil || got.Done != 2 || got.Passed != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// addOldRuns inserts finished runs of an agent. The first three are over a day old.
func addOldRuns(t *testing.T, s *store.DB, a agent.Agent, count int) {
	t.Helper()
	storetest.Exec(t, s, `INSERT INTO test_runs (id, account_id, agent_id, number, fingerprint, revision, cases, whole, repeats,
			needed, most_credits, budget, state, started_by, by_token, ended_at, due_at)
		SELECT gen_random_uuid(), $1, $2, n, sha256(''), 0, ARRAY[gen_random_uuid()], false, 1, 1, 0, 0, 'PASSED',
			gen_random_uuid(), false, now() - CASE WHEN n <= 3 THEN interval '25 h' ELSE interval '23 h' END, NULL
		FROM generate_series(1, $3::int) n`, a.AccountID, a.ID, count)
}

// TestOldRuns tests that the oldest finished runs of an agent and of an account are hidden once they
// are a day old.
func TestOldRuns(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, many := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	addOldRuns(t, s, f.Agent, 105)
	for range 6 { // 516 runs of an account, the 18 old ones with the lowest ids
		addOldRuns(t, s, storetest.SeedAgent(t, s, many.Account.ID, storetest.Options{}), 86)
	}
	storetest.Exec(t, s, `UPDATE test_runs SET id = overlay(id::text placing '00000000' from 1)::uuid WHERE number <= 3`)
	if n, err := tests.On(s).HideOldRuns(t.Context(), 1000); n != 3+16 || err != nil {
		t.Errorf("hid %d, %v", n, err)
	}
	pages, err := tests.On(s).RunsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID}, store.MaxPage, nil)
	page := pages[f.Agent.ID]
	if err != nil || len(page.Items) != store.MaxPage || page.Items[0].Number != 105 || !page.HasNext {
		t.Fatalf("%d runs, %v", len(page.Items), err)
	}
	rest, err := tests.On(s).RunsByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID}, store.MaxPage,
		new(tests.RunPlace(page.Items[store.MaxPage-1])))
	if got := rest[f.Agent.ID].Items; err != nil || len(got) != 2 || got[1].Number != 4 {
		t.Errorf("the rest is %+v, %v", got, err)
	}
}
