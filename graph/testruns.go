package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/agent"
	"agentchat/internal/evaluation"
	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/tests"
	"agentchat/internal/testruns"
)

// testRunsOf returns a page of an agent's runs, loaded in one statement for all agents of a batch.
func (r *Resolver) testRunsOf(
	ctx context.Context, obj *agent.Agent, first *int, after *string,
) (*model.TestRunConnection, error) {
	size, cursor, err := pageOf(store.TestRunCursor, obj.AccountID, first, after)
	if err != nil {
		return nil, err
	}
	l := loadersOf(ctx)
	pages := l.testRuns.of(ctx,
		func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]store.Page[tests.Run], error) {
			found, err := tests.On(r.store).RunsByAgents(ctx, obj.AccountID, ids, size, cursor)
			l.batchTestRuns(allItems(found))
			return found, err
		})
	page, _, err := pages.get(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.TestRunConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(run tests.Run) string {
		return tests.RunPlace(run).Encode(store.TestRunCursor, obj.AccountID)
	}, func(cursor string, node *tests.Run) *model.TestRunEdge {
		return &model.TestRunEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

func (l *loaders) batchTestRuns(runs []tests.Run) {
	ids := collect(runs, func(r tests.Run) *uuid.UUID { return &r.ID })
	l.testResults.batch(ids)
	l.testOutcomes.batch(ids)
	l.agents.batch(collect(runs, func(r tests.Run) *uuid.UUID { return &r.AgentID }))
	l.versionsByNumber.batch(collect(runs, testedVersion))
	l.actors.batch(collect(runs, func(r tests.Run) *uuid.UUID { return &r.StartedBy }))
}

// testedVersion returns the version that a run tests; nil for the draft.
func testedVersion(r tests.Run) *agents.VersionNumber {
	if r.Version == nil {
		return nil
	}
	return &agents.VersionNumber{AgentID: r.AgentID, Number: *r.Version}
}

// starterOf returns the user or token that started a run, without a name if it no longer exists.
func starterOf(ctx context.Context, obj *tests.Run) (*model.Actor, error) {
	found, err := actorOf(ctx, &obj.StartedBy)
	if found != nil || err != nil {
		return found, err
	}
	kind := model.ActorKindUser
	if obj.ByToken {
		kind = model.ActorKindToken
	}
	return &model.Actor{Kind: kind, ActorID: &obj.StartedBy}, nil
}

// ofOneRun returns the load function of a list in a run. It refuses the lists of several runs, because each
// would need its own statements.
func ofOneRun[T any](
	load func(ctx context.Context, run uuid.UUID) (store.Page[T], error),
) func(context.Context, []uuid.UUID) (map[uuid.UUID]store.Page[T], error) {
	return func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]store.Page[T], error) {
		if len(ids) > 1 {
			return nil, fault.New(store.TextTooLong, "Request the results and outcomes of one run at a time.")
		}
		page, err := load(ctx, ids[0])
		return map[uuid.UUID]store.Page[T]{ids[0]: page}, err
	}
}

// testResults returns a page of a run's results.
func (r *Resolver) testResults(
	ctx context.Context, obj *tests.Run, first *int, after *string, caseNumber *int,
) (*model.TestResultConnection, error) {
	size, cursor, err := pageOf(store.TestResultCursor, obj.AccountID, first, after)
	if err != nil {
		return nil, err
	}
	l := loadersOf(ctx)
	pages := l.testResults.of(ctx, ofOneRun(func(ctx context.Context, run uuid.UUID) (store.Page[tests.Result], error) {
		return tests.On(r.store).ResultPage(ctx, obj.AccountID, run,
			tests.ResultQuery{First: size, After: cursor, CaseNumber: caseNumber})
	}))
	page, _, err := pages.get(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	ids := collect(page.Items, func(t tests.Result) *uuid.UUID { return t.TurnID })
	for _, result := range page.Items {
		ids = append(ids, collect(result.Verdicts, func(v tests.Verdict) *uuid.UUID { return v.JudgeTurn })...)
	}
	for _, turns := range l.turnsByID {
		turns.batch(ids)
	}
	page.HasPrevious = after != nil
	out := &model.TestResultConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(t tests.Result) string {
		return tests.ResultPlace(t).Encode(store.TestResultCursor, obj.AccountID)
	}, func(cursor string, node *tests.Result) *model.TestResultEdge {
		return &model.TestResultEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

// testOutcomes returns a page of the outcomes of a run's cases.
func (r *Resolver) testOutcomes(
	ctx context.Context, obj *tests.Run, first *int, after *string, against *uuid.UUID, change *tests.Change,
) (*model.TestOutcomeConnection, error) {
	size, cursor, err := pageOf(store.TestOutcomeCursor, obj.AccountID, first, after)
	if err != nil {
		return nil, err
	}
	l := loadersOf(ctx)
	pages := l.testOutcomes.of(ctx, ofOneRun(func(ctx context.Context, run uuid.UUID) (store.Page[tests.Outcome], error) {
		return tests.On(r.store).OutcomePage(ctx, obj.AccountID, run,
			tests.OutcomeQuery{First: size, After: cursor, Against: against, Change: deref(change)})
	}))
	page, _, err := pages.get(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	l.testCasesByID.batch(collect(page.Items, func(o tests.Outcome) *uuid.UUID { return &o.CaseID }))
	page.HasPrevious = after != nil
	out := &model.TestOutcomeConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(o tests.Outcome) string {
		return tests.OutcomePlace(obj.ID, o).Encode(store.TestOutcomeCursor, obj.AccountID)
	}, func(cursor string, node *tests.Outcome) *model.TestOutcomeEdge {
		return &model.TestOutcomeEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

// newTestRun validates the input of a run to start. Fault: InvalidInput on cases, budget and
// idempotencyKey.
func newTestRun(ctx context.Context, in model.StartTestRunInput) (tests.NewRun, error) {
	var problems []fault.Field
	refuse := func(path string, reason fault.Reason, message string) {
		problems = append(problems, fault.Field{Path: path, Reason: reason, Message: message})
	}
	cases := in.Cases.Value()
	if in.Cases.IsSet() && cases != nil && (len(cases) == 0 || len(cases) > evaluation.MaxCases) {
		refuse("cases", fault.OutOfRange, "Send 1 to 500 ids, or none for all cases that are enabled.")
	}
	budget := in.Budget.Value()
	if budget != nil && *budget < 0 {
		refuse("budget", fault.OutOfRange, "The budget must be 0 or more.")
	}
	key := in.IdempotencyKey.Value()
	if key != nil && !httpapi.IsIdempotencyKey(*key) {
		refuse("idempotencyKey", fault.InvalidValue,
			"An idempotency key must have 1 to 255 visible ASCII characters.")
	}
	if len(problems) > 0 {
		return tests.NewRun{}, fault.Invalid(problems...)
	}
	return tests.NewRun{
		AgentID:        in.AgentID,
		Version:        in.Version.Value(),
		Model:          in.Model.Value(),
		Cases:          cases,
		Budget:         budget,
		IdempotencyKey: key,
		By:             principal(ctx).ActorID(),
		ByToken:        principal(ctx).IsToken(),
	}, nil
}

func (r *Resolver) testRunPrice(
	ctx context.Context, input model.StartTestRunInput,
) (*testruns.Price, error) {
	run, err := newTestRun(ctx, input)
	if err != nil {
		return nil, err
	}
	plan, err := tests.On(r.store).Plan(ctx, owner(ctx), run)
	if err != nil {
		return nil, err
	}
	price, err := testruns.PriceOf(r.catalogue.Now(), plan)
	return &price, err
}

func (r *Resolver) startTestRun(
	ctx context.Context, input model.StartTestRunInput,
) (*model.StartTestRunPayload, error) {
	run, err := newTestRun(ctx, input)
	if err != nil {
		return nil, err
	}
	started, err := tests.On(r.store).StartRun(ctx, owner(ctx), run, func(plan tests.Plan) (int64, error) {
		price, err := testruns.PriceOf(r.catalogue.Now(), plan)
		return price.Most, err
	})
	return &model.StartTestRunPayload{TestRun: &started}, err
}
