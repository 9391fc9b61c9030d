package graph_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
)

// TestStatementsDoNotGrow: the heaviest documents need no more statements for 12 agents, with 72
// turns in 36 conversations, than for 2. Which statements are merged depends on the order of
// resolvers; their maximum does not.
func TestStatementsDoNotGrow(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	fill := func(n int) {
		for range n {
			agent := uuid.MustParse(u.live(t))
			_, key := u.exported(t, agent)
			for i := range 2 {
				session := fmt.Sprint("customer ", i)
				u.chat(t, key, session, "hello")
				u.chat(t, key, session, "again")
				u.settle(t, u.begin(t, agent, nil, session, "test").Turn, conversation.Failed)
			}
		}
	}
	const turn = `{ id reply export { name keys { hint } lastUsedAt agent { name } } }`
	const talk = `{ sessionId agent { name missing lastUsedAt exports { name keys { hint } } }
		turns(last: 2) { nodes ` + turn + ` }
		early: turns(first: 1) { edges { node ` + turn + ` } } }`
	documents := map[string]struct {
		query string
		want  int64 // besides the sign-in's
	}{
		// page, agents, their use, their exports, keys; turns, turns again; exports of turns and their
		// use
		"conversations": {`{ viewer { conversations(first: 50) { nodes ` + talk + ` } } }`, 10},
		// page; pages of conversations, and those of the playground, with their turns; the rest as above,
		// where the exports of turns, their keys and their use may be met before those of agents, or
		// after
		"agents": {`{ agents(first: 50) { nodes { conversations(first: 5) { nodes ` + talk + ` }
			tests: conversations(first: 1, filter: {source: PLAYGROUND}) { nodes { sessionId turns(last: 1) { nodes { errorCode } } } } } } }`, 16},
		"no counts": {`{ agents(first: 50) { nodes { knowledge(first: 1) { nodes { id } } } } viewer {
			exports(first: 5) { nodes { id } } } }`, 3},
		// a page and a count of agents, of sources and of exports, and a page of versions: the newest has
		// their number
		"counts": {`{ agents(first: 50) { totalCount nodes { knowledge(first: 1) { totalCount } versions(first: 1) { ...V } } }
			viewer { exports(first: 5) { totalCount } } } fragment V on AgentVersionConnection { totalCount }`, 7},
		"credits": {`{ viewer { creditHistory(first: 100) { nodes { agent { name exports { name } } export
			{ name keys { hint } } turn ` + turn + ` } } } }`, 7},
		"exports": {`{ viewer { exports(first: 100) { nodes { name keys { hint } lastUsedAt agent { name
			lastUsedAt exports { name keys { hint } } } } } } }`, 7},
	}
	counts := map[string][]int64{}
	for _, more := range []int{2, 10} {
		fill(more)
		for what, d := range documents {
			before := b.statements.Load()
			u.do(t, d.query, nil).wantNone(t, what)
			counts[what] = append(counts[what], b.statements.Load()-before-1)
		}
	}
	for what, d := range documents {
		if n := counts[what]; max(n[0], n[1]) > d.want {
			t.Errorf("%s: %d statements for 2 agents, %d for 12, want at most %d", what, n[0], n[1], d.want)
		}
	}
	t.Logf("statements: %v", counts)
}

// TestItemsAreLimited: pages within pages are refused before any statement if they multiply too
// far.
func TestItemsAreLimited(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	before := b.statements.Load()
	refused := map[string]string{
		"two deep":            `{ agents(first: 100) { nodes { conversations(first: 100) { nodes { id } } } } }`,
		"by default":          `{ agents { nodes { conversations { nodes { turns { nodes { id } } } } } } }`,
		"by a variable":       `query($n: Int) { agents(first: $n) { nodes { conversations(first: $n) { nodes { id } } } } }`,
		"by a default of one": `query($m: Int = 90) { agents(first: $m) { nodes { conversations(first: $m) { nodes { id } } } } }`,
		"from the end":        `{ viewer { conversations(first: 50) { nodes { turns(last: 50) { nodes { id } } } } } }`,
		"in a fragment": `{ agents(first: 100) { ...F } } fragment F on AgentConnection { nodes {
			... on Agent { conversations(first: 25) { nodes { id } } } } }`,
		"under aliases": `{ viewer { ` + numbered(26, "a#: creditHistory(first: 100) { nodes { id } } ") + ` } }`,
	}
	for what, query := range refused {
		u.do(t, query, vars{"n": 60}).want(t, what, http.StatusOK, "LIMIT_EXCEEDED")
	}
	if n := b.statements.Load() - before; n > 0 {
		t.Errorf("%d statements for what is refused", n)
	}
	for what, query := range map[string]string{
		"a hundred with ten each": `{ viewer { conversations(first: 100) { nodes { turns(last: 10) { nodes { id } } } } } }`,
		"null is the default": `query($x: Int) { agents(first: $x) { nodes { conversations(first:
			null) { nodes { id } } } } }`,
	} {
		u.do(t, query, nil).wantNone(t, what)
	}
	for what, query := range map[string]string{
		"zero":  `{ viewer { conversations(first: 0) { nodes { turns(last: 100) { nodes { id } } } } } }`,
		"below": `{ viewer { exports(first: -1) { nodes { id } } } }`,
		"huge": `query($n: Int) { agents(first: 2147483647) { nodes { conversations(first: $n) {
			nodes { id } } } } }`,
	} {
		u.do(t, query, vars{"n": 1_000_000}).wantFields(t, what, "first out_of_range")
	}
	if a := u.do(t, `{ agents(first: 99999999999999999999) { nodes { id } } }`, nil); a.status != 422 {
		t.Errorf("beyond all numbers: %d %s", a.status, a.body)
	}
}
