package graph_test

import (
	"slices"
	"testing"
)

const (
	orderedAgents = `query($first: Int, $after: String, $orderBy: AgentOrder) { agents(first: $first,
		after: $after, orderBy: $orderBy) { totalCount edges { cursor node { id } } nodes { name }
		pageInfo { hasNextPage hasPreviousPage endCursor } } }`
	orderedExports = `query($first: Int, $after: String, $inUse: Boolean, $orderBy: ExportOrder) { viewer { exports(first: $first,
		after: $after, filter: {inUse: $inUse}, orderBy: $orderBy) { totalCount edges { cursor } nodes { name }
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
	exports := u.nodes(t, orderedExports, "viewer.exports", "name", vars{"first": 2, "inUse": true,
		"orderBy": vars{"field": "NAME", "direction": "DESC"}})
	if !slices.Equal(exports, []any{"C", "b", "a"}) {
		t.Errorf("exports by name: %v", exports)
	}
	u.do(t, orderedExports, vars{"orderBy": byName}).wantFields(t, "with removed ones", "filter.inUse not_supported")
	for _, of := range []vars{nil, byName} {
		cursor := u.do(t, orderedAgents, vars{"first": 1, "orderBy": of}).text(t, "agents.pageInfo.endCursor")
		for _, other := range []vars{nil, byName, {"field": "NAME", "direction": "DESC"}} {
			a := u.do(t, orderedAgents, vars{"after": cursor, "orderBy": other})
			if same := of == nil && other == nil || of != nil && other["direction"] == of["direction"]; same {
				a.wantNone(t, "its own cursor")
			} else {
				a.wantFields(t, "a cursor of another order", "after invalid_value")
			}
		}
	}
}
