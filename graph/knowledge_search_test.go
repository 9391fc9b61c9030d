package graph_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/turns"
)

const searchKnown = `query($id: ID!, $message: String!, $before: String, $version: Int) {
	searchKnowledge(agentId: $id, message: $message, previousMessage: $before, version: $version) {
	source { id name } heading page text score words } }`

// TestSearchKnowledge: the draft is searched, or a version, with the words of both messages.
func TestSearchKnowledge(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	u.know(t, agent, "Tea", "Tea costs 4.")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.know(t, agent, "Cake", "Cake costs 6.")
	search := func(message string, v vars) answer {
		all := vars{"id": agent, "message": message}
		maps.Copy(all, v)
		return u.do(t, searchKnown, all)
	}
	for _, c := range []struct {
		message string
		v       vars
		source  any
		words   any
	}{
		{"what does TEA cost?", nil, "Tea", "tea"},
		{"cake", vars{"version": 1}, nil, nil},
		{"how much?", vars{"before": "tea"}, "Tea", "tea"},
		{"cake?", vars{"before": nil, "version": nil}, "Cake", "cake"},
	} {
		search(c.message, c.v).wantValues(t, c.message, map[string]any{
			"searchKnowledge.0.source.name": c.source, "searchKnowledge.0.words.0": c.words})
	}
	long := strings.Repeat("x", conversation.MaxMessage+1)
	search(" ", nil).wantFields(t, "a blank message", "message blank")
	search(long, vars{"before": long}).wantFields(t, "long ones",
		"message too_long", "previousMessage too_long")
	for _, version := range []int{2, 1 << 52} {
		search("a", vars{"version": version}).wantFields(t, "no such version", "version invalid_value")
	}
}

// TestTurnsWithKnowledge: a turn shows the passages of its model and the citations of its reply,
// even after the sources are deleted, in as many statements for many turns as for one.
func TestTurnsWithKnowledge(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := uuid.MustParse(u.live(t))
	var ids []uuid.UUID
	for i := range 2 {
		ids = append(ids, u.know(t, agent, fmt.Sprint("Source ", i), fmt.Sprint("Text ", i)))
	}
	answered := func(cited ...int) uuid.UUID {
		t.Helper()
		known := &conversation.Knowledge{Cited: cited}
		for i, id := range ids {
			known.Given = append(known.Given, conversation.GivenPassage{N: i + 1, SourceID: id,
				PassageID: 1, Name: fmt.Sprint("Name ", i), Heading: "H", Page: 7})
		}
		talk := u.begin(t, agent, nil, "customer", "hello")
		if _, err := turns.On(u.b.store).SettleTurn(t.Context(), turns.Settlement{
			TurnID: talk.Turn, State: conversation.Answered, Reply: "[2]", FinishReason: "stop",
			Knowledge: conversation.EncodeJSON(known)}); err != nil {
			t.Fatal(err)
		}
		return talk.Conversation
	}
	const page = `query($id: ID!) { conversation(id: $id) { turns { nodes {
		sources { n name source { name agent { name } } }
		passages { n name heading page text source { name } } } } } }`
	v := vars{"id": answered(2)}
	const at = "conversation.turns.nodes.0."
	u.do(t, page, v).wantJSON(t, "sources", at+"sources",
		`[{"n": 2, "name": "Name 1", "source": {"name": "Source 1", "agent": {"name": "Shop"}}}]`)
	const first = `{"n": 1, "name": "Name 0", "heading": "H", "page": 7, "text": "Text 0",
		"source": {"name": "Source 0"}}`
	u.do(t, page, v).wantJSON(t, "passages", at+"passages", `[`+first+`, {"n": 2, "name": "Name 1",
		"heading": "H", "page": 7, "text": "Text 1", "source": {"name": "Source 1"}}]`)
	one := u.statements(t, page, v)
	for range 3 {
		answered(1, 2)
	}
	u.try(t, agent, "customer", "without knowledge")
	if many := u.statements(t, page, v); one != many {
		t.Errorf("%d statements for one turn, %d for several", one, many)
	}
	u.do(t, page, v).wantJSON(t, "none", "conversation.turns.nodes.4",
		`{"sources": [], "passages": []}`)
	u.do(t, deleteKnown, vars{"id": ids[1]}).wantNone(t, "delete")
	u.do(t, page, v).wantJSON(t, "sources, one deleted", at+"sources",
		`[{"n": 2, "name": "Name 1", "source": null}]`)
	u.do(t, page, v).wantJSON(t, "passages, one deleted", at+"passages", `[`+first+`, {"n": 2,
		"name": "Name 1", "heading": "H", "page": 7, "text": null, "source": null}]`)
}
