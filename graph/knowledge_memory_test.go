package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"agentchat/internal/memory"
)

// TestKnowledgeTakesMemory: splitting texts, one or those of a file, and reading one reserve
// memory. Without it the request is refused, and adds nothing.
func TestKnowledgeTakesMemory(t *testing.T) {
	t.Parallel()
	budget := memory.Bytes(64 << 20)
	u := signedIn(t, newBench(t, func(o *options) { o.memory = budget }))
	agent, long := u.live(t), strings.Repeat("x", 99_000)
	file := `{"name": "Long"}`
	for i := range 8 {
		file += `{"kind": "TEXT", "name": "y", "text": "` + fmt.Sprint(i, long) + `"}`
	}
	add := func() answer {
		return u.do(t, addText, vars{"input": vars{"agentId": agent, "name": "Long", "text": long}})
	}
	send := func() answer { return u.importFile(t, file) }
	read := func(length int) func() answer {
		return func() answer {
			return u.do(t, `query($id: ID!, $n: Int) { agent(id: $id) { knowledge { nodes {
				text(length: $n) } } } }`, vars{"id": agent, "n": length})
		}
	}
	for _, c := range []struct {
		what   string
		left   int64
		ask    func() answer
		enough bool
	}{
		{"adding a text with too little", 2 << 20, add, false},
		{"adding a text", 8 << 20, add, true},
		{"reading it with too little", 200 << 10, read(99_000), false},
		{"reading a part", 200 << 10, read(1_000), true},
		{"a file with too little", 8 << 20, send, false},
		{"a file, some texts at a time", 16 << 20, send, true},
	} {
		release := leaveMemory(t, budget, u.account.ID, c.left)
		a := c.ask()
		release()
		if c.enough {
			a.wantNone(t, c.what)
		} else {
			a.want(t, c.what, http.StatusServiceUnavailable, "UNAVAILABLE")
		}
	}
	u.do(t, `{ agents { nodes { knowledge { totalCount } } } }`, nil).wantJSON(t, "what was added",
		"agents.nodes", `[{"knowledge": {"totalCount": 8}}, {"knowledge": {"totalCount": 1}}]`)
}
