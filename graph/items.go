package graph

import (
	"context"
	"fmt"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/store"
)

// maxItems bounds the items that the pages of a request may hold in all, pages within pages multiplied. Each may hold a message
// of some 100 KB with its reply; the panel's largest document asks for a tenth of it.
const maxItems = 2_500

// itemLimit refuses documents whose pages would multiply. It is an extension of gqlgen's that runs after its validator, when
// the variables are known and no fragment spreads itself.
type itemLimit struct{}

// ExtensionName names the extension.
func (itemLimit) ExtensionName() string { return "ItemLimit" }

// Validate accepts every schema.
func (itemLimit) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext measures the pages of the operation that is to run.
func (itemLimit) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if items(op.Operation.SelectionSet, op.Variables) > maxItems {
		return limitExceeded("The document asks for more than 2500 items. Ask for smaller pages, or for one list at a time.")
	}
	return nil
}

// items is the most items that a selection's pages hold. The limits on fields, measured before, bound the time of it.
func items(set ast.SelectionSet, variables map[string]any) int {
	total := 0
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			total = sum(total, itemsOf(s, variables))
		case *ast.InlineFragment:
			total = sum(total, items(s.SelectionSet, variables))
		case *ast.FragmentSpread:
			total = sum(total, items(s.Definition.SelectionSet, variables))
		}
	}
	return total
}

func itemsOf(f *ast.Field, variables map[string]any) int {
	inner := items(f.SelectionSet, variables)
	size := pageSize(f, variables)
	switch {
	case size == 0: // no list that has pages
		return inner
	case inner > maxItems:
		return inner
	}
	return size * (1 + inner)
}

// pageSize is how many items a field with pages is asked for; 0 for every other field. A size out of range counts as one:
// whoever resolves the field refuses it.
func pageSize(f *ast.Field, variables map[string]any) int {
	if f.Definition == nil || f.Definition.Arguments.ForName("first") == nil {
		return 0
	}
	for _, name := range []string{"first", "last"} {
		given := f.Arguments.ForName(name)
		if given == nil {
			continue
		}
		size, known := number(given.Value, variables)
		if !known {
			continue
		}
		if size < 1 || size > store.MaxPage {
			return 1
		}
		return size
	}
	return store.DefaultPage
}

// number is the whole number that a value stands for, 0 for one that is none; known is false for null.
func number(v *ast.Value, variables map[string]any) (n int, known bool) {
	var given any = v.Raw
	switch v.Kind {
	case ast.NullValue:
		return 0, false
	case ast.Variable:
		given = variables[v.Raw]
		if given == nil {
			return 0, false
		}
	}
	n, err := strconv.Atoi(fmt.Sprint(given))
	if err != nil {
		return 0, true
	}
	return n, true
}
