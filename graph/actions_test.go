package graph_test

import "testing"

var orderStatus = vars{"name": "order_status", "description": "Looks up an order",
	"parameters": `{"type":"object","required":["order"],"properties":{"order":{"type":"string"}}}`}

// TestActions: their order is the owner's, and null removes them.
func TestActions(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	id := u.made(t, vars{"actions": []vars{orderStatus}}).text(t, "createAgent.agent.id")
	set := func(actions any) answer {
		return u.do(t, updateAgent, vars{"input": vars{"id": id, "actions": actions}})
	}
	another := vars{"name": "b", "description": "d", "parameters": `{"type":"object"}`}
	set([]vars{another, orderStatus}).wantValues(t, "two", map[string]any{
		"updateAgent.agent.actions.0.name":        "b",
		"updateAgent.agent.actions.1.name":        "order_status",
		"updateAgent.agent.actions.1.description": "Looks up an order",
	})
	set([]vars{another, another}).wantFields(t, "a name twice", "actions.1.name invalid_value")
	set(nil).wantValues(t, "null", map[string]any{"updateAgent.agent.actions.0": nil})
}
