package credits_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/credit"
	"agentchat/internal/store"
	"agentchat/internal/store/credits"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// numbers reads a whole history page by page and returns the numbers of its entries.
func numbers(t *testing.T, s *store.DB, accountID uuid.UUID, q credits.CreditQuery) (out []int64) {
	t.Helper()
	for {
		page, err := credits.On(s).CreditPage(t.Context(), accountID, q)
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
	}
}

func TestChargeInTheHistory(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 1000})
	storetest.AnswerTurn(t, s, f.Key, nil)
	page, err := credits.On(s).CreditPage(t.Context(), f.Account.ID, credits.CreditQuery{First: 1})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%+v %v", page, err)
	}
	e := page.Items[0]
	if e.Kind != credit.Charge || e.Amount != -1 || e.BalanceAfter != 999 || *e.AgentID != f.Agent.ID || e.AgentName != "Assistant" ||
		*e.ExportID != f.Export.ID || e.ExportName != "Export" || e.TurnID == nil || e.CreatedAt.Location() != time.UTC || e.Note != "" {
		t.Errorf("the charge: %+v", e)
	}
}

// TestCreditFilters holds every combination of filters against the same question asked plainly.
func TestCreditFilters(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{Credits: 100})
	second, _, secondKey := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, 600)
	agent := storetest.SeedAgent(t, s, f.Account.ID,
		storetest.Options{Model: storetest.SandboxModel, Instructions: "i"})
	third, _, thirdKey := storetest.SeedExport(t, s, f.Account.ID, agent.ID, 600)
	stranger := storetest.Seed(t, s, storetest.Options{})
	storetest.AnswerTurn(t, s, stranger.Key, nil)
	for i := range 20 {
		storetest.AnswerTurn(t, s, []storetest.Fixture{{Key: f.Key}, {Key: secondKey}, {Key: thirdKey}}[i%3].Key, nil)
		if i%5 == 0 {
			_, err := credits.On(s).GrantCredits(t.Context(),
				credits.Grant{AccountID: f.Account.ID, Amount: 3, Reference: fmt.Sprint("r", i), Note: "Top-up"})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := erasure.On(s).DeleteAgent(t.Context(), f.Account.ID, agent.ID); err != nil {
		t.Fatal(err)
	}
	all, err := credits.On(s).CreditPage(t.Context(), f.Account.ID, credits.CreditQuery{First: 100})
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
	for _, kind := range []credit.EntryKind{"", credit.Grant, credit.Charge, credit.Adjustment} {
		for _, a := range agents {
			for _, x := range exports {
				for i := range moments {
					filter := credits.CreditFilter{Kind: kind, AgentID: a, ExportID: x, From: moments[i], To: moments[(asked+i)%len(moments)]}
					var want []int64
					for _, e := range all.Items {
						if (kind == "" || e.Kind == kind) && (a == nil || e.AgentID != nil && *e.AgentID == *a) &&
							(x == nil || e.ExportID != nil && *e.ExportID == *x) && (filter.From == nil || !e.CreatedAt.Before(*filter.From)) &&
							(filter.To == nil || e.CreatedAt.Before(*filter.To)) {
							want = append(want, e.Number)
						}
					}
					if got := numbers(t, s, f.Account.ID, credits.CreditQuery{First: 9, Filter: filter}); !slices.Equal(got, want) {
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
