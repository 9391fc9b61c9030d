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

// UpdateAgent applies changes that agent.Changes.Check has passed to the draft, which may become incomplete. UpdatedAt stays if
// nothing changes. Faults: NotFound; Conflict if expected is given and differs from the agent's UpdatedAt by a microsecond or more.
func (s *Store) UpdateAgent(ctx context.Context, accountID, id uuid.UUID, c agent.Changes, expected *time.Time) (agent.Agent, error) {
	return s.changeAgent(ctx, accountID, id, func(_ *Store, before agent.Agent) (agent.Agent, error) {
		return agent.Apply(before, c), checkUnchanged(before, expected)
	})
}

// checkUnchanged returns Conflict if expected is given and is not the agent's UpdatedAt.
func checkUnchanged(a agent.Agent, expected *time.Time) error {
	if expected == nil || a.UpdatedAt.Equal(expected.Truncate(time.Microsecond)) {
		return nil
	}
	return fault.New(fault.Conflict, "The agent has changed since you read it. Read it again, then repeat your change.")
}

// ReopenAgent takes an agent offline, also for the exports that are pinned to a version. Fault: NotFound.
func (s *Store) ReopenAgent(ctx context.Context, accountID, id uuid.UUID) (agent.Agent, error) {
	return s.changeAgent(ctx, accountID, id, func(_ *Store, a agent.Agent) (agent.Agent, error) {
		a.State = agent.Draft
		return a, nil
	})
}

// changeAgent changes an agent under its lock, in a transaction that change may use: each of several concurrent changes sees the
// one before.
func (s *Store) changeAgent(ctx context.Context, accountID, id uuid.UUID, change func(*Store, agent.Agent) (agent.Agent, error),
) (agent.Agent, error) {
	var out agent.Agent
	err := s.inTx(ctx, func(tx *Store) error {
		before, err := tx.lockAgent(ctx, accountID, id)
		if err != nil {
			return err
		}
		after, err := change(tx, before)
		if err != nil {
			return err
		}
		if out = before; reflect.DeepEqual(before, after) {
			return nil
		}
		out, err = one[agent.Agent](ctx, tx, `
			UPDATE agents a SET name = $3, description = $4, instructions = $5, model = $6, temperature = $7,
				max_output_tokens = $8, context_turns = $9, state = $10, published_version = $11, variables = $12::jsonb, `+setUpdatedAt+`
			WHERE a.account_id = $1 AND a.id = $2 RETURNING`+agentColumns,
			accountID, id, after.Name, after.Description, after.Instructions, after.Model, after.Temperature,
			after.MaxOutputTokens, after.ContextTurns, after.State, after.PublishedVersion, variablesJSON(after.Variables))
		return err
	})
	if err != nil {
		return agent.Agent{}, err
	}
	return out, nil
}

// lockAgent reads an agent and locks it until the transaction ends.
func (s *Store) lockAgent(ctx context.Context, accountID, id uuid.UUID) (out agent.Agent, err error) {
	err = s.selectAgents(&out, accountID).Where("id = ?", id).For("NO KEY UPDATE").Scan(ctx)
	return out, err
}
