package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
)

// events returns a page of the audit trail of the current user.
func (r *Resolver) events(
	ctx context.Context,
	first *int,
	after *string,
) (*model.AuditEntryConnection, error) {
	me := principal(ctx).UserID
	size, cursor, err := pageOf(store.EventCursor, me, first, after)
	if err != nil {
		return nil, err
	}
	page, err := audit.On(r.store).EventPage(ctx, me, audit.Query{First: size, After: cursor})
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	return entryPage(page, store.EventCursor, me), nil
}

// auditLog returns a page of an account's audit trail. Faults: roleForbids, InvalidInput.
func (r *Resolver) auditLog(
	ctx context.Context,
	obj *account.Account,
	first *int,
	after *string,
	filter *model.AuditFilter,
) (*model.AuditEntryConnection, error) {
	if err := mayUse(ctx, "Account.auditLog"); err != nil {
		return nil, err
	}
	size, cursor, err := pageOf(store.AuditCursor, obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	query := audit.Query{First: size, After: cursor}
	if filter != nil {
		query.Filter = audit.Filter{
			Action:  deref(filter.Action.Value()),
			ActorID: filter.ActorID.Value(),
			From:    filter.From.Value(),
			To:      filter.To.Value(),
		}
	}
	page, err := audit.On(r.store).Page(ctx, obj.ID, query)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	loadersOf(ctx).actors.batch(collect(page.Items, actorID))
	return entryPage(page, store.AuditCursor, obj.ID), nil
}

// entryPage returns a page of a list of a user or an account, with cursors of a kind.
func entryPage(
	page store.Page[audit.Entry],
	kind store.CursorKind,
	of uuid.UUID,
) *model.AuditEntryConnection {
	out := &model.AuditEntryConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(e audit.Entry) string {
		return store.Cursor{ID: e.ID}.Encode(kind, of)
	}, func(cursor string, node *audit.Entry) *model.AuditEntryEdge {
		return &model.AuditEntryEdge{Cursor: cursor, Node: node}
	})
	return out
}

// event returns the entry with the id from the user's own trail or, for owners, from the account's.
// Fault: NotFound.
func (r *Resolver) event(ctx context.Context, id uuid.UUID) (audit.Entry, error) {
	e, err := audit.On(r.store).Event(ctx, principal(ctx).UserID, id)
	if fault.Is(err, fault.NotFound) && mayUse(ctx, "Account.auditLog") == nil {
		e, err = audit.On(r.store).Entry(ctx, owner(ctx), id)
	}
	return e, err
}

// eventActor returns the actor of an entry.
func eventActor(ctx context.Context, e *audit.Entry) (*model.Actor, error) {
	switch e.Actor {
	case audit.ByUser, audit.ByToken:
		id := actorID(*e)
		actor, err := actorOf(ctx, id)
		if actor == nil && err == nil { // the user has left the account, or the token was removed
			actor = &model.Actor{Kind: model.ActorKind(e.Actor), ActorID: id}
		}
		return actor, err
	case audit.ByOperator:
		return &model.Actor{Kind: model.ActorKindOperator, Name: e.Operator}, nil
	default:
		return actorOf(ctx, nil)
	}
}

// actorID returns the id of the user or account token of an entry; nil for others.
func actorID(e audit.Entry) *uuid.UUID {
	if e.Actor == audit.ByUser && e.AccountID == uuid.Nil { // in a user's own trail
		return &e.UserID
	}
	return e.ActorID
}

func eventDetails(e *audit.Entry) []*model.AuditDetail {
	out := make([]*model.AuditDetail, 0, len(e.Fields))
	for _, name := range e.Fields {
		out = append(out, &model.AuditDetail{Field: name})
	}
	return out
}
