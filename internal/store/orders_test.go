package store_test

import (
	"cmp"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/store"
	"agentchat/internal/store/agents"
	"agentchat/internal/store/exports"
	"agentchat/internal/store/storetest"
)

// figures are the values of an agent and of its only export.
type figures struct {
	name string
	// letter is the name's place in the alphabet, and nth the place in the order of creation.
	letter, nth float64
	// used is the time since the last use of the key; 0 for never.
	used time.Duration
	// messages, failed and credits are those of today, and before both messages of two days ago and
	// credits of two months ago.
	messages, failed, credits, before int64
}

// insert makes the agent with its export and its usage.
func (g figures) insert(t *testing.T, s *store.DB, accountID uuid.UUID) {
	t.Helper()
	id, export := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	storetest.Exec(t, s, `
		WITH a AS (INSERT INTO agents (id, account_id, name) VALUES ($1, $2, $3)),
			x AS (INSERT INTO api_exports (id, account_id, agent_id, name) VALUES ($4, $2, $1, $3))
		INSERT INTO api_keys (id, account_id, export_id, hash, hint, last_used_at)
		SELECT gen_random_uuid(), $2, $4, sha256($4::text::bytea), '',
			now() - nullif($5::float8, 0) * interval '1 second'`,
		id, accountID, g.name, export, g.used.Seconds())
	for _, u := range []struct {
		ago                       time.Duration
		messages, failed, credits int64
	}{
		{0, g.messages, g.failed, g.credits},
		{48 * time.Hour, g.before, 0, 0},
		{62 * 24 * time.Hour, 0, 0, g.before},
	} {
		storetest.Exec(t, s, `INSERT INTO usage_rollups (account_id, agent_id, export_id, minutes, start,
				model, source, status, messages, failed, credits)
			SELECT $1, $2, $3, s.minutes, s.start, 'm', 'API', 'answered', $5, $6, $7
			FROM usage_spans_1(now() - $4 * interval '1 second') s`,
			accountID, id, export, u.ago.Seconds(), u.messages, u.failed, u.credits)
	}
}

// inOrder returns the names in the order of a value. Names without one come last, and those with
// the same value newest first.
func inOrder(all []figures, value func(figures) *float64, descending bool) (names []string) {
	sorted := slices.Clone(all)
	slices.Reverse(sorted)
	slices.SortStableFunc(sorted, func(a, b figures) int {
		x, y := value(a), value(b)
		switch {
		case x == nil && y == nil:
			return 0
		case x == nil:
			return 1
		case y == nil:
			return -1
		case descending:
			x, y = y, x
		}
		return cmp.Compare(*x, *y)
	})
	for _, g := range sorted {
		names = append(names, g.name)
	}
	return names
}

// namesPage is a page of an ordered list.
type namesPage struct {
	names []string
	last  *store.Cursor
	more  bool
}

type readOrdered func(o store.Order, first int, after *store.Cursor) (namesPage, error)

func pageOfNames[T any](
	page store.Page[T], err error, item func(T) (uuid.UUID, string),
) (namesPage, error) {
	out := namesPage{more: page.HasNext}
	for _, i := range page.Items {
		id, name := item(i)
		place := page.Places[id.String()]
		out.names, out.last = append(out.names, name), &place
	}
	return out, err
}

// TestOrders tests that pages in every order have each item once, in the order of its value, at a
// constant number of statements, and that an order refuses the cursors of another one.
func TestOrders(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	f := storetest.Seed(t, s, storetest.Options{})
	storetest.Exec(t, s, `UPDATE agents SET deleted_at = now() WHERE id = $1`, f.Agent.ID)
	all := []figures{
		{name: "b", letter: 2, used: 3 * time.Hour, messages: 5, failed: 5, credits: 50},
		{name: "A", letter: 1, before: 1000},
		{name: "a", letter: 1, used: time.Hour, messages: 9, failed: 1, credits: 9},
		{name: "C", letter: 3, used: 2 * time.Hour, messages: 9, failed: 1, credits: 50},
		{name: "c", letter: 3, failed: 2},
	}
	for i := range all {
		all[i].nth = float64(i)
		all[i].insert(t, s, f.Account.ID)
	}
	storetest.Exec(t, s, `INSERT INTO api_exports (id, account_id, agent_id, name, removed_at)
		SELECT gen_random_uuid(), account_id, agent_id, 'gone', now() FROM api_exports WHERE name = 'b'`)
	credits := func(g figures) *float64 { return new(float64(g.credits)) }
	lists := map[string]readOrdered{
		"agents": func(o store.Order, first int, after *store.Cursor) (namesPage, error) {
			page, err := agents.On(s).AgentPage(t.Context(), f.Account.ID,
				agents.AgentQuery{First: first, After: after, Order: &o})
			return pageOfNames(page, err,
				func(a agent.Agent) (uuid.UUID, string) { return a.ID, a.Name })
		},
		"exports": func(o store.Order, first int, after *store.Cursor) (namesPage, error) {
			page, err := exports.On(s).ExportPage(t.Context(), f.Account.ID,
				exports.ExportQuery{First: first, After: after, Order: &o, InUse: new(true)})
			return pageOfNames(page, err,
				func(e agent.Export) (uuid.UUID, string) { return e.ID, e.Name })
		},
	}
	fields := map[string]func(figures) *float64{
		"CREATED":       func(g figures) *float64 { return &g.nth },
		"NAME":          func(g figures) *float64 { return &g.letter },
		"CREDITS_MONTH": credits,
		"LAST_USED": func(g figures) *float64 {
			if g.used == 0 {
				return nil
			}
			return new(-g.used.Seconds())
		},
	}
	ofAgents := map[string]func(figures) *float64{
		"MESSAGES_24H": func(g figures) *float64 { return new(float64(g.messages + g.failed)) },
		"SUCCESS_24H": func(g figures) *float64 {
			if g.messages+g.failed == 0 {
				return nil
			}
			return new(float64(g.messages) / float64(g.messages+g.failed))
		},
	}
	if _, err := lists["agents"](store.Order{Field: "CREDITS_MONTH"}, 1, nil); err != nil {
		t.Fatal(err) // counts the charges so far, which takes a statement more
	}
	for what, more := range map[string]map[string]func(figures) *float64{
		"agents": ofAgents, "exports": {"CREDITS_TODAY": credits}} {
		maps.Copy(more, fields)
		for field, value := range more {
			for _, descending := range []bool{false, true} {
				checkOrder(t, lists[what], store.Order{Field: field, Descending: descending},
					inOrder(all, value, descending), count)
			}
		}
	}
}

func checkOrder(
	t *testing.T, read readOrdered, o store.Order, want []string, count *storetest.Statements,
) {
	t.Helper()
	for _, first := range []int{1, 2, len(want), 100} {
		var got []string
		var least, most int64
		for page := (namesPage{more: true}); page.more; {
			var err error
			before := count.Load()
			if page, err = read(o, first, page.last); err != nil || len(page.names) > first {
				t.Fatalf("%+v: %v %v", o, page, err)
			}
			n := count.Load() - before
			least, most = min(cmp.Or(least, n), n), max(most, n)
			got = append(got, page.names...)
		}
		if !slices.Equal(got, want) || least != most || most > 5 {
			t.Errorf("%+v, pages of %d: %v, want %v; %d to %d statements", o, first, got, want, least, most)
		}
	}
	page, err := read(o, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := count.Load()
	for _, field := range []string{o.Field, "NAME", "LAST_USED"} {
		other := store.Order{Field: field, Descending: !o.Descending}
		_, err := read(other, 1, page.last)
		if !slices.Equal(storetest.FieldsOf(err), []string{"after"}) {
			t.Errorf("%+v takes a cursor of %+v: %v", other, o, err)
		}
	}
	if n := count.Load() - before; n != 0 {
		t.Errorf("%+v: %d statements for cursors of another order", o, n)
	}
}

// TestOrdersOfRemovedExports tests that only the order of creation covers removed exports.
func TestOrdersOfRemovedExports(t *testing.T) {
	t.Parallel()
	s, count := storetest.Counted(t)
	before := count.Load()
	for _, inUse := range []*bool{nil, new(false)} {
		for _, field := range []string{"NAME", "CREDITS_TODAY", "CREDITS_MONTH", "LAST_USED"} {
			_, err := exports.On(s).ExportPage(t.Context(), uuid.Nil,
				exports.ExportQuery{First: 1, InUse: inUse, Order: &store.Order{Field: field}})
			if !slices.Equal(storetest.FieldsOf(err), []string{"filter.inUse"}) {
				t.Errorf("%s: %v", field, err)
			}
		}
	}
	if n := count.Load() - before; n != 0 {
		t.Errorf("%d statements for orders that are refused", n)
	}
	_, err := exports.On(s).ExportPage(t.Context(), uuid.Nil,
		exports.ExportQuery{First: 1, Order: &store.Order{Field: "CREATED"}})
	if err != nil {
		t.Error(err)
	}
}
