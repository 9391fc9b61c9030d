package graph

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

// histories are the loads of what has happened: conversations, turns and entries of the credit history.
type histories struct {
	conversations pagesByField[conversation.Conversation] // by agent
	turns         pagesByField[conversation.Turn]         // by conversation
	turnsByID     *batch[conversation.Turn]
	exportsByID   *batch[agent.Export]
}

// pagesByField are pages of children with arguments: one batch for each field of the document, as one has the same arguments
// wherever it is met.
type pagesByField[T any] struct {
	mu      sync.Mutex
	parents [][]uuid.UUID
	batches map[*ast.Field]*batch[store.Page[T]]
}

// expect says that these parents came together.
func (p *pagesByField[T]) expect(parents []uuid.UUID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parents = append(p.parents, parents)
	for _, b := range p.batches {
		b.expect(parents)
	}
}

// of returns the pages of the field that is being resolved; load is used when they are asked for the first time.
func (p *pagesByField[T]) of(ctx context.Context, load func(context.Context, []uuid.UUID) (map[uuid.UUID]store.Page[T], error),
) *batch[store.Page[T]] {
	field := graphql.GetFieldContext(ctx).Field.Field
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.batches[field] == nil {
		if p.batches == nil {
			p.batches = map[*ast.Field]*batch[store.Page[T]]{}
		}
		p.batches[field] = newBatch(load)
		for _, parents := range p.parents {
			p.batches[field].expect(parents)
		}
	}
	return p.batches[field]
}

// loadHistories makes the loads of one request for an account.
func (r *Resolver) loadHistories(b *batches, accountID uuid.UUID) {
	b.turnsByID = newBatch(func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]conversation.Turn, error) {
		found, err := r.store.TurnsByIDs(ctx, accountID, ids)
		b.turnsCameTogether(values(found))
		return found, err
	})
	b.exportsByID = newBatch(func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]agent.Export, error) {
		found, err := r.store.ExportsByIDs(ctx, accountID, ids)
		b.exportsCameTogether(values(found))
		return found, err
	})
}

func values[T any](m map[uuid.UUID]T) []T {
	out := make([]T, 0, len(m))
	for _, value := range m {
		out = append(out, value)
	}
	return out
}

// collected returns an id of every item that has one.
func collected[T any](items []T, id func(T) *uuid.UUID) (out []uuid.UUID) {
	for _, item := range items {
		if id := id(item); id != nil {
			out = append(out, *id)
		}
	}
	return out
}

func (b *batches) entriesCameTogether(entries []credit.Entry) {
	b.agents.expect(collected(entries, func(e credit.Entry) *uuid.UUID { return e.AgentID }))
	b.exportsByID.expect(collected(entries, func(e credit.Entry) *uuid.UUID { return e.ExportID }))
	b.turnsByID.expect(collected(entries, func(e credit.Entry) *uuid.UUID { return e.TurnID }))
}

func (b *batches) conversationsCameTogether(list []conversation.Conversation) {
	b.agents.expect(collected(list, func(c conversation.Conversation) *uuid.UUID { return &c.AgentID }))
	b.turns.expect(collected(list, func(c conversation.Conversation) *uuid.UUID { return &c.ID }))
}

func (b *batches) turnsCameTogether(turns []conversation.Turn) {
	b.exportsByID.expect(collected(turns, func(t conversation.Turn) *uuid.UUID { return t.ExportID }))
}

func (b *batches) exportsCameTogether(exports []agent.Export) {
	ids := collected(exports, func(e agent.Export) *uuid.UUID { return &e.ID })
	b.keys.expect(ids)
	b.lastUsedExports.expect(ids)
	b.agents.expect(collected(exports, func(e agent.Export) *uuid.UUID { return &e.AgentID }))
}

// optional returns what belongs to an id; nil for no id, and for what is gone.
func optional[V any](ctx context.Context, b *batch[V], id *uuid.UUID) (*V, error) {
	if id == nil {
		return nil, nil
	}
	value, ok, err := b.get(ctx, *id)
	if !ok || err != nil {
		return nil, err
	}
	return &value, nil
}

// textOrNull returns a text; nil for an empty one.
func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// connect returns the parts of a page's connection.
func connect[T, E any](page store.Page[T], cursor func(T) string, edge func(cursor string, node *T) *E,
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

// pageOf checks the arguments of a page, before anything is multiplied by them.
func pageOf(kind store.CursorKind, accountID uuid.UUID, first *int, after *string) (size int, cursor *store.Cursor, err error) {
	if size, err = store.PageSize(first); err != nil || after == nil {
		return size, nil, err
	}
	place, err := store.ParseCursor(kind, accountID, *after)
	return size, &place, err
}

func (r *Resolver) creditHistory(ctx context.Context, owner *account.Account, first *int, after *string, filter *model.CreditFilter,
) (*model.CreditEntryConnection, error) {
	size, cursor, err := pageOf(store.CreditCursor, owner.ID, first, after)
	if err != nil {
		return nil, err
	}
	query := store.CreditQuery{First: size, After: cursor}
	if filter != nil {
		query.Filter = store.CreditFilter{AgentID: filter.AgentID.Value(), ExportID: filter.ExportID.Value(),
			From: filter.From.Value(), To: filter.To.Value()}
		if kind := filter.Kind.Value(); kind != nil {
			query.Filter.Kind = *kind
		}
	}
	page, err := r.store.CreditPage(ctx, owner.ID, query)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	r.batches(ctx).entriesCameTogether(page.Items)
	out := &model.CreditEntryConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(e credit.Entry) string {
		return store.Cursor{Key: e.Number, ID: e.ID}.Encode(store.CreditCursor, owner.ID)
	}, func(cursor string, node *credit.Entry) *model.CreditEntryEdge {
		return &model.CreditEntryEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

func (r *Resolver) exports(ctx context.Context, owner *account.Account, first *int, after *string, filter *model.ExportFilter,
) (*model.APIExportConnection, error) {
	size, cursor, err := pageOf(store.ExportCursor, owner.ID, first, after)
	if err != nil {
		return nil, err
	}
	query := store.ExportQuery{First: size, After: cursor}
	if filter != nil {
		query.AgentID = filter.AgentID.Value()
		if state := filter.State.Value(); state != nil {
			query.State = *state
		}
	}
	page, err := r.store.ExportPage(ctx, owner.ID, query)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	r.batches(ctx).exportsCameTogether(page.Items)
	out := &model.APIExportConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(e agent.Export) string {
		return store.Cursor{ID: e.ID}.Encode(store.ExportCursor, owner.ID)
	}, func(cursor string, node *agent.Export) *model.APIExportEdge {
		return &model.APIExportEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

// updateAccount applies the changes that are given.
func (r *Resolver) updateAccount(ctx context.Context, input model.UpdateAccountInput) (*account.Account, error) {
	if !input.Name.IsSet() {
		return viewer(ctx), nil
	}
	given := input.Name.Value()
	if given == nil {
		return nil, fault.Invalid(fault.Field{Path: "name", Reason: fault.Missing,
			Message: "An account needs a name; it cannot be cleared."})
	}
	name, err := account.ParseName(*given)
	if err != nil {
		return nil, err
	}
	changed, err := r.store.SetAccountName(ctx, owner(ctx), name)
	return &changed, err
}
