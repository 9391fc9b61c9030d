package e2e_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/store/storetest"
)

// listed is one page of a list in the panel's API.
type listed struct {
	Nodes    []struct{ ID string }
	PageInfo struct {
		HasNextPage bool
		EndCursor   string
	}
}

// expectLists creates agents, exports and conversations on alternating replicas, and reads their lists page by page from both. The
// newest comes first.
func (c *clocks) expectLists(t *testing.T) {
	t.Helper()
	const each = 8
	b := newBrowser(t)
	b.signedUp(c.replicas[0], uuid.NewString()+"@example.com", ownersPassword)
	var agents, exports, sessions []string
	for i := range each {
		r := c.replicas[i%2]
		var made struct{ Agent struct{ ID string } }
		b.must(r, `mutation($input: CreateAgentInput!) { createAgent(input: $input) { agent { id } } }`, map[string]any{
			"name": fmt.Sprint("Agent ", i), "instructions": "Be kind.", "model": storetest.SandboxModel}).into(t, "createAgent", &made)
		agents = append(agents, made.Agent.ID)
	}
	b.must(c.replicas[0], `mutation($input: PublishAgentInput!) { publishAgent(input: $input) { agent { id } } }`,
		map[string]any{"id": agents[0]})
	for i := range each {
		var made struct{ Export struct{ ID string } }
		b.must(c.replicas[i%2], `mutation($input: CreateApiExportInput!) { createApiExport(input: $input) { export { id } } }`,
			map[string]any{"agentId": agents[0], "name": fmt.Sprint("Export ", i)}).into(t, "createApiExport", &made)
		exports = append(exports, made.Export.ID)
		var sent struct{ Conversation struct{ ID string } }
		b.must(c.replicas[i%2], `mutation($input: SendTestMessageInput!) { sendTestMessage(input: $input) { conversation { id } } }`,
			map[string]any{"agentId": agents[0], "sessionId": fmt.Sprint("session ", i), "message": "hello"}).into(t, "sendTestMessage", &sent)
		sessions = append(sessions, sent.Conversation.ID)
	}
	for what, want := range map[string][]string{"agents": agents, "exports": exports, "conversations": sessions} {
		slices.Reverse(want)
		if got := c.readList(t, b, what); !slices.Equal(got, want) {
			t.Errorf("%s created on alternating replicas are listed as %v, want %v", what, got, want)
		}
	}
	for _, r := range c.replicas {
		var owned struct{ Exports []struct{ ID string } }
		b.must(r, fmt.Sprintf(`{ agent(id: %q) { exports { id } } }`, agents[each-1]), nil).into(t, "agent", &owned)
		var got []string
		for _, e := range owned.Exports {
			got = append(got, e.ID)
		}
		if !slices.Equal(got, exports) {
			t.Errorf("the agent's exports are listed as %v, want %v", got, exports)
		}
	}
}

// readList reads a list in pages of three from alternating replicas.
func (c *clocks) readList(t *testing.T, b *browser, what string) []string {
	t.Helper()
	var ids []string
	for page, after := 0, "null"; ; page++ {
		list := fmt.Sprintf(`%s(first: 3, after: %s) { nodes { id } pageInfo { hasNextPage endCursor } }`, what, after)
		var got listed
		if what == "agents" {
			b.must(c.replicas[page%2], `{ `+list+` }`, nil).into(t, what, &got)
		} else {
			var viewer map[string]listed
			b.must(c.replicas[page%2], `{ viewer { `+list+` } }`, nil).into(t, "viewer", &viewer)
			got = viewer[what]
		}
		for _, node := range got.Nodes {
			ids = append(ids, node.ID)
		}
		if !got.PageInfo.HasNextPage {
			return ids
		}
		after = fmt.Sprintf("%q", got.PageInfo.EndCursor)
	}
}
