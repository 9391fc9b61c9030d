package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/account"
)

const rename = `mutation($name: String!) { updateUser(input: {name: $name}) { user { id name } } }`

// TestUpdateUser: a user of any role changes the own name, without naming an account. Every account
// of the user has the entry.
func TestUpdateUser(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, u := signedIn(t, b), signedIn(t, b)
	u.join(t, owner, account.Viewer) // of two accounts now
	u.do(t, rename, vars{"name": "  Grace Hopper "}).
		wantValues(t, "the new name", map[string]any{"updateUser.user.name": "Grace Hopper"})
	owner.do(t, membersOf, nil).wantValues(t, "as members see it", map[string]any{
		"viewer.members.1.name": "Grace Hopper", "viewer.members.1.email": u.account.Email})
	const at = "viewer.auditLog.nodes."
	for _, reader := range []*user{owner, u} {
		log := reader.in(t, reader, auditLog, vars{"filter": vars{"action": "updateUser"}})
		log.wantValues(t, "the entry", map[string]any{at + "0.details.0.field": "name",
			at + "0.actor.kind": "USER", at + "1": nil})
	}
	for name, reason := range map[string]string{" ": "blank", strings.Repeat("ü", 101): "too_long",
		"a\x00b": "invalid_character"} {
		u.do(t, rename, vars{"name": name}).wantFields(t, reason, "name "+reason)
	}
	token := owner.newToken(t, account.Editor)
	b.do(t, call{query: rename, vars: vars{"name": "x"}, token: token}).
		want(t, "a token", http.StatusOK, "FORBIDDEN")
	for range 9 {
		u.do(t, rename, vars{"name": strings.Repeat("ü", 100)}).wantNone(t, "the longest name")
	}
	u.do(t, rename, vars{"name": "x"}).want(t, "the eleventh change", http.StatusOK, "RATE_LIMITED")
}
