package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
)

// author returns the id of the user or account token that sent the request.
func author(ctx context.Context) *uuid.UUID {
	id := principal(ctx).ActorID()
	return &id
}

// inviterOf returns the inviter: an owner, or the operator.
func inviterOf(ctx context.Context, i *account.Invitation) (*model.Actor, error) {
	if i.InvitedBy == uuid.Nil {
		return &model.Actor{Kind: model.ActorKindOperator}, nil
	}
	return required(actorOf(ctx, &i.InvitedBy))
}

// actorOf returns the user or token with the id; for nil, the service itself. It returns nil if the
// user has left the account or the token was removed.
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
