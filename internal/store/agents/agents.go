package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
)

// AgentColumns are the columns of an AgentRow, of agents AS a.
const AgentColumns = ` a.id, a.account_id, a.name, a.description, a.settings, a.state, a.published_version, a.created_at, a.updated_at,
	a.settings_at `

// AgentRow is an agent whose settings are one column.
type AgentRow struct {
	agent.Agent
	Document agent.Settings `bun:"settings"`
}

// Decoded returns the agent with its settings.
func (r AgentRow) Decoded() agent.Agent {
	r.Settings = r.Document
	return r.Agent
}

// agents returns the agents of an account that match a condition on agents AS a; $1 is the account.
func (s Store) agents(
	ctx context.Context, condition string, accountID uuid.UUID, args ...any,
) ([]agent.Agent, error) {
	rows, err := db.All[AgentRow](ctx, s.db, `SELECT`+AgentColumns+`FROM agents a
		WHERE a.account_id = $1 AND a.deleted_at IS NULL `+condition,
		append([]any{accountID}, args...)...)
	return db.Mapped(rows, AgentRow.Decoded), err
}

// SettingsJSON encodes settings for the database.
func SettingsJSON(s agent.Settings) string {
	if s.Variables == nil {
		s.Variables = []agent.Variable{}
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // checked texts and numbers can be encoded
	}
	return string(text)
}

// CreateAgent creates the draft that agent.New described; the store sets its ids and times. Faults:
// Conflict for an account that already has agent.MaxAgents; NotFound for an unknown account.
func (s Store) CreateAgent(
	ctx context.Context, accountID uuid.UUID, in agent.Agent,
) (agent.Agent, error) {
	var out agent.Agent
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		err := On(tx).CheckAgents(ctx, accountID, 1)
		if err == nil {
			out, err = On(tx).InsertAgent(ctx, accountID, in, 0)
		}
		if err == nil {
			err = audit.On(tx).RecordIn(ctx, accountID, out.ID.String())
		}
		return err
	})
	return out, err
}

// CheckAgents checks that an account can have more agents. It locks the account, so concurrent
// creations wait for each other and the count is exact. Faults: NotFound; Conflict.
func (s Store) CheckAgents(ctx context.Context, accountID uuid.UUID, more int) error {
	_, err := db.One[uuid.UUID](ctx, s.db, `SELECT id FROM accounts WHERE id = $1
		AND state <> 'DELETED' FOR NO KEY UPDATE`, accountID)
	if err != nil {
		return err
	}
	count, err := db.One[int](ctx, s.db, `SELECT`+countAgents, accountID)
	if err == nil && count+more > agent.MaxAgents {
		err = errFull
	}
	return err
}

// countAgents counts the agents of the account $1 that its users see.
const countAgents = ` (SELECT count(*) FROM agents WHERE account_id = $1 AND deleted_at IS NULL) `

var errFull = fault.New(fault.Conflict,
	"This account has reached 1,000 agents. Delete one first.")

// Hidden selects agents that are being filled.
const Hidden = ` deleted_at > clock_timestamp() `

// InsertAgent inserts an agent. With hidden above 0 it will count as deleted after that time, and
// no reader sees it until its deleted_at is cleared. Fault: Conflict for an account that has
// agent.MaxAgents. It does not lock the account: CheckAgents is exact.
func (s Store) InsertAgent(
	ctx context.Context, accountID uuid.UUID, in agent.Agent, hidden time.Duration,
) (agent.Agent, error) {
	row, err := db.One[AgentRow](ctx, s.db, `
		INSERT INTO agents AS a (id, created_at, updated_at, account_id, name, description, settings,
			deleted_at)
		SELECT `+db.NewID+`, n.now, n.now, $1::uuid, $2::text, $3::text, $4::jsonb,
			n.now + make_interval(secs => nullif($5::float8, 0))
			FROM`+db.DatabaseTime+`WHERE`+countAgents+`< $6 RETURNING`+AgentColumns,
		accountID, in.Name, in.Description, SettingsJSON(in.Settings), hidden.Seconds(), agent.MaxAgents)
	if fault.Is(err, fault.NotFound) {
		err = errFull
	}
	return row.Decoded(), err
}

// Agent returns an agent of an account. Fault: NotFound.
func (s Store) Agent(ctx context.Context, accountID, id uuid.UUID) (agent.Agent, error) {
	found, err := s.agents(ctx, `AND a.id = $2`, accountID, id)
	return db.Single(found, err)
}

// Agents returns all agents of an account, oldest first.
func (s Store) Agents(ctx context.Context, accountID uuid.UUID) ([]agent.Agent, error) {
	return s.agents(ctx, `ORDER BY a.id`, accountID)
}

// AgentsByIDs returns the account's agents with these ids.
func (s Store) AgentsByIDs(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]agent.Agent, error) {
	found, err := s.agents(ctx, `AND a.id = ANY($2::uuid[])`, accountID, db.Texts(ids))
	return db.ByID(found, func(a agent.Agent) uuid.UUID { return a.ID }), err
}

// AgentQuery selects a page of agents.
type AgentQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the agent before the page; nil starts with the first.
	After *db.Cursor
	// Order is one of a field that this package lists; nil is newest first.
	Order *db.Order
	// Search is a part of the name, the description, the model's name or the instructions. Case does
	// not matter. Empty finds all.
	Search string
	// Models are names of models that the search finds too: users know models by their labels.
	Models []string
	// State is the state to find; empty finds all.
	State agent.State
	// Count asks for the page's Total.
	Count bool
}

// AgentPage returns a page of an account's agents in one statement. Total takes another statement,
// and a search takes more. An order takes up to five instead. Faults: InvalidInput on first,
// filter.search and after, before any statement; those of usage.Totals.
func (s Store) AgentPage(
	ctx context.Context, accountID uuid.UUID, q AgentQuery,
) (db.Page[agent.Agent], error) {
	search, err := agent.ParseSearch(q.Search)
	if err == nil {
		_, err = db.PageSize(&q.First)
	}
	var last *db.Ranked
	if err == nil && q.Order != nil {
		last, err = q.Order.At(q.After)
	}
	if err != nil {
		return db.Page[agent.Agent]{}, err
	}
	before := uuid.Max
	if q.After != nil {
		before = q.After.ID
	}
	filter := `AND ($2::text = '' OR a.state = $2::text) `
	args := []any{string(q.State)}
	if search != "" {
		ids, err := s.findAgents(ctx, accountID, find.New(search), q.Models)
		if err != nil {
			return db.Page[agent.Agent]{}, err
		}
		filter, args = filter+`AND a.id = ANY($3::uuid[]) `, append(args, db.Texts(ids))
	}
	if q.Order != nil {
		return s.orderedPage(ctx, accountID, q, last, filter, args)
	}
	var total int
	if q.Count {
		total, err = db.One[int](ctx, s.db, `SELECT count(*) FROM agents a WHERE a.account_id = $1
			AND a.deleted_at IS NULL `+filter,
			append([]any{accountID}, args...)...)
		if err != nil {
			return db.Page[agent.Agent]{}, err
		}
	}
	n := len(args) + 2
	filter += fmt.Sprintf(`AND a.id < $%d ORDER BY a.id DESC LIMIT $%d`, n, n+1)
	items, err := s.agents(ctx, filter, accountID, append(args, before, q.First+1)...)
	out := db.Cut(items, q.First)
	out.Total = total
	return out, err
}

// findAgents returns the account's agents that have a needle in their name, description, model's
// name or instructions, or that use one of the models. It reads a few at a time, because
// instructions are long.
func (s Store) findAgents(
	ctx context.Context, accountID uuid.UUID, needle find.Needle, models []string,
) (ids []uuid.UUID, err error) {
	type found struct {
		ID                                     uuid.UUID
		Name, Description, Model, Instructions string
	}
	const most = 50
	for after := uuid.Nil; ; {
		agents, err := db.All[found](ctx, s.db, `SELECT a.id, a.name, a.description,
			coalesce(a.settings->>'model', '') AS model,
				a.settings->>'instructions' AS instructions
			FROM agents a WHERE a.account_id = $1 AND a.deleted_at IS NULL AND a.id > $2 ORDER BY a.id
				LIMIT $3`, accountID, after, most)
		if err != nil {
			return nil, err
		}
		for _, a := range agents {
			if slices.Contains(models, a.Model) ||
				slices.ContainsFunc([]string{a.Name, a.Description, a.Model, a.Instructions}, needle.In) {
				ids = append(ids, a.ID)
			}
		}
		if len(agents) < most {
			return ids, nil
		}
		after = agents[most-1].ID
	}
}

// VersionNumber identifies a version.
type VersionNumber struct {
	AgentID uuid.UUID
	Number  int
}
