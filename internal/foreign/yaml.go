package foreign

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// unread maps the YAML tokens that only hostile files need to the error message for each.
var unread = map[token.Type]string{
	token.AnchorType:     "Anchors are not read. Remove the anchor.",
	token.AliasType:      "Aliases are not read. Write the value out.",
	token.MergeKeyType:   "Merge keys are not read. Write the values out.",
	token.TagType:        "Tags are not read. Remove the tag.",
	token.DirectiveType:  "Directives are not read. Remove the directive.",
	token.MappingKeyType: "Complex keys are not read. Use a simple key.",
}

// parseYAML parses YAML. The library gets only what checkTokens has accepted.
func parseYAML(content []byte) (*node, error) {
	if err := checkBrackets(content); err != nil {
		return nil, err
	}
	tokens := lexer.Tokenize(string(content))
	if err := checkTokens(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line := 1
		if at, ok := errors.AsType[yaml.Error](err); ok && at.GetToken() != nil {
			line = at.GetToken().Position.Line
		}
		return nil, notYAML(line)
	}
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil && body != nil {
			return nil, secondDocument(doc.Body.GetToken().Position.Line)
		}
		if doc.Body != nil {
			body = doc.Body
		}
	}
	if body == nil {
		return nil, refused(1, "The file is empty.")
	}
	return (&yamlTree{}).value(body, 1)
}

func notYAML(line int) error { return refused(line, "This is not valid YAML.") }

func secondDocument(line int) error {
	return refused(line, "The file has a second document. Keep one.")
}

// checkBrackets refuses a line that opens far more brackets than it closes: the library would need
// hundreds of bytes for each.
func checkBrackets(content []byte) error {
	line, open := 1, 0
	for _, c := range content {
		switch c {
		case '\n':
			line, open = line+1, 0
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		}
		if open > maxDepth {
			return tooDeep(line)
		}
	}
	return nil
}

// checkTokens refuses unread tokens, and nesting that could exhaust the parser's stack.
func checkTokens(tokens token.Tokens) error {
	flow, items := 0, 0
	var columns []int // of the collections that are open outside of brackets
	for i, t := range tokens {
		line := t.Position.Line
		if sentence := unread[t.Type]; sentence != "" {
			return refused(line, "%s", sentence)
		}
		switch t.Type {
		case token.InvalidType:
			return notYAML(line)
		case token.DocumentHeaderType:
			if i > 0 {
				return secondDocument(line)
			}
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType:
			columns = opened(columns, t.Position.Column)
		case token.MappingValueType:
			if flow == 0 && i > 0 {
				columns = opened(columns, tokens[i-1].Position.Column)
			}
		}
		switch t.Type {
		case token.SequenceEntryType, token.MappingValueType, token.CollectEntryType:
			items++
		}
		switch {
		case flow+len(columns) > maxDepth:
			return tooDeep(line)
		case items > maxNodes:
			return tooMany(line)
		}
	}
	return nil
}

// opened returns the open columns after a collection's item in a column.
func opened(columns []int, column int) []int {
	for len(columns) > 0 && columns[len(columns)-1] >= column {
		columns = columns[:len(columns)-1]
	}
	return append(columns, column)
}

// yamlTree builds a tree.
type yamlTree struct{ builder }

func (b *yamlTree) value(n ast.Node, depth int) (*node, error) {
	t := n.GetToken()
	line := t.Position.Line
	switch v := n.(type) {
	case *ast.MappingNode:
		return b.mapping(v.Values, line, depth)
	case *ast.MappingValueNode:
		return b.mapping([]*ast.MappingValueNode{v}, line, depth)
	case *ast.SequenceNode:
		out, err := b.node(listKind, line, depth, "")
		for i := 0; err == nil && i < len(v.Values); i++ {
			var item *node
			if item, err = b.value(v.Values[i], depth+1); err == nil {
				out.add(item)
			}
		}
		return out, err
	case *ast.StringNode:
		return b.node(textKind, line, depth, v.Value)
	case *ast.LiteralNode:
		return b.node(textKind, line, depth, v.Value.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return b.node(numberKind, line, depth, strings.TrimSpace(t.Value))
	case *ast.BoolNode:
		return b.node(boolKind, line, depth, strings.TrimSpace(t.Value))
	case *ast.NullNode:
		return b.node(nullKind, line, depth, "")
	}
	return nil, notYAML(line)
}

func (b *yamlTree) mapping(members []*ast.MappingValueNode, line, depth int) (*node, error) {
	out, err := b.node(objectKind, line, depth, "")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, m := range members {
		key := m.Key.GetToken()
		if err := b.name(out, key.Value, key.Position.Line, seen); err != nil {
			return nil, err
		}
		value, err := b.value(m.Value, depth+1)
		if err != nil {
			return nil, err
		}
		value.at, value.line = key.Value, key.Position.Line
		out.add(value)
	}
	return out, nil
}
