package users_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/throttles"
	"agentchat/internal/store/users"
)

// TestResetPassword checks that a reset verifies the address. If it was not verified before, a
// squatter may have signed up with it: the squatter's factor and tokens go, and the result lists
// what else gives access. The factor of a verified address stays, and so does its lock: otherwise a
// reader of the mail could guess codes after each reset.
func TestResetPassword(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	o := owner{s: s, id: f.Account.OwnerID, email: f.Account.Email}
	o.current = storetest.SignIn(t, s, o.id)
	eve := newOwner(t, s)
	storetest.Exec(t, s, `INSERT INTO memberships (account_id, user_id, role)
		VALUES ($1, $2, 'EDITOR')`, f.Account.ID, eve.id)
	for name, by := range map[string]uuid.UUID{"own": o.id, "Eve's": eve.id} {
		in := account.NewToken{Name: name, Role: account.Editor, CreatedBy: by}
		_, err := accounts.On(s).CreateToken(t.Context(), f.Account.ID, in, apikey.MintToken())
		wantNone(t, "a token", err)
	}
	_, removed, _ := storetest.SeedExport(t, s, f.Account.ID, f.Agent.ID, 1)
	storetest.Exec(t, s, `UPDATE api_keys SET created_at = created_at - interval '1 year',
		removed_at = CASE WHEN id = $1 THEN now() END`, removed)
	o.setUp(t)
	attempt := func() bool {
		a, err := throttles.On(s).Throttle(t.Context(), guesses, o.id, 1, time.Hour)
		wantNone(t, "an attempt", err)
		return a.Allowed
	}
	attempt()
	left, err := o.reset(t, o.link(t, toReset, o.email))
	wantNone(t, "the first reset", err)
	o.wantUser(t, "the first reset", row{Email: o.email, Verified: true, Password: "reset"})
	var keys []string
	for _, k := range left.Keys {
		keys = append(keys, k.ExportName)
	}
	if want := []string{"Eve's", f.Export.Name}; !slices.Equal(keys, want) ||
		!slices.Equal(left.Members, []string{eve.email}) {
		t.Errorf("left behind: %+v, want %q", left, want)
	}
	if n, err := users.On(s).RecoveryCodesLeft(t.Context(), o.id); n != 0 || err != nil {
		t.Errorf("%d of the squatter's recovery codes are left, %v", n, err)
	}
	tokens := func() int { return storetest.CountRows(t, s, `SELECT count(*) FROM account_tokens`) }
	if n := tokens(); n != 1 {
		t.Errorf("%d tokens are left", n)
	}
	if !attempt() {
		t.Error("the wrong passwords still count")
	}
	n := storetest.CountRows(t, s, `SELECT count(*) FROM outbox WHERE message = 'PASSWORD_CHANGED'`)
	if n != 1 {
		t.Errorf("%d notices", n)
	}

	storetest.Exec(t, s, `UPDATE account_tokens SET created_by = $1`, o.id)
	storetest.Exec(t, s, `UPDATE users SET second_factor_at = now(), second_factor_secret = 'x',
		wrong_codes = $2 WHERE id = $1`, o.id, users.MaxWrongCodes)
	left, err = o.reset(t, o.link(t, toReset, o.email))
	if left != nil || err != nil || tokens() != 1 {
		t.Errorf("of a verified address: %+v, %v, %d tokens", left, err, tokens())
	}
	o.wantUser(t, "the second reset", row{o.email, true, "reset", true})
	c, err := users.On(s).Credentials(t.Context(), o.id)
	if err != nil || c.WrongCodes != users.MaxWrongCodes {
		t.Errorf("%d wrong codes, %v", c.WrongCodes, err)
	}
}
