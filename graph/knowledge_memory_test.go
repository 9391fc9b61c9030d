package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/memory"
)

// TestKnowledgeTakesMemory: splitting and reading a text reserve memory; without it nothing is
// added.
func TestKnowledgeTakesMemory(t *testing.T) {
	t.Parallel()
	const length = 100_000
	budget := memory.Bytes(64 << 20)
	b := newBench(t, func(o *options) { o.memory = budget })
	u := signedIn(t, b)
	agent := u.live(t)
	withLeft := func(left int64, query string, v vars) answer {
		defer leaveMemory(t, budget, u.account.ID, left)()
		return u.do(t, query, v)
	}
	add := func(left int64) answer {
		return withLeft(left, `mutation($input: AddKnowledgeTextInput!) { addKnowledgeText(input: $input) { source { id } } }`,
			vars{"input": vars{"agentId": agent, "name": "Long", "text": strings.Repeat("x", length)}})
	}
	add(2<<20).want(t, "too little to cut it", http.StatusServiceUnavailable, "UNAVAILABLE")
	u.do(t, known, vars{"id": agent}).wantValues(t, "refused", map[string]any{
		"agent.knowledge.totalCount": 0})
	source := add(8<<20).wantNone(t, "enough").id(t, "addKnowledgeText.source.id")
	const read = `query($id: ID!, $n: Int) { node(id: $id) { ... on KnowledgeSource { text(length: $n) } } }`
	withLeft(200<<10, read, vars{"id": source, "n": length}).want(t, "too little to read it",
		http.StatusServiceUnavailable, "UNAVAILABLE")
	withLeft(200<<10, read, vars{"id": source, "n": 1_000}).wantNone(t, "a part")
}
