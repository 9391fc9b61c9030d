package identity_test

import (
	"testing"
	"time"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
)

// TestTheLastUseOfAToken checks that the last use is stored in the background, at most once a
// minute, and adds no statement to requests.
func TestTheLastUseOfAToken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	me := b.signUp(t)
	secret := apikey.MintToken()
	token, err := accounts.On(b.store).CreateToken(t.Context(), me.Account.ID, account.NewToken{Name: "A", Role: account.Viewer, CreatedBy: me.Principal.UserID}, secret)
	if err != nil {
		t.Fatal(err)
	}
	use := func(want int64) {
		t.Helper()
		before := b.statements.Load()
		p, a, err := b.Authenticate(t.Context(), secret.Reveal(), me.Account.ID, home)
		if err != nil || p.TokenID != token.ID || a.ID != me.Account.ID || p.Role != account.Viewer || p.Reauthenticated {
			t.Errorf("%+v %+v %v", p, a, err)
		}
		if n := b.statements.Load() - before; n != 1 {
			t.Errorf("%d statements", n)
		}
		before = b.statements.Load()
		if err := b.RecordTokenUse(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := b.statements.Load() - before; n != want {
			t.Errorf("%d statements that store the use, want %d", n, want)
		}
	}
	last := func() time.Time {
		t.Helper()
		found, err := accounts.On(b.store).Tokens(t.Context(), me.Account.ID)
		if err != nil || len(found) != 1 || found[0].LastUsedAt == nil {
			t.Fatalf("%+v %v", found, err)
		}
		return *found[0].LastUsedAt
	}
	use(1)
	first := last()
	use(0)
	// Another replica has also recorded a use.
	b.exec(t, `UPDATE account_tokens SET last_used_at = last_used_at - interval '61 seconds'`)
	if _, _, err := b.second.Authenticate(t.Context(), secret.Reveal(), me.Account.ID, home); err != nil {
		t.Fatal(err)
	}
	use(1)
	second := last()
	if err := b.second.RecordTokenUse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !second.After(first) || !last().Equal(second) {
		t.Errorf("last used at %v, then %v, then %v", first, second, last())
	}
	if err := accounts.On(b.store).RemoveToken(t.Context(), me.Account.ID, token.ID); err != nil {
		t.Fatal(err)
	}
	_, _, err = b.second.Authenticate(t.Context(), secret.Reveal(), me.Account.ID, home)
	wantKind(t, "a removed token", err, fault.Unauthorized)
}
