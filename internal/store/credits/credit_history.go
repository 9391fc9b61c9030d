package credits

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
	"agentchat/internal/store/internal/db"
)

// CreditFilter selects entries that match all of its fields.
type CreditFilter struct {
	// Kind is the kind; empty matches every kind.
	Kind credit.EntryKind
	// AgentID and ExportID are those that an entry names; either may have been deleted.
	AgentID, ExportID *uuid.UUID
	// From is inclusive, To exclusive.
	From, To *time.Time
}

// CreditQuery selects a page of entries.
type CreditQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the last entry before the page; nil starts with the newest.
	After  *db.Cursor
	Filter CreditFilter
}

// entryColumns are the columns of a credit.Entry, of credit_entries AS e.
const entryColumns = ` e.id, e.account_id, e.number, e.kind, e.amount, e.balance_after, e.note, e.reference, e.agent_id, e.agent_name,
	e.export_id, e.export_name, e.turn_id, e.created_at `

// CreditPage returns a page of an account's history, the newest first. It is one statement that
// reads one range of one index. Fault: InvalidInput on first, before any statement.
func (s Store) CreditPage(ctx context.Context, accountID uuid.UUID, q CreditQuery,
) (db.Page[credit.Entry], error) {
	if _, err := db.PageSize(&q.First); err != nil {
		return db.Page[credit.Entry]{}, err
	}
	text := creditStatement(accountID, q)
	items, err := db.All[credit.Entry](ctx, s.db, text.String(), text.Args()...)
	if err != nil {
		return db.Page[credit.Entry]{}, err
	}
	return db.Cut(items, q.First), nil
}

// CreditEntry returns an entry of an account's history. Fault: NotFound.
func (s Store) CreditEntry(ctx context.Context, accountID, id uuid.UUID) (credit.Entry, error) {
	if turn, ok := credit.ChargedTurn(id); ok {
		return db.One[credit.Entry](ctx, s.db, `SELECT`+entryColumns+`FROM credit_entries e
			WHERE e.account_id = $1 AND e.turn_id = $2 AND e.kind = 'CHARGE'`, accountID, turn)
	}
	return db.One[credit.Entry](ctx, s.db, `SELECT`+entryColumns+`FROM credit_entries e
		WHERE e.account_id = $1 AND e.id = $2 AND e.kind <> 'CHARGE'`, accountID, id)
}

func creditStatement(accountID uuid.UUID, q CreditQuery) *db.Statement {
	var out db.Statement
	CreditBounds(&out, accountID, q.Filter)
	out.Page(`number DESC`, q.First, func() {
		out.Add(`
		SELECT` + entryColumns + `FROM credit_entries e WHERE`)
		CreditConditions(&out, accountID, q.Filter)
		if q.After != nil {
			out.Add(` AND e.number < ?::bigint`, q.After.Key)
		}
	})
	return &out
}

// CreditBounds adds the tables low and high, which hold the numbers of the entries at the filter's
// times. An entry gets its time while its account is locked, so times ascend with the numbers. The
// numbers have no gaps, so a bisection takes as many steps as the count has bits. CreditConditions
// compares the times as well; entries can be missed only around a moment when the database's clock
// was set back.
func CreditBounds(s *db.Statement, accountID uuid.UUID, f CreditFilter) {
	head := `WITH RECURSIVE `
	for _, m := range []struct {
		name string
		at   *time.Time
	}{{"low", f.From}, {"high", f.To}} {
		if m.at == nil {
			continue
		}
		s.Add(head+bisection(m.name, `?::uuid`, `?::timestamptz`), accountID, *m.at, *m.at, accountID)
		head = `, `
	}
}

// NumberAt returns an expression for the number of an account's first entry at a time, like low and
// high of CreditBounds. account and at are expressions, too.
func NumberAt(account, at string) string {
	return `(WITH RECURSIVE ` + bisection("b", account, at) + ` SELECT max(lo) FROM b)`
}

// bisection returns a table of a WITH RECURSIVE clause.
func bisection(name, account, at string) string {
	return name + `(lo, hi) AS (
				SELECT 1::bigint, a.entry_count + 1 FROM accounts a WHERE a.id = ` + account + `
				UNION ALL
				SELECT CASE WHEN e.created_at < ` + at + ` THEN e.number + 1 ELSE s.lo END,
				       CASE WHEN e.created_at < ` + at + ` THEN s.hi ELSE e.number END
				FROM ` + name + ` s CROSS JOIN LATERAL (
					SELECT x.number, x.created_at FROM credit_entries x
					WHERE x.account_id = ` + account + ` AND x.number = (s.lo + s.hi) / 2
				) e
				WHERE s.lo < s.hi
			)`
}

// CreditConditions adds the conditions of a filter on credit_entries AS e. Call CreditBounds first.
//
// The indexes by agent and by export are without the account, and a condition on the account would
// make the planner leave their order: the first entry tells whose all of them are.
func CreditConditions(s *db.Statement, accountID uuid.UUID, f CreditFilter) {
	column, id := `agent_id`, f.AgentID
	if f.ExportID != nil {
		column, id = `export_id`, f.ExportID
	}
	if id == nil || f.Kind != "" && f.Kind != credit.Charge {
		s.Add(` e.account_id = ?::uuid`, accountID)
	} else {
		s.Add(` EXISTS (SELECT 1 FROM (SELECT * FROM credit_entries x WHERE x.`+column+` = ?::uuid
			ORDER BY x.number LIMIT 1) x WHERE x.account_id = ?::uuid)`, *id, accountID)
	}
	if id != nil {
		s.Add(` AND e.`+column+` = ?::uuid`, *id)
	}
	if f.ExportID != nil && f.AgentID != nil { // an export belongs to one agent
		s.Add(` AND ?::uuid = (SELECT x.agent_id FROM credit_entries x WHERE x.export_id = ?::uuid
			ORDER BY x.number LIMIT 1)`, *f.AgentID, *f.ExportID)
	}
	switch f.Kind {
	case "":
	case credit.Charge:
		s.Add(` AND e.kind = 'CHARGE'`)
	default: // as the partial index has it
		s.Add(` AND e.kind <> 'CHARGE' AND e.kind = ?::text`, string(f.Kind))
	}
	if f.From != nil {
		s.Add(` AND e.number >= (SELECT max(lo) FROM low) AND e.created_at >= ?::timestamptz`, *f.From)
	}
	if f.To != nil {
		s.Add(` AND e.number < (SELECT max(lo) FROM high) AND e.created_at < ?::timestamptz`, *f.To)
	}
}
