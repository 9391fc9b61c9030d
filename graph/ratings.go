package graph

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/ratings"
)

// rateTurn stores the team's rating of a reply. Faults: InvalidInput on note, and those of
// ratings.Rate.
func (r *Resolver) rateTurn(
	ctx context.Context, input model.RateTurnInput,
) (*model.RateTurnPayload, error) {
	given := ratings.Given{Rating: conversation.Rating{
		TurnID:  input.TurnID,
		Kind:    conversation.ByTeam,
		Value:   deref(input.Value.Value()),
		Note:    deref(input.Note.Value()),
		RatedBy: author(ctx),
	}}
	if problem := conversation.CheckRatingNote("note", given.Value, given.Note); problem != nil {
		return nil, fault.Invalid(*problem)
	}
	if _, err := ratings.On(r.store).Rate(ctx, owner(ctx), given); err != nil {
		return nil, err
	}
	turn, err := required(optional(ctx, loadersOf(ctx).turnsByID[true], &input.TurnID))
	return &model.RateTurnPayload{Turn: turn}, err
}

// ratingsOf returns a page of an agent's ratings, loaded in one statement for all agents of a
// batch.
func (r *Resolver) ratingsOf(
	ctx context.Context,
	obj *agent.Agent,
	first *int,
	after *string,
	value *conversation.RatingValue,
	kind *conversation.RatingKind,
) (*model.RatingConnection, error) {
	size, cursor, err := pageOf(store.RatingCursor, obj.AccountID, first, after)
	if err != nil {
		return nil, err
	}
	query := ratings.Query{First: size, After: cursor, Value: value, Kind: kind}
	l := loadersOf(ctx)
	pages := l.ratings.of(
		ctx,
		func(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]store.Page[conversation.Rating], error) {
			found, err := ratings.On(r.store).ByAgents(ctx, obj.AccountID, ids, query)
			all := allItems(found)
			l.batchRatings(all)
			return found, cmp.Or(err, readRatings(ctx, all))
		},
	)
	page, _, err := pages.get(ctx, obj.ID)
	if err != nil {
		return nil, err
	}
	page.HasPrevious = after != nil
	out := &model.RatingConnection{}
	out.Nodes, out.Edges, out.PageInfo = connect(page, func(r conversation.Rating) string {
		return ratings.Place(r).Encode(store.RatingCursor, obj.AccountID)
	}, func(cursor string, node *conversation.Rating) *model.RatingEdge {
		return &model.RatingEdge{Cursor: cursor, Node: node}
	})
	return out, nil
}

// ratedBy returns the user or token that gave a rating; nil for a caller.
func ratedBy(ctx context.Context, rating *conversation.Rating) (*model.Actor, error) {
	if rating.RatedBy == nil {
		return nil, nil
	}
	return actorOf(ctx, rating.RatedBy)
}

// readRatings counts the notes of ratings that a request has read, as readTurns does.
func readRatings(ctx context.Context, ratings []conversation.Rating) error {
	var read texts
	for _, r := range ratings {
		read.add(r.Note)
	}
	return requestOf(ctx).haveRead(read)
}
