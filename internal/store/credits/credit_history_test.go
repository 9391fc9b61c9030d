package credits_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/credit"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
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

// TestAReferenceOfOneAccount grants a payment to two accounts at once, from two sides: the first
// one has it for good.
func TestAReferenceOfOneAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	accounts := []accounts.Owned{storetest.Seed(t, s, storetest.Options{}).Account, storetest.Seed(t, s, storetest.Options{}).Account}
	const payments = 20
	var work sync.WaitGroup
	var alone [payments]atomic.Int64
	for i := range payments {
		for try := range 6 {
			work.Go(func() {
				unique := try < 4
				_, err := credits.On(s).GrantCredits(t.Context(), credits.Grant{AccountID: accounts[try%2].ID, Amount: 5, Note: "Payment",
					Reference: fmt.Sprintf("pi_%d", i), Unique: unique})
				if err != nil && !fault.Is(err, fault.Conflict) {
					t.Error(err)
				}
				if unique && err == nil {
					alone[i].Add(1)
				}
			})
		}
	}
	work.Wait()
	for i := range payments {
		// Two grants without the word may both come before the first one with it, and then all of these
		// are refused.
		found := len(entries(t, s, fmt.Sprintf("pi_%d", i)))
		if n := alone[i].Load(); (n != 2 || found != 1) && (n != 0 || found != 2) {
			t.Errorf("payment %d: granted to %d accounts, %d grants of 4 did well", i, found, n)
		}
	}
	storetest.Audit(t, s)
}

func entries(t *testing.T, s *store.DB, reference string) []credit.Entry {
	t.Helper()
	found, err := credits.On(s).EntriesByReference(t.Context(), reference, uuid.Nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestABoundReferenceStaysBound(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	one, other := storetest.Seed(t, s, storetest.Options{}).Account, storetest.Seed(t, s, storetest.Options{}).Account
	grant := func(a accounts.Owned, amount int64, reference string, unique bool) (bool, error) {
		got, err := credits.On(s).GrantCredits(t.Context(),
			credits.Grant{AccountID: a.ID, Amount: amount, Note: "n", Reference: reference, Unique: unique})
		return got.Repeated, err
	}
	must := func(say string, a accounts.Owned, amount int64, reference string, unique, wantRepeated bool) {
		t.Helper()
		if repeated, err := grant(a, amount, reference, unique); err != nil || repeated != wantRepeated {
			t.Errorf("%s: repeated %v, %v", say, repeated, err)
		}
	}
	refused := func(say string, a accounts.Owned, amount int64, reference string, unique bool) {
		t.Helper()
		if _, err := grant(a, amount, reference, unique); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: %v", say, err)
		}
	}
	must("two accounts may have one reference", one, 1, "gift", false, false)
	must("two accounts may have one reference", other, 1, "gift", false, false)
	refused("but neither can have it alone then", one, 1, "gift", true)
	must("a later word binds", one, 2, "late", false, false)
	must("a later word binds", one, 2, "late", true, true)
	refused("bound by a repetition", other, 2, "late", false)
	must("bound at once", one, 3, "pi_1", true, false)
	refused("for another account", other, 3, "pi_1", true)
	refused("for another account, without the word", other, 3, "pi_1", false)
	must("again", one, 3, "pi_1", false, true)
	if _, err := grant(other, 1<<53-10, "huge", true); !fault.Is(err, fault.InvalidInput) {
		t.Errorf("a grant past the maximum: %v", err)
	}
	must("a failed grant binds nothing", one, 1, "huge", true, false)
	storetest.SetAccountState(t, s, other.ID, account.Suspended)
	must("a suspended account is granted", other, 4, "pi_2", true, false)
	if err := erasure.On(s).DeleteAnyAccount(t.Context(), one.ID, audit.Entry{Actor: audit.ByOperator, Action: "account delete"}); err != nil {
		t.Fatal(err)
	}
	if _, err := grant(one, 3, "pi_1", true); !fault.Is(err, fault.NotFound) {
		t.Errorf("a deleted account: %v", err)
	}
	refused("a payment of a deleted account", other, 3, "pi_1", true)
	if found := entries(t, s, "gift"); len(found) != 2 || *found[0].Reference != "gift" || found[0].AccountID == found[1].AccountID {
		t.Errorf("found: %+v", found)
	}
	storetest.Audit(t, s)
}
