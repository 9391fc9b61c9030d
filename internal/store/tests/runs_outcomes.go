package tests

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
)

// Outcome is the outcome of a case in a run.
type Outcome struct {
	RunID      uuid.UUID
	CaseNumber int
	CaseID     uuid.UUID
	// Passes is the number of attempts that passed, of Repeats with a result.
	Passes, Repeats int
	// Passed means that enough of them passed.
	Passed bool
	// Credits is the cost of the attempts.
	Credits int64
	// Before is the outcome in the run that it is compared with, and Change the difference; nil and
	// empty without a comparison.
	Before *Outcome `bun:"-"`
	Change Change   `bun:"-"`
}

// Change is the difference between the outcomes of a case in two runs.
type Change string

// The changes. A case that was edited in between is always Edited.
const (
	Worse  Change = "WORSE"
	Better Change = "BETTER"
	Same   Change = "SAME"
	Edited Change = "EDITED"
	New    Change = "NEW"
	Gone   Change = "GONE"
)

// OutcomeQuery selects a page of outcomes.
type OutcomeQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is a cursor of the same run and comparison; nil starts with the worst.
	After *db.Cursor
	// Against is the run to compare with; nil for none.
	Against *uuid.UUID
	// Change is the change to find; empty for all.
	Change Change
}

// OutcomePage returns a page of the outcomes of a run's cases, the worst first: those that have
// become worse, then the others by the share of attempts that passed. Faults: InvalidInput on first,
// after, and against for a run of another agent.
func (s Store) OutcomePage(
	ctx context.Context, accountID uuid.UUID, run Run, q OutcomeQuery,
) (db.Page[Outcome], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return db.Page[Outcome]{}, err
	}
	if q.After != nil && q.After.ID != run.ID {
		return db.Page[Outcome]{}, db.BadCursor("after")
	}
	all, err := s.outcomes(ctx, run)
	if err != nil {
		return db.Page[Outcome]{}, err
	}
	if q.Against != nil {
		before, err := s.Run(ctx, accountID, *q.Against)
		if fault.Is(err, fault.NotFound) || err == nil && before.AgentID != run.AgentID {
			err = fault.Invalid(fault.Field{Path: "against", Reason: fault.InvalidValue,
				Message: "This is not a run of the same agent."})
		}
		if err != nil {
			return db.Page[Outcome]{}, err
		}
		earlier, err := s.outcomes(ctx, before)
		if err != nil {
			return db.Page[Outcome]{}, err
		}
		all = compared(run.ID, all, earlier)
	}
	slices.SortFunc(all, func(a, b Outcome) int { return cmp.Compare(a.rank(), b.rank()) })
	all = slices.DeleteFunc(all, func(o Outcome) bool {
		return q.Change != "" && o.Change != q.Change || q.After != nil && o.rank() <= q.After.Key
	})
	return db.Cut(all, q.First), nil
}

// outcomes returns the outcomes of a run's cases that have a result.
func (s Store) outcomes(ctx context.Context, run Run) ([]Outcome, error) {
	return db.All[Outcome](ctx, s.db, `
		SELECT t.run_id, t.case_number, (array_agg(t.case_id))[1] AS case_id,
			count(*) FILTER (WHERE t.passed) AS passes, count(*) AS repeats,
			count(*) FILTER (WHERE t.passed) >= $2 AS passed, sum(t.credits)::bigint AS credits
		FROM test_results t WHERE t.run_id = $1 GROUP BY t.run_id, t.case_number`, run.ID, run.Needed)
}

// compared adds the outcomes of an earlier run. The cases that only the earlier run has follow, as
// outcomes without attempts.
func compared(run uuid.UUID, now, earlier []Outcome) []Outcome {
	before := make(map[int]*Outcome, len(earlier))
	for i := range earlier {
		before[earlier[i].CaseNumber] = &earlier[i]
	}
	for i := range now {
		o := &now[i]
		o.Before = before[o.CaseNumber]
		delete(before, o.CaseNumber)
		o.Change = o.change()
	}
	for _, o := range before {
		now = append(now, Outcome{
			RunID:      run,
			CaseNumber: o.CaseNumber,
			CaseID:     o.CaseID,
			Before:     o,
			Change:     Gone,
		})
	}
	return now
}

func (o *Outcome) change() Change {
	switch {
	case o.Before == nil:
		return New
	case o.Before.CaseID != o.CaseID:
		return Edited
	}
	switch cmp.Compare(o.share(), o.Before.share()) {
	case -1:
		return Worse
	case 1:
		return Better
	default:
		return Same
	}
}

// share is the share of attempts that passed, in sixtieths: exact for up to 5 attempts.
func (o *Outcome) share() int64 {
	if o.Repeats == 0 {
		return 0
	}
	return int64(60 * o.Passes / o.Repeats)
}

// rank is the place of an outcome in the list, unique within a comparison.
func (o *Outcome) rank() int64 {
	group := int64(1)
	switch o.Change {
	case Worse:
		group = 0
	case Gone:
		group = 2
	}
	return group<<48 | o.share()<<32 | int64(o.CaseNumber)
}

// OutcomePlace returns the cursor of an outcome in its list.
func OutcomePlace(o Outcome) db.Cursor { return db.Cursor{Key: o.rank(), ID: o.RunID} }
