package graph_test

import (
	"net/http"
	"slices"
	"testing"

	"agentchat/internal/account"
)

const auditLog = `query($first: Int, $after: String, $filter: AuditFilter) { viewer { name
	auditLog(first: $first, after: $after, filter: $filter) {
	edges { cursor } nodes { id at actor { kind actorId name } action subject details { field } address browser }
	pageInfo { hasNextPage hasPreviousPage endCursor } } } }`

// TestAuditLog: the actions in the account with their authors, and the members' own events since
// they joined, as one list with filters and a constant number of statements.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	export := owner.world(t)["export"]
	member.join(t, owner, account.Editor)
	member.again(t)
	const pause = `mutation($id: ID!) { pauseApiExport(input: {id: $id}) { export { state } } }`
	member.in(t, owner, pause, vars{"id": export}).wantNone(t, "pause")
	newest := owner.do(t, auditLog, vars{"first": 1})
	const at = "viewer.auditLog.nodes."
	newest.wantValues(t, "who did what", map[string]any{
		at + "0.action":        "pauseApiExport",
		at + "0.subject":       export.String(),
		at + "0.actor.actorId": member.account.OwnerID.String(),
		at + "0.actor.name":    member.account.Email,
	})
	paused, who := newest.text(t, at+"0.at"), member.account.OwnerID
	for what, c := range map[string]struct {
		filter vars
		want   []any
	}{
		"an action":    {vars{"action": "pauseApiExport"}, []any{"pauseApiExport"}},
		"a member":     {vars{"actorId": who}, []any{"pauseApiExport", "signIn"}},
		"from then on": {vars{"from": paused}, []any{"pauseApiExport"}},
		"until then":   {vars{"to": paused, "actorId": who}, []any{"signIn"}},
	} {
		got := owner.nodes(t, auditLog, "viewer.auditLog", "action", vars{"first": 1, "filter": c.filter})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
	two := owner.statements(t, auditLog, vars{"first": 2})
	if many := owner.statements(t, auditLog, vars{"first": 100}); many != two {
		t.Errorf("%d statements for two entries, %d for many", two, many)
	}
	b.exec(t, `DELETE FROM memberships WHERE user_id = $1 AND account_id = $2`, who, owner.account.ID)
	owner.do(t, auditLog, vars{"filter": vars{"actorId": who}}).wantValues(t, "who has left",
		map[string]any{at + "0.action": "pauseApiExport", at + "0.actor.name": "", at + "1": nil})
}

// TestEntriesAreNodesForOwners: only owners find the entries of the account as nodes.
func TestEntriesAreNodesForOwners(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, member, stranger := signedIn(t, b), signedIn(t, b), signedIn(t, b)
	owner.world(t)
	member.join(t, owner, account.Editor)
	before := member.do(t, ownEvents, nil).id(t, "me.events.nodes.0.id")
	member.again(t)
	theirs := member.do(t, ownEvents, nil).id(t, "me.events.nodes.0.id")
	entry := owner.do(t, auditLog, vars{"filter": vars{"action": "createAgent"}}).id(t, "viewer.auditLog.nodes.0.id")
	const node = `query($id: ID!) { node(id: $id) { ... on AuditEntry { action } } }`
	owner.do(t, node, vars{"id": entry}).wantValues(t, "the account's", map[string]any{"node.action": "createAgent"})
	owner.do(t, node, vars{"id": theirs}).wantValues(t, "a member's", map[string]any{"node.action": "signIn"})
	for what, a := range map[string]answer{"from before they joined": owner.do(t, node, vars{"id": before}),
		"as an editor": member.in(t, owner, node, vars{"id": entry}), "as a stranger": stranger.do(t, node, vars{"id": entry})} {
		a.want(t, what, http.StatusOK, "NOT_FOUND")
	}
	if got := len(owner.nodes(t, auditLog, "viewer.auditLog", "id", vars{
		"filter": vars{"action": "signIn", "actorId": member.account.OwnerID}})); got != 1 {
		t.Errorf("%d sign-ins of the member since joining, want 1", got)
	}
}
