package graph_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/memory"
	"agentchat/internal/store/conversations"
)

const hitsOf = `query($first: Int, $filter: ConversationFilter) { viewer { conversations(first:
	$first, filter: $filter) { nodes { id }
	edges { node { id sessionId } hits { number inReply excerpt ranges { start length } turn { id number message } } } } } }`

// TestTextHits: a text search returns its matches; other lists have no hits.
func TestTextHits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	_, key := u.exported(t, uuid.MustParse(u.live(t)))
	u.chat(t, key, "s", "nothing of it")
	u.chat(t, key, "s", "\U0001F600 Is the cafe\u0301\nopen?")
	const edge = "viewer.conversations.edges.0."
	const at = edge + "hits.0."
	search := vars{"filter": vars{"text": " CAF\u00c9 open "}}
	u.do(t, hitsOf, search).wantValues(t, "a search", map[string]any{
		at + "number":          2,
		at + "inReply":         false,
		at + "excerpt":         "\U0001F600 Is the cafe\u0301 open?",
		at + "ranges.0.start":  10,
		at + "ranges.0.length": 10,
		at + "turn.message":    "\U0001F600 Is the cafe\u0301\nopen?",
	})
	u.do(t, hitsOf, nil).wantValues(t, "without a search", map[string]any{edge + "hits.0": nil})
}

// TestSearchTakesMemory: a text search is refused without memory, and releases it.
func TestSearchTakesMemory(t *testing.T) {
	t.Parallel()
	budget := memory.Bytes(2*conversations.SearchMemory + 1<<20)
	b := newBench(t, func(o *options) { o.memory = budget })
	u := signedIn(t, b)
	search := vars{"filter": vars{"text": "a"}}
	other := budget.Hold(uuid.New())
	other.Take(2 << 20)
	u.do(t, hitsOf, search).want(t, "without memory", http.StatusServiceUnavailable, "UNAVAILABLE")
	u.do(t, hitsOf, nil).wantNone(t, "another list")
	other.Release()
	u.do(t, hitsOf, search).wantNone(t, "with memory again")
}
