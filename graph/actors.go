package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
)

// author is the user or the account token who sent the request, for what it makes.
func author(ctx context.Context) *uuid.UUID {
	id := principal(ctx).ActorID()
	return &id
}

// inviterOf returns who invites somebody: an owner, or the operator.
func inviterOf(ctx context.Context, i *account.Invitation) (*model.Actor, error) {
	if i.InvitedBy == uuid.Nil {
		return &model.Actor{Kind: model.ActorKindOperator}, nil
	}
	return required(actorOf(ctx, &i.InvitedBy))
}

// actorOf returns who made something: a user or a token of the account, or for nil the service itself. nil for who is not of the account
// any more.
func actorOf(ctx context.Context, by *uuid.UUID) (*model.Actor, error) {
	if by == nil {
		return &model.Actor{Kind: model.ActorKindSystem, Name: "Agent Chat"}, nil
	}
	actor, err := optional(ctx, loadersOf(ctx).actors, by)
	if actor == nil || err != nil {
		return nil, err
	}
	return &model.Actor{Kind: model.ActorKind(actor.Kind), ActorID: &actor.ID, Name: actor.Name}, nil
}
