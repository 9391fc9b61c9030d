package exports

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/find"
	"agentchat/internal/store/internal/db"
)

// ExportQuery selects a page of exports.
type ExportQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the export before the page; nil starts with the first.
	After *db.Cursor
	// Order is one of a field that this package lists; nil is newest first.
	Order *db.Order
	// AgentID is the agent; nil finds the exports of all agents.
	AgentID *uuid.UUID
	// State is the state to find; empty finds all.
	State agent.ExportState
	// InUse finds exports in use (true) or removed ones (false); nil finds both.
	InUse *bool
	// Search is a part of the name or of a key's hint. Case does not matter. Empty finds all.
	Search string
	// Count asks for the page's Total.
	Count bool
}

// ExportPage returns a page of an account's exports, removed ones included. It takes one statement,
// and one for Total; a search that skips many exports takes more. An order by another field than
// ByCreated takes up to five instead. Faults: InvalidInput on first, filter.search and after, and
// on filter.inUse for such an order unless it is true, before any statement; on filter.search also
// when the search takes too long; those of usage.Totals.
func (s Store) ExportPage(
	ctx context.Context, accountID uuid.UUID, q ExportQuery,
) (db.Page[agent.Export], error) {
	search, err := agent.ParseSearch(q.Search)
	if err == nil {
		_, err = db.PageSize(&q.First)
	}
	var last *db.Ranked
	if err == nil && q.Order != nil {
		last, err = q.Order.At(q.After)
	}
	if err != nil {
		return db.Page[agent.Export]{}, err
	}
	q.Search = search
	needle := find.New(search)
	passes := func(e foundExport) bool {
		return search == "" || needle.In(e.Name) ||
			slices.ContainsFunc(strings.Split(e.Hints, "\x01"), needle.In)
	}
	if q.Order != nil && q.Order.Field != ByCreated {
		return s.orderedPage(ctx, accountID, q, last, passes)
	}
	items, err := db.Sift(q.First+1, func(after *foundExport) ([]foundExport, error) {
		if after != nil {
			q.After = &db.Cursor{ID: after.ID}
		}
		return s.findExports(ctx, accountID, q)
	}, passes)
	out := db.Cut(db.Mapped(items, func(e foundExport) agent.Export { return e.Export }), q.First)
	if q.Order != nil {
		out.Places = make(map[string]db.Cursor, len(out.Items))
		for _, e := range out.Items {
			out.Places[e.ID.String()] = q.Order.Place(db.Ranked{ID: e.ID})
		}
	}
	if err == nil && q.Count {
		out.Total, err = s.countExports(ctx, accountID, q, passes)
	}
	return out, err
}

// countExports counts the exports that match a query. It keeps none of them in memory: the number
// of removed exports has no limit.
func (s Store) countExports(
	ctx context.Context, accountID uuid.UUID, q ExportQuery, passes func(foundExport) bool,
) (n int, err error) {
	if q.Search == "" {
		var found db.Statement
		addExports(&found, accountID, q, `count(*)`)
		return db.One[int](ctx, s.db, found.String(), found.Args()...)
	}
	var found db.Statement
	addExports(&found, accountID, q, exportColumns+exportHints)
	err = db.EachRow(ctx, s.db, func(e foundExport) {
		if passes(e) {
			n++
		}
	}, found.String(), found.Args()...)
	return n, db.TooSlow(err, q.Search)
}

// foundExport is an export. In a search it has the hints of its keys, separated by U+0001, and in
// an order by last use the time of that.
type foundExport struct {
	agent.Export
	Hints  string
	UsedAt *time.Time
}

// findExports returns the exports of a page, and one more.
func (s Store) findExports(
	ctx context.Context, accountID uuid.UUID, q ExportQuery,
) ([]foundExport, error) {
	columns := exportColumns
	if q.Search != "" {
		columns += exportHints
	}
	order, beyond := `id DESC`, `<`
	if q.Order != nil && !q.Order.Descending {
		order, beyond = `id`, `>`
	}
	var text db.Statement
	text.Page(order, q.First, func() {
		addExports(&text, accountID, q, columns)
		if q.After != nil {
			text.Add(` AND export.id `+beyond+` ?::uuid`, q.After.ID)
		}
	})
	return db.All[foundExport](ctx, s.db, text.String(), text.Args()...)
}

const (
	// keysOfExport continues a subquery about the keys of api_exports AS export.
	keysOfExport = ` FROM api_keys k WHERE k.export_id = export.id`
	// exportHints adds the column Hints of a foundExport.
	exportHints = `, (SELECT string_agg(k.hint, chr(1))` + keysOfExport + `) AS hints `
)

// addExports adds a SELECT of the account's exports that match a query. In a search they are
// candidates.
func addExports(s *db.Statement, accountID uuid.UUID, q ExportQuery, columns string) {
	s.Add(`SELECT ` + columns + ` FROM api_exports export WHERE `)
	if q.AgentID == nil {
		s.Add(`export.account_id = ?::uuid AND`+OfLiveAgent, accountID)
	} else { // a condition on the account would make the planner leave the order of the index by agent
		s.Add(`export.agent_id = ?::uuid AND EXISTS (SELECT 1 FROM agents a
			WHERE a.id = ?::uuid AND a.account_id = ?::uuid AND a.deleted_at IS NULL)`,
			*q.AgentID, *q.AgentID, accountID)
	}
	switch q.State {
	case agent.ExportActive:
		s.Add(` AND export.removed_at IS NULL AND export.paused_at IS NULL AND NOT ` + expired)
	case agent.ExportPaused:
		s.Add(` AND export.removed_at IS NULL AND export.paused_at IS NOT NULL AND NOT ` + expired)
	case agent.ExportExpired:
		s.Add(` AND export.removed_at IS NULL AND ` + expired)
	case agent.ExportRemoved:
		s.Add(` AND export.removed_at IS NOT NULL`)
	}
	if q.InUse != nil && *q.InUse {
		s.Add(` AND export.removed_at IS NULL`) // worded like the condition of the index
	} else if q.InUse != nil {
		s.Add(` AND export.removed_at IS NOT NULL`)
	}
	if q.Search != "" {
		name, pattern := db.MayHave("export.name", find.New(q.Search))
		// A hint is ASCII except for its ellipsis, which has no case.
		s.Add(` AND (`+name+` OR EXISTS (SELECT 1`+keysOfExport+` AND k.hint COLLATE "C" ILIKE ?))`,
			pattern, pattern)
	}
}
