package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Limits and the cache's bound, for the tests.
const (
	MaxExpandedFields = maxExpandedFields
	MaxDepth          = maxDepth
	MaxAliases        = maxAliases
	MaxTokens         = maxTokens
	MaxBody           = maxBody
	CachedDocuments   = cachedDocuments
	RefreshCookie     = refreshCookie
	BrowserCookie     = browserCookie
)

// Refused runs the limits alone on a document; nil lets it pass to the validator.
func Refused(query string) *gqlerror.Error {
	return limits{}.MutateOperationParameters(context.Background(), &graphql.RawParams{Query: query})
}

// Measured is what the limits make of a parsed document's operations.
func Measured(doc *ast.QueryDocument) (fields, depth, aliases int) {
	m := measure{fragments: map[string]*ast.FragmentDefinition{}, sizes: map[string]size{}}
	for _, f := range doc.Fragments {
		m.fragments[f.Name] = f
	}
	var total size
	for _, op := range doc.Operations {
		total = total.with(m.selection(op.SelectionSet))
	}
	return total.fields, total.depth, total.aliases
}

// Batch is the batched load.
type Batch = batch[string]

// NewBatch returns a batched load.
func NewBatch(load func(context.Context, []uuid.UUID) (map[uuid.UUID]string, error)) *Batch {
	return newBatch(load)
}

// Expect is expect.
func (b *batch[V]) Expect(keys []uuid.UUID) { b.expect(keys) }

// Get is get.
func (b *batch[V]) Get(ctx context.Context, key uuid.UUID) (V, bool, error) { return b.get(ctx, key) }
