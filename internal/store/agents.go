package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
)

// agentColumns are what scanAgent reads, of agents AS a.
const agentColumns = `a.id, a.account_id, a.name, a.description, a.instructions, a.model, a.temperature, a.max_output_tokens,
	a.context_turns, a.state, a.created_at, a.updated_at`

func scanAgent(row scanner) (agent.Agent, error) {
	var a agent.Agent
	err := row.Scan(&a.ID, &a.AccountID, &a.Name, &a.Description, &a.Instructions, &a.Model, &a.Temperature, &a.MaxOutputTokens,
		&a.ContextTurns, &a.State, &a.CreatedAt, &a.UpdatedAt)
	a.CreatedAt, a.UpdatedAt = a.CreatedAt.UTC(), a.UpdatedAt.UTC()
	return a, err
}

// NewAgent is an agent to create, checked by agent.Changes.CheckNew.
type NewAgent struct {
	Name            string
	Description     string
	Instructions    string
	Model           *string
	Temperature     *float64
	MaxOutputTokens *int
	// ContextTurns is nil for agent.MaxContextTurns.
	ContextTurns *int
	// State is Draft when empty. A completed agent has a name, instructions and a model.
	State agent.State
}

// NewAgentOf returns the draft that checked fields describe.
func NewAgentOf(c agent.Changes) NewAgent {
	a := agent.Apply(agent.Agent{ContextTurns: agent.MaxContextTurns}, c)
	return NewAgent{Name: a.Name, Description: a.Description, Instructions: a.Instructions, Model: a.Model,
		Temperature: a.Temperature, MaxOutputTokens: a.MaxOutputTokens, ContextTurns: &a.ContextTurns, State: agent.Draft}
}

// CreateAgent creates an agent of an account. Faults: Conflict for an account that has agent.MaxAgents, NotFound for an
// unknown account.
func (s *Store) CreateAgent(ctx context.Context, accountID uuid.UUID, in NewAgent) (agent.Agent, error) {
	if in.State == "" {
		in.State = agent.Draft
	}
	turns := agent.MaxContextTurns
	if in.ContextTurns != nil {
		turns = *in.ContextTurns
	}
	var out agent.Agent
	err := s.inTx(ctx, func(tx bun.Tx) error {
		// Creations of one account wait for each other here, so that the count below is exact.
		var owner uuid.UUID
		err := tx.Tx.QueryRowContext(ctx, `
			SELECT id FROM accounts WHERE id = $1 AND state <> 'DELETED' FOR NO KEY UPDATE`, accountID).Scan(&owner)
		if err != nil {
			return err
		}
		out, err = scanAgent(tx.Tx.QueryRowContext(ctx, `
			INSERT INTO agents AS a (id, created_at, updated_at, account_id, name, description, instructions, model, temperature,
				max_output_tokens, state, context_turns)
			SELECT `+momentID+`, n.now, n.now, $1::uuid, $3::text, $4::text, $5::text, $6::text, $7::float8, $8::int, $9::text, $10::int
			FROM`+moment+`
			WHERE (SELECT count(*) FROM agents WHERE account_id = $1::uuid AND deleted_at IS NULL) < $2::bigint
			RETURNING `+agentColumns,
			accountID, agent.MaxAgents, in.Name, in.Description, in.Instructions, in.Model, in.Temperature, in.MaxOutputTokens,
			string(in.State), turns))
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.Conflict, "This account has 1,000 agents, the most that it may have. Delete one first.")
		}
		return err
	})
	if err != nil {
		return agent.Agent{}, err
	}
	return out, nil
}

// Agent returns an agent of an account. Fault: NotFound.
func (s *Store) Agent(ctx context.Context, accountID, id uuid.UUID) (agent.Agent, error) {
	out, err := scanAgent(s.pool.QueryRowContext(ctx, `
		SELECT `+agentColumns+` FROM agents a WHERE a.account_id = $1 AND a.id = $2 AND a.deleted_at IS NULL`, accountID, id))
	return out, translate(err)
}

// Agents returns all agents of an account, oldest first.
func (s *Store) Agents(ctx context.Context, accountID uuid.UUID) ([]agent.Agent, error) {
	return query(ctx, s.pool, scanAgent, `
		SELECT `+agentColumns+` FROM agents a WHERE a.account_id = $1 AND a.deleted_at IS NULL ORDER BY a.id`, accountID)
}

// AgentQuery says which agents a page shows.
type AgentQuery struct {
	// First is how many, 1 to MaxPage.
	First int
	// After is where the page begins; nil begins with the newest.
	After *Cursor
	// Search is a part of the name or the description, without regard to case; empty finds all.
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
	var out Page[agent.Agent]
	if err := s.pool.QueryRowContext(ctx, `SELECT count(*)`+filter, args...).Scan(&out.Total); err != nil {
		return Page[agent.Agent]{}, translate(err)
	}
	items, err := query(ctx, s.pool, scanAgent,
		`SELECT `+agentColumns+filter+` AND a.id < $4 ORDER BY a.id DESC LIMIT $5`, append(args, before, q.First+1)...)
	if err != nil {
		return Page[agent.Agent]{}, err
	}
	out.Items, out.HasNext = items, len(items) > q.First
	if out.HasNext {
		out.Items = items[:q.First]
	}
	return out, nil
}

// likePattern returns the LIKE pattern for a part of a text; empty for an empty text.
func likePattern(part string) string {
	if part == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(part) + "%"
}
