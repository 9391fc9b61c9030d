package graph

import (
	"context"
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
)

// request finds a request by its id, or by the X-Request-Id of its answer. Fault: NotFound.
func (r *Resolver) request(ctx context.Context, id uuid.UUID) (*conversation.Call, error) {
	found, err := optional(ctx, loadersOf(ctx).callsByID, &id)
	if found != nil || err != nil {
		return found, err
	}
	sent, _ := graphql.GetFieldContext(ctx).Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)["id"].(string)
	call, err := r.store.CallByRequestID(ctx, owner(ctx), sent)
	return &call, err
}

func (r *Resolver) requests(ctx context.Context, obj *account.Account, first *int, after *string, filter *model.RequestFilter,
) (*model.RequestConnection, error) {
	size, cursor, err := pageOf(store.CallCursor, obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	page, err := r.store.CallPage(ctx, obj.ID, store.CallQuery{First: size, After: cursor, Filter: r.callFilter(filter)})
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	loadersOf(ctx).batchCalls(page.Items)
	out := &model.RequestConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(c conversation.Call) string {
		return store.Cursor{ID: c.ID}.Encode(store.CallCursor, obj.ID)
	}, func(cursor string, node *conversation.Call) *model.RequestEdge {
		return &model.RequestEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

// callFilter is the filter with the codes that have its status.
func (r *Resolver) callFilter(filter *model.RequestFilter) store.CallFilter {
	if filter == nil {
		return store.CallFilter{}
	}
	out := store.CallFilter{Search: deref(filter.Search.Value()), Outcome: deref(filter.Outcome.Value()), AgentID: filter.AgentID.Value(),
		ExportID: filter.ExportID.Value(), UserID: filter.UserID.Value(), From: filter.From.Value(), To: filter.To.Value()}
	if code := filter.Code.Value(); code != nil {
		out.Codes = []string{*code}
	}
	status := filter.Status.Value()
	switch {
	case status == nil:
	case *status == http.StatusOK && out.Codes == nil && (out.Outcome == "" || out.Outcome == conversation.CallAnswered):
		out.Outcome = conversation.CallAnswered
	case out.Codes == nil:
		out.Codes = []string{}
		for kind, s := range r.statuses {
			if s == *status {
				out.Codes = append(out.Codes, string(kind))
			}
		}
	default:
		out.Codes = slices.DeleteFunc(out.Codes, func(code string) bool { return r.statusOf(&code) != *status })
	}
	return out
}

// statusOf is the HTTP status of a code; of none, that of a reply.
func (r *Resolver) statusOf(code *string) int {
	if code == nil {
		return http.StatusOK
	}
	if status, ok := r.statuses[fault.Kind(*code)]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// batchCalls announces what belongs to the calls of a page.
func (l *loaders) batchCalls(calls []conversation.Call) {
	l.batchAgents(collect(calls, func(c conversation.Call) *uuid.UUID { return &c.AgentID }))
	l.exportsByID.batch(collect(calls, func(c conversation.Call) *uuid.UUID { return &c.ExportID }))
	l.conversationsByID.batch(collect(calls, func(c conversation.Call) *uuid.UUID { return c.ConversationID }))
	turns := collect(calls, func(c conversation.Call) *uuid.UUID { return c.TurnID })
	l.turnsByID[false].batch(turns)
	l.turnsByID[true].batch(turns)
}
