package exports

import (
	"context"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
	"agentchat/internal/store/usage"
)

// The fields by which exports are ordered.
const (
	ByCreated      = db.Created
	ByName         = "NAME"
	ByCreditsToday = "CREDITS_TODAY"
	ByCreditsMonth = "CREDITS_MONTH"
	ByLastUsed     = "LAST_USED"
)

// orderedPage returns a page of the exports in use that pass, in the order of the query. Fault:
// InvalidInput on filter.inUse, because the number of removed exports has no limit.
func (s Store) orderedPage(
	ctx context.Context, accountID uuid.UUID, q ExportQuery, last *db.Ranked,
	passes func(foundExport) bool,
) (db.Page[agent.Export], error) {
	if q.InUse == nil || !*q.InUse {
		return db.Page[agent.Export]{}, fault.Invalid(fault.Field{Path: "filter.inUse",
			Reason:  fault.NotSupported,
			Message: "Only exports in use have this order. Set inUse to true, or order by CREATED."})
	}
	rows, err := s.rankedExports(ctx, accountID, q, passes)
	if err != nil {
		return db.Page[agent.Export]{}, err
	}
	total := len(rows)
	out, err := db.OrderedPage(*q.Order, rows, q.First, last,
		func(ids []uuid.UUID) (map[uuid.UUID]agent.Export, error) {
			return s.ExportsByIDs(ctx, accountID, ids)
		})
	if q.Count {
		out.Total = total
	}
	return out, err
}

// rankedExports returns the exports that pass, with the values of the query's order.
func (s Store) rankedExports(
	ctx context.Context, accountID uuid.UUID, q ExportQuery, passes func(foundExport) bool,
) ([]db.Ranked, error) {
	used, err := s.used(ctx, accountID, q.Order.Field)
	if err != nil {
		return nil, err
	}
	columns := `export.id, export.name`
	if q.Order.Field == ByLastUsed {
		columns += `, (SELECT max(k.last_used_at)` + keysOfExport + `) AS used_at`
	}
	if q.Search != "" {
		columns += exportHints
	}
	var text db.Statement
	addExports(&text, accountID, q, columns)
	found, err := db.All[foundExport](ctx, s.db, text.String(), text.Args()...)
	var out []db.Ranked
	for _, e := range found {
		if !passes(e) {
			continue
		}
		row, total := db.Ranked{ID: e.ID}, used[e.ID]
		switch q.Order.Field {
		case ByName:
			row.Text = find.New(e.Name).Key()
		case ByLastUsed:
			row.Value = db.Micros(e.UsedAt)
		case ByCreditsToday, ByCreditsMonth:
			row.Value = &total.Credits
		}
		out = append(out, row)
	}
	return out, db.TooSlow(err, q.Search)
}

// used returns the use of the account's exports in the time of a field; nil for a field without.
func (s Store) used(ctx context.Context, accountID uuid.UUID, field string,
) (map[uuid.UUID]credit.UsageRow, error) {
	if field != ByCreditsToday && field != ByCreditsMonth {
		return nil, nil
	}
	now, err := db.CurrentPeriods(ctx, s.db)
	if err != nil {
		return nil, err
	}
	since := now.Today
	if field == ByCreditsMonth {
		since = now.ThisMonth
	}
	return usage.On(s.db).Totals(ctx, accountID, credit.ByExport, since)
}
