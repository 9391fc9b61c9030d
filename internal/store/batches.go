package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
)

// The batched loads read the children of many things in one statement. What they return has an entry for every id that is the
// account's, an empty one where there is nothing, and none for any other id.

// AgentsByIDs returns those of the agents that are the account's.
func (s *Store) AgentsByIDs(ctx context.Context, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]agent.Agent, error) {
	rows, err := query(ctx, s.pool, scanAgent, `
		SELECT `+agentColumns+` FROM agents a WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL`,
		accountID, texts(ids))
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID]agent.Agent, len(rows))
	for _, a := range rows {
		out[a.ID] = a
	}
	return out, nil
}

// ExportsByAgents returns the exports of agents, the newest first: all that are in use and, where asked for, the newest
// agent.MaxListedRemoved of the removed ones.
func (s *Store) ExportsByAgents(ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, includeRemoved bool,
) (map[uuid.UUID][]agent.Export, error) {
	type row struct {
		parent, id    uuid.UUID
		name          *string
		rate          *int
		created, gone *time.Time
	}
	scan := func(in scanner) (r row, err error) {
		var id uuid.NullUUID
		err = in.Scan(&r.parent, &id, &r.name, &r.rate, &r.created, &r.gone)
		r.id = id.UUID
		return r, err
	}
	rows, err := query(ctx, s.pool, scan, `
		SELECT a.id, e.id, e.name, e.rate_per_minute, e.created_at, e.removed_at
		FROM agents a LEFT JOIN LATERAL (
			SELECT * FROM api_exports x WHERE x.agent_id = a.id AND x.removed_at IS NULL
			UNION ALL
			(SELECT * FROM api_exports x WHERE $3::bool AND x.agent_id = a.id AND x.removed_at IS NOT NULL
			 ORDER BY x.id DESC LIMIT $4)
		) e ON true
		WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL
		ORDER BY e.id DESC`, accountID, texts(agentIDs), includeRemoved, agent.MaxListedRemoved)
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID][]agent.Export, len(agentIDs))
	for _, r := range rows {
		list := out[r.parent]
		if r.name != nil {
			list = append(list, agent.Export{ID: r.id, AccountID: accountID, AgentID: r.parent, Name: *r.name,
				RatePerMinute: *r.rate, CreatedAt: r.created.UTC(), RemovedAt: inUTC(r.gone)})
		}
		out[r.parent] = list
	}
	return out, nil
}

// KeysByExports returns the keys of exports, the newest first, with their states by the database's clock.
func (s *Store) KeysByExports(ctx context.Context, accountID uuid.UUID, exportIDs []uuid.UUID) (map[uuid.UUID][]apikey.APIKey, error) {
	type row struct {
		parent                 uuid.UUID
		id                     uuid.NullUUID
		hint, state            string
		created, expires, used *time.Time
	}
	scan := func(in scanner) (r row, err error) {
		err = in.Scan(&r.parent, &r.id, &r.hint, &r.state, &r.created, &r.expires, &r.used)
		return r, err
	}
	rows, err := query(ctx, s.pool, scan, `
		SELECT e.id, k.id, coalesce(k.hint, ''),
		       CASE WHEN k.removed_at IS NOT NULL OR e.removed_at IS NOT NULL THEN 'REMOVED'
		            WHEN k.expires_at <= statement_timestamp() THEN 'EXPIRED' ELSE 'ACTIVE' END,
		       k.created_at, k.expires_at, k.last_used_at
		FROM api_exports e LEFT JOIN api_keys k ON k.export_id = e.id
		WHERE e.account_id = $1 AND e.id = ANY($2::uuid[]) AND`+ofLiveAgent+`ORDER BY k.id DESC`, accountID, texts(exportIDs))
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID][]apikey.APIKey, len(exportIDs))
	for _, r := range rows {
		list := out[r.parent]
		if r.id.Valid {
			list = append(list, apikey.APIKey{ID: r.id.UUID, AccountID: accountID, ExportID: r.parent, Hint: r.hint,
				State: apikey.State(r.state), CreatedAt: r.created.UTC(), ExpiresAt: inUTC(r.expires), LastUsedAt: inUTC(r.used)})
		}
		out[r.parent] = list
	}
	return out, nil
}

// LastUsedByAgents returns when a key of each agent, removed ones included, was last used; nil for never.
func (s *Store) LastUsedByAgents(ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID) (map[uuid.UUID]*time.Time, error) {
	return s.lastUsed(ctx, `
		SELECT a.id, max(k.last_used_at)
		FROM agents a LEFT JOIN api_exports e ON e.agent_id = a.id LEFT JOIN api_keys k ON k.export_id = e.id
		WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL GROUP BY a.id`, accountID, agentIDs)
}

// LastUsedByExports returns when a key of each export was last used; nil for never.
func (s *Store) LastUsedByExports(ctx context.Context, accountID uuid.UUID, exportIDs []uuid.UUID) (map[uuid.UUID]*time.Time, error) {
	return s.lastUsed(ctx, `
		SELECT e.id, max(k.last_used_at) FROM api_exports e LEFT JOIN api_keys k ON k.export_id = e.id
		WHERE e.account_id = $1 AND e.id = ANY($2::uuid[]) AND`+ofLiveAgent+`GROUP BY e.id`, accountID, exportIDs)
}

func (s *Store) lastUsed(ctx context.Context, text string, accountID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]*time.Time, error) {
	type row struct {
		id uuid.UUID
		at *time.Time
	}
	scan := func(in scanner) (r row, err error) {
		err = in.Scan(&r.id, &r.at)
		return r, err
	}
	rows, err := query(ctx, s.pool, scan, text, accountID, texts(ids))
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID]*time.Time, len(rows))
	for _, r := range rows {
		out[r.id] = inUTC(r.at)
	}
	return out, nil
}

// inUTC returns the time in UTC, in which it is shown.
func inUTC(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	utc := at.UTC()
	return &utc
}
