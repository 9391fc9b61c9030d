package graph

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/sources"
)

// maxSources and maxPassages limit the rows that one statement reads, for several agents or turns.
// A source has at most 8,000 characters of questions, and nearly every passage at most 2,000.
const (
	maxSources  = 1_000
	maxPassages = 2_000
)

// newKnowledgeLoaders adds the loaders of knowledge.
func (r *Resolver) newKnowledgeLoaders(l *loaders) {
	l.knowledgeChanged = owned(sources.On(r.store).KnowledgeChanged, nil)
	l.knowledgeCounts = owned(sources.On(r.store).KnowledgeCounts, nil)
	l.knowledgeUse = owned(sources.On(r.store).KnowledgeUseByAgents, nil)
	type byVersion = map[agents.VersionNumber][]knowledge.Source
	l.knowledgeByVersion = newLoader(
		func(ctx context.Context, keys []agents.VersionNumber) (byVersion, error) {
			found, err := sources.On(r.store).KnowledgeByVersions(ctx, owner(ctx), keys)
			sources := slices.Concat(slices.Collect(maps.Values(found))...)
			l.batchSources(sources)
			l.sourcesByID.batch(
				collect(sources, func(s knowledge.Source) *uuid.UUID { return &s.ID }),
			) // with their questions
			return found, cmp.Or(err, readSources(ctx, sources))
		},
	)
	l.sourcesByID = newLoader(
		func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]knowledge.Source, error) {
			if len(ids) > maxSources {
				return nil, store.TextsTooLong()
			}
			found, err := sources.On(r.store).KnowledgeByIDs(ctx, owner(ctx), ids)
			sources := slices.Collect(maps.Values(found))
			l.batchSources(sources)
			return found, cmp.Or(err, readSources(ctx, sources))
		},
	)
	l.passages = newLoader(
		func(ctx context.Context, keys []sources.PassageKey) (map[sources.PassageKey]knowledge.Given, error) {
			if len(keys) > maxPassages {
				return nil, store.TextsTooLong()
			}
			found, err := sources.On(r.store).PassagesByKeys(ctx, owner(ctx), keys)
			return found, cmp.Or(err, readPassages(ctx, slices.Collect(maps.Values(found))))
		},
	)
}

func (l *loaders) batchSources(sources []knowledge.Source) {
	l.agents.batch(collect(sources, func(s knowledge.Source) *uuid.UUID { return &s.AgentID }))
	l.knowledgeTexts.batch(collect(sources, func(s knowledge.Source) *uuid.UUID { return &s.ID }))
}

// batchGiven announces the passages of the turns on a page.
func (l *loaders) batchGiven(turns []conversation.Turn) {
	var sourceList []uuid.UUID
	var passages []sources.PassageKey
	for _, t := range turns {
		known, err := knowledgeOfTurn(&t)
		if known == nil || err != nil { // the field reports it
			continue
		}
		for _, g := range known.Given {
			sourceList, passages = append(
				sourceList,
				g.SourceID,
			), append(
				passages,
				keyOf(g.SourceID, g.PassageID),
			)
		}
	}
	l.sourcesByID.batch(sourceList)
	l.passages.batch(passages)
}
