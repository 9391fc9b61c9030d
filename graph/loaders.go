package graph

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/credit"
	"agentchat/internal/knowledge"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/ratings"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/tests"
	"agentchat/internal/store/usage"
	"agentchat/internal/store/versions"
)

// loaders are the loaders of one request.
type loaders struct {
	exports map[bool]*loader[[]agent.Export] // by agent; for true with the removed ones
	keys    *loader[[]apikey.APIKey]         // by export
	agents  *loader[agent.Agent]
	// lastUsedAgents and lastUsedExports hold when a key was last used; nil for never.
	lastUsedAgents, lastUsedExports *loader[*time.Time]
	conversations                   fieldLoader[conversations.FoundConversations] // by agent
	turns                           pageLoader[conversation.Turn]                 // by conversation
	versions                        pageLoader[agent.Version]                     // by agent
	turnsByID                       map[bool]*loader[conversation.Turn]           // for true with their texts
	exportsByID                     *loader[agent.Export]
	conversationsByID               *loader[conversation.Conversation]
	beginnings                      *loader[string]                                            // of conversations
	previews                        *loader[string]                                            // of turns
	exchanges                       *keyLoader[conversations.ExchangeKey, []conversation.Turn] // the answered turns of a message
	conversationCredits             *loader[int64]
	exportUse                       *loader[exports.ExportUse]
	// By agent: the published version, and the exports that are pinned to any version.
	published *loader[agent.Version]
	// Versions by their numbers and by their ids.
	versionsByNumber *keyLoader[agents.VersionNumber, agent.Version]
	versionsByID     *loader[agent.Version]
	requestsByID     *loader[conversation.Request]
	actors           *loader[accounts.Actor]
	pinned           *loader[[]agent.Export]
	// Knowledge: sources, by agent, by version and by id; their texts, by source; and passages.
	knowledge          pageLoader[knowledge.Source]
	knowledgeTexts     fieldLoader[string]
	knowledgeChanged   *loader[bool] // since the published version, by agent
	knowledgeUse       *loader[sources.KnowledgeUse]
	knowledgeCounts    *loader[int]
	knowledgeByVersion *keyLoader[agents.VersionNumber, []knowledge.Source]
	sourcesByID        *loader[knowledge.Source]
	passages           *keyLoader[sources.PassageKey, knowledge.Given]
	// Tests: cases by agent and by id, their newest outcomes, and settings and standings by agent.
	testCases      pageLoader[tests.Case]
	testRuns       pageLoader[tests.Run]
	testResults    pageLoader[tests.Result]  // by run
	testOutcomes   pageLoader[tests.Outcome] // by run
	testRunsByID   *loader[tests.Run]
	testCasesByID  *loader[tests.Case]
	newestOutcomes *loader[tests.Outcome]
	testSettings   *loader[tests.Settings]
	testStandings  *loader[tests.Standing]
	// The names that agents and exports had when they were last charged, by id.
	chargedAgents, chargedExports *loader[string]
	// Ratings: by agent, by turn, and counted by version.
	ratings        pageLoader[conversation.Rating]
	ratingsByTurn  *loader[[]conversation.Rating]
	versionRatings *loader[conversation.RatingCounts]
}

type loadersKey struct{}

func (r *Resolver) withLoaders(ctx context.Context) context.Context {
	return context.WithValue(ctx, loadersKey{}, r.newLoaders())
}

func loadersOf(ctx context.Context) *loaders { return ctx.Value(loadersKey{}).(*loaders) }

// freshLoaders gives every root field of a mutation its own loaders: the fields run one after the
// other, and each must see the changes of those before it.
func (r *Resolver) freshLoaders(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
		ctx = r.withLoaders(ctx)
	}
	return next(ctx)
}

func (r *Resolver) newLoaders() *loaders {
	l := &loaders{
		exports:   map[bool]*loader[[]agent.Export]{},
		turnsByID: map[bool]*loader[conversation.Turn]{},
	}
	for _, includeRemoved := range []bool{false, true} {
		l.exports[includeRemoved] = newLoader(
			func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID][]agent.Export, error) {
				found, err := exports.On(r.store).ExportsByAgents(ctx, owner(ctx), ids, includeRemoved)
				l.batchExports(slices.Concat(slices.Collect(maps.Values(found))...))
				return found, err
			},
		)
	}
	l.keys = owned(exports.On(r.store).KeysByExports, func(found [][]apikey.APIKey) {
		l.actors.batch(
			collect(slices.Concat(found...), func(k apikey.APIKey) *uuid.UUID { return k.CreatedBy }),
		)
	})
	settings := func(a agent.Agent) agent.Settings { return a.Settings }
	l.agents = withSettings(agents.On(r.store).AgentsByIDs, settings, func(found []agent.Agent) {
		l.batchAgents(collect(found, func(a agent.Agent) *uuid.UUID { return &a.ID }))
	})
	l.lastUsedAgents = owned(exports.On(r.store).LastUsedByAgents, nil)
	l.lastUsedExports = owned(exports.On(r.store).LastUsedByExports, nil)
	for _, texts := range []bool{false, true} {
		l.turnsByID[texts] = newLoader(
			func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]conversation.Turn, error) {
				found, err := conversations.On(r.store).TurnsByIDs(ctx, owner(ctx), ids, texts)
				turns := slices.Collect(maps.Values(found))
				l.batchTurns(turns)
				return found, cmp.Or(err, readTurns(ctx, turns))
			},
		)
	}
	l.exportsByID = owned(exports.On(r.store).ExportsByIDs, l.batchExports)
	l.conversationsByID = owned(conversations.On(r.store).ConversationsByIDs, l.batchConversations)
	l.beginnings = owned(usage.On(r.store).BeginningsByConversations, nil)
	l.previews = owned(conversations.On(r.store).PreviewsByTurns, nil)
	l.exchanges = newLoader(func(ctx context.Context, keys []conversations.ExchangeKey,
	) (map[conversations.ExchangeKey][]conversation.Turn, error) {
		found, err := conversations.On(r.store).AnsweredTurnsByExchanges(ctx, owner(ctx), keys)
		turns := slices.Concat(slices.Collect(maps.Values(found))...)
		l.batchTurns(turns)
		return found, cmp.Or(err, readTurns(ctx, turns))
	})
	l.conversationCredits = owned(usage.On(r.store).CreditsByConversations, nil)
	l.exportUse = owned(exports.On(r.store).UseByExports, nil)
	ofVersion := func(v agent.Version) agent.Settings { return v.Settings }
	l.versionsByNumber = withSettings(
		versions.On(r.store).VersionsByNumbers,
		ofVersion,
		l.batchVersions,
	)
	l.versionsByID = withSettings(versions.On(r.store).VersionsByIDs, ofVersion, l.batchVersions)
	l.requestsByID = owned(conversations.On(r.store).RequestsByIDs, l.batchRequests)
	l.actors = owned(accounts.On(r.store).ActorsByIDs, nil)
	l.published = withSettings(versions.On(r.store).PublishedVersions, ofVersion, l.batchVersions)
	l.pinned = owned(
		exports.On(r.store).PinnedExports,
		func(found [][]agent.Export) { l.batchExports(slices.Concat(found...)) },
	)
	r.newKnowledgeLoaders(l)
	r.newTestLoaders(l)
	l.chargedAgents = owned(usage.On(r.store).ChargedAgentNames, nil)
	l.chargedExports = owned(usage.On(r.store).ChargedExportNames, nil)
	l.ratingsByTurn = newLoader(
		func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID][]conversation.Rating, error) {
			found, err := ratings.On(r.store).ByTurns(ctx, owner(ctx), ids)
			all := slices.Concat(slices.Collect(maps.Values(found))...)
			l.batchRatings(all)
			return found, cmp.Or(err, readRatings(ctx, all))
		},
	)
	l.versionRatings = owned(ratings.On(r.store).CountsByVersions, nil)
	return l
}

// owned returns a loader of the account's own rows. announce, if not nil, gets the loaded rows, for
// the batches below them.
func owned[V any](
	load func(context.Context, uuid.UUID, []uuid.UUID) (map[uuid.UUID]V, error),
	announce func([]V),
) *loader[V] {
	return newLoader(func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]V, error) {
		found, err := load(ctx, owner(ctx), ids)
		if announce != nil {
			announce(slices.Collect(maps.Values(found)))
		}
		return found, err
	})
}

// withSettings is owned for values with an agent's settings, whose texts may be long. Faults: those
// of load, and TextTooLong.
func withSettings[K comparable, V any](
	load func(context.Context, uuid.UUID, []K) (map[K]V, error),
	settings func(V) agent.Settings,
	announce func([]V),
) *keyLoader[K, V] {
	return newLoader(func(ctx context.Context, keys []K) (map[K]V, error) {
		found, err := load(ctx, owner(ctx), keys)
		values := slices.Collect(maps.Values(found))
		announce(values)
		return found, cmp.Or(err, readSettings(ctx, values, settings))
	})
}

// The batch methods announce the rows of one page: their children are loaded together.

func (l *loaders) batchAgents(ids []uuid.UUID) {
	l.exports[true].batch(ids)
	l.exports[false].batch(ids)
	l.lastUsedAgents.batch(ids)
	l.agents.batch(ids)
	l.conversations.batch(ids)
	l.ratings.batch(ids)
	l.versions.batch(ids)
	l.published.batch(ids)
	l.knowledge.batch(ids)
	l.knowledgeUse.batch(ids)
	l.knowledgeCounts.batch(ids)
	l.knowledgeChanged.batch(ids)
	l.testCases.batch(ids)
	l.testRuns.batch(ids)
	l.testSettings.batch(ids)
	l.testStandings.batch(ids)
}

func (l *loaders) batchExports(exports []agent.Export) {
	ids := collect(exports, func(e agent.Export) *uuid.UUID { return &e.ID })
	l.keys.batch(ids)
	l.lastUsedExports.batch(ids)
	l.exportUse.batch(ids)
	l.agents.batch(collect(exports, func(e agent.Export) *uuid.UUID { return &e.AgentID }))
	l.actors.batch(collect(exports, func(e agent.Export) *uuid.UUID { return e.CreatedBy }))
	l.versionsByNumber.batch(collect(exports, pinnedVersion))
}

func (l *loaders) batchVersions(versions []agent.Version) {
	agentList := collect(versions, func(v agent.Version) *uuid.UUID { return &v.AgentID })
	l.agents.batch(agentList)
	l.pinned.batch(agentList)
	l.versionRatings.batch(collect(versions, func(v agent.Version) *uuid.UUID { return &v.ID }))
	l.actors.batch(collect(versions, func(v agent.Version) *uuid.UUID { return v.CreatedBy }))
	l.knowledgeByVersion.batch(collect(versions, func(v agent.Version) *agents.VersionNumber {
		return &agents.VersionNumber{AgentID: v.AgentID, Number: v.Number}
	}))
}

func (l *loaders) batchEntries(entries []credit.Entry) {
	l.agents.batch(collect(entries, func(e credit.Entry) *uuid.UUID { return e.AgentID }))
	l.exportsByID.batch(collect(entries, func(e credit.Entry) *uuid.UUID { return e.ExportID }))
	for _, turns := range l.turnsByID {
		turns.batch(collect(entries, func(e credit.Entry) *uuid.UUID { return e.TurnID }))
	}
}

func (l *loaders) batchConversations(list []conversation.Conversation) {
	l.agents.batch(collect(list, func(c conversation.Conversation) *uuid.UUID { return &c.AgentID }))
	for _, turns := range l.turnsByID {
		turns.batch(collect(list, func(c conversation.Conversation) *uuid.UUID { return c.Continues }))
	}
	ids := collect(list, func(c conversation.Conversation) *uuid.UUID { return &c.ID })
	l.turns.batch(ids)
	l.beginnings.batch(ids)
	l.conversationCredits.batch(ids)
}

func (l *loaders) batchHits(hits map[uuid.UUID][]conversations.TextHit) {
	for _, turns := range l.turnsByID {
		all := slices.Concat(slices.Collect(maps.Values(hits))...)
		turns.batch(collect(all, func(h conversations.TextHit) *uuid.UUID { return &h.TurnID }))
	}
}

func (l *loaders) batchRatings(list []conversation.Rating) {
	l.actors.batch(collect(list, func(r conversation.Rating) *uuid.UUID { return r.RatedBy }))
	for _, turns := range l.turnsByID {
		turns.batch(collect(list, func(r conversation.Rating) *uuid.UUID { return &r.TurnID }))
	}
}

func (l *loaders) batchTurns(turns []conversation.Turn) {
	l.exportsByID.batch(collect(turns, func(t conversation.Turn) *uuid.UUID { return t.ExportID }))
	l.conversationsByID.batch(
		collect(turns, func(t conversation.Turn) *uuid.UUID { return &t.ConversationID }),
	)
	l.agents.batch(collect(turns, func(t conversation.Turn) *uuid.UUID { return &t.AgentID }))
	l.ratingsByTurn.batch(collect(turns, func(t conversation.Turn) *uuid.UUID { return &t.ID }))
	l.versionsByNumber.batch(collect(turns, answeringVersion))
	l.requestsByID.batch(collect(turns, requestOfTurn))
	l.exchanges.batch(collect(turns, func(t conversation.Turn) *conversations.ExchangeKey {
		if t.MessageNumber == nil {
			return nil
		}
		return new(conversations.ExchangeOf(t))
	}))
	l.batchGiven(turns)
}

// pinnedVersion returns the version that an export is pinned to; nil for none.
func pinnedVersion(e agent.Export) *agents.VersionNumber {
	if e.Version == nil {
		return nil
	}
	return &agents.VersionNumber{AgentID: e.AgentID, Number: *e.Version}
}

// answeringVersion returns the version that answers a turn; nil for the draft.
func answeringVersion(t conversation.Turn) *agents.VersionNumber {
	if t.Version == nil {
		return nil
	}
	return &agents.VersionNumber{AgentID: t.AgentID, Number: *t.Version}
}

// requestOfTurn returns the public id of the request that sent a turn's message; nil for
// sources other than the API.
func requestOfTurn(t conversation.Turn) *uuid.UUID {
	if t.Source != conversation.API {
		return nil
	}
	return new(conversation.PublicIDOfTurn(t.ID))
}

// collect returns the ids of the items that have one.
func collect[T any, K comparable](items []T, id func(T) *K) (out []K) {
	for _, item := range items {
		if id := id(item); id != nil {
			out = append(out, *id)
		}
	}
	return out
}

// allItems returns the items of all pages.
func allItems[T any](pages map[uuid.UUID]store.Page[T]) (out []T) {
	for _, page := range pages {
		out = append(out, page.Items...)
	}
	return out
}
