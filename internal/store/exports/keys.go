package exports

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/sources"
)

// insertKey stores the hash and hint of an export's key, in the caller's transaction. by is the
// user who made it; nil for the service itself. Fault: Conflict past agent.MaxKeys.
func (s Store) insertKey(ctx context.Context, e agent.Export, key apikey.Key, by *uuid.UUID) error {
	hash := key.Hash()
	_, err := db.Exec(ctx, s.db, `
		INSERT INTO api_keys (id, created_at, account_id, export_id, hash, hint, created_by)
		SELECT `+db.NewID+`, n.now, $1::uuid, $2::uuid, $3::bytea, $4::text, $5::uuid
			FROM`+db.DatabaseTime, e.AccountID, e.ID, hash[:],
		key.Hint(), by)
	if err != nil {
		return err
	}
	n, err := sources.On(s.db).SumOfAccount(ctx, `SELECT count(*)
		FROM agents a JOIN api_exports e ON e.agent_id = a.id JOIN api_keys k ON k.export_id = e.id
		WHERE a.account_id = $1 AND a.deleted_at IS NULL
			AND k.created_at > clock_timestamp() - interval '1 year' `, e.AccountID)
	if err == nil && n > agent.MaxKeys {
		err = fault.New(fault.Conflict, "This account has reached 100,000 keys in a year. "+
			"Revoked and expired keys count. Delete unused agents first.")
	}
	return err
}

// KeyInUse reports whether a key would be accepted now. It follows the same rules as the statement
// that begins a turn.
func (s Store) KeyInUse(ctx context.Context, hash apikey.Hash) (bool, error) {
	return db.One[bool](ctx, s.db, `
		SELECT EXISTS (
			SELECT 1 FROM api_keys k
			JOIN api_exports e ON e.id = k.export_id JOIN agents a ON a.id = e.agent_id
				JOIN accounts c ON c.id = k.account_id
			WHERE k.hash = $1 AND k.removed_at IS NULL
				AND (k.stops_at IS NULL OR k.stops_at > statement_timestamp())
			  AND e.removed_at IS NULL AND e.paused_at IS NULL
				AND (e.expires_at IS NULL OR e.expires_at > statement_timestamp())
			  AND a.deleted_at IS NULL AND c.state = 'ACTIVE')`, hash[:])
}

// keyColumns are the columns of an apikey.APIKey, of api_keys AS k with api_exports AS export.
const keyColumns = ` k.id, k.account_id, k.export_id, k.hint, k.created_by, k.created_at, k.stops_at, k.last_used_at,
	CASE WHEN export.removed_at IS NOT NULL THEN 'REMOVED' WHEN ` + expired +
	` THEN 'EXPIRED' ELSE 'ACTIVE' END AS state `

// KeysByExports returns the keys of each export that have not stopped, newest first: one, or two
// while one is being replaced. A removed export keeps the keys that it had then. Exactly the
// account's exports among exportIDs have an entry.
func (s Store) KeysByExports(
	ctx context.Context, accountID uuid.UUID, exportIDs []uuid.UUID,
) (map[uuid.UUID][]apikey.APIKey, error) {
	type row struct {
		Parent uuid.UUID
		apikey.APIKey
	}
	rows, err := db.All[row](ctx, s.db, `
		SELECT export.id AS parent,`+keyColumns+`FROM api_exports export
			LEFT JOIN api_keys k ON k.export_id = export.id AND`+listed+`
		WHERE export.account_id = $1 AND export.id = ANY($2::uuid[])
			AND`+OfLiveAgent+`ORDER BY k.id DESC`, accountID, db.Texts(exportIDs))
	out := make(map[uuid.UUID][]apikey.APIKey, len(exportIDs))
	for _, r := range rows {
		list := out[r.Parent]
		if r.ID != uuid.Nil { // an export without keys has one empty row
			list = append(list, r.APIKey)
		}
		out[r.Parent] = list
	}
	return out, err
}

// Key returns a key that KeysByExports lists. Fault: NotFound.
func (s Store) Key(ctx context.Context, accountID, id uuid.UUID) (apikey.APIKey, error) {
	return db.One[apikey.APIKey](ctx, s.db, `
		SELECT`+keyColumns+`FROM api_keys k JOIN api_exports export ON export.id = k.export_id
			AND`+listed+`
		WHERE export.account_id = $1 AND k.id = $2 AND`+OfLiveAgent, accountID, id)
}

// LastUsedByAgents returns the last use of each agent's keys, removed ones included; nil for never.
// Exactly the account's agents among agentIDs have an entry.
func (s Store) LastUsedByAgents(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID,
) (map[uuid.UUID]*time.Time, error) {
	return s.lastUsed(ctx, `
		SELECT a.id, max(k.last_used_at) AS at
		FROM agents a LEFT JOIN api_exports e ON e.agent_id = a.id
			LEFT JOIN api_keys k ON k.export_id = e.id
		WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL GROUP BY a.id`,
		accountID, agentIDs)
}

// LastUsedByExports returns the last use of each export's keys; nil for never. Exactly the
// account's exports among exportIDs have an entry.
func (s Store) LastUsedByExports(
	ctx context.Context, accountID uuid.UUID, exportIDs []uuid.UUID,
) (map[uuid.UUID]*time.Time, error) {
	return s.lastUsed(ctx, `
		SELECT export.id, max(k.last_used_at) AS at FROM api_exports export
			LEFT JOIN api_keys k ON k.export_id = export.id
		WHERE export.account_id = $1 AND export.id = ANY($2::uuid[])
			AND`+OfLiveAgent+`GROUP BY export.id`, accountID, exportIDs)
}

func (s Store) lastUsed(
	ctx context.Context, text string, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]*time.Time, error) {
	type row struct {
		ID uuid.UUID
		At *time.Time
	}
	rows, err := db.All[row](ctx, s.db, text, accountID, db.Texts(ids))
	out := make(map[uuid.UUID]*time.Time, len(rows))
	for _, r := range rows {
		out[r.ID] = r.At
	}
	return out, err
}

// RecordKeyUse records how long ago keys were last used, in one statement. It stores the database's
// time, the only clock that all replicas share. A key's last use never moves back.
func (s Store) RecordKeyUse(ctx context.Context, ids []uuid.UUID, ago []time.Duration) error {
	seconds := make([]float64, len(ago))
	for i, d := range ago {
		seconds[i] = d.Seconds()
	}
	ctx, cancel := context.WithTimeout(ctx, db.StatementDeadline)
	defer cancel()
	_, err := db.Exec(ctx, s.db, `
		UPDATE api_keys k SET last_used_at = greatest(k.last_used_at,
			statement_timestamp() - u.ago * interval '1 second')
		FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::float8[]) AS ago) u WHERE k.id = u.id`,
		db.Texts(ids), seconds)
	return err
}
