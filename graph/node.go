package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/scalar"
	"agentchat/internal/account"
	"agentchat/internal/fault"
)

// node finds an object of the signed-in account by its id, one kind after the other. Fault: NotFound.
func (r *Resolver) node(ctx context.Context, id uuid.UUID) (scalar.Node, error) {
	switch id {
	case owner(ctx):
		return viewer(ctx), nil
	case principal(ctx).UserID:
		return found(r.me(ctx))
	}
	l := loadersOf(ctx)
	for _, find := range []func() (scalar.Node, error){
		func() (scalar.Node, error) { return found(optional(ctx, l.agents, &id)) },
		func() (scalar.Node, error) { return found(optional(ctx, l.exportsByID, &id)) },
		func() (scalar.Node, error) { return found(optional(ctx, l.conversationsByID, &id)) },
		func() (scalar.Node, error) { return found(optional(ctx, l.turnsByID[selects(ctx, turnTexts)], &id)) },
		func() (scalar.Node, error) { return found(optional(ctx, l.versionsByID, &id)) },
		func() (scalar.Node, error) { return found(optional(ctx, l.requestsByID, &id)) },
		func() (scalar.Node, error) { return found(optional(ctx, l.sourcesByID, &id)) },
		func() (scalar.Node, error) { return found(r.event(ctx, id)) },
	} {
		if node, err := find(); node != nil || err != nil {
			return node, err
		}
	}
	return nil, fault.Wrap(fault.NotFound, nil)
}

// me is the user who is signed in.
func (r *Resolver) me(ctx context.Context) (*account.User, error) {
	user, err := r.store.User(ctx, principal(ctx).UserID)
	return &user, err
}

// found returns nil for a nil pointer: in an interface, a typed nil would not be nil.
func found[T any](value *T, err error) (scalar.Node, error) {
	if value == nil {
		return nil, err
	}
	return value, err
}
