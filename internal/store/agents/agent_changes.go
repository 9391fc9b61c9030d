package agents

import (
	"cmp"
	"context"
	"reflect"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// SetUpdatedAt moves an agent's updated_at forward, even if the clock stands still or goes back.
const SetUpdatedAt = `updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 microsecond')`

// UpdateAgent applies changes that agent.Changes.Check has passed to the draft, which may become
// incomplete. UpdatedAt stays if nothing changes. The panel saves drafts while a user types, so the
// audit trail has one entry for a user's changes of an hour. Faults: NotFound; Conflict if expected
// is set and differs from the agent's UpdatedAt by a microsecond or more; those of
// agent.Changes.CheckTogether.
func (s Store) UpdateAgent(
	ctx context.Context, accountID, id uuid.UUID, c agent.Changes, expected *time.Time,
) (agent.Agent, error) {
	return s.ChangeAgent(ctx, accountID, id, audit.Store.RecordHourly,
		func(_ *db.DB, before agent.Agent) (agent.Agent, error) {
			after := agent.Apply(before, c)
			return after, cmp.Or(CheckUnchanged(before, expected), c.CheckTogether(after.Settings))
		})
}

// CheckUnchanged returns Conflict if expected is set and is not the agent's UpdatedAt.
func CheckUnchanged(a agent.Agent, expected *time.Time) error {
	if expected == nil || a.UpdatedAt.Equal(expected.Truncate(time.Microsecond)) {
		return nil
	}
	return fault.New(fault.Conflict,
		"The agent was changed elsewhere. Reload it and try again.")
}

// UnpublishAgent takes a live agent offline, also for exports that are pinned to a version. Fault:
// NotFound.
func (s Store) UnpublishAgent(ctx context.Context, accountID, id uuid.UUID) (agent.Agent, error) {
	return s.ChangeAgent(ctx, accountID, id, audit.Store.RecordIn,
		func(_ *db.DB, a agent.Agent) (agent.Agent, error) {
			if a.State == agent.Live {
				a.State = agent.Offline
			}
			return a, nil
		})
}

// recorder writes a change to an account's audit trail.
type recorder func(trail audit.Store, ctx context.Context, accountID uuid.UUID, subject string,
	fields ...string) error

// ChangeAgent changes an agent that it has locked, in a transaction that change may use. Each of
// several concurrent changes sees the one before.
func (s Store) ChangeAgent(
	ctx context.Context, accountID, id uuid.UUID, record recorder,
	change func(*db.DB, agent.Agent) (agent.Agent, error),
) (agent.Agent, error) {
	var out agent.Agent
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		before, err := On(tx).LockAgent(ctx, accountID, id)
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
		row, err := db.One[AgentRow](ctx, tx, `
			UPDATE agents a SET name = $3, description = $4, settings = $5::jsonb, state = $6,
				published_version = $7, `+SetUpdatedAt+`,
				settings_at = CASE WHEN a.settings = $5::jsonb THEN a.settings_at ELSE clock_timestamp() END,
				draft_revision = a.draft_revision + (a.settings <> $5::jsonb)::int
			WHERE a.account_id = $1 AND a.id = $2 RETURNING`+AgentColumns,
			accountID, id, after.Name, after.Description, SettingsJSON(after.Settings), after.State,
			after.PublishedVersion)
		if out = row.Decoded(); err != nil {
			return err
		}
		return record(audit.On(tx), ctx, accountID, id.String())
	})
	if err != nil {
		return agent.Agent{}, err
	}
	return out, nil
}

// LockAgent reads an agent and locks it until the transaction ends. Fault: NotFound.
func (s Store) LockAgent(ctx context.Context, accountID, id uuid.UUID) (agent.Agent, error) {
	found, err := s.agents(ctx, `AND a.id = $2 FOR NO KEY UPDATE`, accountID, id)
	return db.Single(found, err)
}
