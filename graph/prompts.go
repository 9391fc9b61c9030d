package graph

import (
	"context"
	"slices"

	"agentchat/graph/model"
	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/conversation"
	"agentchat/internal/store/conversations"
)

// promptOf describes the prompt of a turn's last model call from stored data: the settings that
// answered, the values of the message, for results their chain, and the number of earlier turns. It
// returns nil if any of them is unknown, and for test runs, whose history is not stored.
func (r *Resolver) promptOf(ctx context.Context, t *conversation.Turn) (*model.TurnPrompt, error) {
	if t.EarlierTurns == nil || t.Source == conversation.Test {
		return nil, nil
	}
	found, err := settingsOf(ctx, t)
	if found == nil || err != nil {
		return nil, err
	}
	chain, err := chainOf(ctx, t)
	if err != nil {
		return nil, err
	}
	settings, values := *found, t.Variables
	if len(chain) > 0 {
		values = chain[0].Variables
	}
	settings.Instructions = agent.Fill(settings.Instructions, settings.Variables, values)
	entry, _ := r.catalogue.Now().Lookup(t.Model)
	out := &model.TurnPrompt{
		Instructions: chat.InstructionsOf(entry.Model, &settings),
		EarlierTurns: *t.EarlierTurns,
		Actions:      len(settings.Actions),
		Chain:        pointers(chain),
		Model:        t.Model,
	}
	var read texts
	read.add(out.Instructions)
	if err = requestOf(ctx).haveRead(read); err != nil {
		return nil, err
	}
	return out, nil
}

// chainOf returns the answered turns that a turn's results belong to, the message first; none for a
// message.
func chainOf(ctx context.Context, t *conversation.Turn) ([]conversation.Turn, error) {
	if t.MessageNumber == nil {
		return nil, nil
	}
	turns, _, err := loadersOf(ctx).exchanges.get(ctx, conversations.ExchangeOf(*t))
	later := slices.IndexFunc(turns, func(c conversation.Turn) bool { return c.Number >= t.Number })
	if later < 0 {
		later = len(turns)
	}
	return turns[:later], err
}

// settingsOf returns the settings that answered a turn: those of its version or, for a draft that
// has not changed since, of the agent. nil if they no longer exist.
func settingsOf(ctx context.Context, t *conversation.Turn) (*agent.Settings, error) {
	if t.Version != nil {
		v, err := optional(ctx, loadersOf(ctx).versionsByNumber, answeringVersion(*t))
		if v == nil || err != nil {
			return nil, err
		}
		return &v.Settings, nil
	}
	a, err := optional(ctx, loadersOf(ctx).agents, &t.AgentID)
	if a == nil || err != nil || !t.CreatedAt.After(a.SettingsAt) {
		return nil, err
	}
	return &a.Settings, nil
}
