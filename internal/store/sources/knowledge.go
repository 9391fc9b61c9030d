package sources

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/store/internal/db"
)

// InDraft tells whether the draft has a source. InVersions lists the numbers of the versions that
// have it. sourceColumns are the columns of a sourceRow. All are of knowledge_sources AS s with
// agents AS a. The newest version is always the published one.
const (
	InDraft    = `(upper_inf(s.versions) OR s.state <> 'READY')`
	InVersions = `(
		SELECT json_agg(n ORDER BY n) FROM unnest(s.versions) r(versions)
		CROSS JOIN generate_series(lower(r.versions), least(upper(r.versions) - 1, a.published_version)) n
	)`
	sourceColumns = ` s.id, s.agent_id, s.kind, s.name, s.state, s.reason, s.size, s.characters,
	s.passage_count AS passages, s.pages, s.encoding, s.notes,
	s.questions, s.created_at, ` + InDraft + ` AS in_draft, ` + InVersions + ` AS in_versions `
	SourceTable = ` knowledge_sources s JOIN agents a ON a.id = s.agent_id AND a.deleted_at IS NULL `
)

// sourceRow is a stored knowledge.Source.
type sourceRow struct {
	ID, AgentID           uuid.UUID
	Kind                  knowledge.Kind
	Name                  string
	State                 knowledge.State
	Reason                *string
	Size                  int64
	Characters, Passages  int
	Pages                 *int
	Encoding              *string
	Notes                 string
	Questions, InVersions *string
	CreatedAt             time.Time
	InDraft               bool
}

// sources runs a statement that returns sourceColumns.
func (s Store) sources(ctx context.Context, text string, args ...any) ([]knowledge.Source, error) {
	rows, err := db.All[sourceRow](ctx, s.db, text, args...)
	if err != nil {
		return nil, err
	}
	out := make([]knowledge.Source, len(rows))
	for i, r := range rows {
		out[i] = knowledge.Source{ID: r.ID, AgentID: r.AgentID, Kind: r.Kind, Name: r.Name,
			State: r.State, Reason: r.Reason, Size: r.Size,
			Characters: r.Characters, Passages: r.Passages, Pages: r.Pages, Encoding: r.Encoding, CreatedAt: r.CreatedAt,
			InDraft: r.InDraft, InVersions: []int{}}
		err = json.Unmarshal([]byte(r.Notes), &out[i].Notes)
		if r.Questions != nil && err == nil {
			err = json.Unmarshal([]byte(*r.Questions), &out[i].Questions)
		}
		if r.InVersions != nil && err == nil {
			err = json.Unmarshal([]byte(*r.InVersions), &out[i].InVersions)
		}
		if err != nil {
			return nil, fault.Wrap(fault.Internal, err)
		}
	}
	return out, nil
}

// KnowledgePlace returns the cursor of a source in its agent's list.
func KnowledgePlace(src knowledge.Source) db.Cursor { return db.Cursor{ID: src.ID} }

// KnowledgeByAgents returns a page of each agent's sources, newest first, in one statement: the
// sources of the draft and of all versions. Faults, before any statement: InvalidInput on first,
// and on after for several agents.
func (s Store) KnowledgeByAgents(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, first int, after *db.Cursor,
) (map[uuid.UUID]db.Page[knowledge.Source], error) {
	if _, err := db.PageSize(&first); err != nil {
		return nil, err
	}
	if after != nil && len(agentIDs) != 1 {
		return nil, db.BadCursor("after")
	}
	var text db.Statement
	text.Add(`SELECT` + sourceColumns + `FROM agents a CROSS JOIN LATERAL (`)
	text.Page(`id DESC`, first, func() {
		text.Add(`SELECT s.* FROM knowledge_sources s WHERE s.agent_id = a.id`)
		if after != nil {
			text.Add(` AND s.id < ?::uuid`, after.ID)
		}
	})
	text.Add(`) s WHERE a.account_id = ?::uuid AND a.id = ANY(?::uuid[]) AND a.deleted_at IS NULL
		ORDER BY s.agent_id, s.id DESC`,
		accountID, db.Texts(agentIDs))
	items, err := s.sources(ctx, text.String(), text.Args()...)
	if err != nil {
		return nil, err
	}
	return db.CutEach(items, func(src knowledge.Source) uuid.UUID { return src.AgentID }, first), nil
}

// KnowledgeCounts returns the number of sources of each agent that KnowledgeByAgents lists.
func (s Store) KnowledgeCounts(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID,
) (map[uuid.UUID]int, error) {
	return db.ValuesByID[int](ctx, s.db, `
		SELECT a.id, (SELECT count(*) FROM knowledge_sources s WHERE s.agent_id = a.id) AS value
		FROM agents a WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL`,
		accountID, agentIDs)
}

// KnowledgeByIDs returns the sources of an account's agents among those with the ids.
func (s Store) KnowledgeByIDs(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]knowledge.Source, error) {
	found, err := s.sources(ctx, `SELECT`+sourceColumns+`FROM`+
		SourceTable+`WHERE s.account_id = $1 AND s.id = ANY($2::uuid[])`,
		accountID, db.Texts(ids))
	return db.ByID(found, func(src knowledge.Source) uuid.UUID { return src.ID }), err
}

// KnowledgeUse holds the totals of an agent's sources, in its draft and in all versions. DraftBytes
// is the size of the draft's sources that FindKnowledge compares with MaxWhole. The mode is not
// set, because it depends on the model.
type KnowledgeUse struct {
	knowledge.Use
	DraftBytes int64
}

// KnowledgeUseByAgents returns the KnowledgeUse of each agent.
func (s Store) KnowledgeUseByAgents(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID,
) (map[uuid.UUID]KnowledgeUse, error) {
	type row struct {
		ID                uuid.UUID
		Sources, Passages int
		Bytes, DraftBytes int64
	}
	rows, err := db.All[row](ctx, s.db, `
		SELECT s.agent_id AS id,`+useColumns+`FROM`+SourceTable+`
		WHERE s.account_id = $1 AND s.agent_id = ANY($2::uuid[]) GROUP BY s.agent_id`,
		accountID, db.Texts(agentIDs))
	out := make(map[uuid.UUID]KnowledgeUse, len(rows))
	for _, r := range rows {
		out[r.ID] = KnowledgeUse{knowledge.Use{Sources: r.Sources, Passages: r.Passages, Bytes: r.Bytes},
			r.DraftBytes}
	}
	return out, err
}

// useColumns add up knowledge_sources AS s.
const useColumns = ` count(*) FILTER (WHERE s.kind <> 'ANSWER') AS sources,
	coalesce(sum(s.passage_count), 0) AS passages,
	coalesce(sum(s.bytes), 0) AS bytes,
	coalesce(sum(s.bytes + 100 * s.passage_count)
		FILTER (WHERE upper_inf(s.versions)), 0) AS draft_bytes `

// KnowledgeChanged tells, for each published agent of an account, whether its draft and its
// published version have different sources.
func (s Store) KnowledgeChanged(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID,
) (map[uuid.UUID]bool, error) {
	return db.ValuesByID[bool](ctx, s.db, `
		SELECT a.id, EXISTS (SELECT 1 FROM knowledge_sources s WHERE s.agent_id = a.id AND `+
		changedSource+`) AS value
		FROM agents a WHERE a.account_id = $1 AND a.id = ANY($2::uuid[]) AND a.deleted_at IS NULL
			AND a.published_version IS NOT NULL`,
		accountID, agentIDs)
}

// changedSource selects the sources s that only one of the draft and the published version of agent
// a has. A source that is not READY cannot be published.
const changedSource = `s.state = 'READY'
	AND upper_inf(s.versions) <> (s.versions @> a.published_version)`

// KnowledgeTexts returns a part of the text of each source of an account: at most most characters,
// starting after the first from characters. Past the end it is empty.
func (s Store) KnowledgeTexts(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID, from, most int,
) (map[uuid.UUID]string, error) {
	type row struct {
		ID    uuid.UUID
		Value string
	}
	rows, err := db.All[row](ctx, s.db, `SELECT s.id, substr(s.text, $3::int + 1, $4::int) AS value
		FROM`+SourceTable+`
		WHERE s.account_id = $1 AND s.id = ANY($2::uuid[])`,
		accountID, db.Texts(ids), max(from, 0), max(most, 0))
	out := make(map[uuid.UUID]string, len(rows))
	for _, r := range rows {
		out[r.ID] = r.Value
	}
	return out, err
}

// PassageKey names a passage of a source.
type PassageKey struct {
	SourceID uuid.UUID
	// Passage is the passage's number in its source, from 1.
	Passage int64
}

// PassagesByKeys returns the passages with these keys. Passages that were deleted, and those of
// other accounts, are left out.
func (s Store) PassagesByKeys(
	ctx context.Context, accountID uuid.UUID, keys []PassageKey,
) (map[PassageKey]knowledge.Given, error) {
	rows, err := db.All[passageRow](ctx, s.db, `
		SELECT s.id AS source_id, s.name, p.passage, p.heading, coalesce(p.page, 0) AS page, p.text
		FROM unnest($2::uuid[], $3::int[]) k(source_id, passage)
		JOIN knowledge_sources s ON s.id = k.source_id AND s.account_id = $1
		JOIN agents a ON a.id = s.agent_id AND a.deleted_at IS NULL
		JOIN knowledge_passages p ON p.source = s.number AND p.passage = k.passage`, accountID,
		db.Texts(db.Mapped(keys, func(k PassageKey) uuid.UUID { return k.SourceID })),
		db.Mapped(keys, func(k PassageKey) int64 { return k.Passage }))
	out := make(map[PassageKey]knowledge.Given, len(rows))
	for _, r := range rows {
		out[PassageKey{r.SourceID, r.Passage}] = r.given()
	}
	return out, err
}

// passageRow is a passage with its source.
type passageRow struct {
	SourceID            uuid.UUID
	Name, Heading, Text string
	Passage             int64
	Page                int
}

func (r passageRow) given() knowledge.Given {
	return knowledge.Given{SourceID: r.SourceID, PassageID: r.Passage, Name: r.Name,
		Passage: knowledge.Passage{Heading: r.Heading, Page: r.Page, Text: r.Text}}
}
