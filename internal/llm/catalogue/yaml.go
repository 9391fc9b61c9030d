package catalogue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// The bounds of a models file. The last two keep the YAML parser, whose time grows faster than the depth, from a hang.
const (
	maxFileBytes = 1 << 20
	maxLineBytes = 4096
	maxBrackets  = 64
	maxAliases   = 16
)

// document is a models file that was read: its one YAML document, and where its aliases lead.
type document struct {
	path    string
	root    ast.Node
	targets map[*ast.AliasNode]ast.Node
}

// field is one key of a mapping with its value, aliases followed.
type field struct {
	key   string
	line  int
	value ast.Node
}

// mapping is one mapping of the file, merge keys applied.
type mapping struct {
	line   int
	fields map[string]field
}

// failf returns an error of one line that begins with the file's name and the line.
func (d *document) failf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", d.path, max(line, 1), fmt.Sprintf(format, args...))
}

// readDocument reads and parses the file.
func readDocument(path string) (*document, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("models file: %w", err)
	}
	defer func() { _ = file.Close() }() // nothing was written
	data, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("models file: %w", err)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // the byte-order mark that some editors put first
	d := &document{path: path, targets: make(map[*ast.AliasNode]ast.Node)}
	if err := d.check(data); err != nil {
		return nil, err
	}
	if err := d.parse(data); err != nil {
		return nil, err
	}
	return d, nil
}

// check refuses what is no text, or too large for the parser.
func (d *document) check(data []byte) error {
	if len(data) > maxFileBytes {
		return d.failf(1, "the file is over its limit of 1 MiB")
	}
	line, depth := 1, 0
	for text := range strings.Lines(string(data)) {
		if !utf8.ValidString(text) {
			return d.failf(line, "the line is not valid UTF-8")
		}
		if len(text) > maxLineBytes {
			return d.failf(line, "the line is over its limit of %d bytes", maxLineBytes)
		}
		for _, r := range text {
			switch {
			case r == '[' || r == '{':
				depth++
			case r == ']' || r == '}':
				depth = max(0, depth-1)
			case r < ' ' && r != '\t' && r != '\r' && r != '\n', r == 0x7f:
				return d.failf(line, "the line holds a control character (U+%04X)", r)
			}
		}
		if depth > maxBrackets {
			return d.failf(line, "more than %d brackets are open", maxBrackets)
		}
		line++
	}
	return nil
}

func (d *document) parse(data []byte) error {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		if at, ok := errors.AsType[yaml.Error](err); ok && at.GetToken() != nil {
			return d.failf(at.GetToken().Position.Line, "%s", strings.Join(strings.Fields(at.GetMessage()), " "))
		}
		// The library's other texts show the source below their first line.
		first, _, _ := strings.Cut(err.Error(), "\n")
		return d.failf(1, "%s", first)
	}
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case d.root != nil:
			return d.failf(nodeLine(doc.Body), "a second document begins here; the file has to hold one")
		default:
			d.root = doc.Body
		}
	}
	if d.root == nil {
		return d.failf(1, "the file is empty; it needs providers and models")
	}
	return d.followAliases()
}

// followAliases finds the target of every alias: the newest anchor of its name before it.
func (d *document) followAliases() error {
	v := &aliasVisitor{anchors: make(map[string]ast.Node), targets: d.targets}
	ast.Walk(v, d.root)
	if v.unknown != nil {
		return d.failf(nodeLine(v.unknown), "there is no anchor %q before this alias", v.unknown.Value.GetToken().Value)
	}
	return nil
}

type aliasVisitor struct {
	anchors map[string]ast.Node
	targets map[*ast.AliasNode]ast.Node
	unknown *ast.AliasNode
}

// Visit notes anchors and aliases, in the file's order.
func (v *aliasVisitor) Visit(node ast.Node) ast.Visitor {
	switch n := node.(type) {
	case *ast.AnchorNode:
		v.anchors[n.Name.GetToken().Value] = n.Value
	case *ast.AliasNode:
		target, ok := v.anchors[n.Value.GetToken().Value]
		if ok {
			v.targets[n] = target
		} else if v.unknown == nil {
			v.unknown = n
		}
	}
	return v
}

// resolve follows anchors and aliases to the node that they stand for.
func (d *document) resolve(node ast.Node) (ast.Node, error) {
	for range maxAliases {
		switch n := node.(type) {
		case *ast.AnchorNode:
			node = n.Value
		case *ast.AliasNode:
			node = d.targets[n]
		default:
			return node, nil
		}
	}
	return nil, d.failf(nodeLine(node), "the aliases are nested too deeply")
}

// readMapping reads a mapping that may hold only the keys known. what names it for the error.
func (d *document) readMapping(node ast.Node, what string, known []string) (mapping, error) {
	m := mapping{line: nodeLine(node), fields: make(map[string]field)}
	err := d.collect(&m, node, what, known, 0)
	return m, err
}

// collect adds the pairs of a mapping node to m, then those that it merges; a key that is there already stays.
func (d *document) collect(m *mapping, node ast.Node, what string, known []string, depth int) error {
	at := nodeLine(node)
	node, err := d.resolve(node)
	if err != nil {
		return err
	}
	body, ok := node.(*ast.MappingNode)
	if !ok {
		return d.failf(at, "%s has to hold keys with values; the keys are %s", what, strings.Join(known, ", "))
	}
	if depth > maxAliases {
		return d.failf(at, "the merge keys are nested too deeply")
	}
	var merged []ast.Node
	for _, pair := range body.Values {
		if pair.Key.IsMergeKey() {
			merged = append(merged, pair.Value)
			continue
		}
		f := field{key: pair.Key.GetToken().Value, line: nodeLine(pair.Key)}
		if !slices.Contains(known, f.key) {
			return d.failf(f.line, "%s has no key %q; the keys are %s", what, short(f.key), strings.Join(known, ", "))
		}
		if f.value, err = d.resolve(pair.Value); err != nil {
			return err
		}
		if _, ok := m.fields[f.key]; !ok {
			m.fields[f.key] = f
		}
	}
	for _, source := range merged {
		if err := d.merge(m, source, what, known, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// merge adds the pairs of a merge key's value: one mapping, or a list of them.
func (d *document) merge(m *mapping, source ast.Node, what string, known []string, depth int) error {
	node, err := d.resolve(source)
	if err != nil {
		return err
	}
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return d.collect(m, source, what, known, depth)
	}
	if len(list.Values) > maxAliases {
		return d.failf(nodeLine(source), "more than %d mappings are merged", maxAliases)
	}
	for _, value := range list.Values {
		if err := d.collect(m, value, what, known, depth); err != nil {
			return err
		}
	}
	return nil
}

// list returns the items of a field that has to be a list with at least one item and at most limit.
func (d *document) list(f field, limit int) ([]ast.Node, error) {
	list, ok := f.value.(*ast.SequenceNode)
	switch {
	case !ok:
		return nil, d.failf(f.line, "%s has to be a list", f.key)
	case len(list.Values) == 0:
		return nil, d.failf(f.line, "%s is empty", f.key)
	case len(list.Values) > limit:
		return nil, d.failf(f.line, "%s has %d items, over its limit of %d", f.key, len(list.Values), limit)
	}
	return list.Values, nil
}

// text returns a field's text; "" when the field is absent.
func (d *document) text(m mapping, key string, limit int) (string, error) {
	f, ok := m.fields[key]
	if !ok {
		return "", nil
	}
	var text string
	switch n := f.value.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	case *ast.NullNode:
	default:
		return "", d.failf(f.line, "%s has to be text; put it in quotes", key)
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", d.failf(f.line, "%s has no value", key)
	case utf8.RuneCountInString(text) > limit:
		return "", d.failf(f.line, "%s is over its limit of %d characters", key, limit)
	}
	return text, nil
}

// integer returns a field's whole number from least to most; absent when the field is.
func (d *document) integer(m mapping, key string, least, most int64) (n int64, present bool, err error) {
	f, ok := m.fields[key]
	if !ok {
		return 0, false, nil
	}
	ok = false
	if node, isInteger := f.value.(*ast.IntegerNode); isInteger {
		switch v := node.Value.(type) {
		case int64:
			n, ok = v, v >= least && v <= most
		case uint64:
			n, ok = int64(min(v, uint64(most)+1)), v <= uint64(most) && int64(v) >= least // both bounds are positive or 0
		}
	}
	if !ok {
		return 0, true, d.failf(f.line, "%s has to be a whole number from %d to %d", key, least, most)
	}
	return n, true, nil
}

// short returns the beginning of a text that an error repeats.
func short(text string) string {
	const limit = 40
	n := 0
	for i := range text {
		if n == limit {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

func nodeLine(node ast.Node) int {
	if node == nil || node.GetToken() == nil {
		return 1
	}
	return node.GetToken().Position.Line
}
