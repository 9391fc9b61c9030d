package graph_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"
)

const (
	orderedAgents = `query($first: Int, $after: String, $orderBy: AgentOrder) { agents(first: $first,
		after: $after, orderBy: $orderBy) { totalCount edges { cursor node { id } } nodes { name }
		pageInfo { hasNextPage hasPreviousPage endCursor } } }`
	orderedExports = `query($first: Int, $after: String, $inUse: Boolean, $orderBy: ExportOrder) {
		viewer { exports(first: $first, after: $after, filter: {inUse: $inUse}, orderBy: $orderBy) {
			totalCount edges { cursor } nodes { name }
			pageInfo { hasNextPage hasPreviousPage endCursor } } } }`
)

// TestOrdersOfLists: agents and exports in an order, page by page. A cursor belongs to one order.
func TestOrdersOfLists(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.live(t)
	for _, name := range []string{"b", "C", "a"} {
		u.named(t, name, "")
		u.do(t, createExport, vars{"input": vars{"agentId": id, "name": name}}).wantNone(t, "an export")
	}
	byName := vars{"field": "NAME", "direction": "ASC"}
	agents := u.nodes(t, orderedAgents, "agents", "name", vars{"first": 1, "orderBy": byName})
	if !slices.Equal(agents[:3], []any{"a", "b", "C"}) || len(agents) != 4 {
		t.Errorf("agents by name: %v", agents)
	}
	last := vars{"field": "NAME", "direction": "DESC"}
	exports := u.nodes(t, orderedExports, "viewer.exports", "name",
		vars{"first": 2, "inUse": true, "orderBy": last})
	if !slices.Equal(exports, []any{"C", "b", "a"}) {
		t.Errorf("exports by name: %v", exports)
	}
	u.do(t, orderedExports, vars{"orderBy": byName}).
		wantFields(t, "with removed ones", "filter.inUse not_supported")
	orders := []vars{nil, byName, last}
	for i, of := range orders {
		page := u.do(t, orderedAgents, vars{"first": 1, "orderBy": of})
		after := page.text(t, "agents.pageInfo.endCursor")
		for j, other := range orders {
			a := u.do(t, orderedAgents, vars{"after": after, "orderBy": other})
			if i == j {
				a.wantNone(t, "its own cursor")
			} else {
				a.wantFields(t, "a cursor of another order", "after invalid_value")
			}
		}
	}
}

// TestLatestEndUsersFirst: pages of end users continue at endCursor, and each field has one
// direction.
func TestLatestEndUsersFirst(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	export, _ := u.exported(t, uuid.MustParse(u.live(t)))
	for _, name := range []string{"a", "c", "b"} {
		u.byUser(t, export, name)
	}
	const query = `query($after: String, $by: EndUserOrder) { viewer {
		endUsers(first: 2, after: $after, orderBy: $by) {
			nodes { userId } pageInfo { hasNextPage endCursor } } } }`
	const at = "viewer.endUsers."
	lastSeen := vars{"field": "LAST_SEEN", "direction": "DESC"}
	page := u.do(t, query, vars{"by": lastSeen})
	page.wantValues(t, "the latest", map[string]any{at + "nodes.0.userId": "b",
		at + "nodes.1.userId": "c", at + "pageInfo.hasNextPage": true})
	after := page.text(t, at+"pageInfo.endCursor")
	u.do(t, query, vars{"by": lastSeen, "after": after}).wantValues(t, "the rest", map[string]any{
		at + "nodes.0.userId": "a", at + "nodes.1": nil, at + "pageInfo.hasNextPage": false})
	u.do(t, query, vars{"by": vars{"field": "USER_ID", "direction": "ASC"}}).
		wantValues(t, "by id", map[string]any{at + "nodes.0.userId": "a", at + "nodes.1.userId": "b"})
	u.do(t, query, vars{"after": after}).
		wantFields(t, "a cursor of another order", "after invalid_value")
	for field, direction := range map[string]string{"USER_ID": "DESC", "LAST_SEEN": "ASC"} {
		u.do(t, query, vars{"by": vars{"field": field, "direction": direction}}).
			wantFields(t, field, "orderBy.direction not_supported")
	}
}
