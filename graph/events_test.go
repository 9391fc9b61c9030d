package graph_test

import (
	"testing"

	"agentchat/internal/store/audit"
	"agentchat/internal/store/users"
)

const ownEvents = `query($first: Int, $after: String) { me { events(first: $first, after: $after) { edges { cursor }
	nodes { id at actor { kind actorId name } action subject details { field } address browser }
	pageInfo { hasNextPage hasPreviousPage endCursor } } } }`

// TestEvents: the user's own sign-ins and changes with their authors, newest first.
func TestEvents(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	me := u.do(t, `{ me { id email } }`, nil)
	const at = "me.events.nodes."
	u.do(t, ownEvents, nil).wantValues(t, "a sign-in", map[string]any{
		at + "0.action":          "signIn",
		at + "0.actor.kind":      "USER",
		at + "0.actor.actorId":   me.get("me.id"),
		at + "0.actor.name":      me.get("me.email"),
		at + "0.details.0.field": "newBrowser",
		at + "0.address":         "127.0.0.1",
		at + "1":                 nil,
	})
	by := audit.Entry{Actor: audit.ByOperator, Operator: "Grace", Action: "user sign-out"}
	if _, err := users.On(b.store).EndAllSignIns(t.Context(), u.account.OwnerID, by); err != nil {
		t.Fatal(err)
	}
	u = u.again(t)
	b.exec(t, `INSERT INTO audit_entries (id, user_id, actor, action, subject, fields, at)
		VALUES ('ffffffff-ffff-7fff-bfff-ffffffffffff', $1::uuid, 'SYSTEM', 'signInFailed', $1::text,
		'{}', now())`, u.account.OwnerID.String())
	u.do(t, ownEvents, nil).wantValues(t, "of others", map[string]any{
		at + "0.action":        "signInFailed",
		at + "0.actor.kind":    "SYSTEM",
		at + "0.actor.actorId": nil,
		at + "0.address":       nil,
		at + "0.subject":       me.get("me.id"),
		at + "2.action":        "user sign-out",
		at + "2.actor.kind":    "OPERATOR",
		at + "2.actor.name":    "Grace",
	})
	one, all := u.statements(t, ownEvents, vars{"first": 1}), u.statements(t, ownEvents, nil)
	if all > one+1 { // the users, once, if one of the entries is theirs
		t.Errorf("%d statements for one entry, %d for four", one, all)
	}
}
