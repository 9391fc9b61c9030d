package graph

import (
	"context"

	"agentchat/graph/model"
	"agentchat/internal/agent"
	"agentchat/internal/conversation"
)

// promptOf returns what a turn's model was given, computed from what is stored: the settings that answered, the values that came with the
// message, and the size of the prompt, which tells how many earlier turns were in it. nil where one of them is not known.
func (r *Resolver) promptOf(ctx context.Context, t *conversation.Turn) (*model.TurnPrompt, error) {
	if t.InputBytes == nil {
		return nil, nil
	}
	settings, err := settingsOf(ctx, t)
	if settings == nil || err != nil {
		return nil, err
	}
	out := &model.TurnPrompt{Instructions: agent.Fill(settings.Instructions, settings.Variables, t.Variables), Model: t.Model}
	var read texts
	read.add(out.Instructions)
	if err := exchangeOf(ctx).haveRead(read); err != nil {
		return nil, err
	}
	sizes, _, err := loadersOf(ctx).earlierTurnSizes.get(ctx, t.ID)
	out.EarlierTurns = conversation.CountWithin(sizes, *t.InputBytes-int64(len(out.Instructions)+len(t.Message)))
	return out, err
}

// settingsOf returns the settings that answered a turn: of its version or, for a draft that has not changed since, of the agent. nil where
// they are gone.
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
