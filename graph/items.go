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

// maxItems is the most items on all pages of a request, nested pages multiplied. Each item may be a
// message of about 100 KB with its reply. The panel's largest document requests a tenth of this
// limit.
const maxItems = 2_500

// itemLimit is a gqlgen extension that refuses documents whose nested pages multiply too far. It
// runs after validation: then the variables are known, and no fragment contains itself.
type itemLimit struct{}

// ExtensionName names the extension.
func (itemLimit) ExtensionName() string { return "ItemLimit" }

// Validate accepts every schema.
func (itemLimit) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext measures the pages of the operation that will run.
func (itemLimit) MutateOperationContext(
	_ context.Context,
	op *graphql.OperationContext,
) *gqlerror.Error {
	if items(op.Operation.SelectionSet, op.Variables) > maxItems {
		return limitExceeded(
			"The document requests more than 2500 items. Request smaller pages, or one list at a time.",
		)
	}
	return nil
}

// items returns the maximum number of items on a selection's pages. The limit on fields, checked
// before, bounds its running time.
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
	case size == 0: // not a list with pages
		return inner
	case inner > maxItems:
		return inner
	}
	return size * (1 + inner)
}

// pageSize returns the requested page size of a field with pages; 0 for other fields. A size out of
// range counts as 1, because the resolver will refuse it.
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

// number returns a whole number, 0 for any other value; known is false for null.
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
