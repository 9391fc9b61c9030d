package graph_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/store/storetest"
)

// exec runs a statement.
func (b *bench) exec(t *testing.T, text string, args ...any) {
	t.Helper()
	storetest.Exec(t, b.store, text, args...)
}

// join makes a user a member of another user's account.
func (u *user) join(t *testing.T, of *user, role account.Role) {
	t.Helper()
	u.b.exec(t, `
		INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)
		ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role`, of.account.ID, u.account.OwnerID, string(role))
}

// in sends a request about an account.
func (u *user) in(t *testing.T, of *user, query string, v vars) answer {
	t.Helper()
	return u.b.do(t, call{query: query, vars: v, token: u.token, header: map[string]string{
		"X-Account-Id": of.account.ID.String()}})
}

// TestFieldsOfOwners: for other roles they are null, with the error FORBIDDEN, and the rest is
// answered. TestAccess has the roles.
func TestFieldsOfOwners(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	schema := parsed(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	member.join(t, owner, account.Editor)
	for _, name := range []string{"invitations", "auditLog", "accountTokens", "retentionPreview"} {
		inner := schema.Types["Account"].Fields.ForName(name).Type.Name()
		query := `{ viewer { name ` + name + required["Account."+name] + selection(schema, inner, 1) + ` } }`
		owner.do(t, query, nil).wantNone(t, name)
		a := member.in(t, owner, query, nil)
		a.want(t, name, http.StatusOK, "FORBIDDEN")
		if a.text(t, "viewer.name") != owner.account.Name || a.get("viewer."+name) != nil {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}

// TestARoleCountsFromTheNextRequest: a changed role applies from the next request on, and so does a
// removal.
func TestARoleCountsFromTheNextRequest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	input := vars{"input": vars{"name": "Shop"}}
	member.join(t, owner, account.Editor)
	member.in(t, owner, createAgent, input).wantNone(t, "an editor")
	member.join(t, owner, account.Viewer)
	member.in(t, owner, createAgent, input).want(t, "a viewer", http.StatusOK, "FORBIDDEN")
	if len(b.log.lines(`"code":"FORBIDDEN"`)) != 1 {
		t.Error("the log lacks the refused viewer")
	}
	b.exec(t, `DELETE FROM memberships WHERE account_id = $1 AND user_id = $2`,
		owner.account.ID, member.account.OwnerID)
	member.in(t, owner, viewer, nil).want(t, "who has left", http.StatusOK, "FORBIDDEN")
}

// TestAccountOfSeveral: users with several accounts must name one to change something; queries use
// the first by default.
func TestAccountOfSeveral(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	u.join(t, other, account.Editor)
	u.do(t, `{ viewer { id viewerRole } me { memberships { role account { accountId } } } }`, nil).
		wantValues(t, "the first", map[string]any{
			"viewer.id":                          u.account.ID.String(),
			"me.memberships.1.account.accountId": other.account.ID.String(),
			"me.memberships.1.role":              "EDITOR",
		})
	input := vars{"input": vars{"name": "Shop"}}
	u.do(t, createAgent, input).want(t, "a change of no account", http.StatusOK, "BAD_USER_INPUT")
	u.in(t, other, createAgent, input).wantNone(t, "a change of one account")
	u.do(t, confirm, vars{"password": password}).wantNone(t, "what is one's own")
	u.do(t, verifyEmail, vars{"input": vars{"token": "x"}}).
		wantFields(t, "a link of one's own", "token invalid_value")
	for _, id := range []string{signedIn(t, b).account.ID.String(), uuid.NewString(), "x"} {
		named := map[string]string{"X-Account-Id": id}
		b.do(t, call{query: createAgent, vars: input, token: u.token, header: named}).
			want(t, "account "+id, http.StatusOK, "FORBIDDEN")
	}
}
