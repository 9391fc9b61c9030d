package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/scalar"
)

// node finds an object of the signed-in account by its id, one kind after the other; nil when there is none.
func (r *Resolver) node(ctx context.Context, id uuid.UUID) (scalar.Node, error) {
	if id == owner(ctx) {
		return viewer(ctx), nil
	}
	l := loadersOf(ctx)
	for _, find := range []func() (scalar.Node, error){
		func() (scalar.Node, error) { return found(optional(ctx, l.agents, &id)) },
		func() (scalar.Node, error) { return found(optional(ctx, l.exportsByID, &id)) },
		func() (scalar.Node, error) { return found(optional(ctx, l.conversationsByID, &id)) },
		func() (scalar.Node, error) { return found(optional(ctx, l.turnsByID[selects(ctx, turnTexts)], &id)) },
	} {
		if node, err := find(); node != nil || err != nil {
			return node, err
		}
	}
	return nil, nil //nolint:nilnil // null is the answer
}

// found makes a pointer to nothing nothing.
func found[T any](value *T, err error) (scalar.Node, error) {
	if value == nil {
		return nil, err
	}
	return value, err
}
