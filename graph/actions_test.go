package graph_test

import (
	"strings"
	"testing"
)

var orderStatus = vars{"name": "order_status", "description": "Looks up an order",
	"parameters": `{"type":"object","required":["order"],"properties":{"order":{"type":"string"}}}`}

// TestActions: an error names the field of an action, and in a schema the line. A refused change
// stores nothing.
func TestActions(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.made(t, vars{"actions": []vars{orderStatus}}).text(t, "createAgent.agent.id")
	set := func(more vars) answer {
		more["id"] = id
		return u.do(t, updateAgent, vars{"input": more})
	}
	other := func(field string, value any) vars {
		out := vars{"name": "refund", "description": "d", "parameters": `{"type":"object"}`}
		out[field] = value
		return out
	}
	set(vars{"actions": []vars{orderStatus, other("name", "Refund")}}).
		wantFields(t, "a name", "actions.1.name invalid_value")
	refused := set(vars{"actions": []vars{orderStatus, other("parameters", "{\n \"type\": \"object\",\n \"items\": []}")}})
	refused.wantFields(t, "a schema that is refused", "actions.1.parameters invalid_value")
	if where := "Line 3, /items: items is one schema for all items."; !strings.Contains(refused.body, where) {
		t.Errorf("%s; want %s", refused.body, where)
	}
	set(vars{"name": "still"}).wantValues(t, "after all", map[string]any{
		"updateAgent.agent.actions.0.name": "order_status", "updateAgent.agent.actions.1": nil})
	set(vars{"actions": []vars{other("name", "b"), orderStatus}}).wantValues(t, "their order is the owner's",
		map[string]any{"updateAgent.agent.actions.0.name": "b", "updateAgent.agent.actions.1.name": "order_status"})
	u.do(t, publish, vars{"id": id}).wantNone(t, "publish")
	u.do(t, `query($id: ID!) { agent(id: $id) { versions { nodes { actions { name description } } } }
		}`, vars{"id": id}).wantValues(t,
		"nothing else of a version", map[string]any{"agent.versions.nodes.0.actions.1.description": "Looks up an order"})
	set(vars{"actions": nil}).wantValues(t, "null", map[string]any{"updateAgent.agent.actions.0": nil})
}
