package exports

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/versions"
)

const (
	// exportColumns are the columns of an agent.Export, of api_exports AS export.
	exportColumns = ` export.id, export.account_id, export.agent_id, export.name, export.rate_per_minute, export.version,
		export.require_user_id, export.daily_credit_limit, export.monthly_credit_limit, export.user_daily_message_limit,
		export.paused_at, export.expires_at, ` + expired + ` AS expired,
		export.created_by, export.created_at, export.removed_at `
	// listed tells whether api_keys AS k had not stopped when api_exports AS export was removed, or
	// has not stopped now.
	listed = ` k.removed_at IS NOT DISTINCT FROM export.removed_at
		AND coalesce(k.stops_at > coalesce(export.removed_at, statement_timestamp()), true) `
	// expired tells whether the keys of api_exports AS export have stopped.
	expired = `coalesce(export.expires_at <= statement_timestamp(), false)`
	// OfLiveAgent leaves out the exports of deleted agents, which stay hidden until they are purged.
	OfLiveAgent = ` EXISTS (SELECT 1 FROM agents a WHERE a.id = export.agent_id
		AND a.deleted_at IS NULL) `
)

// CreateExport creates the export that agent.NewExport described, with one key. Only the key's hash
// and hint are stored. Faults: NotFound for an unknown agent; Conflict for an agent that is not
// live or is being unpublished, and for an account that has agent.MaxExports in use; InvalidInput
// on version if there is no such version, and on expiresAt for a time in the past.
func (s Store) CreateExport(
	ctx context.Context, accountID uuid.UUID, in agent.Export, key apikey.Key,
) (agent.Export, error) {
	var out agent.Export
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		// Until the commit, the lock on the agent keeps its state, and the lock on the account keeps the
		// count exact.
		state, err := db.One[agent.State](ctx, tx, `
			SELECT a.state FROM agents a JOIN accounts c ON c.id = a.account_id
			WHERE a.account_id = $1 AND a.id = $2 AND a.deleted_at IS NULL FOR NO KEY UPDATE OF a, c`,
			accountID, in.AgentID)
		if err != nil {
			return err
		}
		if state != agent.Live {
			return fault.New(fault.Conflict, "The agent isn’t live. Publish it first.")
		}
		if in.Version != nil {
			if _, err := versions.On(tx).Version(ctx, in.AgentID, *in.Version); err != nil {
				return versions.NoSuchVersion(err, "version")
			}
		}
		count, err := db.One[int](ctx, tx, `
			SELECT count(*) FROM api_exports export
			WHERE export.account_id = $1 AND export.removed_at IS NULL AND`+OfLiveAgent, accountID)
		if err != nil {
			return err
		}
		if count >= agent.MaxExports {
			return fault.New(fault.Conflict,
				"This account has reached 1,000 API exports. Remove one first.")
		}
		out, err = db.One[agent.Export](ctx, tx, `
			INSERT INTO api_exports AS export (id, created_at, account_id, agent_id, name, rate_per_minute,
				version,
				expires_at, require_user_id, daily_credit_limit, monthly_credit_limit, user_daily_message_limit, created_by)
			SELECT `+db.NewID+`, n.now, $1::uuid, $2::uuid, $3::text, $4::int, $5::int, $6::timestamptz, $7::bool, $8::bigint, $9::bigint,
				$10::int, $11::uuid FROM`+db.DatabaseTime+`
			WHERE $6::timestamptz IS NULL OR $6::timestamptz > n.now RETURNING`+exportColumns,
			accountID, in.AgentID, in.Name, in.RatePerMinute, in.Version, in.ExpiresAt, in.RequireUserID,
			in.DailyCreditLimit, in.MonthlyCreditLimit, in.UserDailyMessageLimit, in.CreatedBy)
		if fault.Is(err, fault.NotFound) {
			err = agent.ExpiresInThePast()
		}
		if err != nil {
			return err
		}
		if err := On(tx).insertKey(ctx, out, key, in.CreatedBy); err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, out.ID.String())
	})
	return out, err
}

// UpdateExport applies changes that agent.ExportChanges.Check has passed. They take effect with the
// next request. Faults: NotFound; Conflict for a removed export; InvalidInput on version if there
// is no such version, and on expiresAt for a time in the past.
func (s Store) UpdateExport(
	ctx context.Context, accountID, id uuid.UUID, c agent.ExportChanges,
) (agent.Export, error) {
	var out agent.Export
	err := db.InTx(ctx, s.db, func(tx *db.DB) error {
		before, err := On(tx).lockExport(ctx, accountID, id)
		if err != nil {
			return err
		}
		if out, err = On(tx).updateExport(ctx, accountID, id, c); err != nil {
			return err
		}
		if err := On(tx).startCounting(ctx, before, out); err != nil {
			return err
		}
		fields := audit.ChangedFields(before, out)
		if len(fields) == 0 {
			return nil
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String(), fields...)
	})
	return out, err
}

// lockExport reads an export and locks it until the transaction ends. Chats of the export wait for
// it. Fault: NotFound.
func (s Store) lockExport(ctx context.Context, accountID, id uuid.UUID) (agent.Export, error) {
	return db.One[agent.Export](ctx, s.db, `
		SELECT`+exportColumns+`FROM api_exports export
		WHERE export.account_id = $1 AND export.id = $2 AND`+OfLiveAgent+`FOR NO KEY UPDATE`,
		accountID, id)
}

func (s Store) updateExport(
	ctx context.Context, accountID, id uuid.UUID, c agent.ExportChanges,
) (agent.Export, error) {
	changed := agent.ApplyExport(agent.Export{}, c)
	out, err := db.One[agent.Export](ctx, s.db, `
		UPDATE api_exports export SET name = CASE WHEN $3::bool THEN $4::text ELSE export.name END,
			rate_per_minute = CASE WHEN $5::bool THEN $6::int ELSE export.rate_per_minute END,
			version = CASE WHEN $7::bool THEN $8::bigint ELSE export.version END,
			expires_at = CASE WHEN $9::bool THEN $10::timestamptz ELSE export.expires_at END,
			require_user_id = CASE WHEN $11::bool THEN $12::bool ELSE export.require_user_id END,
			daily_credit_limit = CASE WHEN $13::bool THEN $14::bigint ELSE export.daily_credit_limit END,
			monthly_credit_limit = CASE WHEN $15::bool THEN $16::bigint ELSE export.monthly_credit_limit END,
			user_daily_message_limit = CASE WHEN $17::bool THEN $18::int ELSE export.user_daily_message_limit END
		WHERE export.account_id = $1 AND export.id = $2 AND export.removed_at IS NULL AND`+OfLiveAgent+`
			AND ($8::bigint IS NULL OR EXISTS (
				SELECT 1 FROM agent_versions v WHERE v.agent_id = export.agent_id AND v.number = $8::bigint))
			AND ($10::timestamptz IS NULL OR $10::timestamptz > statement_timestamp())
		RETURNING`+exportColumns,
		accountID, id, c.Name.Value != nil, changed.Name, c.RatePerMinute.Set,
		max(changed.RatePerMinute, 1), c.Version.Set, changed.Version, c.ExpiresAt.Set, changed.ExpiresAt,
		c.RequireUserID.Set, changed.RequireUserID, c.DailyCreditLimit.Set, changed.DailyCreditLimit,
		c.MonthlyCreditLimit.Set, changed.MonthlyCreditLimit, c.UserDailyMessageLimit.Set,
		changed.UserDailyMessageLimit)
	if fault.Is(err, fault.NotFound) {
		err = s.whyUnchanged(ctx, accountID, id, changed)
	}
	return out, err
}

// PauseExport pauses an export, or resumes it. Requests with the keys of a paused export get
// export_paused, on every replica from the next request on. Pausing twice is fine. Faults:
// NotFound; Conflict for a removed export.
func (s Store) PauseExport(
	ctx context.Context, accountID, id uuid.UUID, pause bool,
) (out agent.Export, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		if out, err = On(tx).lockExport(ctx, accountID, id); err != nil {
			return err
		}
		if out.RemovedAt != nil {
			return removedExport()
		}
		if pause == (out.PausedAt != nil) {
			return nil
		}
		out, err = db.One[agent.Export](ctx, tx, `
			UPDATE api_exports export SET paused_at = CASE WHEN $2::bool THEN clock_timestamp() END
				WHERE export.id = $1
			RETURNING`+exportColumns, id, pause)
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
	return out, err
}

// whyUnchanged returns the fault of a change that matched no export. Faults: NotFound; Conflict for
// a removed export; InvalidInput on version and expiresAt.
func (s Store) whyUnchanged(
	ctx context.Context, accountID, id uuid.UUID, changed agent.Export,
) error {
	why, err := db.One[struct{ Removed, Past bool }](ctx, s.db, `
		SELECT export.removed_at IS NOT NULL AS removed,
			coalesce($3::timestamptz <= statement_timestamp(), false) AS past
		FROM api_exports export WHERE export.account_id = $1 AND export.id = $2 AND`+OfLiveAgent,
		accountID, id, changed.ExpiresAt)
	switch {
	case err != nil:
		return err
	case why.Removed:
		return removedExport()
	case why.Past:
		return agent.ExpiresInThePast()
	}
	return agent.NoSuchVersion("version")
}

func removedExport() error {
	return fault.New(fault.Conflict, "The export was removed. Create a new one.")
}

// RemoveExport stops an export and its keys. After it returns, no replica accepts a request with
// them, because every request looks its key up in the database. Removing twice is fine. Fault:
// NotFound.
func (s Store) RemoveExport(
	ctx context.Context, accountID, id uuid.UUID,
) (out agent.Export, err error) {
	err = db.InTx(ctx, s.db, func(tx *db.DB) error {
		if out, err = On(tx).lockExport(ctx, accountID, id); err != nil || out.RemovedAt != nil {
			return err
		}
		out, err = db.One[agent.Export](ctx, tx, `
			WITH export AS (
				UPDATE api_exports export SET removed_at = clock_timestamp() WHERE export.id = $1
					RETURNING`+exportColumns+`
			), k AS (
				UPDATE api_keys k SET removed_at = coalesce(k.removed_at, export.removed_at) FROM export
					WHERE k.export_id = export.id
			)
			SELECT`+exportColumns+`FROM export`, id)
		if err != nil {
			return err
		}
		return audit.On(tx).RecordIn(ctx, accountID, id.String())
	})
	return out, err
}

// ExportsByIDs returns the account's exports with these ids, removed ones included.
func (s Store) ExportsByIDs(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]agent.Export, error) {
	found, err := db.All[agent.Export](ctx, s.db, `
		SELECT`+exportColumns+`FROM api_exports export
		WHERE export.account_id = $1 AND export.id = ANY($2::uuid[]) AND`+OfLiveAgent,
		accountID, db.Texts(ids))
	return db.ByID(found, func(e agent.Export) uuid.UUID { return e.ID }), err
}

// ExportsByAgents returns the exports of each agent, newest first: all that are in use and, with
// includeRemoved, the newest agent.MaxListedRemoved removed ones. Exactly the account's agents
// among agentIDs have an entry.
func (s Store) ExportsByAgents(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, includeRemoved bool,
) (map[uuid.UUID][]agent.Export, error) {
	type row struct {
		Parent uuid.UUID
		agent.Export
	}
	rows, err := db.All[row](ctx, s.db, `
		SELECT a.id AS parent,`+exportColumns+`
		FROM agents a LEFT JOIN LATERAL (
			SELECT * FROM api_exports x WHERE x.agent_id = a.id AND x.removed_at IS NULL
			UNION ALL
			(SELECT * FROM api_exports x WHERE $3::bool AND x.agent_id = a.id AND x.removed_at IS NOT NULL
			 ORDER BY x.id DESC LIMIT $4)
		) export ON true
		WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL
		ORDER BY export.id DESC`, accountID, db.Texts(agentIDs), includeRemoved, agent.MaxListedRemoved)
	out := make(map[uuid.UUID][]agent.Export, len(agentIDs))
	for _, r := range rows {
		list := out[r.Parent]
		if r.ID != uuid.Nil { // an agent without exports has one empty row
			list = append(list, r.Export)
		}
		out[r.Parent] = list
	}
	return out, err
}

// PinnedExports returns the exports in use of each agent that are pinned to a version, newest
// first.
func (s Store) PinnedExports(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID,
) (map[uuid.UUID][]agent.Export, error) {
	found, err := db.All[agent.Export](ctx, s.db, `
		SELECT`+exportColumns+`FROM api_exports export
		WHERE export.account_id = $1 AND export.agent_id = ANY($2::uuid[]) AND export.removed_at IS NULL
			AND export.version IS NOT NULL
			AND`+OfLiveAgent+`ORDER BY export.id DESC`, accountID, db.Texts(agentIDs))
	out := make(map[uuid.UUID][]agent.Export, len(agentIDs))
	for _, e := range found {
		out[e.AgentID] = append(out[e.AgentID], e)
	}
	return out, err
}
