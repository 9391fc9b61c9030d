// Package schema validates JSON against JSON Schema 2020-12: the schemas that owners write, and the
// replies of models. Both can be hostile, so each is bounded before the library sees it: schemas in
// Parse, replies by the work of checking them.
package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Limits of schemas and replies.
const (
	// MaxBytes is the size of the largest schema, in bytes.
	MaxBytes = 16 << 10
	// MaxReply is the size of the largest structured reply, in bytes.
	MaxReply = 256 << 10
	// maxNodes, maxLevels and maxValues bound a schema after its references are resolved; the root is
	// the first node and level.
	maxNodes, maxLevels, maxValues = 500, 16, 10_000
)

// RefusedError says why a text is refused as a schema.
type RefusedError struct {
	// Path is a JSON pointer into the schema; "" for the whole.
	Path string
	// Line is the line of Path in the text, from 1; 0 for the whole. Column is only set if the text is
	// not JSON.
	Line, Column int
	// Message is a sentence for its owner. It may quote the schema.
	Message string
	// offset is the byte of the text at which it stops being JSON.
	offset int
}

// Error returns the sentence with its position.
func (p *RefusedError) Error() string {
	switch {
	case p.Line == 0:
		return p.Message
	case p.Column > 0:
		return fmt.Sprintf("Line %d, column %d: %s", p.Line, p.Column, p.Message)
	}
	return fmt.Sprintf("Line %d, %s: %s", p.Line, p.Path, p.Message)
}

func refuse(path, format string, values ...any) *RefusedError {
	return &RefusedError{Path: path, Message: fmt.Sprintf(format, values...)}
}

// Schema is a schema that replies can be checked against. It is safe for concurrent use.
type Schema struct {
	text     string
	root     *node
	names    map[string]bool
	notes    []Note
	compiled *jsonschema.Schema
}

// Text returns the schema verbatim.
func (s *Schema) Text() string { return s.text }

// Nodes returns the number of schemas within it, including itself, after references are resolved.
func (s *Schema) Nodes() int { return s.root.nodes }

// Parse parses a schema. An error is a *RefusedError.
func Parse(text string) (*Schema, error) {
	s, problem := parseSchema(text)
	if problem == nil {
		return s, nil
	}
	if problem.Line == 0 && problem.Path != "" {
		problem.Line = lineOf(text, problem.Path)
	}
	return nil, problem
}

func parseSchema(text string) (s *Schema, problem *RefusedError) {
	if len(text) > MaxBytes {
		return nil, refuse("", "The schema is larger than 16 KiB. Remove descriptions, or unneeded parts.")
	}
	doc, problem := parse(text)
	if problem != nil {
		return nil, problem
	}
	object, ok := doc.(map[string]any)
	if !ok {
		return nil, refuse("", "%s", notAnObject)
	}
	if inner := wrapped(object); inner != "" {
		return nil, refuse("", `Paste only what stands under "%s".`, inner)
	}
	tree, r := rewrite(text)
	switch {
	case r.problem != nil:
		return nil, r.problem
	case r.changed:
		if doc, problem = parse(treeText(tree)); problem != nil { // it is valid
			return nil, problem
		}
	}
	b := builder{
		root:     doc,
		nodes:    map[string]*node{},
		names:    map[string]bool{},
		patterns: map[string]*pattern{},
	}
	root, problem := b.build("", doc, 1, false)
	switch {
	case problem != nil:
		problem.Path = r.written(problem.Path)
		return nil, problem
	case root.levels > maxLevels:
		return nil, refuse("", "%s", tooDeep)
	case root.nodes > maxNodes:
		return nil, refuse("", "With its references resolved, the schema contains more than %d schemas. Make it smaller.", maxNodes)
	case root.values > maxValues:
		return nil, refuse("", "With its references resolved, the schema lists more than %d values and names. Make it smaller.", maxValues)
	}
	if !onlyObjects(root.doc) {
		return nil, refuse("", "%s", notAnObject)
	}
	compiled, err := compile(root.doc, b.patterns)
	if err != nil {
		return nil, refuse("", "This is not a valid JSON Schema 2020-12.")
	}
	s = &Schema{text: text, root: root, names: b.names, notes: r.notes, compiled: compiled}
	for _, note := range b.notes[:min(len(b.notes), maxNotes-len(r.notes))] {
		note.Path = r.written(note.Path)
		s.notes = append(s.notes, note)
	}
	return s, nil
}

const notAnObject = `The schema must describe an object. It must begin like {"type": "object", …}.`

// wrappers are the names under which providers and protocols expect a schema.
var wrappers = []string{"schema", "parameters", "input_schema", "inputSchema", "response_schema",
	"responseSchema"}

// wrapped returns the name under which a provider's library sends the schema; empty for a schema.
func wrapped(object map[string]any) string {
	for _, outer := range []string{"json_schema", "response_format", "function", "format"} {
		if inner, ok := object[outer].(map[string]any); ok && !onlyObjects(object) {
			if name := wrapped(inner); name != "" {
				return name
			}
		}
	}
	if onlyObjects(object) || object["$ref"] != nil || object["properties"] != nil {
		return ""
	}
	for _, name := range wrappers {
		if _, ok := object[name].(map[string]any); ok {
			return name
		}
	}
	return ""
}

// onlyObjects reports whether a schema without references accepts nothing but objects.
func onlyObjects(doc any) bool {
	s, _ := doc.(map[string]any)
	if types := typeList(s["type"]); len(types) == 1 && types[0] == "object" {
		return true
	}
	all, _ := s["allOf"].([]any)
	if slices.ContainsFunc(all, onlyObjects) {
		return true
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		some, _ := s[keyword].([]any)
		if len(some) > 0 && !slices.ContainsFunc(some, func(one any) bool { return !onlyObjects(one) }) {
			return true
		}
	}
	return false
}

var tooDeep = fmt.Sprintf("With its references resolved, the schema is more than %d levels deep. Make it flatter.", maxLevels)

// compile compiles a document that the builder has made. It has no references, so nothing is
// loaded.
func compile(doc any, patterns map[string]*pattern) (compiled *jsonschema.Schema, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the library panicked: %v", p)
		}
	}()
	const name = "schema:reply"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	c.AssertFormat() // the document only has those to check
	c.UseRegexpEngine(func(text string) (jsonschema.Regexp, error) {
		if known := patterns[text]; known != nil {
			return known, nil
		}
		return nil, errors.New("an unknown pattern")
	})
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

// noLoader refuses to load anything: the library's own loader reads files.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// unescape returns a name in a JSON pointer.
func unescape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
}

// pointer returns a JSON pointer to a member.
func pointer(path, name string) string {
	return path + "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
