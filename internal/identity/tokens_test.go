package identity_test

import (
	"testing"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
)

// TestTheLastUseOfAToken checks that a token authenticates a request in one statement, and that its
// last use is stored in the background. The store tests that this happens once a minute.
func TestTheLastUseOfAToken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	me, secret := b.signUp(t), apikey.MintToken()
	in := account.NewToken{Name: "A", Role: account.Viewer, CreatedBy: me.Principal.UserID}
	token, err := accounts.On(b.store).CreateToken(t.Context(), me.Account.ID, in, secret)
	if err != nil {
		t.Fatal(err)
	}
	for _, records := range []int64{1, 0} { // the second use is within a minute
		before := b.statements.Load()
		p, a, err := b.Authenticate(t.Context(), secret.Reveal(), me.Account.ID, home)
		want := auth.Principal{TokenID: token.ID, AccountID: me.Account.ID, Role: account.Viewer}
		if err != nil || p != want || a.ID != me.Account.ID {
			t.Errorf("%+v %+v %v", p, a, err)
		}
		authenticated := b.statements.Load()
		if err := b.RecordTokenUse(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := b.statements.Load() - authenticated; authenticated-before != 1 || n != records {
			t.Errorf("%d statements, and %d that store the use", authenticated-before, n)
		}
	}
	if err := accounts.On(b.store).RemoveToken(t.Context(), me.Account.ID, token.ID); err != nil {
		t.Fatal(err)
	}
	_, _, err = b.second.Authenticate(t.Context(), secret.Reveal(), me.Account.ID, home)
	wantKind(t, "a removed token", err, fault.Unauthorized)
}
