package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

// events is a page of the audit trail of the user who asks.
func (r *Resolver) events(ctx context.Context, first *int, after *string) (*model.AuditEntryConnection, error) {
	me := principal(ctx).UserID
	size, cursor, err := pageOf(store.EventCursor, me, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.store.EventPage(ctx, me, store.AuditQuery{First: size, After: cursor})
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.AuditEntryConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(e store.AuditEntry) string {
		return store.Cursor{ID: e.ID}.Encode(store.EventCursor, me)
	}, func(cursor string, node *store.AuditEntry) *model.AuditEntryEdge {
		return &model.AuditEntryEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

// event returns an entry of the signed-in user; nil if that user has no entry with the id.
func (r *Resolver) event(ctx context.Context, id uuid.UUID) (*store.AuditEntry, error) {
	e, err := r.store.Event(ctx, principal(ctx).UserID, id)
	if fault.Is(err, fault.NotFound) {
		return nil, nil //nolint:nilnil // node tries the next type
	}
	return &e, err
}

// eventActor is who did what an entry says.
func eventActor(ctx context.Context, e *store.AuditEntry) (*model.Actor, error) {
	switch e.Actor {
	case store.ByUser:
		return actorOf(ctx, &e.UserID)
	case store.ByOperator:
		return &model.Actor{Kind: model.ActorKindOperator, Name: e.Operator}, nil
	default:
		return actorOf(ctx, nil)
	}
}

func eventDetails(e *store.AuditEntry) []*model.AuditDetail {
	out := make([]*model.AuditDetail, 0, len(e.Fields))
	for _, name := range e.Fields {
		out = append(out, &model.AuditDetail{Field: name})
	}
	return out
}
