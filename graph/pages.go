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

// ordered returns an order. T is the enum of its fields.
func ordered[T ~string](field T, direction model.OrderDirection) *store.Order {
	return &store.Order{Field: string(field), Descending: direction == model.OrderDirectionDesc}
}

// itemCursor returns an item's cursor: in a list without an order, its ID.
func itemCursor[T any](page store.Page[T], id uuid.UUID) store.Cursor {
	if place, ok := page.Places[id.String()]; ok {
		return place
	}
	return store.Cursor{ID: id}
}

func (r *Resolver) agents(
	ctx context.Context,
	accountID uuid.UUID,
	first *int,
	after *string,
	filter *model.AgentFilter,
	orderBy *model.AgentOrder,
) (*model.AgentConnection, error) {
	kind, query := store.AgentCursor, agents.AgentQuery{Count: selects(ctx, totalCount)}
	if orderBy != nil {
		kind, query.Order = store.AgentOrderCursor, ordered(orderBy.Field, orderBy.Direction)
	}
	var err error
	if query.First, query.After, err = pageOf(kind, accountID, first, after); err != nil {
		return nil, err
	}
	if filter != nil {
		query.Search, query.State = deref(filter.Search.Value()), deref(filter.State.Value())
	}
	query.Models = r.labelled(query.Search)
	page, err := agents.On(r.store).AgentPage(ctx, accountID, query)
	if err = cmp.Or(err, readSettings(ctx, page.Items, func(a agent.Agent) agent.Settings { return a.Settings })); err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.AgentConnection{TotalCount: page.Total}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(a agent.Agent) string {
		return itemCursor(page, a.ID).Encode(kind, accountID)
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
	orderBy *model.ExportOrder,
) (*model.APIExportConnection, error) {
	kind, query := store.ExportCursor, exports.ExportQuery{Count: selects(ctx, totalCount)}
	if orderBy != nil {
		kind, query.Order = store.ExportOrderCursor, ordered(orderBy.Field, orderBy.Direction)
	}
	var err error
	if query.First, query.After, err = pageOf(kind, owner.ID, first, after); err != nil {
		return nil, err
	}
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
		return itemCursor(page, e.ID).Encode(kind, owner.ID)
	}, func(cursor string, node *agent.Export) *model.APIExportEdge {
		return &model.APIExportEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}
