package graph

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/tests"
	"agentchat/internal/store/versions"
)

// publish publishes an agent's draft. Faults: InvalidInput on note, and those of
// store.PublishAgent.
func (r *Resolver) publish(
	ctx context.Context,
	input model.PublishAgentInput,
) (*model.PublishAgentPayload, error) {
	note, err := agent.ParseNote(deref(input.Note.Value()))
	if err != nil {
		return nil, err
	}
	published, version, err := versions.On(r.store).PublishAgent(ctx, owner(ctx), input.ID,
		versions.Publication{
			Note:     note,
			By:       author(ctx),
			Expected: input.ExpectedUpdatedAt.Value(),
			Override: tests.Override{
				WithoutTests: deref(input.WithoutTests.Value()),
				ByOwner:      principal(ctx).Role == account.Owner,
			},
		}, r.available)
	if err != nil {
		return nil, err
	}
	missing, err := sources.On(r.store).UnpublishedKnowledge(ctx, owner(ctx), input.ID, version.Number)
	return &model.PublishAgentPayload{
		Agent:    &published,
		Version:  &version,
		NotReady: pointers(missing),
	}, err
}

// versionsOf returns a page of an agent's versions, loaded in one statement for all agents of a
// batch.
func (r *Resolver) versionsOf(
	ctx context.Context,
	obj *agent.Agent,
	first *int,
	after *string,
) (*model.AgentVersionConnection, error) {
	size, cursor, err := pageOf(store.VersionCursor, obj.AccountID, first, after)
	if err != nil {
		return nil, err
	}
	query := versions.VersionQuery{First: size, After: cursor, Brief: !selects(ctx, versionTexts)}
	l := loadersOf(ctx)
	pages := l.versions.of(
		ctx,
		func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]store.Page[agent.Version], error) {
			found, err := versions.On(r.store).VersionsByAgents(ctx, obj.AccountID, ids, query)
			versions := allItems(found)
			l.batchVersions(versions)
			return found, cmp.Or(
				err,
				readSettings(ctx, versions, func(v agent.Version) agent.Settings { return v.Settings }),
			)
		},
	)
	page, _, err := pages.get(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	// Versions are numbered from 1 and never deleted, and the published one is the newest. Its number
	// is therefore their count.
	out := &model.AgentVersionConnection{TotalCount: deref(obj.PublishedVersion)}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(v agent.Version) string {
		return versions.VersionPlace(v).Encode(store.VersionCursor, obj.AccountID)
	}, func(cursor string, node *agent.Version) *model.AgentVersionEdge {
		return &model.AgentVersionEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

// pinnedBy returns the exports that are pinned to a version, loaded together with those of the
// agent's other versions.
func (r *Resolver) pinnedBy(ctx context.Context, obj *agent.Version) ([]*agent.Export, error) {
	pinned, _, err := loadersOf(ctx).pinned.get(ctx, obj.AgentID)
	out := []*agent.Export{}
	for _, e := range pointers(pinned) {
		if *e.Version == obj.Number {
			out = append(out, e)
		}
	}
	return out, err
}
