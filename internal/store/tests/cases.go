package tests

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/evaluation"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
)

// Case is a test case. An edit replaces it with a new one under the same number.
type Case struct {
	ID, AccountID, AgentID uuid.UUID
	Number                 int
	// Document is JSON text that package evaluation reads.
	Document string
	// ConversationID is the conversation that it is erased with; nil for none.
	ConversationID *uuid.UUID
	// EndedAt is the time of its replacement or deletion; nil for a current case.
	EndedAt *time.Time
	// CreatedBy is a user or account token; nil for the service itself.
	CreatedBy *uuid.UUID
	CreatedAt time.Time
}

// caseColumns are the columns of a Case, of test_cases AS c.
const caseColumns = ` c.id, c.account_id, c.agent_id, c.number, c.document, c.conversation_id, c.ended_at,
	c.created_by, c.created_at `

// current selects the cases c that are neither ended nor erased.
const current = ` c.ended_at IS NULL AND c.erased_at IS NULL `

// CaseQuery selects a page of cases.
type CaseQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the last case before the page, a cursor of the same agent; nil starts with the first.
	After *db.Cursor
	// Search is part of the name or message; nil finds all.
	Search *find.Needle
	// Brief leaves out the documents.
	Brief bool
}

const (
	// maxLongCases is the limit of cases, over several agents, that one statement reads with documents.
	maxLongCases = db.MaxListsText / evaluation.MaxDocument
	// searchStep is the number of documents that a search reads with one statement: at most 4 MiB.
	searchStep = 64
)

// CasePlace returns the cursor of a case in its agent's list.
func CasePlace(c Case) db.Cursor { return db.Cursor{Key: int64(c.Number), ID: c.AgentID} }

// CasesByAgents returns a page of each agent's current cases, the newest numbers first, in one
// statement; a search takes one statement per 64 cases. Faults, before any statement:
// InvalidInput on first, and on after for a cursor of another agent; TextTooLong for the documents
// of too many cases, and for a search in several agents.
func (s Store) CasesByAgents(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, q CaseQuery,
) (map[uuid.UUID]db.Page[Case], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return nil, err
	}
	several := len(agentIDs) != 1
	switch {
	case q.After != nil && (several || agentIDs[0] != q.After.ID):
		return nil, db.BadCursor("after")
	case several && (q.Search != nil || !q.Brief && len(agentIDs)*q.First > maxLongCases):
		return nil, db.TextsTooLong()
	case q.Search != nil:
		found, err := s.findCases(ctx, accountID, agentIDs[0], q)
		return map[uuid.UUID]db.Page[Case]{agentIDs[0]: db.Cut(found, q.First)}, err
	}
	items, err := s.casePage(ctx, accountID, agentIDs, q)
	return db.CutEach(items, func(c Case) uuid.UUID { return c.AgentID }, q.First), err
}

// casePage reads a page of each agent's cases, plus one case.
func (s Store) casePage(
	ctx context.Context, accountID uuid.UUID, agentIDs []uuid.UUID, q CaseQuery,
) ([]Case, error) {
	columns := `c.*`
	if q.Brief {
		columns = `c.id, c.account_id, c.agent_id, c.number, '' AS document, c.conversation_id, c.ended_at,
			c.created_by, c.created_at`
	}
	var text db.Statement
	text.Add(`SELECT` + caseColumns + `FROM agents a CROSS JOIN LATERAL (`)
	text.Page(`number DESC`, q.First, func() {
		text.Add(`SELECT ` + columns + ` FROM test_cases c WHERE c.agent_id = a.id AND` + current)
		if q.After != nil {
			text.Add(` AND c.number < ?::bigint`, q.After.Key)
		}
	})
	text.Add(`) c WHERE a.account_id = ?::uuid AND a.id = ANY(?::uuid[]) AND a.deleted_at IS NULL
		ORDER BY c.agent_id, c.number DESC`, accountID, db.Texts(agentIDs))
	return db.All[Case](ctx, s.db, text.String(), text.Args()...)
}

// findCases returns a page of the cases that a search finds, plus one case. It reads a few at a time,
// because documents are long.
func (s Store) findCases(
	ctx context.Context, accountID, agentID uuid.UUID, q CaseQuery,
) (found []Case, err error) {
	step := CaseQuery{First: searchStep - 1, After: q.After}
	for len(found) <= q.First {
		read, err := s.casePage(ctx, accountID, []uuid.UUID{agentID}, step)
		if err != nil {
			return nil, err
		}
		for _, c := range read {
			if c.has(*q.Search) {
				found = append(found, c)
			}
		}
		if len(read) < searchStep {
			break
		}
		step.After = new(CasePlace(read[len(read)-1]))
	}
	return found[:min(len(found), q.First+1)], nil
}

// has reports whether the case's name or message contains the needle.
func (c Case) has(needle find.Needle) bool {
	var texts struct{ Name, Message string }
	return json.Unmarshal([]byte(c.Document), &texts) == nil &&
		slices.ContainsFunc([]string{texts.Name, texts.Message}, needle.In)
}

// CasesByIDs returns the account's cases with these ids, including ended ones but no erased ones.
func (s Store) CasesByIDs(
	ctx context.Context, accountID uuid.UUID, ids []uuid.UUID,
) (map[uuid.UUID]Case, error) {
	found, err := db.All[Case](ctx, s.db, `SELECT`+caseColumns+`FROM test_cases c
		JOIN agents a ON a.id = c.agent_id AND a.deleted_at IS NULL
		WHERE c.account_id = $1 AND c.id = ANY($2::uuid[]) AND c.erased_at IS NULL`,
		accountID, db.Texts(ids))
	return db.ByID(found, func(c Case) uuid.UUID { return c.ID }), err
}
