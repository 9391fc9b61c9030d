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
	url := storetest.URL(t)
	replicas := []*store.DB{storetest.Open(t, url), storetest.Open(t, url)}
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
