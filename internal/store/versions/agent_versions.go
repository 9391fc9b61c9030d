package versions

import (
	"cmp"
	"context"
	_ "embed" // the statement is a file of its own
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/fault"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/sources"
	"agentchat/internal/store/tests"
)

// versionColumns are the columns of a versionRow, of agent_versions AS v.
const versionColumns = ` v.id, v.agent_id, v.number, v.note, v.created_by, v.created_at, v.settings `

// versionRow is a version whose settings are one column.
type versionRow struct {
	agent.Version
	Document agent.Settings `bun:"settings"`
}

func (r versionRow) version() agent.Version {
	r.Settings = r.Document
	return r.Version
}

// versions runs a statement that returns versionColumns.
func (s Store) versions(ctx context.Context, text string, args ...any) ([]agent.Version, error) {
	rows, err := db.All[versionRow](ctx, s.db, text, args...)
	return db.Mapped(rows, versionRow.version), err
}

// Publication is a request to publish an agent's draft.
type Publication struct {
	// Note was checked by agent.ParseNote.
	Note string
	// By is the user who publishes; nil for the service itself.
	By *uuid.UUID
	// Expected, if given, is the UpdatedAt that the request is based on.
	Expected *time.Time
	// Override can publish a draft that has not passed its tests.
	Override tests.Override
}

// PublishAgent makes a version of an agent's draft. Callers get it from their next message on.
// available tells whether a model can be used now. A draft without changes of settings or sources
// makes no new version; it only brings an offline agent back online. Faults: NotFound; Conflict if
// Expected is set and differs from the agent's UpdatedAt by a microsecond or more, or if the
// account's versions would exceed VersionBytes, and that of tests.Store.CheckGate for a new version;
// InvalidInput on name, instructions and model if they are missing.
func (s Store) PublishAgent(
	ctx context.Context, accountID, id uuid.UUID, in Publication, available func(model string) bool,
) (agent.Agent, agent.Version, error) {
	var version agent.Version
	var overridden bool
	record := func(trail audit.Store, ctx context.Context, accountID uuid.UUID, subject string, _ ...string) error {
		if overridden {
			return trail.RecordIn(ctx, accountID, subject, tests.WithoutTestsField)
		}
		return trail.RecordIn(ctx, accountID, subject)
	}
	changed, err := agents.On(s.db).ChangeAgent(ctx, accountID, id, record,
		func(tx *db.DB, a agent.Agent) (agent.Agent, error) {
			err := agents.CheckUnchanged(a, in.Expected)
			if err != nil {
				return a, err
			}
			if a.PublishedVersion != nil {
				if version, err = On(tx).Version(ctx, id, *a.PublishedVersion); err != nil {
					return a, err
				}
			}
			unchanged := a.PublishedVersion != nil && version.Equal(a.Settings)
			if unchanged {
				learned, err := sources.On(tx).KnowledgeChanged(ctx, accountID, []uuid.UUID{id})
				if err != nil {
					return a, err
				}
				unchanged = !learned[id]
			}
			if unchanged && a.State == agent.Live { // it stays live even if its model is unavailable
				return a, nil
			}
			if err := agent.CheckComplete(a, available); err != nil {
				return a, err
			}
			if !unchanged {
				version, overridden, err = On(tx).nextVersion(ctx, a, in)
			}
			if err == nil {
				err = notifications.On(tx).NotifyWebhooks(ctx, notifications.VersionPublished,
					notifications.EventData{AccountID: accountID, AgentID: &id, Version: &version.Number})
			}
			a.State, a.PublishedVersion = agent.Live, &version.Number
			return a, err
		})
	return changed, version, err
}

// nextVersion makes the next version of an agent that the transaction has locked, if the draft has
// passed its tests, and reports whether the override was needed.
func (s Store) nextVersion(
	ctx context.Context, a agent.Agent, in Publication,
) (version agent.Version, overridden bool, err error) {
	overridden, err = tests.On(s.db).CheckGate(ctx, a.AccountID, a.ID, in.Override)
	if err == nil {
		version, err = s.insertVersion(ctx, a, in)
	}
	if err == nil {
		err = s.checkAccountsVersions(ctx, a.AccountID)
	}
	return version, overridden, err
}

// insertVersion makes the next version of an agent that the transaction has locked. The ranges of
// the draft's sources contain the new version already.
func (s Store) insertVersion(
	ctx context.Context, a agent.Agent, in Publication,
) (agent.Version, error) {
	return db.Single(s.versions(ctx, `
		INSERT INTO agent_versions AS v (id, agent_id, account_id, number, note, settings, created_by,
			has_knowledge, fingerprint)
		SELECT $1::uuid, a.id, a.account_id, $3::int, $4::text, $5::jsonb, $6::uuid, a.has_knowledge,
			`+sources.DraftFingerprint+`
		FROM agents a WHERE a.id = $2 RETURNING`+versionColumns,
		uuid.Must(uuid.NewV7()), a.ID, sources.NextVersion(a), in.Note, agents.SettingsJSON(a.Settings),
		in.By))
}

// defaultVersionBytes is the default of Config.VersionBytes.
const defaultVersionBytes = 200 << 20

// checkAccountsVersions checks the limit on the stored size of an account's versions. Fault:
// Conflict.
func (s Store) checkAccountsVersions(ctx context.Context, accountID uuid.UUID) error {
	n, err := sources.On(s.db).SumOfAccount(ctx,
		`SELECT coalesce(sum(pg_column_size(v.settings) + pg_column_size(v.note)), 0)
		FROM agents a JOIN agent_versions v ON v.agent_id = a.id WHERE a.account_id = $1
			AND a.deleted_at IS NULL`, accountID)
	if most := cmp.Or(db.ConfigOf(s.db).VersionBytes, defaultVersionBytes); err == nil && n > most {
		err = fault.New(fault.Conflict,
			fmt.Sprintf("The versions of an account may take %d MB together. Delete agents that are no longer "+
				"needed, or ask the operator for more.", most>>20))
	}
	return err
}

// Version returns a version of an agent that the transaction has locked. Fault: NotFound.
func (s Store) Version(ctx context.Context, agentID uuid.UUID, number int) (agent.Version, error) {
	return db.Single(s.versions(ctx, `SELECT`+versionColumns+`FROM agent_versions v
		WHERE v.agent_id = $1 AND v.number = $2::bigint`,
		agentID, number))
}

// NoSuchVersion turns NotFound, for a version of an existing agent, into InvalidInput on path.
func NoSuchVersion(err error, path string) error {
	if fault.Is(err, fault.NotFound) {
		return agent.NoSuchVersion(path)
	}
	return err
}

// RestoreVersion makes a version the agent's draft again, with the version's sources. Callers
// notice nothing until it is published. Sources that only the draft has are deleted if lose is
// true; otherwise they are a Conflict that names them. Other faults: NotFound; InvalidInput on
// number if there is no such version.
func (s Store) RestoreVersion(
	ctx context.Context, accountID, id uuid.UUID, number int, lose bool,
) (agent.Agent, error) {
	return agents.On(s.db).ChangeAgent(ctx, accountID, id, audit.Store.RecordIn,
		func(tx *db.DB, a agent.Agent) (agent.Agent, error) {
			version, err := On(tx).Version(ctx, id, number)
			if err != nil {
				return a, NoSuchVersion(err, "number")
			}
			return On(tx).restore(ctx, a, version, lose)
		})
}

// restore makes a version the draft of an agent that the transaction has locked. A change of the
// sources alone also changes UpdatedAt.
func (s Store) restore(
	ctx context.Context, a agent.Agent, version agent.Version, lose bool,
) (agent.Agent, error) {
	if !lose {
		if err := sources.On(s.db).KeepKnowledge(ctx, a); err != nil {
			return a, err
		}
	}
	learned, err := sources.On(s.db).RestoreKnowledge(ctx, a, version.Number)
	if err == nil && learned {
		a, err = sources.On(s.db).MarkKnowledgeChanged(ctx, a.ID)
	}
	a.Settings = version.Settings
	return a, err
}

// DiscardChanges is RestoreVersion for the published version. Faults: NotFound; Conflict also for
// an agent that was never published.
func (s Store) DiscardChanges(
	ctx context.Context, accountID, id uuid.UUID, lose bool,
) (agent.Agent, error) {
	return agents.On(s.db).ChangeAgent(ctx, accountID, id, audit.Store.RecordIn,
		func(tx *db.DB, a agent.Agent) (agent.Agent, error) {
			if a.PublishedVersion == nil {
				return a, fault.New(fault.Conflict,
					"The agent was never published, so there’s no version to go back to.")
			}
			version, err := On(tx).Version(ctx, id, *a.PublishedVersion)
			if err != nil {
				return a, err
			}
			return On(tx).restore(ctx, a, version, lose)
		})
}

// VersionQuery selects a page of versions.
type VersionQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the version before the page, a cursor of the same agent; nil starts with the newest.
	After *db.Cursor
	// Brief leaves out the instructions, the reply schema and the actions, which can be long.
	Brief bool
}

// maxLongVersions bounds the versions of several agents that one statement reads with their
// instructions: at most 16 MiB.
const maxLongVersions = db.MaxListsText / (4 * agent.MaxInstructions)

// VersionPlace returns the cursor of a version in its agent's list.
func VersionPlace(v agent.Version) db.Cursor {
	return db.Cursor{Key: int64(v.Number),
		ID: v.AgentID}
}

// VersionsByAgents returns a page of each agent's versions, newest first, in one statement. Faults,
// before any statement: InvalidInput on first, and on after for a cursor of another agent;
// TextTooLong for the instructions of too many versions.
func (s Store) VersionsByAgents(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, q VersionQuery,
) (map[uuid.UUID]db.Page[agent.Version], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return nil, err
	}
	if q.After != nil && (len(agentIDs) != 1 || agentIDs[0] != q.After.ID) {
		return nil, db.BadCursor("after")
	}
	columns := versionColumns
	if q.Brief {
		columns = strings.Replace(columns, "v.settings",
			"v.settings - '{instructions,reply_schema,actions}'::text[] AS settings", 1)
	} else if len(agentIDs) > 1 && len(agentIDs)*q.First > maxLongVersions {
		return nil, db.TextsTooLong()
	}
	var text db.Statement
	text.Add(`SELECT` + columns + `FROM agents a CROSS JOIN LATERAL (`)
	text.Page(`number DESC`, q.First, func() {
		text.Add(`SELECT v.* FROM agent_versions v WHERE v.agent_id = a.id`)
		if q.After != nil {
			text.Add(` AND v.number < ?::bigint`, q.After.Key)
		}
	})
	text.Add(`) v WHERE a.account_id = ?::uuid AND a.id = ANY(?::uuid[]) AND a.deleted_at IS NULL
		ORDER BY v.agent_id, v.number DESC`,
		accountID, db.Texts(agentIDs))
	items, err := s.versions(ctx, text.String(), text.Args()...)
	if err != nil {
		return nil, err
	}
	return db.CutEach(items, func(v agent.Version) uuid.UUID { return v.AgentID }, q.First), nil
}

// PublishedVersions returns the published version of each agent that has one.
func (s Store) PublishedVersions(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID,
) (map[uuid.UUID]agent.Version, error) {
	found, err := s.versions(ctx, `
		SELECT`+versionColumns+`FROM agents a JOIN agent_versions v ON v.agent_id = a.id
			AND v.number = a.published_version
		WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL`,
		accountID, db.Texts(agentIDs))
	return db.ByID(found, func(v agent.Version) uuid.UUID { return v.AgentID }), err
}

// VersionsByNumbers returns the versions with these agents and numbers. Versions of other accounts
// are left out.
func (s Store) VersionsByNumbers(
	ctx context.Context, accountID uuid.UUID, keys []agents.VersionNumber,
) (map[agents.VersionNumber]agent.Version, error) {
	agentList := db.Mapped(keys, func(k agents.VersionNumber) uuid.UUID { return k.AgentID })
	numbers := db.Mapped(keys, func(k agents.VersionNumber) int { return k.Number })
	found, err := s.versions(ctx, `
		SELECT`+versionColumns+`FROM unnest($2::uuid[], $3::bigint[]) k(agent_id, number)
		JOIN agent_versions v ON v.agent_id = k.agent_id AND v.number = k.number
		JOIN agents a ON a.id = v.agent_id AND a.account_id = $1 AND a.deleted_at IS NULL`, accountID,
		db.Texts(agentList), numbers)
	out := make(map[agents.VersionNumber]agent.Version, len(found))
	for _, v := range found {
		out[agents.VersionNumber{AgentID: v.AgentID, Number: v.Number}] = v
	}
	return out, err
}

// VersionsByIDs returns the versions with these ids. Versions of other accounts are left out.
func (s Store) VersionsByIDs(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]agent.Version, error) {
	found, err := s.versions(ctx, `
		SELECT`+versionColumns+`FROM agent_versions v JOIN agents a ON a.id = v.agent_id
			AND a.account_id = $1 AND a.deleted_at IS NULL
		WHERE v.id = ANY($2::uuid[])`, accountID, db.Texts(ids))
	return db.ByID(found, func(v agent.Version) uuid.UUID { return v.ID }), err
}
