package graph

import (
	"context"
	"maps"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agentchat/internal/account"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
)

// Limits, for the tests.
const (
	MaxExpandedFields = maxExpandedFields
	MaxDepth          = maxDepth
	MaxAliases        = maxAliases
	MaxTokens         = maxTokens
	MaxBody           = maxBody
	MaxSignedInBody   = maxSignedInBody
	MaxURLQuery       = maxURLQuery
	RefreshCookie     = refreshCookie
	BrowserCookie     = browserCookie
)

// Refused runs only the limits on a document; nil means that they allow it.
func Refused(query string) *gqlerror.Error {
	_, refusal := measureDocument(&graphql.RawParams{Query: query})
	return refusal
}

// Measured returns the size of a parsed document's operations, as the limits measure it.
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

// Caller is the sender of an operation: the principal, nil for an anonymous caller, its account,
// and whether the request names that account.
type Caller struct {
	Principal *auth.Principal
	Account   *account.Account
	Named     bool
}

// Access returns the code with which a root field is refused to the caller, with its message; empty
// if it is allowed.
func (c Caller) Access(root string, field *ast.FieldDefinition, input map[string]any,
) (code, message string) {
	op := &graphql.OperationContext{Variables: map[string]any{"input": input}}
	ctx := graphql.WithOperationContext(c.context(), op)
	asked := &ast.Field{Name: field.Name, Alias: field.Name, Definition: field}
	if field.Arguments.ForName("input") != nil {
		value := &ast.Value{Kind: ast.Variable, Raw: "input"}
		asked.Arguments = ast.ArgumentList{{Name: "input", Value: value}}
	}
	return refusal(checkAccess(ctx, root, graphql.CollectedField{Field: asked}))
}

// MayUse returns the code with which a type, or a field that its resolver checks, is refused to the
// caller.
func (c Caller) MayUse(name string) (code, message string) {
	return refusal(mayUse(c.context(), name))
}

func (c Caller) context() context.Context {
	req := &request{principal: c.Principal, account: c.Account, named: c.Named}
	return context.WithValue(context.Background(), requestKey{}, req)
}

func refusal(err error) (code, message string) {
	if err == nil {
		return "", ""
	}
	return codes[fault.KindOf(err)].code, fault.ClientMessage(err)
}

// Rules returns the names that have an access rule.
func Rules() []string { return slices.Sorted(maps.Keys(operations)) }

// Limits returns the limits of a root field besides those of its caller: the message that refuses
// several in a request, and whether a query is refused by GET.
func Limits(name string) (once string, postOnly bool) {
	return operations[name].once, operations[name].postOnly
}
