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
	MaxSignedInBody   = maxSignedInBody
	MaxURLQuery       = maxURLQuery
	CachedDocuments   = cachedDocuments
	RefreshCookie     = refreshCookie
	BrowserCookie     = browserCookie
)

// Refused runs the limits alone on a document; nil lets it pass to the validator.
func Refused(query string) *gqlerror.Error {
	_, refusal := measureDocument(&graphql.RawParams{Query: query})
	return refusal
}

// Measured is what the limits make of a parsed document's operations.
func Measured(doc *ast.QueryDocument) (fields, depth, aliases int) {
	m := measure{fragments: map[string]*ast.FragmentDefinition{}, sizes: map[string]size{}, open: map[string]bool{}}
	for _, f := range doc.Fragments {
		m.fragments[f.Name] = f
	}
	var total size
	for _, op := range doc.Operations {
		total = total.with(m.selection(op.SelectionSet))
	}
	return total.fields, total.depth, total.aliases
}

// The limits of documents without a valid access token.
const (
	MaxPublicBytes  = maxPublicBytes
	MaxPublicFields = maxPublicFields
)

// The limits of an account's test messages.
const (
	MaxTestsAtOnce = maxTestsAtOnce
	MaxTests       = maxTests
)

// Unguarded are the mutations that ask for no proof.
var Unguarded = unguarded

// LeastRole is the least role that may use a root field, a type, or a field with a rule of its own.
var LeastRole = leastRole

// ValidationRules are the rules of validation.
var ValidationRules = validationRules

// Loader is a batched loader.
type Loader = loader[string]

// NewLoader returns a loader.
func NewLoader(load func(context.Context, []uuid.UUID) (map[uuid.UUID]string, error)) *Loader {
	return newLoader(load)
}

// Batch is batch.
func (l *keyLoader[K, V]) Batch(keys []K) { l.batch(keys) }

// Get is get.
func (l *keyLoader[K, V]) Get(ctx context.Context, key K) (V, bool, error) { return l.get(ctx, key) }
