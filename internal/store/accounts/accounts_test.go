package accounts_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
)

func TestUpdateAccount(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	got, err := accounts.On(s).UpdateAccount(t.Context(), f.Account.ID,
		accounts.AccountChange{Name: new("Grace")})
	if want := f.Account; err != nil || got.Name != "Grace" || got.CreditBalance != want.CreditBalance {
		t.Errorf("%+v %v", got, err)
	}
	update := func(id uuid.UUID) error {
		return storetest.ErrOnly(
			accounts.On(s).UpdateAccount(t.Context(), id, accounts.AccountChange{Name: new("Ada")}))
	}
	if err := update(uuid.Max); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown account: %v", err)
	}
	storetest.Suspend(t, s, f)
	if err := update(f.Account.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("suspended: %v", err)
	}
}
