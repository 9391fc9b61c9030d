package store

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
)

// agentColumns are the columns of an agent.Agent, of agents AS a.
const agentColumns = ` a.id, a.account_id, a.name, a.description, a.instructions, a.model, a.temperature, a.max_output_tokens,
	a.context_turns, a.variables, a.state, a.published_version, a.created_at, a.updated_at `

// selectAgents begins a statement that reads agents of an account into out.
func (s *Store) selectAgents(out any, accountID uuid.UUID) *bun.SelectQuery {
	return s.db.NewSelect().Model(out).Where("account_id = ?", accountID).Where("deleted_at IS NULL")
}

// CreateAgent creates the draft that agent.New described; the store sets its ids and times. Faults: Conflict for an account that
// has agent.MaxAgents, NotFound for an unknown account.
func (s *Store) CreateAgent(ctx context.Context, accountID uuid.UUID, in agent.Agent) (agent.Agent, error) {
	var out agent.Agent
	err := s.inTx(ctx, func(tx *Store) error {
		// Creations of one account wait for each other here, so that the count is exact.
		_, err := one[uuid.UUID](ctx, tx, `SELECT id FROM accounts WHERE id = $1 AND state <> 'DELETED' FOR NO KEY UPDATE`, accountID)
		if err != nil {
			return err
		}
		count, err := tx.selectAgents((*agent.Agent)(nil), accountID).Count(ctx)
		if err != nil {
			return err
		}
		if count >= agent.MaxAgents {
			return fault.New(fault.Conflict, "This account has 1,000 agents, the maximum. Delete one first.")
		}
		out, err = one[agent.Agent](ctx, tx, `
			INSERT INTO agents AS a (id, created_at, updated_at, account_id, name, description, instructions, model, temperature,
				max_output_tokens, context_turns, variables)
			SELECT `+newID+`, n.now, n.now, $1::uuid, $2::text, $3::text, $4::text, $5::text, $6::float8, $7::int, $8::int, $9::jsonb
			FROM`+databaseTime+`RETURNING`+agentColumns,
			accountID, in.Name, in.Description, in.Instructions, in.Model, in.Temperature, in.MaxOutputTokens, in.ContextTurns,
			variablesJSON(in.Variables))
		return err
	})
	return out, err
}

// Agent returns an agent of an account. Fault: NotFound.
func (s *Store) Agent(ctx context.Context, accountID, id uuid.UUID) (agent.Agent, error) {
	var out agent.Agent
	err := s.scan(ctx, s.selectAgents(&out, accountID).Where("id = ?", id))
	return out, err
}

// Agents returns all agents of an account, oldest first.
func (s *Store) Agents(ctx context.Context, accountID uuid.UUID) ([]agent.Agent, error) {
	var out []agent.Agent
	err := s.scan(ctx, s.selectAgents(&out, accountID).Order("id"))
	return out, err
}

// AgentsByIDs returns the agents of an account among those with the ids.
func (s *Store) AgentsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]agent.Agent, error) {
	var out []agent.Agent
	err := s.scan(ctx, s.selectAgents(&out, accountID).Where("id IN ?", bun.Tuple(ids)))
	return byID(out, func(a agent.Agent) uuid.UUID { return a.ID }), err
}

// AgentQuery says which agents a page shows.
type AgentQuery struct {
	// First is how many, 1 to MaxPage.
	First int
	// After is where the page begins; nil begins with the newest.
	After *Cursor
	// Search is a part of the name or the description in any case; empty finds all.
	Search string
	// State is the state; empty finds both.
	State agent.State
}

// AgentPage returns a page of an account's agents, the newest first, in two statements. Fault: InvalidInput on first and
// filter.search, before any statement.
func (s *Store) AgentPage(ctx context.Context, accountID uuid.UUID, q AgentQuery) (Page[agent.Agent], error) {
	search, err := agent.ParseSearch(q.Search)
	if err == nil {
		_, err = PageSize(&q.First)
	}
	if err != nil {
		return Page[agent.Agent]{}, err
	}
	before := uuid.Max
	if q.After != nil {
		before = q.After.ID
	}
	const filter = ` FROM agents a WHERE a.account_id = $1 AND a.deleted_at IS NULL
		AND ($2::text = '' OR a.state = $2::text) AND ($3::text = '' OR a.name ILIKE $3::text OR a.description ILIKE $3::text)`
	args := []any{accountID, string(q.State), likePattern(search)}
	total, err := one[int](ctx, s, `SELECT count(*)`+filter, args...)
	if err != nil {
		return Page[agent.Agent]{}, err
	}
	items, err := all[agent.Agent](ctx, s, `SELECT`+agentColumns+filter+` AND a.id < $4 ORDER BY a.id DESC LIMIT $5`,
		append(args, before, q.First+1)...)
	out := cut(items, q.First)
	out.Total = total
	return out, err
}

// variablesJSON is the stored form of variables.
func variablesJSON(list []agent.Variable) string {
	if len(list) == 0 {
		return "[]"
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // texts and booleans always encode
	}
	return string(text)
}

// likePattern returns the LIKE pattern for a part of a text; empty for an empty text.
func likePattern(part string) string {
	if part == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(part) + "%"
}
