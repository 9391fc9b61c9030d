package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"agentchat/internal/agent"
	"agentchat/internal/store/agents"
)

const listAgents = `query($first: Int, $after: String, $filter: AgentFilter) { agents(first: $first, after: $after, filter: $filter) {
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
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	other.named(t, "foreign", "")
	u.do(t, listAgents, nil).wantValues(t, "no agents", map[string]any{"agents.totalCount": 0, "agents.pageInfo.hasNextPage": false,
		"agents.pageInfo.hasPreviousPage": false, "agents.pageInfo.startCursor": nil, "agents.pageInfo.endCursor": nil})
	var want []string
	for i := range 45 {
		name := fmt.Sprintf("agent %02d", i)
		u.named(t, name, "")
		want = append([]string{name}, want...)
	}
	if got := u.do(t, listAgents, nil).names("agents.nodes"); !slices.Equal(got, want[:20]) {
		t.Errorf("the default page: %q", got)
	}
	for _, first := range []int{1, 7, 44, 45, 100} {
		var got []string
		var after any
		for page := 0; ; page++ {
			a := u.do(t, listAgents, vars{"first": first, "after": after}).wantNone(t, "page")
			names := a.names("agents.nodes")
			got = append(got, names...)
			n := len(names)
			a.wantValues(t, "page", map[string]any{"agents.totalCount": 45, "agents.pageInfo.hasPreviousPage": page > 0,
				"agents.pageInfo.hasNextPage": len(got) < 45, "agents.pageInfo.startCursor": a.get("agents.edges.0.cursor"),
				"agents.pageInfo.endCursor": a.get(fmt.Sprintf("agents.edges.%d.cursor", n-1)),
				"agents.edges.0.node.id":    a.get("agents.nodes.0.id")})
			if after = a.get("agents.pageInfo.endCursor"); a.get("agents.pageInfo.hasNextPage") != true || page > 45 {
				break
			}
			u.named(t, "new in between", "") // newer ones do not move a page
			if _, err := b.store.SQL().ExecContext(t.Context(), `DELETE FROM agents WHERE name = 'new in between'`); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %d: %q", first, got)
		}
	}
	last := u.do(t, listAgents, vars{"first": 100}).text(t, "agents.pageInfo.endCursor")
	u.do(t, listAgents, vars{"after": last}).wantValues(t, "behind the last", map[string]any{"agents.nodes.0": nil,
		"agents.pageInfo.hasNextPage": false, "agents.pageInfo.hasPreviousPage": true, "agents.totalCount": 45})
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
