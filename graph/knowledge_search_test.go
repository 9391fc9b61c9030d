package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

const searchKnown = `query($id: ID!, $message: String!, $before: String, $version: Int) {
	searchKnowledge(agentId: $id, message: $message, previousMessage: $before, version: $version) {
	source { id name } heading page text score words } }`

func TestSearchKnowledge(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	agent := u.made(t, nil).text(t, "createAgent.agent.id")
	search := func(message string, v vars) answer {
		all := vars{"id": agent, "message": message}
		for name, value := range v {
			all[name] = value
		}
		return u.do(t, searchKnown, all)
	}
	search("returns", nil).wantValues(t, "no knowledge", map[string]any{"searchKnowledge.0": nil})
	returns := u.know(t, agent, "Shop", "# Returns\n\nA return takes 30 days.\n\n# Cafe\n\nCoffee costs 5.")
	u.know(t, agent, "Tea", "Tea costs 4.")
	u.do(t, publish, vars{"id": agent}).wantNone(t, "publish")
	u.know(t, agent, "Cake", "Cake costs 6 and is free with a return.")
	search("How many DAYS does a return take?", nil).wantValues(t, "in whole mode", map[string]any{
		"searchKnowledge.0.source.id":   returns.String(),
		"searchKnowledge.0.source.name": "Shop", "searchKnowledge.0.page": nil,
		"searchKnowledge.1.source.name": "Cake", "searchKnowledge.2": nil})
	for _, c := range []struct {
		message string
		v       vars
		want    string // the first source
		words   string
	}{
		{"what does TEA cost, and 4?", nil, "Tea", "[tea 4]"},
		{"cake", vars{"version": 1}, "", ""},
		{"how much?", vars{"before": "tea"}, "Tea", "[tea]"},
		{"and that?", vars{"before": nil, "version": nil}, "Cake", "[and]"},
	} {
		what := fmt.Sprint(c.message, c.v)
		a := search(c.message, c.v).wantNone(t, what)
		if c.want == "" {
			a.wantValues(t, what, map[string]any{"searchKnowledge.0": nil})
			continue
		}
		a.wantValues(t, what, map[string]any{"searchKnowledge.0.source.name": c.want})
		if score, _ := a.get("searchKnowledge.0.score").(float64); score <= 0 ||
			fmt.Sprint(a.get("searchKnowledge.0.words")) != c.words {
			t.Errorf("%s: %v, %v", what, score, a.get("searchKnowledge.0.words"))
		}
	}
	long := strings.Repeat("x", conversation.MaxMessage+1)
	for what, c := range map[string]struct {
		message string
		v       vars
		want    []string
	}{
		"a blank message": {" ", nil, []string{"message blank"}}, "long ones": {
			long, vars{"before": long}, []string{"message too_long", "previousMessage too_long"}},
		"version 2": {"a", vars{"version": 2}, []string{"version invalid_value"}}, "version 2^52": {
			"a", vars{"version": 1 << 52}, []string{"version invalid_value"}},
	} {
		search(c.message, c.v).wantFields(t, what, c.want...)
	}
	u.do(t, `query($id: ID!) { a: searchKnowledge(agentId: $id, message: "a") { text } b:
		searchKnowledge(agentId: $id, message: "b") { text } }`,
		vars{"id": agent}).want(t, "two searches", http.StatusOK, "LIMIT_EXCEEDED")
}

// TestTurnsWithKnowledge: a turn shows the passages of its model and the citations of its reply,
// even after the sources are deleted, in as many statements for many turns as for one.
func TestTurnsWithKnowledge(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	agent := uuid.MustParse(u.live(t))
	var ids []uuid.UUID
	for i := range 3 {
		ids = append(ids, u.know(t, agent, fmt.Sprint("Source ", i), fmt.Sprint("Text ", i)))
	}
	var talk begun
	settle := func(given, cited []int) {
		t.Helper()
		known := &conversation.Knowledge{Given: []conversation.GivenPassage{}, Cited: cited}
		for _, n := range given {
			known.Given = append(known.Given, conversation.GivenPassage{N: n, SourceID: ids[n-1],
				PassageID: 1, Name: fmt.Sprint("Name ", n), Heading: "H", Page: n})
		}
		talk = u.begin(t, agent, nil, "customer", "hello")
		if _, err := turns.On(b.store).SettleTurn(t.Context(), turns.Settlement{
			TurnID: talk.Turn, State: conversation.Answered, Reply: "[2]", FinishReason: "stop",
			Knowledge: conversation.EncodeJSON(known)}); err != nil {
			t.Fatal(err)
		}
	}
	const page = `query($id: ID!) { conversation(id: $id) { turns { nodes { sources { n name heading
		page source { name agent { name } } }
		passages { n name heading page text source { name } } } } } }`
	read := func() (answer, int64) {
		before := b.statements.Load()
		a := u.do(t, page, vars{"id": talk.Conversation}).wantNone(t, "turns")
		return a, b.statements.Load() - before
	}
	settle([]int{1, 2}, []int{2})
	a, one := read()
	const at = "conversation.turns.nodes.0."
	a.wantValues(t, "one turn", map[string]any{at + "sources.0.n": 2, at + "sources.0.name": "Name 2",
		at + "sources.0.heading": "H", at + "sources.0.page": 2,
		at + "sources.0.source.name": "Source 1", at + "sources.0.source.agent.name": "Shop",
		at + "sources.1": nil, at + "passages.0.n": 1,
		at + "passages.0.text": "Text 0", at + "passages.0.source.name": "Source 0",
		at + "passages.1.text": "Text 1", at + "passages.2": nil})
	for range 5 {
		settle([]int{2, 3}, []int{})
	}
	u.try(t, agent, "customer", "without knowledge")
	a, many := read()
	a.wantValues(t, "none", map[string]any{"conversation.turns.nodes.1.sources.0": nil,
		"conversation.turns.nodes.6.passages.0": nil})
	if one != many {
		t.Errorf("%d statements for one turn, %d for several", one, many)
	}
	u.do(t, deleteKnown, vars{"id": ids[1]}).wantNone(t, "delete")
	a, _ = read()
	a.wantValues(t, "a deleted source", map[string]any{at + "sources.0.name": "Name 2",
		at + "sources.0.source": nil, at + "passages.1.name": "Name 2",
		at + "passages.1.text": nil, at + "passages.1.source": nil, at + "passages.0.text": "Text 0"})
	storetest.Audit(t, b.store)
}
