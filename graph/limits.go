package graph

import (
	"context"
	"math"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"agentchat/internal/fault"
)

// Limits of a document. They are checked before validation, which takes time quadratic in the
// fields of a selection, and before the expansion of fragments, which takes exponential time. The
// panel's largest document stays far below them.
const (
	maxQueryBytes     = 32 << 10
	maxTokens         = 2500
	maxDepth          = 12
	maxExpandedFields = 1000
	maxAliases        = 50
	maxRootFields     = 20
	maxDirectives     = 50
	maxValueDepth     = 10
)

// Limits of a document without a valid access token. The public operations need a tenth of them.
const (
	maxPublicBytes  = 2 << 10
	maxPublicFields = 200
)

// documentLimits is a gqlgen extension that refuses expensive documents before they are validated.
type documentLimits struct{ h *endpoint }

// ExtensionName names the extension.
func (documentLimits) ExtensionName() string { return "Limits" }

// Validate accepts every schema.
func (documentLimits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters measures the document of a request. A document over the public limits
// needs a token: one that the service issued before it is parsed, and a valid one before it is
// validated.
func (l documentLimits) MutateOperationParameters(
	ctx context.Context,
	params *graphql.RawParams,
) *gqlerror.Error {
	req := requestOf(ctx)
	long := len(params.Query) > maxPublicBytes
	if long && req.sender == "" {
		return tokenNeeded()
	}
	fields, refusal := measureDocument(params)
	if refusal != nil {
		return refusal
	}
	if !long && fields <= maxPublicFields {
		return nil
	}
	switch err := l.h.authenticate(ctx, req); {
	case fault.Is(err, fault.Unauthorized):
		return tokenNeeded()
	case err != nil:
		return gqlerror.WrapPath(nil, asFault(err))
	}
	return nil
}

func tokenNeeded() *gqlerror.Error {
	return gqlerror.WrapPath(nil, fault.New(
		fault.Unauthorized,
		"Without a valid access token a document may have at most 2 KiB and 200 fields. Sign in, or send a smaller one.",
	))
}

// measureDocument parses a document within its limits and returns the number of its fields, with
// all fragments expanded.
func measureDocument(params *graphql.RawParams) (fields int, refusal *gqlerror.Error) {
	if len(params.Query) > maxQueryBytes {
		return 0, limitExceeded("The document is longer than 32 KiB.")
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: params.Query}, maxTokens)
	if err != nil {
		return 0, parseFailure(err)
	}
	if refusal := chooseOperation(doc, params.OperationName); refusal != nil {
		return 0, refusal
	}
	m := measure{
		fragments: map[string]*ast.FragmentDefinition{},
		sizes:     map[string]size{},
		open:      map[string]bool{},
	}
	return m.document(doc)
}

func parseFailure(err error) *gqlerror.Error {
	gqlErr, ok := err.(*gqlerror.Error) //nolint:errorlint // the parser returns this type itself
	switch {
	case !ok || strings.Contains(err.Error(), "exceeded token limit"):
		return limitExceeded("The document has more than 2500 tokens.")
	case strings.Contains(err.Error(), "exceeded maximum nesting depth"):
		return limitExceeded("The document is nested more than 12 levels deep.")
	}
	errcode.Set(gqlErr, errcode.ParseFailed)
	return gqlErr
}

// chooseOperation refuses a document with an ambiguous operation.
func chooseOperation(doc *ast.QueryDocument, name string) *gqlerror.Error {
	switch {
	case len(doc.Operations) == 0:
		return nil // gqlgen reports that
	case name == "" && len(doc.Operations) > 1:
		return badRequest("The document has several operations. Select one with operationName.")
	case name != "" && doc.Operations.ForName(name) == nil:
		return badRequest("The document has no operation with the name in operationName.")
	}
	return nil
}

// size is the size of a selection with all fragments expanded.
type size struct{ fields, depth, aliases int }

// measure adds up sizes. It measures each fragment once, no matter how many selections use it.
type measure struct {
	fragments  map[string]*ast.FragmentDefinition
	sizes      map[string]size
	open       map[string]bool // fragments that are being measured
	circular   string
	directives int
	valueDepth int
	hidden     bool
}

// with returns the combined size of two parts of a document.
func (s size) with(other size) size {
	return size{
		fields:  sum(s.fields, other.fields),
		depth:   max(s.depth, other.depth),
		aliases: sum(s.aliases, other.aliases),
	}
}

// document measures a whole document: the validator walks every operation, even those that do not
// run, and every fragment, even unused ones. It returns the number of fields.
func (m *measure) document(doc *ast.QueryDocument) (fields int, refusal *gqlerror.Error) {
	for _, f := range doc.Fragments {
		m.fragments[f.Name] = f
	}
	var all, fragments size
	for _, f := range doc.Fragments {
		m.countDirectives(f.Directives)
		fragments = fragments.with(m.fragment(f.Name))
	}
	most, twice := 0, ""
	for _, op := range doc.Operations {
		m.countDirectives(op.Directives)
		for _, v := range op.VariableDefinitions {
			m.countDirectives(v.Directives)
			m.value(v.DefaultValue, 0)
		}
		all = all.with(m.selection(op.SelectionSet))
		counts := map[string]int{}
		most = max(most, m.roots(roots[op.Operation], op.SelectionSet, map[string]bool{}, counts))
		for message, n := range counts {
			if n > 1 {
				twice = message
			}
		}
	}
	fields = max(all.fields, fragments.fields)
	return fields, m.refusal(all, max(all.depth, fragments.depth), fields, most, twice)
}

func (m *measure) refusal(operations size, depth, fields, roots int, twice string) *gqlerror.Error {
	switch {
	case m.hidden:
		return invalid(
			"Introspection is off. The schema is at /schema.graphql, and the command `agentchat schema` prints it.",
		)
	case depth > maxDepth:
		return limitExceeded("The document is nested more than 12 levels deep.")
	case fields > maxExpandedFields:
		return limitExceeded("The document requests more than 1000 fields.")
	case operations.aliases > maxAliases:
		return limitExceeded("The document has more than 50 aliases.")
	case roots > maxRootFields:
		return limitExceeded("The document has more than 20 fields at its root.")
	case twice != "":
		return limitExceeded(twice)
	case m.directives > maxDirectives:
		return limitExceeded("The document has more than 50 directives.")
	case m.valueDepth > maxValueDepth:
		return limitExceeded("A value is nested more than 10 levels deep.")
	case m.circular != "": // the rules of validation rely on this
		return invalid("The fragment " + m.circular + " spreads itself.")
	}
	return nil
}

func invalid(message string) *gqlerror.Error {
	gqlErr := gqlerror.Errorf("%s", message)
	errcode.Set(gqlErr, errcode.ValidationFailed)
	return gqlErr
}

func (m *measure) selection(set ast.SelectionSet) size {
	var out size
	for _, s := range set {
		var inner size
		switch s := s.(type) {
		case *ast.Field:
			inner = m.field(s)
		case *ast.InlineFragment:
			m.countDirectives(s.Directives)
			inner = m.selection(s.SelectionSet)
			inner.depth++ // nesting costs the validator time even without fields
		case *ast.FragmentSpread:
			m.countDirectives(s.Directives)
			inner = m.fragment(s.Name)
		}
		out = out.with(inner)
	}
	return out
}

func (m *measure) field(f *ast.Field) size {
	m.countDirectives(f.Directives)
	m.hidden = m.hidden || f.Name == "__schema" || f.Name == "__type"
	for _, a := range f.Arguments {
		m.value(a.Value, 0)
	}
	out := m.selection(f.SelectionSet)
	out.fields, out.depth = sum(out.fields, 1), out.depth+1
	if f.Alias != "" && f.Alias != f.Name {
		out.aliases = sum(out.aliases, 1)
	}
	return out
}

// fragment measures a fragment once. A fragment that contains itself counts nothing there.
func (m *measure) fragment(name string) size {
	if m.open[name] {
		m.circular = name
	}
	if known, ok := m.sizes[name]; ok {
		return known
	}
	m.sizes[name] = size{}
	if f := m.fragments[name]; f != nil {
		m.open[name] = true
		m.sizes[name] = m.selection(f.SelectionSet)
		delete(m.open, name)
	}
	return m.sizes[name]
}

// roots counts the fields at the root of an operation, through fragments. counts gets the number of
// fields for each message of rule.once.
func (m *measure) roots(
	root string,
	set ast.SelectionSet,
	under map[string]bool,
	counts map[string]int,
) (fields int) {
	for _, s := range set {
		f := 0
		switch s := s.(type) {
		case *ast.Field:
			f = 1
			if message := operations[root+"."+s.Name].once; message != "" {
				counts[message]++
			}
		case *ast.InlineFragment:
			f = m.roots(root, s.SelectionSet, under, counts)
		case *ast.FragmentSpread:
			if fragment := m.fragments[s.Name]; fragment != nil && !under[s.Name] {
				// The executor merges a fragment that is spread twice, so it is counted once.
				under[s.Name] = true
				f = m.roots(root, fragment.SelectionSet, under, counts)
			}
		}
		fields = sum(fields, f)
	}
	return fields
}

func (m *measure) value(v *ast.Value, depth int) {
	if v == nil || m.valueDepth > maxValueDepth {
		return
	}
	m.valueDepth = max(m.valueDepth, depth)
	for _, child := range v.Children {
		m.value(child.Value, depth+1)
	}
}

func (m *measure) countDirectives(list ast.DirectiveList) {
	m.directives += len(list)
	for _, d := range list {
		for _, a := range d.Arguments {
			m.value(a.Value, 0)
		}
	}
}

// sum adds without overflow.
func sum(a, b int) int {
	if a > math.MaxInt32-b {
		return math.MaxInt32
	}
	return a + b
}
