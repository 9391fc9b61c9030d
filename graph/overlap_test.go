package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"agentchat/graph"
)

// conflicts reports whether a document has conflicting fields by a set of rules.
func conflicts(t *testing.T, schema *ast.Schema, query string, set *rules.Rules) bool {
	t.Helper()
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, graph.MaxTokens)
	if err != nil {
		t.Fatalf("%v in %s", err, query)
	}
	return slices.ContainsFunc(validator.ValidateWithRules(schema, doc, set), func(err *gqlerror.Error) bool {
		return err.Rule == rules.OverlappingFieldsCanBeMergedRule.Name
	})
}

func TestOverlappingFields(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	const events = "subscription($i: SendTestMessageInput!) { testMessage(input: $i) { "
	const started, delta = "... on TestMessageStarted ", "... on TestMessageDelta "
	for query, want := range map[string]bool{
		"{ viewer { id id name name } }":                                                                false,
		"{ viewer { a: id a: name } }":                                                                  true,
		"{ viewer { a: id ...F } } fragment F on Account { a: name }":                                   true,
		"{ viewer { ... { ... { a: id } } ...F } } fragment F on Account { ... { a: name } }":           true,
		"{ viewer { a: id } viewer { a: name } }":                                                       true,
		"{ viewer { a: id } b: viewer { a: name } }":                                                    false,
		"{ agents(first: 1) { totalCount } agents(first: 2) { totalCount } }":                           true,
		"{ agents(first: 1) { totalCount } agents { totalCount } }":                                     true,
		"{ agents(first: 1, after: null) { totalCount } agents(after: null, first: 1) { totalCount } }": false,
		`{ agents(filter: {search: "a", state: LIVE}) { totalCount } agents(filter: {state: LIVE, search:
			"a"}) { totalCount } }`: false,
		`{ agents(filter: {search: "a"}) { totalCount } agents(filter: {search: "b"}) { totalCount }
			}`: true,
		"query($a: Int, $b: Int) { agents(first: $a) { totalCount } agents(first: $b) { totalCount } }": true,
		"{ agents { nodes { x: id } nodes { ... on Agent { x: name } } } }":                             true,
		// Fields of different members of a union are never in one object: only their types must agree.
		// TestOverlapAgainstTheLibrary has more of them.
		events + started + "{ x: turnId } " + delta + "{ x: text } } }":           true,
		events + started + "{ x: sessionId } " + delta + "{ x: text } } }":        false,
		events + "x: __typename " + delta + "{ x: text } } }":                     true,
		events + started + "{ x: turnId x: sessionId } " + delta + "{ text } } }": true,
	} {
		ours := conflicts(t, schema, query, graph.ValidationRules())
		theirs := conflicts(t, schema, query, rules.NewDefaultRules())
		if ours != want || theirs != want {
			t.Errorf("conflict %t, by the library %t, want %t: %s", ours, theirs, want, query)
		}
	}
}

// randomEvents returns a valid document that selects fields of a union's members, with few response
// names, so that many of them overlap.
func randomEvents(r *rand.Rand) string {
	members := map[string][]string{"TestMessageEnded": {"creditsRemaining"}, "TestMessageFailed": {"creditsRemaining"},
		"Turn": {"id", "reply", "state", "credits", "message"}, "Conversation": {"id", "sessionId", "turnCount"}}
	fragments := r.IntN(4)
	spread := fragments // fragments themselves spread none
	var fields func(typ string, depth int) string
	fields = func(typ string, depth int) string {
		text := "__typename "
		for range 1 + r.IntN(3) {
			alias := []string{"a: ", "b: ", "", ""}[r.IntN(4)]
			switch kind := r.IntN(6); {
			case kind == 0 && depth > 0:
				text += "... on " + typ + " { " + fields(typ, depth-1) + "} "
			case kind == 1 && spread > 0 && typ == "Turn":
				text += fmt.Sprintf("...F%d ", r.IntN(spread))
			case kind >= 2 && strings.HasPrefix(typ, "Test") && r.IntN(2) == 0:
				text += alias + "turn { " + fields("Turn", depth-1) + "} "
			case kind >= 2 && strings.HasPrefix(typ, "Test"):
				text += alias + "conversation { " + fields("Conversation", depth-1) + "} "
			default:
				text += alias + members[typ][r.IntN(len(members[typ]))] + " "
			}
		}
		return text
	}
	text := "subscription($i: SendTestMessageInput!) { testMessage(input: $i) { "
	for range 2 + r.IntN(2) {
		typ := []string{"TestMessageEnded", "TestMessageFailed"}[r.IntN(2)]
		text += "... on " + typ + " { " + fields(typ, 2) + "} "
	}
	text += "} }"
	spread = 0
	for i := range fragments {
		if !strings.Contains(text, fmt.Sprintf("...F%d ", i)) {
			continue // another rule refuses it
		}
		text += fmt.Sprintf(" fragment F%d on Turn { %s}", i, fields("Turn", 1))
	}
	return text
}

// For random documents the rule agrees with the library's rule.
func TestOverlapAgainstTheLibrary(t *testing.T) {
	t.Parallel()
	schema := parsed(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	counts := map[bool]int{}
	for range 1000 {
		query := randomEvents(r)
		ours := conflicts(t, schema, query, graph.ValidationRules())
		theirs := conflicts(t, schema, query, rules.NewDefaultRules())
		if ours != theirs {
			t.Fatalf("conflict %t, by the library %t: %s", ours, theirs, query)
		}
		counts[ours]++
	}
	t.Logf("conflicts: %v", counts)
	if counts[true] == 0 || counts[false] == 0 {
		t.Error("the documents show nothing")
	}
}

// TestWorstDocumentsAreValidatedCheaply is not parallel: it measures the CPU time of the process.
// The library's rule for overlapping fields takes 20 to 400 ms for these documents.
//
//nolint:paralleltest // see above
func TestWorstDocumentsAreValidatedCheaply(t *testing.T) {
	schema := parsed(t)
	many := strings.Repeat("id ", 900)
	for what, query := range map[string]string{
		"one field 900 times": "{ viewer { " + many + "} }",
		"900 fields in 10 inline fragments": "{ viewer " +
			nest(10, "{ ... on Account ", "{ "+many+"}", "}") + " }",
		"30 fragments of 15 objects": "{ agents { nodes { " + numbered(30, "...F#") + "} } } " +
			numbered(30, "fragment F# on Agent { exports { "+strings.Repeat("agent { id } ", 15)+"} }"),
	} {
		spent := time.Hour
		for range 3 { // the least of three, because of other work of the process
			before := cpu(t)
			conflicts(t, schema, query, graph.ValidationRules())
			spent = min(spent, cpu(t)-before)
		}
		if spent > 15*time.Millisecond {
			t.Errorf("%s: %s of CPU", what, spent)
		}
	}
}
