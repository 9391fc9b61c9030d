package graph

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/credit"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/exports"
)

// totalCount is the field of a page that costs its own statement.
var totalCount = map[string]bool{"totalCount": true}

// connect returns the parts of a connection for a page.
func connect[T, E any](
	page store.Page[T],
	cursor func(T) string,
	edge func(cursor string, node *T) *E,
) (nodes []*T, edges []*E, info *model.PageInfo) {
	nodes, edges = pointers(page.Items), make([]*E, 0, len(page.Items))
	info = &model.PageInfo{HasNextPage: page.HasNext, HasPreviousPage: page.HasPrevious}
	for i, node := range nodes {
		text := cursor(*node)
		edges = append(edges, edge(text, node))
		if info.EndCursor = &text; i == 0 {
			info.StartCursor = &text
		}
	}
	return nodes, edges, info
}

// pageOf checks the arguments of a page. Fault: InvalidInput.
func pageOf(
	kind store.CursorKind,
	accountID uuid.UUID,
	first *int,
	after *string,
) (size int, cursor *store.Cursor, err error) {
	if size, err = store.PageSize(first); err != nil || after == nil {
		return size, nil, err
	}
	place, err := store.ParseCursor(kind, accountID, *after)
	return size, &place, err
}

// agentQuery checks the arguments of a page of agents.
func agentQuery(
	accountID uuid.UUID,
	first *int,
	after *string,
	filter *model.AgentFilter,
) (agents.AgentQuery, error) {
	size, cursor, err := pageOf(store.AgentCursor, accountID, first, after)
	out := agents.AgentQuery{First: size, After: cursor}
	if err != nil || filter == nil {
		return out, err
	}
	out.Search, out.State = deref(filter.Search.Value()), deref(filter.State.Value())
	return out, nil
}

func (r *Resolver) agents(
	ctx context.Context,
	accountID uuid.UUID,
	first *int,
	after *string,
	filter *model.AgentFilter,
) (*model.AgentConnection, error) {
	query, err := agentQuery(accountID, first, after, filter)
	if err != nil {
		return nil, err
	}
	query.Models, query.Count = r.labelled(query.Search), selects(ctx, totalCount)
	page, err := agents.On(r.store).AgentPage(ctx, accountID, query)
	if err = cmp.Or(err, readSettings(ctx, page.Items, func(a agent.Agent) agent.Settings { return a.Settings })); err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.AgentConnection{TotalCount: page.Total}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(a agent.Agent) string {
		return store.Cursor{ID: a.ID}.Encode(store.AgentCursor, accountID)
	}, func(cursor string, node *agent.Agent) *model.AgentEdge {
		return &model.AgentEdge{Cursor: cursor, Node: node}
	})
	loadersOf(ctx).batchAgents(collect(page.Items, func(a agent.Agent) *uuid.UUID { return &a.ID }))
	return out, nil
}

func (r *Resolver) creditHistory(
	ctx context.Context,
	owner *account.Account,
	first *int,
	after *string,
	filter *model.CreditFilter,
) (*model.CreditEntryConnection, error) {
	size, cursor, err := pageOf(store.CreditCursor, owner.ID, first, after)
	if err != nil {
		return nil, err
	}
	query := credits.CreditQuery{First: size, After: cursor}
	if filter != nil {
		query.Filter = credits.CreditFilter{
			AgentID:  filter.AgentID.Value(),
			ExportID: filter.ExportID.Value(),
			From:     filter.From.Value(),
			To:       filter.To.Value(),
			Kind:     deref(filter.Kind.Value()),
		}
	}
	page, err := credits.On(r.store).CreditPage(ctx, owner.ID, query)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	loadersOf(ctx).batchEntries(page.Items)
	out := &model.CreditEntryConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(e credit.Entry) string {
		return store.Cursor{Key: e.Number, ID: e.ID}.Encode(store.CreditCursor, owner.ID)
	}, func(cursor string, node *credit.Entry) *model.CreditEntryEdge {
		return &model.CreditEntryEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

func (r *Resolver) exports(
	ctx context.Context,
	owner *account.Account,
	first *int,
	after *string,
	filter *model.ExportFilter,
) (*model.APIExportConnection, error) {
	size, cursor, err := pageOf(store.ExportCursor, owner.ID, first, after)
	if err != nil {
		return nil, err
	}
	query := exports.ExportQuery{First: size, After: cursor, Count: selects(ctx, totalCount)}
	if filter != nil {
		query.AgentID, query.State = filter.AgentID.Value(), deref(filter.State.Value())
		query.InUse, query.Search = filter.InUse.Value(), deref(filter.Search.Value())
	}
	page, err := exports.On(r.store).ExportPage(ctx, owner.ID, query)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	loadersOf(ctx).batchExports(page.Items)
	out := &model.APIExportConnection{TotalCount: page.Total}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(e agent.Export) string {
		return store.Cursor{ID: e.ID}.Encode(store.ExportCursor, owner.ID)
	}, func(cursor string, node *agent.Export) *model.APIExportEdge {
		return &model.APIExportEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}
