package store

import (
	"context"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
)

// NewAgent is an agent to create.
type NewAgent struct {
	Name            string
	Description     string
	Instructions    string
	Model           *string
	Temperature     *float64
	MaxOutputTokens *int
	// State is Draft when empty. A completed agent has a name, instructions and a model.
	State agent.State
}

// CreateAgent creates an agent of an account.
func (s *Store) CreateAgent(ctx context.Context, accountID uuid.UUID, in NewAgent) (agent.Agent, error) {
	if in.State == "" {
		in.State = agent.Draft
	}
	id := uuid.Must(uuid.NewV7())
	_, err := s.pool.ExecContext(ctx, `
		INSERT INTO agents (id, account_id, name, description, instructions, model, temperature, max_output_tokens, state)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		id, accountID, in.Name, in.Description, in.Instructions, in.Model, in.Temperature, in.MaxOutputTokens, string(in.State))
	if err != nil {
		return agent.Agent{}, translate(err)
	}
	return s.Agent(ctx, accountID, id)
}

// Agent returns an agent of an account. Fault: NotFound.
func (s *Store) Agent(ctx context.Context, accountID, id uuid.UUID) (agent.Agent, error) {
	var out agent.Agent
	err := s.selectAgents(accountID).Where("a.id = ?", id).Scan(ctx, &out)
	return out, translate(err)
}

// Agents returns all agents of an account, oldest first.
func (s *Store) Agents(ctx context.Context, accountID uuid.UUID) ([]agent.Agent, error) {
	var out []agent.Agent
	err := s.selectAgents(accountID).Order("a.id").Scan(ctx, &out)
	return out, translate(err)
}

func (s *Store) selectAgents(accountID uuid.UUID) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("agents AS a").
		Column("a.id", "a.account_id", "a.name", "a.description", "a.instructions", "a.model", "a.temperature",
			"a.max_output_tokens", "a.context_turns", "a.state", "a.created_at", "a.updated_at").
		Where("a.account_id = ? AND a.deleted_at IS NULL", accountID)
}

// SetAgentState completes or reopens an agent. Fault: NotFound.
func (s *Store) SetAgentState(ctx context.Context, accountID, id uuid.UUID, state agent.State) error {
	return s.changeOne(ctx, `UPDATE agents SET state = $3, updated_at = clock_timestamp()
		WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL`, accountID, id, string(state))
}

// NewExport is an API export to create, with its first key.
type NewExport struct {
	AgentID uuid.UUID
	Name    string
	// RatePerMinute is agent.DefaultRatePerMinute when 0.
	RatePerMinute int
	Key           apikey.Key
}

// CreateExport creates an export of an agent with one key, of which only hash and hint are stored. Fault: NotFound for an
// agent that is not the account's.
func (s *Store) CreateExport(ctx context.Context, accountID uuid.UUID, in NewExport) (agent.Export, apikey.APIKey, error) {
	if in.RatePerMinute == 0 {
		in.RatePerMinute = agent.DefaultRatePerMinute
	}
	export, key := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	hash := in.Key.Hash()
	err := s.changeOne(ctx, `
		WITH e AS (
			INSERT INTO api_exports (id, account_id, agent_id, name, rate_per_minute)
			SELECT $3::uuid, a.account_id, a.id, $4::text, $5::int FROM agents a
			WHERE a.account_id = $1 AND a.id = $2 AND a.deleted_at IS NULL
			RETURNING id, account_id
		)
		INSERT INTO api_keys (id, account_id, export_id, hash, hint)
		SELECT $6::uuid, e.account_id, e.id, $7::bytea, $8::text FROM e`,
		accountID, in.AgentID, export, in.Name, in.RatePerMinute, key, hash[:], in.Key.Hint())
	if err != nil {
		return agent.Export{}, apikey.APIKey{}, err
	}
	created, err := s.Export(ctx, accountID, export)
	if err != nil {
		return agent.Export{}, apikey.APIKey{}, err
	}
	return created, apikey.APIKey{ID: key, AccountID: accountID, ExportID: export, Hint: in.Key.Hint(), State: apikey.Active,
		CreatedAt: created.CreatedAt}, nil
}

// Export returns an export of an account, removed or not. Fault: NotFound.
func (s *Store) Export(ctx context.Context, accountID, id uuid.UUID) (agent.Export, error) {
	var out agent.Export
	err := s.selectExports(accountID).Where("e.id = ?", id).Scan(ctx, &out)
	return out, translate(err)
}

// Exports returns all exports of an agent, removed ones too, oldest first.
func (s *Store) Exports(ctx context.Context, accountID, agentID uuid.UUID) ([]agent.Export, error) {
	var out []agent.Export
	err := s.selectExports(accountID).Where("e.agent_id = ?", agentID).Order("e.id").Scan(ctx, &out)
	return out, translate(err)
}

func (s *Store) selectExports(accountID uuid.UUID) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("api_exports AS e").
		Column("e.id", "e.account_id", "e.agent_id", "e.name", "e.rate_per_minute", "e.created_at", "e.removed_at").
		Where("e.account_id = ?", accountID)
}

// RemoveExport stops an export and its keys. When it has returned, no request that starts is accepted with them, on any
// replica: keys are looked up in the database with every request. Doing it twice is fine. Fault: NotFound.
func (s *Store) RemoveExport(ctx context.Context, accountID, id uuid.UUID) (agent.Export, error) {
	err := s.changeOne(ctx, `
		WITH e AS (
			UPDATE api_exports SET removed_at = coalesce(removed_at, clock_timestamp())
			WHERE account_id = $1 AND id = $2 RETURNING id, removed_at
		), k AS (
			UPDATE api_keys k SET removed_at = coalesce(k.removed_at, e.removed_at) FROM e WHERE k.export_id = e.id
		)
		SELECT id FROM e`, accountID, id)
	if err != nil {
		return agent.Export{}, err
	}
	return s.Export(ctx, accountID, id)
}

// KeyInUse reports whether a key would be accepted now, by the same rules as the statement that begins a turn.
func (s *Store) KeyInUse(ctx context.Context, hash apikey.Hash) (bool, error) {
	var in bool
	err := s.pool.QueryRowContext(ctx, `
		SELECT EXISTS (
			SELECT 1 FROM api_keys k
			JOIN api_exports e ON e.id = k.export_id JOIN agents a ON a.id = e.agent_id JOIN accounts c ON c.id = k.account_id
			WHERE k.hash = $1 AND k.removed_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp())
			  AND e.removed_at IS NULL AND a.deleted_at IS NULL AND c.state = 'ACTIVE')`, hash[:]).Scan(&in)
	return in, translate(err)
}
