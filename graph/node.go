package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/scalar"
	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/identity"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/users"
	"agentchat/internal/store/webhooks"
)

// node finds an object of the account by its id, trying one type after the other. Faults: NotFound;
// roleForbids for an object that the caller's role may not see.
func (r *Resolver) node(ctx context.Context, id uuid.UUID) (scalar.Node, error) {
	switch id {
	case owner(ctx):
		return viewer(ctx), nil
	case principal(ctx).UserID:
		return found(r.me(ctx))
	}
	l := loadersOf(ctx)
	for _, kind := range []struct {
		name string
		find func() (scalar.Node, error)
	}{
		{"Agent", func() (scalar.Node, error) { return found(optional(ctx, l.agents, &id)) }},
		{"ApiExport", func() (scalar.Node, error) { return found(optional(ctx, l.exportsByID, &id)) }},
		{"Conversation", func() (scalar.Node, error) { return found(optional(ctx, l.conversationsByID, &id)) }},
		{"Turn", func() (scalar.Node, error) { return found(optional(ctx, l.turnsByID[selects(ctx, turnTexts)], &id)) }},
		{"AgentVersion", func() (scalar.Node, error) { return found(optional(ctx, l.versionsByID, &id)) }},
		{"Request", func() (scalar.Node, error) { return found(optional(ctx, l.requestsByID, &id)) }},
		{"KnowledgeSource", func() (scalar.Node, error) { return found(optional(ctx, l.sourcesByID, &id)) }},
		{"TestRun", func() (scalar.Node, error) { return found(optional(ctx, l.testRunsByID, &id)) }},
		{"TestCase", func() (scalar.Node, error) { return found(optional(ctx, l.testCasesByID, &id)) }},
		{"ApiKey", func() (scalar.Node, error) { return unlessAbsent(exports.On(r.store).Key(ctx, owner(ctx), id)) }},
		{"CreditEntry", func() (scalar.Node, error) { return unlessAbsent(credits.On(r.store).CreditEntry(ctx, owner(ctx), id)) }},
		{"AuditEntry", func() (scalar.Node, error) { return unlessAbsent(r.event(ctx, id)) }},
		{"SignIn", inList(id, func(s identity.SignIn) uuid.UUID { return s.ID }, func() ([]identity.SignIn, error) {
			return r.identity.SignIns(ctx, principal(ctx))
		})},
		{"Invitation", inList(id, func(i account.Invitation) uuid.UUID { return i.ID }, func() ([]account.Invitation, error) {
			return accounts.On(r.store).Invitations(ctx, owner(ctx))
		})},
		{"AccountToken", inList(id, func(t account.Token) uuid.UUID { return t.ID }, func() ([]account.Token, error) {
			return accounts.On(r.store).Tokens(ctx, owner(ctx))
		})},
		{"Webhook", func() (scalar.Node, error) {
			return unlessAbsent(webhooks.On(r.store).Webhook(ctx, owner(ctx), id))
		}},
		{"WebhookDelivery", func() (scalar.Node, error) {
			return unlessAbsent(webhooks.On(r.store).Delivery(ctx, owner(ctx), id))
		}},
	} {
		node, err := kind.find()
		if node != nil && err == nil {
			err = mayUse(ctx, kind.name)
		}
		if err != nil {
			return nil, err
		}
		if node != nil {
			return node, nil
		}
	}
	return nil, fault.Wrap(fault.NotFound, nil)
}

// inList returns a function that finds an object in a short list.
func inList[T any](
	id uuid.UUID,
	idOf func(T) uuid.UUID,
	list func() ([]T, error),
) func() (scalar.Node, error) {
	return func() (scalar.Node, error) {
		items, err := list()
		for i := range items {
			if idOf(items[i]) == id {
				return &items[i], err
			}
		}
		return nil, err
	}
}

// me returns the current user.
func (r *Resolver) me(ctx context.Context) (*account.User, error) {
	user, err := users.On(r.store).User(ctx, principal(ctx).UserID)
	return &user, err
}

// found returns nil for a nil pointer: in an interface, a typed nil would not be nil.
func found[T any](value *T, err error) (scalar.Node, error) {
	if value == nil {
		return nil, err
	}
	return value, err
}

// unlessAbsent returns nil instead of NotFound.
func unlessAbsent[T any](value T, err error) (scalar.Node, error) {
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return &value, err
}
