package graph

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/store/tests"
)

// newTestLoaders adds the loaders of test cases, runs and settings.
func (r *Resolver) newTestLoaders(l *loaders) {
	own := tests.On(r.store)
	l.testCasesByID = newLoader(func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]tests.Case, error) {
		found, err := own.CasesByIDs(ctx, owner(ctx), ids)
		cases := slices.Collect(maps.Values(found))
		l.batchTestCases(cases)
		return found, cmp.Or(err, readCases(ctx, cases))
	})
	l.newestOutcomes = owned(own.NewestOutcomes, nil)
	l.testSettings = owned(own.SettingsByAgents, func(found []tests.Settings) {
		l.agents.batch(collect(found, func(s tests.Settings) *uuid.UUID { return s.JudgeID }))
	})
	l.testStandings = owned(own.Standings, nil)
	l.testRunsByID = owned(own.RunsByIDs, l.batchTestRuns)
}

func (l *loaders) batchTestCases(cases []tests.Case) {
	ids := collect(cases, func(c tests.Case) *uuid.UUID { return &c.ID })
	l.newestOutcomes.batch(ids)
	l.testCasesByID.batch(ids)
	l.conversationsByID.batch(collect(cases, func(c tests.Case) *uuid.UUID { return c.ConversationID }))
	l.actors.batch(collect(cases, func(c tests.Case) *uuid.UUID { return c.CreatedBy }))
}

// readCases counts the documents of cases that a request has read, as readTurns does.
func readCases(ctx context.Context, cases []tests.Case) error {
	var read texts
	for _, c := range cases {
		read.add(c.Document)
	}
	return requestOf(ctx).haveRead(read)
}
