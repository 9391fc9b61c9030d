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

func (a answer) names(path string) (out []string) {
	for i := range a.list(path) {
		name, _ := a.get(fmt.Sprintf("%s.%d.name", path, i)).(string)
		out = append(out, name)
	}
	return out
}

func TestPagesOfAgents(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	u.do(t, listAgents, nil).wantValues(t, "no agents", map[string]any{
		"agents.totalCount":           0,
		"agents.pageInfo.hasNextPage": false,
		"agents.pageInfo.startCursor": nil,
		"agents.pageInfo.endCursor":   nil,
	})
	var want []any
	for i := range 21 {
		want = append([]any{u.named(t, fmt.Sprint("agent ", i), "")}, want...)
	}
	for _, first := range []any{nil, 7, 21} {
		if got := u.nodes(t, listAgents, "agents", "id", vars{"first": first}); !slices.Equal(got, want) {
			t.Errorf("by %v: %q", first, got)
		}
	}
	page := u.do(t, listAgents, nil)
	page.wantValues(t, "the default page", map[string]any{
		"agents.totalCount":           21,
		"agents.nodes.20":             nil,
		"agents.pageInfo.startCursor": page.get("agents.edges.0.cursor"),
		"agents.edges.0.node.id":      page.get("agents.nodes.0.id"),
	})
}

// Users search for models by their labels.
func TestAgentsAreFoundByTheirModelsLabel(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	made := u.live(t)
	u.named(t, "bare", "")
	for search, want := range map[string]string{"boX assisT": made, "sandbox/assist": made, "elsewhere": ""} {
		a := u.do(t, listAgents, vars{"filter": vars{"search": search}})
		var got string
		for i := range a.list("agents.nodes") {
			got += a.get(fmt.Sprintf("agents.nodes.%d.id", i)).(string)
		}
		if got != want {
			t.Errorf("%q finds %q, want %q", search, got, want)
		}
	}
}
