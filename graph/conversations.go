package graph

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
)

// conversationQuery checks the arguments of a page of conversations.
func conversationQuery(
	accountID uuid.UUID,
	first *int,
	after *string,
	filter *model.ConversationFilter,
) (conversations.ConversationQuery, error) {
	size, cursor, err := pageOf(store.ConversationCursor, accountID, first, after)
	out := conversations.ConversationQuery{First: size, After: cursor}
	if err != nil || filter == nil {
		return out, err
	}
	out.Filter = conversations.ConversationFilter{
		AgentID:   filter.AgentID.Value(),
		SessionID: filter.SessionID.Value(),
		From:      filter.From.Value(),
		To:        filter.To.Value(),
		Search:    deref(filter.Search.Value()),
		Source:    deref(filter.Source.Value()),
		UserID:    filter.UserID.Value(),
		Failed:    filter.Failed.Value(),
		Rating:    deref(filter.Rating.Value()),
		Text:      deref(filter.Text.Value()),
	}
	return out, nil
}

// accountConversations returns a page of an account's conversations.
func (r *Resolver) accountConversations(
	ctx context.Context,
	owner *account.Account,
	first *int,
	after *string,
	filter *model.ConversationFilter,
) (*model.ConversationConnection, error) {
	query, err := conversationQuery(owner.ID, first, after, filter)
	if err = cmp.Or(err, takeForSearch(ctx, query.Filter.Text)); err != nil {
		return nil, err
	}
	page, err := conversations.On(r.store).ConversationPage(ctx, owner.ID, query)
	if err != nil {
		return nil, err
	}
	loadersOf(ctx).batchConversations(page.Items)
	loadersOf(ctx).batchHits(page.Hits)
	return conversationConnection(owner.ID, page, after != nil), nil
}

// agentConversations returns a page of an agent's conversations, loaded in one statement for all
// agents of a batch.
func (r *Resolver) agentConversations(
	ctx context.Context,
	obj *agent.Agent,
	first *int,
	after *string,
	filter *model.ConversationFilter,
) (*model.ConversationConnection, error) {
	query, err := conversationQuery(obj.AccountID, first, after, filter)
	if err = cmp.Or(err, takeForSearch(ctx, query.Filter.Text)); err != nil {
		return nil, err
	}
	l := loadersOf(ctx)
	type pagesOf = map[uuid.UUID]conversations.FoundConversations
	pages := l.conversations.of(ctx, func(ctx context.Context, ids []uuid.UUID) (pagesOf, error) {
		found, err := conversations.On(r.store).ConversationsByAgents(ctx, obj.AccountID, ids, query)
		var items []conversation.Conversation
		for _, page := range found {
			items = append(items, page.Items...)
			l.batchHits(page.Hits)
		}
		l.batchConversations(items)
		return found, err
	})
	page, _, err := pages.get(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	return conversationConnection(obj.AccountID, page, after != nil), nil
}

// takeForSearch reserves the memory of a text search. Fault: Unavailable when too little is left.
func takeForSearch(ctx context.Context, text string) error {
	if text == "" {
		return nil
	}
	return requestOf(ctx).hold.Grow(conversations.SearchMemory)
}

func conversationConnection(
	accountID uuid.UUID,
	page conversations.FoundConversations,
	notFirst bool,
) *model.ConversationConnection {
	page.HasPrevious = notFirst
	out := &model.ConversationConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page.Page, func(c conversation.Conversation) string {
		return conversations.ConversationPlace(c).Encode(store.ConversationCursor, accountID)
	}, func(cursor string, node *conversation.Conversation) *model.ConversationEdge {
		return &model.ConversationEdge{Cursor: cursor, Node: node, Hits: pointers(page.Hits[node.ID])}
	})
	if page.Looked != nil { // the next page continues there, not after the last item
		end, down := page.Looked.Encode(
			store.ConversationCursor,
			accountID,
		), time.UnixMicro(page.Looked.Key).
			UTC()
		out.PageInfo.EndCursor, out.SearchedTo = &end, &down
	}
	return out
}

// maxPreview is the length of a preview, in characters.
const maxPreview = 200

// variableValues returns values sorted by name.
func variableValues(values map[string]string) []*model.VariableValue {
	out := make([]*model.VariableValue, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out = append(out, &model.VariableValue{Name: name, Value: values[name]})
	}
	return out
}

// turnQuery checks the arguments of a page of turns.
func turnQuery(
	accountID uuid.UUID,
	first *int,
	after *string,
	last *int,
	before *string,
) (conversations.TurnQuery, error) {
	if first != nil && last != nil {
		return conversations.TurnQuery{}, fault.Invalid(
			fault.Field{Path: "last", Reason: fault.NotSupported,
				Message: "Use first or last, not both."},
		)
	}
	out := conversations.TurnQuery{FromEnd: last != nil}
	var err error
	if out.FromEnd {
		out.Size, err = store.LastSize(last)
	} else {
		out.Size, err = store.PageSize(first)
	}
	for _, arg := range []struct {
		path string
		text *string
		into **store.Cursor
	}{{"after", after, &out.After}, {"before", before, &out.Before}} {
		if err != nil {
			return out, err
		}
		if arg.text != nil {
			var place store.Cursor
			place, err = store.ParseCursorAt(arg.path, store.TurnCursor, accountID, *arg.text)
			*arg.into = &place
		}
	}
	return out, err
}

// turnsOf returns a page of a conversation's turns, loaded in one statement for all conversations
// of a batch.
func (r *Resolver) turnsOf(
	ctx context.Context,
	obj *conversation.Conversation,
	query conversations.TurnQuery,
) (*model.TurnConnection, error) {
	l := loadersOf(ctx)
	query.Texts = selects(ctx, turnTexts)
	pages := l.turns.of(
		ctx,
		func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]store.Page[conversation.Turn], error) {
			found, err := conversations.On(r.store).TurnsByConversations(ctx, obj.AccountID, ids, query)
			turns := allItems(found)
			l.batchTurns(turns)
			return found, cmp.Or(err, readTurns(ctx, turns))
		},
	)
	page, _, err := pages.get(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	out := &model.TurnConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(t conversation.Turn) string {
		return conversations.TurnPlace(t).Encode(store.TurnCursor, obj.AccountID)
	}, func(cursor string, node *conversation.Turn) *model.TurnEdge {
		return &model.TurnEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}
