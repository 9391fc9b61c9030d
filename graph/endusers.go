package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
)

func (r *Resolver) endUsers(
	ctx context.Context,
	obj *account.Account,
	first *int,
	after *string,
	filter *model.EndUserFilter,
	orderBy *model.EndUserOrder,
) (*model.EndUserConnection, error) {
	latest, err := latestFirst(orderBy)
	if err != nil {
		return nil, err
	}
	kind := store.EndUserCursor
	if latest {
		kind = store.LatestEndUserCursor
	}
	size, cursor, err := pageOf(kind, obj.ID, first, after)
	if err != nil {
		return nil, err
	}
	query := conversations.EndUserQuery{First: size, After: cursor, Latest: latest}
	if filter != nil {
		query.Filter = conversations.EndUserFilter{
			Search:   deref(filter.Search.Value()),
			AgentID:  filter.AgentID.Value(),
			ExportID: filter.ExportID.Value(),
			From:     filter.From.Value(),
			To:       filter.To.Value(),
			Blocked:  filter.Blocked.Value(),
		}
	}
	page, err := conversations.On(r.store).EndUserPage(ctx, obj.ID, query)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.EndUserConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(u conversation.EndUser) string {
		place := store.Cursor{Text: u.UserID}
		if latest {
			place = page.Places[u.UserID]
		}
		return place.Encode(kind, obj.ID)
	}, func(cursor string, node *conversation.EndUser) *model.EndUserEdge {
		return &model.EndUserEdge{Cursor: cursor, Node: node}
	})
	if page.Looked != nil { // the next page continues there, not after the last item
		out.PageInfo.EndCursor = new(page.Looked.Encode(kind, obj.ID))
	}
	return out, nil
}

// latestFirst reports whether the end users with the latest conversation come first; otherwise they
// are in the order of their ids. Fault: InvalidInput on orderBy.direction.
func latestFirst(orderBy *model.EndUserOrder) (bool, error) {
	if orderBy == nil {
		return false, nil
	}
	latest := orderBy.Field == model.EndUserOrderFieldLastSeen
	if latest != (orderBy.Direction == model.OrderDirectionDesc) {
		return false, fault.Invalid(fault.Field{Path: "orderBy.direction", Reason: fault.NotSupported,
			Message: "USER_ID takes ASC, and LAST_SEEN takes DESC."})
	}
	return latest, nil
}

// endUser returns an end user; nil if unknown.
func (r *Resolver) endUser(
	ctx context.Context,
	accountID uuid.UUID,
	userID string,
) (*conversation.EndUser, error) {
	if err := conversation.FindUser("userId", userID); err != nil {
		return nil, err
	}
	user, err := conversations.On(r.store).EndUser(ctx, accountID, userID)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return &user, err
}

// setEndUserLimit sets the limit that the input names; without one, the limit stays unchanged.
func (r *Resolver) setEndUserLimit(
	ctx context.Context,
	input model.SetEndUserLimitInput,
) (*conversation.EndUser, error) {
	limit, given := input.DailyMessageLimit.ValueOK()
	err := conversation.FindUser("userId", input.UserID)
	if err == nil {
		err = conversation.CheckDailyMessages(limit)
	}
	if err != nil {
		return nil, err
	}
	if !given {
		user, err := conversations.On(r.store).EndUser(ctx, owner(ctx), input.UserID)
		return &user, err
	}
	user, err := conversations.On(r.store).SetEndUserLimit(ctx, owner(ctx), input.UserID, limit)
	return &user, err
}

func (r *Resolver) blockEndUser(
	ctx context.Context,
	userID string,
	block bool,
) (*conversation.EndUser, error) {
	if err := conversation.FindUser("userId", userID); err != nil {
		return nil, err
	}
	user, err := conversations.On(r.store).BlockEndUser(ctx, owner(ctx), userID, block)
	return &user, err
}
