package store

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"agentchat/internal/agent"
	"agentchat/internal/find"
)

// ExportQuery says which exports a page shows.
type ExportQuery struct {
	// First is the size of the page, 1 to MaxPage.
	First int
	// After is the place that the page follows; nil for the newest.
	After *Cursor
	// AgentID is the agent; nil finds those of all agents.
	AgentID *uuid.UUID
	// State is the state; empty finds all.
	State agent.ExportState
	// InUse finds exports that are in use (true) or removed (false); nil finds both.
	InUse *bool
	// Search is part of the name or of a key's hint; case does not matter; empty finds all.
	Search string
	// Count asks for the page's Total.
	Count bool
}

// ExportPage returns a page of an account's exports, removed ones too, the newest first. It takes one statement, more for a search that
// passes over many, and one for Total. Fault: InvalidInput on first and filter.search, before any statement; on filter.search also when
// that takes too long.
func (s *Store) ExportPage(ctx context.Context, accountID uuid.UUID, q ExportQuery) (Page[agent.Export], error) {
	search, err := agent.ParseSearch(q.Search)
	if err == nil {
		_, err = PageSize(&q.First)
	}
	if err != nil {
		return Page[agent.Export]{}, err
	}
	q.Search = search
	needle := find.New(search)
	passes := func(e foundExport) bool {
		return search == "" || needle.In(e.Name) || slices.ContainsFunc(strings.Split(e.Hints, "\x01"), needle.In)
	}
	items, err := sift(q.First+1, func(after *foundExport) ([]foundExport, error) {
		if after != nil {
			q.After = &Cursor{ID: after.ID}
		}
		return s.findExports(ctx, accountID, q)
	}, passes)
	out := cut(mapped(items, func(e foundExport) agent.Export { return e.Export }), q.First)
	if err == nil && q.Count {
		out.Total, err = s.countExports(ctx, accountID, q, passes)
	}
	return out, err
}

// countExports returns the number of exports that a query finds, from its beginning. It keeps none of them: removed ones have no limit.
func (s *Store) countExports(ctx context.Context, accountID uuid.UUID, q ExportQuery, passes func(foundExport) bool) (n int, err error) {
	leave, err := s.pool.enter(ctx)
	if err != nil {
		return 0, err
	}
	defer leave()
	found := s.exportsOf((*foundExport)(nil), accountID, q)
	if q.Search == "" {
		all, err := found.Count(ctx)
		return int(all), translate(err)
	}
	rows, err := found.Rows(ctx)
	if err != nil {
		return 0, tooSlow(translate(err), q.Search)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e foundExport
		if err := s.root.ScanRow(ctx, rows, &e); err != nil {
			return 0, translate(err)
		}
		if passes(e) {
			n++
		}
	}
	return n, tooSlow(translate(rows.Err()), q.Search)
}

// foundExport is an export with the hints of its keys, U+0001 between them, if it was searched for.
type foundExport struct {
	agent.Export
	Hints string
}

// findExports returns the exports of a page and one more.
func (s *Store) findExports(ctx context.Context, accountID uuid.UUID, q ExportQuery) (items []foundExport, err error) {
	page := s.exportsOf(&items, accountID, q).Order("export.id DESC").Limit(int64(q.First + 1))
	if q.After != nil {
		page.Where("export.id < ?", q.After.ID)
	}
	return items, s.scan(ctx, page)
}

// exportsOf begins a statement that reads into out the exports that match a query. For a search they are candidates.
func (s *Store) exportsOf(out any, accountID uuid.UUID, q ExportQuery) *bun.SelectQuery {
	page := s.selectExports(out, accountID)
	if q.AgentID != nil {
		page.Where("export.agent_id = ?", *q.AgentID)
	}
	switch q.State {
	case agent.ExportActive:
		page.Where("export.removed_at IS NULL").Where("export.paused_at IS NULL").Where("NOT " + expired)
	case agent.ExportPaused:
		page.Where("export.removed_at IS NULL").Where("export.paused_at IS NOT NULL").Where("NOT " + expired)
	case agent.ExportExpired:
		page.Where("export.removed_at IS NULL").Where(expired)
	case agent.ExportRemoved:
		page.Where("export.removed_at IS NOT NULL")
	}
	if q.InUse != nil && *q.InUse {
		page.Where("export.removed_at IS NULL") // worded like the condition of the index
	} else if q.InUse != nil {
		page.Where("export.removed_at IS NOT NULL")
	}
	if q.Search != "" {
		name, pattern := mayHave("export.name", find.New(q.Search))
		// A hint is ASCII except for its ellipsis, which has no case.
		const ofKeys = `FROM api_keys k WHERE k.export_id = export.id`
		page.ColumnExpr(`(SELECT string_agg(k.hint, chr(1)) ` + ofKeys + `) AS hints`)
		page.Where(`(`+name+` OR EXISTS (SELECT 1 `+ofKeys+` AND k.hint COLLATE "C" ILIKE ?))`, pattern, pattern)
	}
	return page
}
