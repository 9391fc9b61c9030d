package users_test

import (
	"sync"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/erasure"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// TestSignUpsAtOnce: of simultaneous sign-ups with one address on two replicas at most one
// succeeds, and only the very first account gets the starting credits, although each later round
// also races with the deletion of the account before.
func TestSignUpsAtOnce(t *testing.T) {
	t.Parallel()
	one, two := storetest.Replicas(t)
	replicas := []*store.DB{one, two}
	signUp := func(i int) (users.Opened, error) {
		id := uuid.Must(uuid.NewV7())
		in := accounts.NewAccount{Email: "ada@example.com", Name: "Ada", PasswordHash: storetest.SeededHash, StartingCredits: 20}
		return accounts.On(replicas[i%2]).SignUp(t.Context(), in,
			users.NewSignIn{ID: id, RefreshHash: storetest.SignInHash(id, 1)})
	}
	var last users.Opened
	for round := range 20 {
		var mu sync.Mutex
		var opened []users.Opened
		var work sync.WaitGroup
		if round > 0 {
			work.Go(func() {
				if err := erasure.On(replicas[0]).DeleteAccount(t.Context(), last.Account.ID, last.UserID, storetest.SeededHash, storetest.ByUser); err != nil {
					t.Error(err)
				}
			})
		}
		for i := range 8 {
			work.Go(func() {
				a, err := signUp(i)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					opened = append(opened, a)
				} else if !fault.Is(err, fault.Conflict) {
					t.Error(err)
				}
			})
		}
		work.Wait()
		if len(opened) == 0 && round > 0 { // all of them came before the deletion
			a, err := signUp(round)
			if err != nil {
				t.Fatal(err)
			}
			opened = append(opened, a)
		}
		if len(opened) != 1 {
			t.Fatalf("round %d: %d accounts with one address", round, len(opened))
		}
		last = opened[0]
		if want := map[bool]int64{true: 20}[round == 0]; last.Account.CreditBalance != want {
			t.Errorf("round %d: %d starting credits, want %d", round, last.Account.CreditBalance, want)
		}
	}
	storetest.Audit(t, replicas[0])
}

// TestASeenAddressGetsNoStartingCredits checks the addresses that a deleted user had. Only a keyed
// hash of an address is kept.
func TestASeenAddressGetsNoStartingCredits(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	o := newOwner(t, s)
	changed, unknown := address(), address()
	wantNone(t, "a change of address", o.change(t, changed))
	err := erasure.On(s).DeleteAnyAccount(t.Context(), o.account, storetest.ByUser)
	wantNone(t, "the deletion", err)
	if left := storetest.Traces(t, s, "@example.com")["seen_addresses"]; left != 0 {
		t.Errorf("%d addresses are stored", left)
	}
	const unkeyed = `SELECT count(*) FROM seen_addresses WHERE address_hash = sha256($1::text::bytea)`
	if n := storetest.CountRows(t, s, unkeyed, o.email); n != 0 {
		t.Error("the hash of an address can be computed without the key")
	}
	for email, want := range map[string]int64{o.email: 0, changed: 0, unknown: 20} {
		a, err := accounts.On(s).CreateAccount(t.Context(), accounts.NewAccount{
			Email:           email,
			Name:            "Ada",
			PasswordHash:    "none",
			StartingCredits: 20,
		})
		if err != nil || a.CreditBalance != want {
			t.Errorf("%s: %+v %v, want %d credits", email, a, err, want)
		}
	}
	storetest.Audit(t, s)
}
