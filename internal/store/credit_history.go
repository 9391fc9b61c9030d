package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
)

// CreditFilter says which entries of a history are meant; what is given must all match.
type CreditFilter struct {
	// Kind is the kind; empty finds all.
	Kind credit.Kind
	// AgentID and ExportID are those that the entries name; both may be gone.
	AgentID, ExportID *uuid.UUID
	// From is the first moment, To the first moment after.
	From, To *time.Time
}

// CreditQuery says which entries a page shows.
type CreditQuery struct {
	// First is how many, 1 to MaxPage.
	First int
	// After is where the page begins; nil begins with the newest.
	After  *Cursor
	Filter CreditFilter
}

// CreditPage returns a page of an account's history, the newest first, in one statement that reads one range of one index.
// Fault: InvalidInput on first, before any statement.
func (s *Store) CreditPage(ctx context.Context, accountID uuid.UUID, q CreditQuery) (Page[credit.Entry], error) {
	if _, err := PageSize(&q.First); err != nil {
		return Page[credit.Entry]{}, err
	}
	text := creditStatement(accountID, q)
	items, err := all[credit.Entry](ctx, s, text.text.String(), text.args...)
	if err != nil {
		return Page[credit.Entry]{}, err
	}
	return cut(items, q.First), nil
}

func creditStatement(accountID uuid.UUID, q CreditQuery) *statement {
	var out statement
	out.moments(accountID, q.Filter)
	out.page(`number DESC`, q.First, func() {
		out.add(`
		SELECT e.id, e.account_id, e.number, e.kind, e.amount, e.balance_after, e.note, e.agent_id, e.agent_name, e.export_id,
		       e.export_name, e.turn_id, e.created_at
		FROM credit_entries e WHERE`)
		out.entries(accountID, q.Filter)
		if q.After != nil {
			out.add(` AND e.number < ?::bigint`, q.After.Key)
		}
	})
	return &out
}

// moments adds what finds the numbers of a filter's moments. An entry gets its time while its account is locked, so that times
// go up with numbers, which have no gap: a moment's number is found by bisection, in as many steps as the count has bits.
// entries compares the times too; only where the database's clock was put back may entries near that moment be left out.
func (s *statement) moments(accountID uuid.UUID, f CreditFilter) {
	head := `WITH RECURSIVE `
	for _, m := range []struct {
		name string
		at   *time.Time
	}{{"low", f.From}, {"high", f.To}} {
		if m.at == nil {
			continue
		}
		s.add(head+m.name+`(lo, hi) AS (
				SELECT 1::bigint, a.entry_count + 1 FROM accounts a WHERE a.id = ?::uuid
				UNION ALL
				SELECT CASE WHEN e.created_at < ?::timestamptz THEN e.number + 1 ELSE s.lo END,
				       CASE WHEN e.created_at < ?::timestamptz THEN s.hi ELSE e.number END
				FROM `+m.name+` s CROSS JOIN LATERAL (
					SELECT x.number, x.created_at FROM credit_entries x WHERE x.account_id = ?::uuid AND x.number = (s.lo + s.hi) / 2
				) e
				WHERE s.lo < s.hi
			)`, accountID, *m.at, *m.at, accountID)
		head = `, `
	}
}

// entries adds the conditions of a filter on credit_entries AS e; moments stands before.
func (s *statement) entries(accountID uuid.UUID, f CreditFilter) {
	s.add(` e.account_id = ?::uuid`, accountID)
	switch f.Kind {
	case "":
	case credit.Charge:
		s.add(` AND e.kind = 'CHARGE'`)
	default: // in words that the partial index is known by
		s.add(` AND e.kind <> 'CHARGE' AND e.kind = ?::text`, string(f.Kind))
	}
	if f.ExportID != nil {
		s.add(` AND e.export_id = ?::uuid`, *f.ExportID)
	}
	switch {
	case f.AgentID == nil:
	case f.ExportID == nil:
		s.add(` AND e.agent_id = ?::uuid`, *f.AgentID)
	default: // an export is of one agent: one look says whether all of its entries match, or none
		s.add(` AND ?::uuid = (SELECT x.agent_id FROM credit_entries x
				WHERE x.account_id = ?::uuid AND x.export_id = ?::uuid ORDER BY x.number LIMIT 1)`, *f.AgentID, accountID, *f.ExportID)
	}
	if f.From != nil {
		s.add(` AND e.number >= (SELECT max(lo) FROM low) AND e.created_at >= ?::timestamptz`, *f.From)
	}
	if f.To != nil {
		s.add(` AND e.number < (SELECT max(lo) FROM high) AND e.created_at < ?::timestamptz`, *f.To)
	}
}

// UsageQuery says what a usage is of.
type UsageQuery struct {
	// From is the first moment, To the first moment after.
	From, To time.Time
	By       credit.Interval
	Zone     *time.Location
}

// CreditUsage returns what was charged in each interval that has a part in the range, empty ones too, in one statement. Only
// charges within the range count, so that the points add up to those of the history under the same moments. Fault:
// InvalidInput on to, before any statement.
func (s *Store) CreditUsage(ctx context.Context, accountID uuid.UUID, q UsageQuery) ([]credit.UsagePoint, error) {
	starts, err := credit.UsageStarts(q.From, q.To, q.By, q.Zone)
	if err != nil {
		return nil, err
	}
	type row struct{ Point, Credits, Messages int64 }
	text := usageStatement(accountID, q, starts)
	rows, err := all[row](ctx, s, text.text.String(), text.args...)
	if err != nil {
		return nil, err
	}
	out := make([]credit.UsagePoint, len(starts))
	for i, start := range starts {
		out[i].Start = start
	}
	for _, r := range rows {
		out[r.Point-1].Credits, out[r.Point-1].Messages = r.Credits, r.Messages
	}
	return out, nil
}

func usageStatement(accountID uuid.UUID, q UsageQuery, starts []time.Time) *statement {
	filter := CreditFilter{Kind: credit.Charge, From: &q.From, To: &q.To}
	var out statement
	out.moments(accountID, filter)
	out.add(`
		SELECT width_bucket(e.created_at, ?::timestamptz[]) AS point, -sum(e.amount)::bigint AS credits, count(*) AS messages
		FROM credit_entries e WHERE`, starts)
	out.entries(accountID, filter)
	out.add(` GROUP BY 1`)
	return &out
}
