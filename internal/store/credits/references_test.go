package credits_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

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
