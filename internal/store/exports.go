package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
)

// exportColumns are what scanExport reads, of api_exports AS e.
const exportColumns = `e.id, e.account_id, e.agent_id, e.name, e.rate_per_minute, e.created_at, e.removed_at`

// ofLiveAgent keeps the exports of deleted agents out: they are nobody's until they are purged.
const ofLiveAgent = ` EXISTS (SELECT 1 FROM agents a WHERE a.id = e.agent_id AND a.deleted_at IS NULL) `

func scanExport(row scanner) (agent.Export, error) {
	var e agent.Export
	err := row.Scan(&e.ID, &e.AccountID, &e.AgentID, &e.Name, &e.RatePerMinute, &e.CreatedAt, &e.RemovedAt)
	e.CreatedAt, e.RemovedAt = e.CreatedAt.UTC(), inUTC(e.RemovedAt)
	return e, err
}

// NewExport is an API export to create, with its first key.
type NewExport struct {
	AgentID uuid.UUID
	Name    string
	// RatePerMinute is agent.DefaultRatePerMinute when 0.
	RatePerMinute int
	Key           apikey.Key
	// RequireCompleted refuses the export of a draft.
	RequireCompleted bool
}

// CreateExport creates an export of an agent with one key, of which only hash and hint are stored. Faults: NotFound for an
// agent that is not the account's; Conflict for a draft where that is refused, also one that is being reopened at this moment,
// and for an account that has agent.MaxExports in use.
func (s *Store) CreateExport(ctx context.Context, accountID uuid.UUID, in NewExport) (agent.Export, apikey.APIKey, error) {
	if in.RatePerMinute == 0 {
		in.RatePerMinute = agent.DefaultRatePerMinute
	}
	var export agent.Export
	var key apikey.APIKey
	err := s.inTx(ctx, func(tx bun.Tx) error {
		// The agent's lock keeps its state and itself as they are until this is committed; the account's makes the count exact.
		var state agent.State
		err := tx.Tx.QueryRowContext(ctx, `
			SELECT a.state FROM agents a JOIN accounts c ON c.id = a.account_id
			WHERE a.account_id = $1 AND a.id = $2 AND a.deleted_at IS NULL FOR NO KEY UPDATE OF a, c`,
			accountID, in.AgentID).Scan(&state)
		if err != nil {
			return err
		}
		if in.RequireCompleted && state != agent.Completed {
			return fault.New(fault.Conflict, "The agent is a draft. Complete it first; then it can be exported.")
		}
		export, err = scanExport(tx.Tx.QueryRowContext(ctx, `
			INSERT INTO api_exports AS e (id, created_at, account_id, agent_id, name, rate_per_minute)
			SELECT `+momentID+`, n.now, $1::uuid, $2::uuid, $3::text, $4::int
			FROM`+moment+`
			WHERE (SELECT count(*) FROM api_exports WHERE account_id = $1::uuid AND removed_at IS NULL) < $5::bigint
			RETURNING `+exportColumns,
			accountID, in.AgentID, in.Name, in.RatePerMinute, agent.MaxExports))
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.Conflict, "This account has 1,000 API exports in use, the most that it may have. Remove one first.")
		}
		if err != nil {
			return err
		}
		key, err = insertKey(ctx, tx, export, in.Key)
		return err
	})
	if err != nil {
		return agent.Export{}, apikey.APIKey{}, err
	}
	return export, key, nil
}

func insertKey(ctx context.Context, tx bun.Tx, e agent.Export, secret apikey.Key) (apikey.APIKey, error) {
	key := apikey.APIKey{AccountID: e.AccountID, ExportID: e.ID, Hint: secret.Hint(), State: apikey.Active}
	hash := secret.Hash()
	err := tx.Tx.QueryRowContext(ctx, `
		INSERT INTO api_keys (id, created_at, account_id, export_id, hash, hint)
		SELECT `+momentID+`, n.now, $1::uuid, $2::uuid, $3::bytea, $4::text FROM`+moment+`RETURNING id, created_at`,
		key.AccountID, key.ExportID, hash[:], key.Hint).Scan(&key.ID, &key.CreatedAt)
	key.CreatedAt = key.CreatedAt.UTC()
	return key, err
}

// Export returns an export of an account, removed or not, as long as its agent is there. Fault: NotFound.
func (s *Store) Export(ctx context.Context, accountID, id uuid.UUID) (agent.Export, error) {
	out, err := scanExport(s.pool.QueryRowContext(ctx, `
		SELECT `+exportColumns+` FROM api_exports e WHERE e.account_id = $1 AND e.id = $2 AND`+ofLiveAgent, accountID, id))
	return out, translate(err)
}

// Exports returns all exports of an agent, removed ones too, oldest first.
func (s *Store) Exports(ctx context.Context, accountID, agentID uuid.UUID) ([]agent.Export, error) {
	return query(ctx, s.pool, scanExport, `
		SELECT `+exportColumns+` FROM api_exports e WHERE e.account_id = $1 AND e.agent_id = $2 AND`+ofLiveAgent+`ORDER BY e.id`,
		accountID, agentID)
}

// UpdateExport applies changes that agent.ExportChanges.Check has passed. A new rate counts from the next request on. Faults:
// NotFound, Conflict for a removed export.
func (s *Store) UpdateExport(ctx context.Context, accountID, id uuid.UUID, c agent.ExportChanges) (agent.Export, error) {
	changed := agent.ApplyExport(agent.Export{}, c)
	// One statement, because every chat of the export waits for its lock.
	out, err := scanExport(s.pool.QueryRowContext(ctx, `
		UPDATE api_exports e SET name = CASE WHEN $3::bool THEN $4::text ELSE e.name END,
			rate_per_minute = CASE WHEN $5::bool THEN $6::int ELSE e.rate_per_minute END
		WHERE e.account_id = $1 AND e.id = $2 AND e.removed_at IS NULL AND`+ofLiveAgent+`RETURNING `+exportColumns,
		accountID, id, c.Name.Value != nil, changed.Name, c.RatePerMinute.Set, max(changed.RatePerMinute, 1)))
	if !errors.Is(err, sql.ErrNoRows) {
		return out, translate(err)
	}
	if _, err := s.Export(ctx, accountID, id); err != nil {
		return agent.Export{}, err
	}
	return agent.Export{}, fault.New(fault.Conflict, "The export was removed and cannot be changed; create a new one.")
}

// RemoveExport stops an export and its keys. When it has returned, no request that starts is accepted with them, on any
// replica: keys are looked up in the database with every request. Doing it twice is fine. Fault: NotFound.
func (s *Store) RemoveExport(ctx context.Context, accountID, id uuid.UUID) (agent.Export, error) {
	out, err := scanExport(s.pool.QueryRowContext(ctx, `
		WITH e AS (
			UPDATE api_exports e SET removed_at = coalesce(e.removed_at, clock_timestamp())
			WHERE e.account_id = $1 AND e.id = $2 AND`+ofLiveAgent+`RETURNING `+exportColumns+`
		), k AS (
			UPDATE api_keys k SET removed_at = coalesce(k.removed_at, e.removed_at) FROM e WHERE k.export_id = e.id
		)
		SELECT `+exportColumns+` FROM e`, accountID, id))
	return out, translate(err)
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
