package identity_test

import (
	"bytes"
	"fmt"
	"testing"

	"agentchat/internal/identity"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
)

// signUpFrom signs an address up from its own client address, so that the limit per client does not
// apply.
func signUpFrom(t *testing.T, s *identity.Service, as string, host int) (identity.SignedIn, error) {
	t.Helper()
	in := identity.SignUpInput{Email: as, Password: password, Name: "Ada"}
	session, err := s.SignUp(t.Context(), in, client(fmt.Sprintf("192.0.2.%d", host)))
	if err != nil {
		return identity.SignedIn{}, err
	}
	return *session, nil
}

// entries counts the entries of the account's credit history.
func (b *bench) entries(t *testing.T, session identity.SignedIn) (n int) {
	t.Helper()
	row := b.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM credit_entries WHERE account_id = $1`, session.Account.ID)
	if err := row.Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestStartingCreditsOncePerAddress checks that an address whose account was deleted gets no second
// grant, in whatever form it is written, whether the user or the operator opens the next account.
// Only a keyed hash of the address is kept.
func TestStartingCreditsOncePerAddress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.signUp(t)
	if first.Account.CreditBalance != 20 || b.entries(t, first) != 1 {
		t.Fatalf("the first account: %+v", first.Account)
	}
	if err := b.DeleteAccount(t.Context(), first.Principal, identity.Reauthentication{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	second, err := signUpFrom(t, b.second, " Ada@EXAMPLE.com", 2)
	if err != nil || second.Account.CreditBalance != 0 || b.entries(t, second) != 0 {
		t.Fatalf("the second account: %+v %v", second.Account, err)
	}
	if err := b.DeleteAccount(t.Context(), second.Principal, identity.Reauthentication{Password: password}, home); err != nil {
		t.Fatal(err)
	}
	operators, err := accounts.On(b.store).CreateAccount(t.Context(), accounts.NewAccount{Email: email, Name: "Ada", PasswordHash: "none", StartingCredits: 20})
	if err != nil || operators.CreditBalance != 0 {
		t.Errorf("the operator's account: %+v %v", operators, err)
	}
	another, err := signUpFrom(t, b.Service, "grace@example.com", 3)
	if err != nil || another.Account.CreditBalance != 20 {
		t.Errorf("another address: %+v %v", another.Account, err)
	}
	var hash []byte
	row := b.store.SQL().QueryRowContext(t.Context(), `SELECT address_hash FROM seen_addresses ORDER BY seen_at LIMIT 1`)
	if err := row.Scan(&hash); err != nil || len(hash) != 32 || bytes.Contains(hash, []byte("ada")) {
		t.Errorf("stored of the address: %x %v", hash, err)
	}
	storetest.Audit(t, b.store)
}
