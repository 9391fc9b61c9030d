package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// numbers reads a whole history page by page and returns the numbers of its entries.
func numbers(t *testing.T, s *store.Store, accountID uuid.UUID, q store.CreditQuery, between func()) (out []int64) {
	t.Helper()
	for {
		page, err := s.CreditPage(t.Context(), accountID, q)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Items) > q.First || page.HasNext && len(page.Items) != q.First || page.Total != 0 {
			t.Errorf("a page of %d, next %v, total %d", len(page.Items), page.HasNext, page.Total)
		}
		for _, e := range page.Items {
			out = append(out, e.Number)
		}
		if !page.HasNext {
			return out
		}
		q.After = &store.Cursor{Key: out[len(out)-1]}
		if between != nil {
			between()
		}
	}
}

func TestCreditPages(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s, count := counted(t, url)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1000})
	stranger := storetest.Seed(t, s, storetest.Options{})
	answered(t, s, stranger.Key, nil)
	for range 44 {
		answered(t, s, f.Key, nil)
	}
	want := make([]int64, 0, 45)
	for n := int64(45); n > 0; n-- {
		want = append(want, n)
	}
	before := count.n.Load()
	if got := numbers(t, s, f.Account.ID, store.CreditQuery{First: 10}, nil); !slices.Equal(got, want) {
		t.Errorf("the history: %v", got)
	}
	if n := count.n.Load() - before; n != 5 {
		t.Errorf("%d statements for 5 pages", n)
	}
	// Charges that come in while it is read are on no page, and move none.
	got := numbers(t, s, f.Account.ID, store.CreditQuery{First: 7}, func() { answered(t, s, f.Key, nil); answered(t, s, stranger.Key, nil) })
	if !slices.Equal(got, want) {
		t.Errorf("while it grows: %v", got)
	}
	page, err := s.CreditPage(t.Context(), f.Account.ID, store.CreditQuery{First: 1, After: &store.Cursor{Key: 3}})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%+v %v", page, err)
	}
	e := page.Items[0]
	if e.Kind != credit.Charge || e.Amount != -1 || e.BalanceAfter != 999 || *e.AgentID != f.Agent.ID || e.AgentName != "Assistant" ||
		*e.ExportID != f.Export.ID || e.ExportName != "Export" || e.TurnID == nil || e.CreatedAt.Location() != time.UTC || e.Note != "" {
		t.Errorf("the charge: %+v", e)
	}
	if first := numbers(t, s, f.Account.ID, store.CreditQuery{First: 100, After: &store.Cursor{Key: 1}}, nil); first != nil {
		t.Errorf("after the end: %v", first)
	}
	for _, first := range []int{0, -1, 101} {
		if _, err := s.CreditPage(t.Context(), f.Account.ID, store.CreditQuery{First: first}); !slices.Equal(fieldsOf(err), []string{"first"}) {
			t.Errorf("first %d: %v", first, err)
		}
	}
}

// TestCreditFilters holds every combination of filters against the same question asked plainly.
func TestCreditFilters(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 100})
	second, _, secondKey := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, 600)
	agent := storetest.SeedAgent(t, s, f.Account.ID, storetest.Options{Model: storetest.SandboxModel, Instructions: "i"})
	third, _, thirdKey := storetest.SeedExport(t, s, f.Account.ID, agent.ID, 600)
	stranger := storetest.Seed(t, s, storetest.Options{})
	answered(t, s, stranger.Key, nil)
	for i := range 20 {
		answered(t, s, []storetest.Fixture{{Key: f.Key}, {Key: secondKey}, {Key: thirdKey}}[i%3].Key, nil)
		if i%5 == 0 {
			_, err := s.GrantCredits(t.Context(), store.Grant{Email: f.Account.Email, Amount: 3, Reference: fmt.Sprint("r", i), Note: "Top-up"})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.DeleteAgent(t.Context(), f.Account.ID, agent.ID); err != nil {
		t.Fatal(err)
	}
	all, err := s.CreditPage(t.Context(), f.Account.ID, store.CreditQuery{First: 100})
	if err != nil || len(all.Items) != 25 {
		t.Fatalf("%d entries, %v", len(all.Items), err)
	}
	var moments []*time.Time
	for _, e := range all.Items {
		earlier, later := e.CreatedAt, e.CreatedAt.Add(time.Microsecond)
		moments = append(moments, &earlier, &later)
	}
	past, future := time.Unix(0, 0), time.Now().Add(24*time.Hour)
	moments = []*time.Time{nil, moments[0], moments[1], moments[16], moments[21], moments[len(moments)-2], moments[len(moments)-1], &past, &future}
	agents := []*uuid.UUID{nil, &f.Agent.ID, &agent.ID, &stranger.Agent.ID, new(uuid.UUID)}
	exports := []*uuid.UUID{nil, &f.Export.ID, &second.ID, &third.ID, &stranger.Export.ID}
	asked, found := 0, 0
	for _, kind := range []credit.Kind{"", credit.Grant, credit.Charge, credit.Adjustment} {
		for _, a := range agents {
			for _, x := range exports {
				for i := range moments {
					filter := store.CreditFilter{Kind: kind, AgentID: a, ExportID: x, From: moments[i], To: moments[(asked+i)%len(moments)]}
					var want []int64
					for _, e := range all.Items {
						if (kind == "" || e.Kind == kind) && (a == nil || e.AgentID != nil && *e.AgentID == *a) &&
							(x == nil || e.ExportID != nil && *e.ExportID == *x) && (filter.From == nil || !e.CreatedAt.Before(*filter.From)) &&
							(filter.To == nil || e.CreatedAt.Before(*filter.To)) {
							want = append(want, e.Number)
						}
					}
					if got := numbers(t, s, f.Account.ID, store.CreditQuery{First: 9, Filter: filter}, nil); !slices.Equal(got, want) {
						t.Errorf("%+v: %v, want %v", filter, got, want)
					}
					asked++
					found += len(want)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("%d filters found %d entries in all: this shows nothing", asked, found)
	}
}

// TestUsageAddsUp: the points of every interval and zone add up to the charges of the history under the same moments, and each
// point to those of its own time, on the days when clocks change and at the edges of months.
func TestUsageAddsUp(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: -1})
	stranger := storetest.Seed(t, s, storetest.Options{Credits: -1})
	for _, id := range []uuid.UUID{stranger.Account.ID, f.Account.ID} { // one charge in 37 minutes of 2026, prices from 0 to 4
		exec(t, s, `INSERT INTO credit_entries (id, account_id, number, kind, amount, balance_after, turn_id, created_at)
			SELECT gen_random_uuid(), $1, n, CASE n % 50 WHEN 0 THEN 'GRANT' ELSE 'CHARGE' END, CASE n % 50 WHEN 0 THEN 1000 ELSE -(n % 5) END, 0,
				gen_random_uuid(), timestamptz '2026-01-01' + n * interval '37 minutes' FROM generate_series(1, 14000) n`, id)
		exec(t, s, `UPDATE accounts SET entry_count = 14000 WHERE id = $1`, id)
	}
	sum := func(from, to time.Time) (credits, messages int64) {
		err := s.DB().QueryRowContext(t.Context(), `SELECT coalesce(-sum(amount), 0), count(*) FROM credit_entries
			WHERE account_id = $1 AND kind = 'CHARGE' AND created_at >= $2 AND created_at < $3`, f.Account.ID, from, to).Scan(&credits, &messages)
		if err != nil {
			t.Fatal(err)
		}
		return credits, messages
	}
	for _, c := range []struct {
		zone, from, to string
		by             credit.Interval
		points         int
	}{
		{"Europe/Berlin", "2026-03-27T23:00:00Z", "2026-03-31T22:00:00Z", credit.Day, 4},
		{"Europe/Berlin", "2026-03-28T11:00:00Z", "2026-03-29T11:00:00Z", credit.Hour, 24},
		{"Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", credit.Day, 1},
		{"Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", credit.Hour, 25},
		{"America/New_York", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", credit.Hour, 23},
		{"America/New_York", "2026-10-31T17:30:00Z", "2026-11-02T17:30:00.123456Z", credit.Day, 3},
		{"America/New_York", "2025-12-31T00:00:00Z", "2027-01-15T00:00:00Z", credit.Month, 14},
		{"", "2026-02-28T23:59:59.999999Z", "2026-03-01T00:00:00.000001Z", credit.Month, 2},
		{"Asia/Kolkata", "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z", credit.Hour, 25},
		{"UTC", "2024-05-01T00:00:00Z", "2026-01-03T00:00:00Z", credit.Day, 612},
		{"UTC", "2030-01-01T00:00:00Z", "2030-01-03T00:00:00Z", credit.Day, 2},
	} {
		zone, err := credit.ParseZone(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		from, to := moment(t, c.from), moment(t, c.to)
		points, err := s.CreditUsage(t.Context(), f.Account.ID, store.UsageQuery{From: from, To: to, By: c.by, Zone: zone})
		if err != nil || len(points) != c.points {
			t.Errorf("%+v: %d points, %v", c, len(points), err)
			continue
		}
		var credits, messages int64
		for i, p := range points {
			begin, end := p.Start, to
			if i+1 < len(points) {
				end = points[i+1].Start
			}
			if begin.Before(from) {
				begin = from
			}
			if wantCredits, wantMessages := sum(begin, end); p.Credits != wantCredits || p.Messages != wantMessages {
				t.Errorf("%+v: %v: %d credits of %d, want %d of %d", c, p.Start, p.Credits, p.Messages, wantCredits, wantMessages)
			}
			credits, messages = credits+p.Credits, messages+p.Messages
		}
		var listed, entries int64
		q := store.CreditQuery{First: 100, Filter: store.CreditFilter{Kind: credit.Charge, From: &from, To: &to}}
		for more := true; more; {
			page, err := s.CreditPage(t.Context(), f.Account.ID, q)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page.Items {
				listed, entries = listed-e.Amount, entries+1
				q.After = &store.Cursor{Key: e.Number}
			}
			more = page.HasNext
		}
		if listed != credits || entries != messages {
			t.Errorf("%+v: the points add up to %d of %d messages, the history to %d of %d", c, credits, messages, listed, entries)
		}
	}
	if _, err := s.CreditUsage(t.Context(), f.Account.ID, store.UsageQuery{From: moment(t, "2026-01-01T00:00:00Z"),
		To: moment(t, "2026-06-01T00:00:00Z"), By: credit.Hour, Zone: time.UTC}); !slices.Equal(fieldsOf(err), []string{"to"}) {
		t.Errorf("too many points: %v", err)
	}
}

func moment(t testing.TB, text string) time.Time {
	t.Helper()
	out, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
