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
	"agentchat/internal/store/conversations"
)

// request finds a request by its id, or by the X-Request-Id of its response. Fault: NotFound.
func (r *Resolver) request(ctx context.Context, id uuid.UUID) (*conversation.Request, error) {
	found, err := optional(ctx, loadersOf(ctx).requestsByID, &id)
	if found != nil || err != nil {
		return found, err
	}
	sent, _ := graphql.GetFieldContext(ctx).Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)["id"].(string)
	request, err := conversations.On(r.store).RequestByRequestID(ctx, owner(ctx), sent)
	return &request, err
}

func (r *Resolver) requests(
	ctx context.Context,
	obj *account.Account,
	first *int,
	after *string,
	filter *model.RequestFilter,
) (*model.RequestConnection, error) {
	size, cursor, err := pageOf(store.RequestCursor, obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	query := conversations.RequestQuery{First: size, After: cursor, Filter: r.requestFilter(filter)}
	if err := takeForSearch(ctx, query.Filter.Text); err != nil {
		return nil, err
	}
	page, err := conversations.On(r.store).RequestPage(ctx, obj.ID, query)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	loadersOf(ctx).batchRequests(page.Items)
	out := &model.RequestConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(c conversation.Request) string {
		return store.Cursor{ID: c.ID}.Encode(store.RequestCursor, obj.ID)
	}, func(cursor string, node *conversation.Request) *model.RequestEdge {
		return &model.RequestEdge{Cursor: cursor, Node: node}
	})
	if page.Looked != nil { // the next page continues there, not after the last item
		out.PageInfo.EndCursor = new(page.Looked.Encode(store.RequestCursor, obj.ID))
	}
	return out, nil
}

// requestFilter returns the filter, with the codes that its status selects.
func (r *Resolver) requestFilter(filter *model.RequestFilter) conversations.RequestFilter {
	if filter == nil {
		return conversations.RequestFilter{}
	}
	out := conversations.RequestFilter{
		Search:   deref(filter.Search.Value()),
		Outcome:  deref(filter.Outcome.Value()),
		AgentID:  filter.AgentID.Value(),
		ExportID: filter.ExportID.Value(),
		UserID:   filter.UserID.Value(),
		From:     filter.From.Value(),
		To:       filter.To.Value(),
		Text:     deref(filter.Text.Value()),
	}
	if code := filter.Code.Value(); code != nil {
		out.Codes = []string{*code}
	}
	status := filter.Status.Value()
	switch {
	case status == nil:
	case *status == http.StatusOK && out.Codes == nil && (out.Outcome == "" || out.Outcome == conversation.RequestAnswered):
		out.Outcome = conversation.RequestAnswered
	case out.Codes == nil:
		out.Codes = []string{}
		for kind, s := range r.statuses {
			if s == *status {
				out.Codes = append(out.Codes, string(kind))
			}
		}
	default:
		out.Codes = slices.DeleteFunc(
			out.Codes,
			func(code string) bool { return r.statusOf(&code) != *status },
		)
	}
	return out
}

// statusOf returns the HTTP status of a code; without one, the status of a reply.
func (r *Resolver) statusOf(code *string) int {
	if code == nil {
		return http.StatusOK
	}
	if status, ok := r.statuses[fault.Kind(*code)]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// batchRequests announces the children of the requests on a page.
func (l *loaders) batchRequests(requests []conversation.Request) {
	l.batchAgents(collect(requests, func(c conversation.Request) *uuid.UUID { return &c.AgentID }))
	l.exportsByID.batch(
		collect(requests, func(c conversation.Request) *uuid.UUID { return &c.ExportID }),
	)
	l.conversationsByID.batch(
		collect(requests, func(c conversation.Request) *uuid.UUID { return c.ConversationID }),
	)
	turns := collect(requests, func(c conversation.Request) *uuid.UUID { return c.TurnID })
	l.turnsByID[false].batch(turns)
	l.turnsByID[true].batch(turns)
	l.previews.batch(turns)
}
