package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/agents"
)

const listAgents = `query($first: Int, $after: String, $filter: AgentFilter) { agents(first: $first,
	after: $after, filter: $filter) {
	totalCount edges { cursor node { id name } } nodes { id name state }
	pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

// named creates an agent directly in the store.
func (u *user) named(t *testing.T, name, description string) string {
	t.Helper()
	made, err := agents.On(u.b.store).CreateAgent(t.Context(), u.account.ID, agent.Agent{Name: name, Description: description})
	if err != nil {
		t.Fatal(err)
	}
	return made.ID.String()
}

// TestConnection: the cursors of a page, and of a page without items.
func TestConnection(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	u.do(t, listAgents, nil).wantJSON(t, "no agents", "agents", `{"totalCount": 0, "edges": [],
		"nodes": [], "pageInfo": {"hasNextPage": false, "hasPreviousPage": false,
		"startCursor": null, "endCursor": null}}`)
	for i := range 21 {
		u.named(t, fmt.Sprint("agent ", i), "")
	}
	page := u.do(t, listAgents, nil)
	page.wantValues(t, "the default page", map[string]any{
		"agents.totalCount":           21,
		"agents.nodes.19.name":        "agent 1",
		"agents.nodes.20":             nil,
		"agents.edges.19.node.name":   "agent 1",
		"agents.pageInfo.hasNextPage": true,
		"agents.pageInfo.startCursor": page.get("agents.edges.0.cursor"),
		"agents.pageInfo.endCursor":   page.get("agents.edges.19.cursor"),
	})
}

// Users search for models by their labels.
func TestAgentsAreFoundByTheirModelsLabel(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	made := u.live(t)
	u.named(t, "bare", "")
	for search, want := range map[string][]any{"boX assisT": {made}, "elsewhere": nil} {
		found := u.nodes(t, listAgents, "agents", "id", vars{"filter": vars{"search": search}})
		if !slices.Equal(found, want) {
			t.Errorf("%q finds %v, want %v", search, found, want)
		}
	}
}
