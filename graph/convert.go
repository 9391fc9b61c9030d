package graph

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/agent"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/llm/catalogue"
)

// change distinguishes an absent field, null and a value.
func change[T any](o graphql.Omittable[*T]) agent.Change[T] {
	return agent.Change[T]{Set: o.IsSet(), Value: o.Value()}
}

func agentChanges(in model.UpdateAgentInput) agent.Changes {
	return agent.Changes{
		Name:            change(in.Name),
		Description:     change(in.Description),
		Instructions:    change(in.Instructions),
		Model:           change(in.Model),
		FallbackModel:   change(in.FallbackModel),
		Temperature:     change(in.Temperature),
		MaxOutputTokens: change(in.MaxOutputTokens),
		ContextTurns:    change(in.ContextTurns),
		Variables:       variableChange(in.Variables),
		ReplySchema:     change(in.ReplySchema),
		Actions:         actionChange(in.Actions),
	}
}

func newAgentChanges(in model.CreateAgentInput) agent.Changes {
	return agent.Changes{
		Name:            agent.Change[string]{Set: true, Value: &in.Name},
		Description:     change(in.Description),
		Instructions:    change(in.Instructions),
		Model:           change(in.Model),
		FallbackModel:   change(in.FallbackModel),
		Temperature:     change(in.Temperature),
		MaxOutputTokens: change(in.MaxOutputTokens),
		ContextTurns:    change(in.ContextTurns),
		Variables:       variableChange(in.Variables),
		ReplySchema:     change(in.ReplySchema),
		Actions:         actionChange(in.Actions),
	}
}

func variableChange(
	o graphql.Omittable[[]*model.AgentVariableInput],
) agent.Change[[]agent.Variable] {
	out := agent.Change[[]agent.Variable]{Set: o.IsSet()}
	if o.Value() == nil {
		return out
	}
	list := make([]agent.Variable, 0, len(o.Value()))
	for _, in := range o.Value() {
		list = append(list, agent.Variable{Name: in.Name, Description: deref(in.Description.Value()),
			Required: deref(in.Required.Value()), Default: in.DefaultValue.Value()})
	}
	out.Value = &list
	return out
}

func actionChange(o graphql.Omittable[[]*agent.Action]) agent.Change[[]agent.Action] {
	out := agent.Change[[]agent.Action]{Set: o.IsSet()}
	if o.Value() == nil {
		return out
	}
	list := make([]agent.Action, 0, len(o.Value()))
	for _, in := range o.Value() {
		list = append(list, *in)
	}
	out.Value = &list
	return out
}

// known reports whether the catalogue has a model, available or not.
func (r *Resolver) known(name string) bool {
	_, ok := r.catalogue.Now().Lookup(name)
	return ok
}

// available reports whether a model can be used now.
func (r *Resolver) available(name string) bool {
	entry, ok := r.catalogue.Now().Lookup(name)
	return ok && entry.Available()
}

// labelled returns the names of the models whose labels contain a text; none for a blank text.
func (r *Resolver) labelled(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out []string
	needle := find.New(strings.TrimSpace(text))
	for _, entry := range r.catalogue.Now().All() {
		if needle.In(entry.Label) {
			out = append(out, entry.Name)
		}
	}
	return out
}

// modelOf returns a model of an agent's settings; nil if no model is chosen or it is no longer
// offered.
func (r *Resolver) modelOf(name *string) *catalogue.Entry {
	if name == nil {
		return nil
	}
	entry, ok := r.catalogue.Now().Lookup(*name)
	if !ok {
		return nil
	}
	return &entry
}

// exportsOf returns an agent's exports, loaded in one statement for all agents of a batch.
func (r *Resolver) exportsOf(
	ctx context.Context,
	agentID uuid.UUID,
	includeRemoved bool,
) ([]*agent.Export, error) {
	exports, ok, err := loadersOf(ctx).exports[includeRemoved].get(ctx, agentID)
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "")
	}
	return pointers(exports), err
}

// agentOf returns the agent of an object. It exists as long as the object.
func (r *Resolver) agentOf(ctx context.Context, id uuid.UUID) (*agent.Agent, error) {
	return required(optional(ctx, loadersOf(ctx).agents, &id))
}

// required turns a missing value into a fault. Fault: NotFound.
func required[T any](value *T, err error) (*T, error) {
	if value == nil && err == nil {
		err = fault.New(fault.NotFound, "")
	}
	return value, err
}

// pointers returns pointers to the items, never nil.
func pointers[T any](items []T) []*T {
	out := make([]*T, len(items))
	for i := range items {
		out[i] = &items[i]
	}
	return out
}

func principal(ctx context.Context) auth.Principal { return *requestOf(ctx).principal }

// principalOf returns the principal that reads an account: that of the sign-in that this request
// has begun, or of its access token.
func principalOf(ctx context.Context, a *account.Account) auth.Principal {
	req := requestOf(ctx)
	for _, p := range []*auth.Principal{req.signedIn, req.principal} {
		if p != nil && p.AccountID == a.ID {
			return *p
		}
	}
	return auth.Principal{AccountID: a.ID}
}

// usable returns the account if it is active, else nil.
func usable(a *account.Account) *account.Account {
	if a == nil || a.State != account.Active {
		return nil
	}
	return a
}

// deref returns the value, the zero value for nil.
func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// textOrNull returns a pointer to a text; nil for an empty one.
func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
