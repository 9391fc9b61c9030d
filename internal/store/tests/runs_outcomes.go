package tests

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// OutcomeQuery selects a page of outcomes.
type OutcomeQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is a cursor of the same run and comparison; nil starts with the worst.
	After *db.Cursor
	// Against is the run to compare with; nil for no comparison.
	Against *uuid.UUID
	// Change selects outcomes with this change; empty selects all.
	Change Change
}

// OutcomePage returns a page of the outcomes of a run's cases, worst first: cases that got worse, then
// the others by the share of attempts that passed. Faults: InvalidInput on first,
// after, and against for a run of another agent; NotFound for an unknown run.
func (s Store) OutcomePage(
	ctx context.Context, accountID, runID uuid.UUID, q OutcomeQuery,
) (out db.Page[Outcome], err error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return out, err
	}
	if q.After != nil && q.After.ID != runID {
		return out, db.BadCursor("after")
	}
	run, err := s.Run(ctx, accountID, runID)
	if err != nil {
		return out, err
	}
	all, err := s.outcomes(ctx, run)
	if err != nil {
		return out, err
	}
	if q.Against != nil {
		before, err := s.Run(ctx, accountID, *q.Against)
		if err == nil && before.AgentID != run.AgentID {
			err = fault.Invalid(fault.Field{Path: "against", Reason: fault.InvalidValue,
				Message: "This is not a run of the same agent."})
		}
		if err != nil {
			return out, err
		}
		earlier, err := s.outcomes(ctx, before)
		if err != nil {
			return out, err
		}
		all = compared(all, earlier)
	}
	slices.SortFunc(all, func(a, b Outcome) int { return cmp.Compare(rank(a), rank(b)) })
	all = slices.DeleteFunc(all, func(o Outcome) bool {
		return q.Change != "" && !audit.Equal(o.Change, &q.Change) || q.After != nil && rank(o) <= q.After.Key
	})
	return db.Cut(all, q.First), nil
}

// outcomes returns the outcomes of a run's cases that have a result.
func (s Store) outcomes(ctx context.Context, run Run) ([]Outcome, error) {
	return db.All[Outcome](ctx, s.db, `
		SELECT t.case_number, (array_agg(t.case_id))[1] AS case_id,
			count(*) FILTER (WHERE t.passed) AS passes, count(*) AS repeats,
			count(*) FILTER (WHERE t.passed) >= $2 AS passed, sum(t.credits)::bigint AS credits
		FROM test_results t WHERE t.run_id = $1 GROUP BY t.case_number`, run.ID, run.Needed)
}

// compared adds the outcomes of an earlier run. Cases that only the earlier run has come last, as
// outcomes without attempts.
func compared(now, earlier []Outcome) []Outcome {
	before := make(map[int]*Outcome, len(earlier))
	for i := range earlier {
		before[earlier[i].CaseNumber] = &earlier[i]
	}
	for i := range now {
		o := &now[i]
		o.Before = before[o.CaseNumber]
		delete(before, o.CaseNumber)
		o.Change = new(change(*o))
	}
	for _, o := range before {
		now = append(now, Outcome{
			CaseNumber: o.CaseNumber,
			CaseID:     o.CaseID,
			Before:     o,
			Change:     new(Gone),
		})
	}
	return now
}

func change(o Outcome) Change {
	switch {
	case o.Before == nil:
		return New
	case o.Before.CaseID != o.CaseID:
		return Edited
	}
	switch cmp.Compare(share(o), share(*o.Before)) {
	case -1:
		return Worse
	case 1:
		return Better
	default:
		return Same
	}
}

// share returns the share of attempts that passed, in sixtieths: exact for up to 5 attempts.
func share(o Outcome) int64 {
	if o.Repeats == 0 {
		return 0
	}
	return int64(60 * o.Passes / o.Repeats)
}

// rank returns the position of an outcome in the list, unique within a comparison.
func rank(o Outcome) int64 {
	group := int64(1)
	switch {
	case o.Change == nil:
	case *o.Change == Worse:
		group = 0
	case *o.Change == Gone:
		group = 2
	}
	return group<<48 | share(o)<<32 | int64(o.CaseNumber)
}

// OutcomePlace returns the cursor of an outcome in the list of a run.
func OutcomePlace(runID uuid.UUID, o Outcome) db.Cursor { return db.Cursor{Key: rank(o), ID: runID} }
