package graph

import (
	"context"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
)

func (r *Resolver) endUsers(ctx context.Context, obj *account.Account, first *int, after *string, filter *model.EndUserFilter,
) (*model.EndUserConnection, error) {
	size, cursor, err := pageOf(store.EndUserCursor, obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	query := store.EndUserQuery{First: size, After: cursor}
	if filter != nil {
		query.Filter = store.EndUserFilter{Search: deref(filter.Search.Value()), AgentID: filter.AgentID.Value(),
			ExportID: filter.ExportID.Value(), From: filter.From.Value(), To: filter.To.Value()}
	}
	page, err := r.store.EndUserPage(ctx, obj.ID, query)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.EndUserConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(u conversation.EndUser) string {
		return store.Cursor{Text: u.UserID}.Encode(store.EndUserCursor, obj.ID)
	}, func(cursor string, node *conversation.EndUser) *model.EndUserEdge {
		return &model.EndUserEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}
