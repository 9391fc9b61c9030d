package catalogue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxFileBytes bounds a models file.
const maxFileBytes = 1 << 20

// modelsFile is a models file as it was read.
type modelsFile struct {
	path string
	root ast.Node

	Providers []providerEntry `yaml:"providers"`
	Models    []modelEntry    `yaml:"models"`
}

type providerEntry struct {
	Name      text `yaml:"name"`
	Kind      text `yaml:"kind"`
	BaseURL   text `yaml:"base_url"`
	APIKeyEnv text `yaml:"api_key_env"`
}

type modelEntry struct {
	Name            text   `yaml:"name"`
	Provider        text   `yaml:"provider"`
	UpstreamName    text   `yaml:"upstream_name"`
	Label           text   `yaml:"label"`
	Credits         number `yaml:"credits"`
	ContextWindow   number `yaml:"context_window"`
	MaxOutputTokens number `yaml:"max_output_tokens"`
}

// text is a string and its line; the line is 0 where the file has none. A number is an error, because 4.10 would silently
// become 4.1.
type text struct {
	value string
	line  int
}

// UnmarshalYAML reads a string.
func (t *text) UnmarshalYAML(node ast.Node) error {
	switch n := node.(type) {
	case *ast.StringNode:
		t.value = n.Value
	case *ast.LiteralNode:
		t.value = n.Value.Value
	default:
		return &yaml.SyntaxError{Message: "the value must be text: put it in quotes", Token: node.GetToken()}
	}
	if t.value = strings.TrimSpace(t.value); t.value == "" {
		return &yaml.SyntaxError{Message: "the text is empty", Token: node.GetToken()}
	}
	t.line = node.GetToken().Position.Line
	return nil
}

// number is a whole number and its line; the line is 0 where the file has none.
type number struct {
	value int64
	line  int
}

// UnmarshalYAML reads a whole number. A fraction or a number in quotes is an error.
func (n *number) UnmarshalYAML(node ast.Node) error {
	integer, ok := node.(*ast.IntegerNode)
	if ok {
		switch v := integer.Value.(type) {
		case int64:
			n.value = v
		case uint64:
			n.value = int64(min(v, maxWindow+1)) // above every limit
		}
	}
	if !ok {
		return &yaml.SyntaxError{Message: "the value must be a whole number, without quotes", Token: node.GetToken()}
	}
	n.line = node.GetToken().Position.Line
	return nil
}

// failf returns an error of one line that begins with the file's name and the line.
func (f *modelsFile) failf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", f.path, max(line, 1), fmt.Sprintf(format, args...))
}

// readModelsFile reads and decodes the file; what its values mean is checked later.
func readModelsFile(path string) (*modelsFile, error) {
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
	f := &modelsFile{path: path}
	if err := f.checkText(data); err != nil {
		return nil, err
	}
	if err := f.parse(data); err != nil {
		return nil, err
	}
	// The parser has refused keys given twice; here a key that is written out replaces one that is merged in.
	if err := yaml.NodeToValue(f.root, f, yaml.Strict(), yaml.AllowDuplicateMapKey()); err != nil {
		return nil, f.yamlError(err)
	}
	return f, nil
}

// checkText refuses what the YAML library would accept and change: bytes that are not text.
func (f *modelsFile) checkText(data []byte) error {
	if len(data) > maxFileBytes {
		return f.failf(1, "the file is over its limit of 1 MiB")
	}
	line := 0
	for text := range bytes.Lines(data) {
		line++
		if !utf8.Valid(text) {
			return f.failf(line, "the line is not valid UTF-8")
		}
		if bytes.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\r\n", r) }) {
			return f.failf(line, "the line contains a control character")
		}
	}
	return nil
}

// parse finds the one document of the file.
func (f *modelsFile) parse(data []byte) error {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return f.yamlError(err)
	}
	for _, document := range file.Docs {
		switch {
		case document.Body == nil:
		case f.root != nil:
			return f.failf(document.Body.GetToken().Position.Line, "a second document begins here; the file must hold one")
		default:
			f.root = document.Body
		}
	}
	if f.root == nil {
		return f.failf(1, "the file is empty; it needs providers and models")
	}
	var v visitor
	ast.Walk(&v, f.root)
	if v.null != nil {
		return f.failf(v.null.GetToken().Position.Line, "a key or a list item has no value")
	}
	return nil
}

// yamlError turns an error of the YAML library, which shows the source in several lines, into one line.
func (f *modelsFile) yamlError(err error) error {
	if at, ok := errors.AsType[yaml.Error](err); ok && at.GetToken() != nil {
		return f.failf(at.GetToken().Position.Line, "%s", strings.Join(strings.Fields(at.GetMessage()), " "))
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s: %s", f.path, first)
}

// visitor prepares a document for decoding.
type visitor struct{ null *ast.NullNode }

// Visit notes the first value that is missing, which the library would take for an absent key, and moves merge keys to the
// front of their mapping, because the library lets the last of two equal keys win.
func (v *visitor) Visit(node ast.Node) ast.Visitor {
	switch n := node.(type) {
	case *ast.NullNode:
		if v.null == nil {
			v.null = n
		}
	case *ast.MappingNode:
		slices.SortStableFunc(n.Values, func(a, b *ast.MappingValueNode) int {
			switch {
			case a.Key.IsMergeKey() == b.Key.IsMergeKey():
				return 0
			case a.Key.IsMergeKey():
				return -1
			}
			return 1
		})
	}
	return v
}

// line returns the line of a node of the file, which path names as in "$.models[3]"; 1 when there is none.
func (f *modelsFile) line(format string, args ...any) int {
	path, err := yaml.PathString(fmt.Sprintf(format, args...))
	if err != nil {
		return 1
	}
	node, err := path.FilterNode(f.root)
	if err != nil || node == nil {
		return 1
	}
	return node.GetToken().Position.Line
}
