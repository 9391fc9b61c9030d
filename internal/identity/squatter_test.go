package identity_test

import (
	"slices"
	"testing"
	"time"
)

// The first one to prove the address is shown what whoever signed up with it may have left; later nobody is.
func TestResetShowsWhatASquatterLeft(t *testing.T) {
	t.Parallel()
	p := newPost(t)
	me := p.signIn(t, home)
	p.signUpAs(t, "eve@example.com")
	p.exec(t, `INSERT INTO memberships (account_id, user_id, role) SELECT $1, id, 'EDITOR' FROM users WHERE email = 'eve@example.com'`, me.Account.ID)
	p.exec(t, `INSERT INTO agents (id, account_id, name) VALUES ('00000000-0000-0000-0000-000000000001', $1, 'A')`, me.Account.ID)
	p.exec(t, `INSERT INTO api_exports (id, account_id, agent_id, name) VALUES ('00000000-0000-0000-0000-000000000002', $1,
		'00000000-0000-0000-0000-000000000001', 'Shop')`, me.Account.ID)
	for hint, removed := range map[string]any{"agc_…left": nil, "agc_…gone": time.Now()} {
		p.exec(t, `INSERT INTO api_keys (id, account_id, export_id, hash, hint, created_at, removed_at) VALUES (gen_random_uuid(), $1,
			'00000000-0000-0000-0000-000000000002', sha256($2::text::bytea), $2, now() - interval '1 year', $3)`, me.Account.ID, hint, removed)
	}
	left, err := p.ResetPassword(t.Context(), p.link(t), another, home)
	if err != nil || left == nil || !slices.Equal(left.Members, []string{"eve@example.com"}) || len(left.Keys) != 1 ||
		left.Keys[0].Hint != "agc_…left" || left.Keys[0].ExportName != "Shop" {
		t.Errorf("%+v, %v", left, err)
	}
	left, err = p.ResetPassword(t.Context(), p.link(t), password, home)
	if err != nil || left != nil {
		t.Errorf("of a proved address: %+v, %v", left, err)
	}
}
