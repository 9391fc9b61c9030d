package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"agentchat/graph"
)

// naive expands a document field by field, as an executor would, up to a bound. It shares no code
// with the limits.
type naive struct {
	doc                    *ast.QueryDocument
	fields, aliases, depth int
	circular               bool
}

const naiveBound = 100_000

func (n *naive) walk(set ast.SelectionSet, depth int, stack []string) {
	for _, s := range set {
		if n.fields > naiveBound || n.circular {
			return
		}
		switch s := s.(type) {
		case *ast.Field:
			n.fields++
			n.depth = max(n.depth, depth+1)
			if s.Alias != "" && s.Alias != s.Name {
				n.aliases++
			}
			n.walk(s.SelectionSet, depth+1, stack)
		case *ast.InlineFragment:
			n.walk(s.SelectionSet, depth, stack)
		case *ast.FragmentSpread:
			if slices.Contains(stack, s.Name) {
				n.circular = true // the validator refuses it
				return
			}
			if f := n.doc.Fragments.ForName(s.Name); f != nil {
				n.walk(f.SelectionSet, depth, append(slices.Clone(stack), s.Name))
			}
		}
	}
}

// neverTooFew fails if the limits count less than the naive expander.
func neverTooFew(t *testing.T, query string) {
	t.Helper()
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, graph.MaxTokens)
	if err != nil {
		return
	}
	names := map[string]bool{}
	for _, f := range doc.Fragments {
		if names[f.Name] {
			return // the validator refuses it
		}
		names[f.Name] = true
	}
	n := &naive{doc: doc}
	for _, op := range doc.Operations {
		n.walk(op.SelectionSet, 0, nil)
	}
	if n.circular {
		return
	}
	fields, depth, aliases := graph.Measured(doc)
	if fields < min(n.fields, naiveBound) || depth < n.depth || aliases < min(n.aliases, naiveBound) {
		t.Errorf("counted %d fields, depth %d, %d aliases; there are %d, %d, %d in\n%s", fields, depth, aliases,
			n.fields, n.depth, n.aliases, query)
	}
	over := n.fields > graph.MaxExpandedFields || n.depth > graph.MaxDepth || n.aliases > graph.MaxAliases
	if over && len(doc.Operations) == 1 && graph.Refused(query) == nil {
		t.Errorf("%d fields, depth %d, %d aliases passed:\n%s", n.fields, n.depth, n.aliases, query)
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
		if neverTooFew(t, randomDocument(r)); t.Failed() {
			return
		}
	}
}
