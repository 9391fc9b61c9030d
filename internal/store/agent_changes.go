package store

import (
	"context"
	"reflect"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
)

// setUpdatedAt moves an agent's updated_at forward, even when the clock stands still or goes back.
const setUpdatedAt = `updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 microsecond')`

// SetAgentState sets an agent's state and, unlike CompleteAgent, does not check what the agent lacks. Fault: NotFound.
func (s *Store) SetAgentState(ctx context.Context, accountID, id uuid.UUID, state agent.State) error {
	return mustChange(s.exec(ctx, `UPDATE agents a SET state = $3, `+setUpdatedAt+`
		WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`, accountID, id, state))
}

// UpdateAgent applies changes that agent.Changes.Check has passed; available says whether a model can be used now. UpdatedAt stays
// if nothing changes. Faults: NotFound; Conflict if expected is given and differs from the agent's UpdatedAt by a microsecond or
// more; InvalidInput on name, instructions and model for changes that would leave a completed agent incomplete.
func (s *Store) UpdateAgent(ctx context.Context, accountID, id uuid.UUID, c agent.Changes, expected *time.Time,
	available func(model string) bool,
) (agent.Agent, error) {
	return s.changeAgent(ctx, accountID, id, func(before agent.Agent) (agent.Agent, error) {
		if expected != nil && !before.UpdatedAt.Equal(expected.Truncate(time.Microsecond)) {
			return before, fault.New(fault.Conflict,
				"The agent has changed since you read it. Read it again, then repeat your change.")
		}
		after := agent.Apply(before, c)
		return after, agent.CheckChange(before, after, available)
	})
}

// CompleteAgent completes an agent, unless it is completed. Faults: NotFound; InvalidInput on name, instructions and model, for
// each that is missing.
func (s *Store) CompleteAgent(ctx context.Context, accountID, id uuid.UUID, available func(model string) bool) (agent.Agent, error) {
	return s.changeAgent(ctx, accountID, id, func(a agent.Agent) (agent.Agent, error) {
		if a.State == agent.Completed {
			return a, nil
		}
		a.State = agent.Completed
		return a, agent.CheckComplete(a, available)
	})
}

// ReopenAgent makes an agent a draft again. Fault: NotFound.
func (s *Store) ReopenAgent(ctx context.Context, accountID, id uuid.UUID) (agent.Agent, error) {
	return s.changeAgent(ctx, accountID, id, func(a agent.Agent) (agent.Agent, error) {
		a.State = agent.Draft
		return a, nil
	})
}

// changeAgent changes an agent under its lock: each of several concurrent changes sees the one before.
func (s *Store) changeAgent(ctx context.Context, accountID, id uuid.UUID, change func(agent.Agent) (agent.Agent, error),
) (agent.Agent, error) {
	var out agent.Agent
	err := s.inTx(ctx, func(tx *Store) error {
		var before agent.Agent
		err := tx.selectAgents(&before, accountID).Where("id = ?", id).For("NO KEY UPDATE").Scan(ctx)
		if err != nil {
			return err
		}
		after, err := change(before)
		if err != nil {
			return err
		}
		if out = before; reflect.DeepEqual(before, after) {
			return nil
		}
		out, err = one[agent.Agent](ctx, tx, `
			UPDATE agents a SET name = $3, description = $4, instructions = $5, model = $6, temperature = $7,
				max_output_tokens = $8, state = $9, context_turns = $10, `+setUpdatedAt+`
			WHERE a.account_id = $1 AND a.id = $2 RETURNING`+agentColumns,
			accountID, id, after.Name, after.Description, after.Instructions, after.Model, after.Temperature,
			after.MaxOutputTokens, after.State, after.ContextTurns)
		return err
	})
	if err != nil {
		return agent.Agent{}, err
	}
	return out, nil
}
