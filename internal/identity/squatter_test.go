package identity_test

import (
	"slices"
	"testing"
	"time"

	"agentchat/internal/store/accounts"
)

// TestResetShowsWhatASquatterLeft checks that the first verification of an address lists what
// another person who signed up before may have left. Later ones list nothing.
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
	p.exec(t, `INSERT INTO account_tokens (id, account_id, name, hash, hint, role, created_by, expires_at, created_at)
		SELECT gen_random_uuid(), $1, u.email, sha256(u.email::bytea), 'agt_…' || left(u.email, 3), 'EDITOR', u.id, now() + interval '1 day',
		now() - interval '1 hour' FROM users u`, me.Account.ID)
	left, err := p.ResetPassword(t.Context(), p.link(t), another, home)
	if err != nil || left == nil || !slices.Equal(left.Members, []string{"eve@example.com"}) || len(left.Keys) != 2 ||
		left.Keys[0].Hint != "agt_…eve" || left.Keys[1].Hint != "agc_…left" || left.Keys[1].ExportName != "Shop" {
		t.Errorf("%+v, %v", left, err)
	}
	if tokens, err := accounts.On(p.store).Tokens(t.Context(), me.Account.ID); err != nil || len(tokens) != 1 || tokens[0].Name != "eve@example.com" {
		t.Errorf("the tokens that are left: %+v, %v", tokens, err)
	}
	p.exec(t, `UPDATE account_tokens SET created_by = $1`, me.Principal.UserID)
	left, err = p.ResetPassword(t.Context(), p.link(t), password, home)
	if err != nil || left != nil {
		t.Errorf("of a proved address: %+v, %v", left, err)
	}
	if tokens, err := accounts.On(p.store).Tokens(t.Context(), me.Account.ID); err != nil || len(tokens) != 1 {
		t.Errorf("whose tokens stay: %+v, %v", tokens, err)
	}
}
