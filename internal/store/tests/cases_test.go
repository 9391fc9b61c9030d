package tests_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
)

func caseOf(message string) *evaluation.Case {
	return &evaluation.Case{Name: message, Enabled: true, Message: message}
}

// numbersOf reads the numbers of an agent's cases page by page.
func numbersOf(t *testing.T, s *store.DB, f storetest.Fixture, q tests.CaseQuery) (numbers []int) {
	t.Helper()
	for {
		pages, err := tests.On(s).CasesByAgents(t.Context(), f.Account.ID, []uuid.UUID{f.Agent.ID}, q)
		if err != nil {
			t.Fatal(err)
		}
		page := pages[f.Agent.ID]
		for _, c := range page.Items {
			numbers = append(numbers, c.Number)
			q.After = new(tests.CasePlace(c))
		}
		if !page.HasNext {
			return numbers
		}
	}
}

// TestCaseChanges edits and deletes cases: numbers stay, ids change, and ended cases stay ended.
func TestCaseChanges(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	own, account := tests.On(s), f.Account.ID
	before, err := agents.On(s).Agent(t.Context(), account, f.Agent.ID)
	ids := addCases(t, s, f.Agent, "Refund", "Return", "Hours")
	if err != nil {
		t.Fatal(err)
	}
	edited, err := own.UpdateCase(t.Context(), account, ids[1], caseOf("refund?"), false, nil)
	if err != nil || edited.ID == ids[1] || edited.Number != 2 {
		t.Fatalf("edited: %+v, %v", edited, err)
	}
	_, err = own.UpdateCase(t.Context(), account, ids[1], caseOf("again"), false, nil)
	wantFault(t, "an edit of a replaced case", err, fault.Conflict)
	wantFault(t, "a deletion of one", own.DeleteCases(t.Context(), account, ids[:2]), fault.Conflict)
	for _, same := range []*evaluation.Case{nil, caseOf("refund?")} {
		if got, err := own.UpdateCase(t.Context(), account, edited.ID, same, true, nil); err != nil || got.ID != edited.ID {
			t.Errorf("without a difference: %+v, %v", got, err)
		}
	}
	if got := numbersOf(t, s, f, tests.CaseQuery{First: 2}); !slices.Equal(got, []int{3, 2, 1}) {
		t.Errorf("numbers %v", got)
	}
	if got := numbersOf(t, s, f, tests.CaseQuery{First: 1, Search: new(find.New("REFUND"))}); !slices.Equal(got, []int{2, 1}) {
		t.Errorf("found %v", got)
	}
	if err := own.DeleteCases(t.Context(), account, []uuid.UUID{edited.ID, ids[2], ids[2]}); err != nil {
		t.Fatal(err)
	}
	addCases(t, s, f.Agent, "New")
	if got := numbersOf(t, s, f, tests.CaseQuery{First: 9, Brief: true}); !slices.Equal(got, []int{4, 1}) {
		t.Errorf("numbers %v", got)
	}
	if after, err := agents.On(s).Agent(t.Context(), account, f.Agent.ID); err != nil || !after.UpdatedAt.Equal(before.UpdatedAt) {
		t.Errorf("the agent was changed: %v, %v", after.UpdatedAt, err)
	}
}

// TestCasesOfOthers uses ids of another account, and of another agent.
func TestCasesOfOthers(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f, other := storetest.Seed(t, s, storetest.Options{}), storetest.Seed(t, s, storetest.Options{})
	second := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	own, account := tests.On(s), f.Account.ID
	mine, theirs := addCases(t, s, f.Agent, "mine"), addCases(t, s, other.Agent, "theirs")
	turn, foreign := storetest.AnswerInPlayground(t, s, f, "a"), storetest.AnswerInPlayground(t, s, other, "a")
	tested := storetest.AnswerInPlayground(t, s, f, "test")
	storetest.Exec(t, s, `UPDATE turns SET source = 'TEST' WHERE id = $1`, tested)
	create := func(account, agent uuid.UUID, turn *uuid.UUID) error {
		return storetest.ErrOnly(own.CreateCase(t.Context(), account, agent, caseOf("x"), turn, nil))
	}
	for what, err := range map[string]error{
		"their agent":                 create(account, other.Agent.ID, nil),
		"their turn":                  create(account, f.Agent.ID, &foreign),
		"a turn of another agent":     create(account, second.ID, &turn),
		"a turn of a test":            create(account, f.Agent.ID, &tested),
		"an import into their agent":  own.ImportCases(t.Context(), account, other.Agent.ID, []*evaluation.Case{caseOf("x")}, nil),
		"an edit of theirs":           storetest.ErrOnly(own.UpdateCase(t.Context(), account, theirs[0], caseOf("x"), true, nil)),
		"a deletion of theirs":        own.DeleteCases(t.Context(), account, theirs),
		"a deletion of both":          own.DeleteCases(t.Context(), account, []uuid.UUID{mine[0], theirs[0]}),
		"settings of their agent":     storetest.ErrOnly(own.UpdateSettings(t.Context(), account, other.Agent.ID, tests.SettingsChanges{})),
		"their agent as a judge":      storetest.ErrOnly(own.UpdateSettings(t.Context(), account, f.Agent.ID, tests.SettingsChanges{Judge: storetest.SetTo(other.Agent.ID)})),
		"settings of an unknown one":  storetest.ErrOnly(own.UpdateSettings(t.Context(), account, uuid.New(), tests.SettingsChanges{})),
		"an edit of an unknown case":  storetest.ErrOnly(own.UpdateCase(t.Context(), account, uuid.New(), caseOf("x"), true, nil)),
		"a deletion of an unknown id": own.DeleteCases(t.Context(), account, []uuid.UUID{mine[0], uuid.New()}),
	} {
		wantFault(t, what, err, fault.NotFound)
	}
	both := append(addCases(t, s, second, "second"), mine...)
	wantFault(t, "cases of two agents", own.DeleteCases(t.Context(), account, both), fault.InvalidInput)
	found, err := own.CasesByIDs(t.Context(), account, append(both, theirs...))
	if err != nil || len(found) != 2 {
		t.Errorf("found %v, %v", found, err)
	}
	if n := storetest.CountRows(t, s, `SELECT count(*) FROM test_cases WHERE ended_at IS NULL`); n != 3 {
		t.Errorf("%d current cases", n)
	}
}

// TestCaseLimits fills an agent, and then an account through two agents concurrently.
func TestCaseLimits(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	second := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{})
	var many []*evaluation.Case
	for i := range evaluation.MaxCases {
		many = append(many, caseOf(fmt.Sprint(i)))
	}
	own, account := tests.On(s), f.Account.ID
	first := addCases(t, s, f.Agent, "one")
	wantFault(t, "501 cases", own.ImportCases(t.Context(), account, f.Agent.ID, many, nil), fault.Conflict)
	if err := own.ImportCases(t.Context(), account, f.Agent.ID, many[1:], nil); err != nil {
		t.Fatal(err)
	}
	if _, err := own.UpdateCase(t.Context(), account, first[0], caseOf("edited"), false, nil); err != nil {
		t.Errorf("an edit in a full agent: %v", err)
	}
	if got := numbersOf(t, s, f, tests.CaseQuery{First: 100}); len(got) != 500 || got[0] != 500 {
		t.Errorf("%d cases up to number %d", len(got), got[0])
	}

	large := caseOf("x")
	size := len(large.Document())
	storetest.Exec(t, s, `INSERT INTO test_cases (id, account_id, agent_id, number, document, enabled, has_results, judge_checks, ended_at)
		SELECT gen_random_uuid(), $1, $2, n, repeat('x', 65536), true, false, 0, now() FROM generate_series(1, 1023) n`, account, second.ID)
	storetest.Exec(t, s, `INSERT INTO test_cases (id, account_id, agent_id, number, document, enabled, has_results, judge_checks, ended_at)
		SELECT gen_random_uuid(), $1, $2, 1, repeat('x', 65536 - $3::int - sum(octet_length(document))::int), true, false, 0, now()
		FROM test_cases WHERE agent_id = $4`, account, second.ID, size, f.Agent.ID)
	third := storetest.SeedAgent(t, s, account, storetest.Options{})
	places := make(chan uuid.UUID, 2)
	places <- second.ID
	places <- third.ID
	// The lock holds both until both have inserted their case, so that neither counts first.
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err == nil {
		_, err = tx.ExecContext(t.Context(), `SELECT pg_advisory_xact_lock(hashtextextended('test cases ' || $1::text, 0))`, account)
	}
	wantNoFault(t, err)
	fitted := make(chan int, 1)
	go func() {
		fitted <- storetest.AtOnce(t, 2, fault.Conflict, func() error {
			return storetest.ErrOnly(own.CreateCase(t.Context(), account, <-places, large, nil, nil))
		})
	}()
	storetest.WaitForLocks(t, s, 2)
	wantNoFault(t, tx.Commit())
	if n := <-fitted; n != 1 {
		t.Errorf("%d cases fitted into the room of one", n)
	}
}
