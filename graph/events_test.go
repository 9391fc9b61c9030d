package graph_test

import (
	"net/http"
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
	first := u.do(t, ownEvents, vars{"first": 1}).wantNone(t, "events")
	first.wantValues(t, "a sign-in", map[string]any{"me.events.nodes.0.action": "signIn",
		"me.events.nodes.0.actor.kind":    "USER",
		"me.events.nodes.0.actor.actorId": me.get("me.id"), "me.events.nodes.0.actor.name": me.get("me.email"),
		"me.events.nodes.0.details.0.field": "newBrowser", "me.events.nodes.0.details.1": nil,
		"me.events.nodes.0.address": "127.0.0.1"})
	by := audit.Entry{Actor: audit.ByOperator, Operator: "Grace", Action: "user sign-out"}
	if _, err := users.On(b.store).EndAllSignIns(t.Context(), u.account.OwnerID, by); err != nil {
		t.Fatal(err)
	}
	u = u.again(t)
	b.exec(t, `INSERT INTO audit_entries (id, user_id, actor, action, subject, fields, at)
		VALUES ('ffffffff-ffff-7fff-bfff-ffffffffffff', $1::uuid, 'SYSTEM', 'signInFailed', $1::text,
		'{}', now())`, u.account.OwnerID.String())
	u.do(t, ownEvents, nil).wantValues(t, "of others", map[string]any{"me.events.nodes.0.action": "signInFailed",
		"me.events.nodes.0.actor.kind": "SYSTEM", "me.events.nodes.0.actor.actorId": nil, "me.events.nodes.0.address": nil,
		"me.events.nodes.0.browser": nil, "me.events.nodes.0.subject": me.get("me.id"), "me.events.nodes.1.action": "signIn",
		"me.events.nodes.2.action": "user sign-out", "me.events.nodes.2.actor.kind": "OPERATOR",
		"me.events.nodes.2.actor.actorId": nil,
		"me.events.nodes.2.actor.name":    "Grace", "me.events.nodes.3.action": "signIn", "me.events.nodes.4": nil})
	count := func(size int) int64 {
		before := b.statements.Load()
		u.do(t, ownEvents, vars{"first": size}).wantNone(t, "events")
		return b.statements.Load() - before
	}
	if one, all := count(1), count(100); all > one+1 { // the users, once, if one of the entries is theirs
		t.Errorf("%d statements for one entry, %d for four", one, all)
	}
}

// TestEventsOfOthers: a user does not find another user's entries.
func TestEventsOfOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	theirs := other.do(t, ownEvents, nil).wantNone(t, "theirs")
	mine := u.do(t, ownEvents, nil).wantNone(t, "mine")
	if mine.list("me.events.nodes") != 1 || mine.get("me.events.nodes.0.id") == theirs.get("me.events.nodes.0.id") {
		t.Errorf("one's own are %s", mine.body)
	}
	const node = `query($id: ID!) { node(id: $id) { ... on AuditEntry { action } } }`
	u.do(t, node, vars{"id": mine.get("me.events.nodes.0.id")}).wantValues(t, "one's own",
		map[string]any{"node.action": "signIn"})
	u.do(t, node, vars{"id": theirs.get("me.events.nodes.0.id")}).want(t, "another user's", http.StatusOK, "NOT_FOUND")
}
