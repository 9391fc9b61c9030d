package graph

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
)

// change tells absent, null and a value apart.
func change[T any](o graphql.Omittable[*T]) agent.Change[T] {
	return agent.Change[T]{Set: o.IsSet(), Value: o.Value()}
}

func agentChanges(in model.UpdateAgentInput) agent.Changes {
	return agent.Changes{Name: change(in.Name), Description: change(in.Description), Instructions: change(in.Instructions),
		Model: change(in.Model), Temperature: change(in.Temperature), MaxOutputTokens: change(in.MaxOutputTokens),
		ContextTurns: change(in.ContextTurns)}
}

func newAgentChanges(in model.CreateAgentInput) agent.Changes {
	return agent.Changes{Name: agent.Change[string]{Set: true, Value: &in.Name}, Description: change(in.Description),
		Instructions: change(in.Instructions), Model: change(in.Model), Temperature: change(in.Temperature),
		MaxOutputTokens: change(in.MaxOutputTokens), ContextTurns: change(in.ContextTurns)}
}

// known reports whether the catalogue has a model, available or not.
func (r *Resolver) known(name string) bool {
	_, ok := r.catalogue.Lookup(name)
	return ok
}

// available reports whether a model can be used now.
func (r *Resolver) available(name string) bool {
	entry, ok := r.catalogue.Lookup(name)
	return ok && entry.Available()
}

func (r *Resolver) modelOf(a agent.Agent) *catalogue.Entry {
	if a.Model == nil {
		return nil
	}
	entry, ok := r.catalogue.Lookup(*a.Model)
	if !ok {
		return nil
	}
	return &entry
}

// agentQuery checks the arguments of a page of agents, before anything is multiplied by them.
func agentQuery(ctx context.Context, first *int, after *string, filter *model.AgentFilter) (store.AgentQuery, error) {
	size, err := store.PageSize(first)
	if err != nil {
		return store.AgentQuery{}, err
	}
	out := store.AgentQuery{First: size}
	if after != nil {
		cursor, err := store.ParseCursor(store.AgentCursor, owner(ctx), *after)
		if err != nil {
			return store.AgentQuery{}, err
		}
		out.After = &cursor
	}
	if filter != nil {
		if search := filter.Search.Value(); search != nil {
			out.Search = *search
		}
		if state := filter.State.Value(); state != nil {
			out.State = *state
		}
	}
	return out, nil
}

func (r *Resolver) agentConnection(ctx context.Context, page store.Page[agent.Agent], notFirst bool) *model.AgentConnection {
	out := &model.AgentConnection{Nodes: pointers(page.Items), Edges: make([]*model.AgentEdge, 0, len(page.Items)),
		PageInfo: &model.PageInfo{HasNextPage: page.HasNext, HasPreviousPage: notFirst}, TotalCount: page.Total}
	ids := make([]uuid.UUID, 0, len(page.Items))
	for _, node := range out.Nodes {
		cursor := store.Cursor{ID: node.ID}.Encode(store.AgentCursor, owner(ctx))
		out.Edges = append(out.Edges, &model.AgentEdge{Cursor: cursor, Node: node})
		ids = append(ids, node.ID)
	}
	if n := len(out.Edges); n > 0 {
		out.PageInfo.StartCursor, out.PageInfo.EndCursor = &out.Edges[0].Cursor, &out.Edges[n-1].Cursor
	}
	r.batches(ctx).cameTogether(ids)
	return out
}

// exportsOf returns an agent's exports, loaded with those of the agents that came with it.
func (r *Resolver) exportsOf(ctx context.Context, agentID uuid.UUID, includeRemoved bool) ([]*agent.Export, error) {
	exports, ok, err := r.batches(ctx).exports[includeRemoved].get(ctx, agentID)
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "")
	}
	return pointers(exports), err
}

// cameTogether says that agents are of one page: what belongs to them is loaded together.
func (b *batches) cameTogether(agents []uuid.UUID) {
	b.exports[true].expect(agents)
	b.exports[false].expect(agents)
	b.lastUsedAgents.expect(agents)
	b.agents.expect(agents)
	b.conversations.expect(agents)
}

// agentOf returns the agent of something, which is there as long as that is.
func (r *Resolver) agentOf(ctx context.Context, id uuid.UUID) (*agent.Agent, error) {
	found, ok, err := r.batches(ctx).agents.get(ctx, id)
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "")
	}
	return &found, err
}

// lastUse is when a key was last used; nil for never.
type lastUse = *time.Time

func (r *Resolver) newBatches(ctx context.Context) *batches {
	accountID := owner(ctx)
	b := &batches{exports: map[bool]*batch[[]agent.Export]{}}
	for _, includeRemoved := range []bool{false, true} {
		b.exports[includeRemoved] = newBatch(func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID][]agent.Export, error) {
			found, err := r.store.ExportsByAgents(ctx, accountID, ids, includeRemoved)
			var exports []uuid.UUID
			for _, list := range found {
				for _, export := range list {
					exports = append(exports, export.ID)
				}
			}
			b.keys.expect(exports)
			b.lastUsedExports.expect(exports)
			return found, err
		})
	}
	b.keys = newBatch(func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID][]apikey.APIKey, error) {
		return r.store.KeysByExports(ctx, accountID, ids)
	})
	b.agents = newBatch(func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]agent.Agent, error) {
		found, err := r.store.AgentsByIDs(ctx, accountID, ids)
		b.cameTogether(slices.Collect(maps.Keys(found)))
		return found, err
	})
	b.lastUsedAgents = newBatch(func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]lastUse, error) {
		return r.store.LastUsedByAgents(ctx, accountID, ids)
	})
	b.lastUsedExports = newBatch(func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]lastUse, error) {
		return r.store.LastUsedByExports(ctx, accountID, ids)
	})
	r.loadHistories(b, accountID)
	return b
}

// pointers returns pointers to the items, never nil.
func pointers[T any](items []T) []*T {
	out := make([]*T, len(items))
	for i := range items {
		out[i] = &items[i]
	}
	return out
}

func principal(ctx context.Context) auth.Principal { return *exchangeOf(ctx).principal }

// principalOf is who sees an account: through the sign-in that this request has begun, or the one that it came with.
func principalOf(ctx context.Context, a *account.Account) auth.Principal {
	ex := exchangeOf(ctx)
	for _, p := range []*auth.Principal{ex.begun, ex.principal} {
		if p != nil && p.AccountID == a.ID {
			return *p
		}
	}
	return auth.Principal{AccountID: a.ID}
}
