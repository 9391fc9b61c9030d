package graph_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"agentchat/graph"
)

// naive expands a document field by field, as an executor would. It shares no code with the limits.
type naive struct {
	doc                    *ast.QueryDocument
	fields, aliases, depth int
}

func (n *naive) walk(set ast.SelectionSet, depth int) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			n.fields++
			n.depth = max(n.depth, depth+1)
			if s.Alias != s.Name {
				n.aliases++
			}
			n.walk(s.SelectionSet, depth+1)
		case *ast.InlineFragment:
			n.walk(s.SelectionSet, depth)
		case *ast.FragmentSpread:
			n.walk(n.doc.Fragments.ForName(s.Name).SelectionSet, depth)
		}
	}
}

// randomDocument returns a document of one operation and fragments without circles.
func randomDocument(r *rand.Rand) string {
	fragments := r.IntN(6)
	var selection func(depth, from int) string
	selection = func(depth, from int) string {
		var out strings.Builder
		out.WriteString("{ id ")
		for range r.IntN(5) {
			switch kind := r.IntN(5); {
			case kind == 0:
				fmt.Fprintf(&out, "a%d: name ", r.IntN(3))
			case kind == 1 && depth > 0:
				out.WriteString("exports " + selection(depth-1, from))
			case kind == 2 && depth > 0:
				out.WriteString("... on Agent " + selection(depth-1, from))
			case kind >= 3 && from < fragments:
				fmt.Fprintf(&out, "...F%d ", from+r.IntN(fragments-from))
			default:
				out.WriteString("name ")
			}
		}
		return out.String() + "} "
	}
	text := "{ agent " + selection(4, 0) + "}"
	for i := range fragments {
		text += fmt.Sprintf(" fragment F%d on Agent %s", i, selection(3, i+1))
	}
	return text
}

func TestLimitsAgainstANaiveExpander(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		query := randomDocument(r)
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		if err != nil {
			t.Fatalf("%v in %s", err, query)
		}
		n := naive{doc: doc}
		n.walk(doc.Operations[0].SelectionSet, 0)
		fields, depth, aliases := graph.Measured(doc)
		if fields != n.fields || depth < n.depth || aliases != n.aliases {
			t.Fatalf("counted %d fields, depth %d, %d aliases; there are %d, %d, %d in\n%s", fields, depth,
				aliases, n.fields, n.depth, n.aliases, query)
		}
		over := n.fields > graph.MaxExpandedFields || n.depth > graph.MaxDepth ||
			n.aliases > graph.MaxAliases
		if over && graph.Refused(query) == nil {
			t.Fatalf("%d fields, depth %d, %d aliases passed:\n%s", n.fields, n.depth, n.aliases, query)
		}
	}
}
