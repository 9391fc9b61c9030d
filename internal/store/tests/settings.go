package tests

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// MaxRepeats is the limit of attempts per case in a run.
const MaxRepeats = 5

// Gate determines what an untested draft needs to be published.
type Gate string

// The gates.
const (
	Off     Gate = "OFF"
	Warn    Gate = "WARN"
	Require Gate = "REQUIRE"
)

// Settings are an agent's test settings. They are not part of its draft.
type Settings struct {
	AgentID uuid.UUID `json:"-"`
	Gate    Gate      `json:"gate"`
	// Repeats is the number of attempts of a case, and NeededPasses the number that must pass.
	Repeats      int `json:"repeats"`
	NeededPasses int `json:"needed_passes"`
	// JudgeID is the agent that judges replies; nil without a judge.
	JudgeID            *uuid.UUID `json:"judge,omitempty"`
	TokenCreditsPerDay int64      `json:"token_credits_per_day"`
}

// defaults returns the settings of a new agent.
func defaults(agentID uuid.UUID) Settings {
	return Settings{AgentID: agentID, Gate: Off, Repeats: 1, NeededPasses: 1}
}

// SQL expressions of settings of agents AS a, with their defaults.
const (
	gateOf    = `coalesce(a.tests->>'gate', 'OFF')`
	repeatsOf = `coalesce((a.tests->>'repeats')::int, 1)`
	neededOf  = `coalesce((a.tests->>'needed_passes')::int, 1)`
)

// SettingsChanges are changes to Settings. Null restores a default.
type SettingsChanges struct {
	Gate                  agent.Change[Gate]
	Repeats, NeededPasses agent.Change[int]
	Judge                 agent.Change[uuid.UUID]
	TokenCreditsPerDay    agent.Change[int64]
}

// applied returns settings with the changes, and the names of the fields that differ. Fault:
// InvalidInput.
func (c SettingsChanges) applied(old Settings) (out Settings, fields []string, err error) {
	out = old
	usual := defaults(old.AgentID)
	set(&out.Gate, c.Gate, usual.Gate)
	set(&out.Repeats, c.Repeats, usual.Repeats)
	set(&out.NeededPasses, c.NeededPasses, usual.NeededPasses)
	set(&out.TokenCreditsPerDay, c.TokenCreditsPerDay, usual.TokenCreditsPerDay)
	if c.Judge.Set {
		out.JudgeID = c.Judge.Value
	}
	for _, f := range []struct {
		name    string
		changed bool
	}{
		{"gate", out.Gate != old.Gate},
		{"repeats", out.Repeats != old.Repeats},
		{"neededPasses", out.NeededPasses != old.NeededPasses},
		{"judge", !audit.Equal(out.JudgeID, old.JudgeID)},
		{"tokenCreditsPerDay", out.TokenCreditsPerDay != old.TokenCreditsPerDay},
	} {
		if f.changed {
			fields = append(fields, f.name)
		}
	}
	return out, fields, out.check()
}

func set[T any](field *T, c agent.Change[T], usual T) {
	if c.Value != nil {
		*field = *c.Value
	} else if c.Set {
		*field = usual
	}
}

func (s Settings) check() error {
	var found []fault.Field
	refuse := func(path, message string) {
		found = append(found, fault.Field{Path: path, Reason: fault.OutOfRange, Message: message})
	}
	if s.Repeats < 1 || s.Repeats > MaxRepeats {
		refuse("repeats", "The number of attempts must be from 1 to 5.")
	} else if s.NeededPasses < 1 || s.NeededPasses > s.Repeats {
		refuse("neededPasses", "The number of passes must be from 1 to the number of attempts.")
	}
	if s.TokenCreditsPerDay < 0 {
		refuse("tokenCreditsPerDay", "The number of credits must be 0 or more.")
	}
	if audit.Equal(s.JudgeID, &s.AgentID) {
		found = append(found, fault.Field{Path: "judge", Reason: fault.InvalidValue,
			Message: "An agent cannot judge itself. Choose another one."})
	}
	if found == nil {
		return nil
	}
	return fault.Invalid(found...)
}

// SettingsByAgents returns the settings of each agent.
func (s Store) SettingsByAgents(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID,
) (map[uuid.UUID]Settings, error) {
	found, err := db.ValuesByID[string](ctx, s.db, `SELECT a.id, a.tests::text AS value FROM agents a
		WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL`, accountID, agentIDs)
	out := make(map[uuid.UUID]Settings, len(found))
	for id, text := range found {
		settings := defaults(id)
		if err := json.Unmarshal([]byte(text), &settings); err != nil {
			return nil, fault.Wrap(fault.Internal, err)
		}
		out[id] = settings
	}
	return out, err
}

// UpdateSettings changes an agent's test settings, but not its UpdatedAt. It returns the agent. Faults:
// InvalidInput; NotFound, also for a judge that is not an agent of the account.
func (s Store) UpdateSettings(
	ctx context.Context, accountID, agentID uuid.UUID, changes SettingsChanges,
) (out agent.Agent, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		if out, err = agents.On(tx).LockAgent(ctx, accountID, agentID); err != nil {
			return err
		}
		found, err := On(tx).SettingsByAgents(ctx, accountID, []uuid.UUID{agentID})
		if err != nil {
			return err
		}
		after, fields, err := changes.applied(found[agentID])
		if err != nil || len(fields) == 0 {
			return err
		}
		if changes.Judge.Value != nil {
			if _, err := agents.On(tx).Agent(ctx, accountID, *changes.Judge.Value); err != nil {
				return err
			}
		}
		text, err := json.Marshal(after)
		if err == nil {
			_, err = db.Exec(ctx, tx, `UPDATE agents SET tests = $2::jsonb WHERE id = $1`, agentID, string(text))
		}
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, agentID.String(), fields...)
	})
	return out, err
}
