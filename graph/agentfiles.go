package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/agent"
	"agentchat/internal/foreign"
	"agentchat/internal/memory"
	"agentchat/internal/store/versions"
)

// duplicateAgent copies an agent's draft. Faults: InvalidInput on name; those of
// store.DuplicateAgent.
func (r *Resolver) duplicateAgent(
	ctx context.Context,
	id uuid.UUID,
	name string,
) (agent.Agent, error) {
	named := agent.Changes{Name: agent.Change[string]{Set: true, Value: &name}}
	if err := named.Check(r.known); err != nil {
		return agent.Agent{}, err
	}
	name = agent.New(named).Name
	return versions.On(r.store).DuplicateAgent(ctx, owner(ctx), id, name, author(ctx))
}

// importAgent creates an agent from a file. Faults, which name the line: InvalidInput on file,
// those of store.ImportAgent; Unavailable when no memory is left for the work.
func (r *Resolver) importAgent(
	ctx context.Context,
	input model.ImportAgentInput,
) (*model.ImportAgentPayload, error) {
	format := foreign.Format("")
	if chosen := input.Format.Value(); chosen != nil {
		format = *chosen
	}
	in, err := r.foreign.Read(ctx, owner(ctx), format, input.File.Content)
	if err != nil {
		return nil, err
	}
	out, err := versions.On(r.store).ImportAgent(ctx, owner(ctx), in.Agent,
		in.File.Sources(author(ctx), oneByOne(requestOf(ctx).hold)))
	payload := &model.ImportAgentPayload{Agent: &out, Notes: []*foreign.Note{}, MoreNotes: in.More}
	for _, note := range in.Notes {
		payload.Notes = append(payload.Notes, &note)
	}
	return payload, in.File.OnLine(err)
}

// oneByOne returns a function that reserves memory for texts of the given sizes, which are
// processed one after the other: for the largest batch of texts that are not stored yet.
func oneByOne(hold *memory.Hold) func(bytes int64) error {
	var had, sum int64
	return func(bytes int64) error {
		sum += bytes
		needed := indexing * min(sum, bytes+versions.StepBytes)
		err := hold.Grow(needed - had)
		if err == nil {
			had = max(had, needed)
		}
		return err
	}
}
