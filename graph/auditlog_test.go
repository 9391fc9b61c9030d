package graph_test

import (
	"net/http"
	"slices"
	"testing"

	"agentchat/internal/account"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/exports"
)

const auditLog = `query($first: Int, $after: String, $filter: AuditFilter) { viewer { name
	auditLog(first: $first, after: $after, filter: $filter) {
	edges { cursor } nodes { id at actor { kind actorId name } action subject details { field } address browser }
	pageInfo { hasNextPage hasPreviousPage endCursor } } } }`

// TestAuditLog: the actions in the account with their authors, and the members' own events since
// they joined, as one list with pages, filters and a constant number of statements.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	owner, member := signedIn(t, b), signedIn(t, b)
	mine := owner.world(t)
	member.join(t, owner, account.Editor)
	member.again(t)
	const pause = `mutation($id: ID!) { pauseApiExport(input: {id: $id}) { export { state } } }`
	member.in(t, owner, pause, vars{"id": mine["export"]}).wantNone(t, "pause")
	operator := audit.Acting(t.Context(), audit.Entry{Actor: audit.ByOperator, Operator: "Grace", Action: "export resume"})
	if _, err := exports.On(b.store).PauseExport(operator, owner.account.ID, mine["export"], false); err != nil {
		t.Fatal(err)
	}
	newest := owner.do(t, auditLog, vars{"first": 3}).wantNone(t, "the newest")
	newest.wantValues(t, "who did what", map[string]any{
		"viewer.auditLog.nodes.0.action": "export resume", "viewer.auditLog.nodes.0.actor.kind": "OPERATOR",
		"viewer.auditLog.nodes.0.actor.name": "Grace", "viewer.auditLog.nodes.0.subject": mine["export"].String(),
		"viewer.auditLog.nodes.1.action":        "pauseApiExport",
		"viewer.auditLog.nodes.1.actor.actorId": member.account.OwnerID.String(),
		"viewer.auditLog.nodes.1.actor.name":    member.account.Email, "viewer.auditLog.nodes.1.address": "127.0.0.1",
		"viewer.auditLog.nodes.2.action": "signIn", "viewer.auditLog.nodes.2.actor.actorId": member.account.OwnerID.String()})
	at := newest.text(t, "viewer.auditLog.nodes.1.at")
	for what, c := range map[string]struct {
		filter vars
		want   []any
	}{
		"an action":    {vars{"action": "pauseApiExport"}, []any{"pauseApiExport"}},
		"a member":     {vars{"actorId": member.account.OwnerID}, []any{"pauseApiExport", "signIn"}},
		"from then on": {vars{"from": at}, []any{"export resume", "pauseApiExport"}},
		"until then":   {vars{"to": at, "actorId": member.account.OwnerID}, []any{"signIn"}},
		"no actor":     {vars{"actorId": mine["agent"]}, nil},
	} {
		if got := owner.nodes(t, auditLog, "viewer.auditLog", "action", vars{
			"first": 1, "filter": c.filter}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
	count := func(size int) int64 {
		before := b.statements.Load()
		owner.do(t, auditLog, vars{"first": size}).wantNone(t, "a page")
		return b.statements.Load() - before
	}
	if two, many := count(2), count(100); many != two {
		t.Errorf("%d statements for two entries, %d for many", two, many)
	}
	b.exec(t, `DELETE FROM memberships WHERE account_id = $1 AND user_id = $2`, owner.account.ID, member.account.OwnerID)
	owner.do(t, auditLog, vars{"filter": vars{"actorId": member.account.OwnerID}}).wantValues(t, "who has left", map[string]any{
		"viewer.auditLog.nodes.0.action": "pauseApiExport", "viewer.auditLog.nodes.0.actor.name": "",
		"viewer.auditLog.nodes.1": nil})
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
