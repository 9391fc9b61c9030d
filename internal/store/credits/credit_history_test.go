package credits_test

import (
	"fmt"
	"math/rand/v2"
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

// TestCreditFilters compares pages with random filters with the entries that match.
func TestCreditFilters(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 2))
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
	past, future := time.Unix(0, 0), time.Now().Add(24*time.Hour)
	moments := append(make([]*time.Time, 25), &past, &future) // a third of them are nil
	for _, e := range all.Items {
		moments = append(moments, &e.CreatedAt, new(e.CreatedAt.Add(time.Microsecond)))
	}
	kinds := []credit.EntryKind{"", credit.Grant, credit.Charge, credit.Adjustment}
	agents := []*uuid.UUID{nil, &f.Agent.ID, &agent.ID, &stranger.Agent.ID, new(uuid.UUID)}
	exports := []*uuid.UUID{nil, &f.Export.ID, &second.ID, &third.ID, &stranger.Export.ID}
	found := 0
	for range 500 {
		filter := credits.CreditFilter{
			Kind:     kinds[random.IntN(len(kinds))],
			AgentID:  agents[random.IntN(len(agents))],
			ExportID: exports[random.IntN(len(exports))],
			From:     moments[random.IntN(len(moments))],
			To:       moments[random.IntN(len(moments))],
		}
		var want []int64
		for _, e := range all.Items {
			if matches(e, filter) {
				want = append(want, e.Number)
			}
		}
		q := credits.CreditQuery{First: 1 + random.IntN(9), Filter: filter}
		if got := numbers(t, s, f.Account.ID, q); !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", filter, got, want)
		}
		found += len(want)
	}
	if found < 100 {
		t.Errorf("%d entries were found in all: this shows nothing", found)
	}
}

func matches(e credit.Entry, f credits.CreditFilter) bool {
	return (f.Kind == "" || e.Kind == f.Kind) &&
		(f.AgentID == nil || e.AgentID != nil && *e.AgentID == *f.AgentID) &&
		(f.ExportID == nil || e.ExportID != nil && *e.ExportID == *f.ExportID) &&
		(f.From == nil || !e.CreatedAt.Before(*f.From)) &&
		(f.To == nil || e.CreatedAt.Before(*f.To))
}
