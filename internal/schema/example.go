package schema

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var (
	// ErrNoExample means that no attempt at an example matches its schema.
	ErrNoExample = errors.New("no example was found that matches the schema")
	// ErrExampleTooLarge means that an example would exceed its budget.
	ErrExampleTooLarge = errors.New("an example that matches the schema is too large")
)

// maxAttempts is the most attempts at an example, each with other alternatives of the schema.
const maxAttempts = 16

// Example makes up a reply that matches the schema, as compact JSON, with words in its strings. It
// returns ErrNoExample, along with the last attempt, if no attempt matches, ErrExampleTooLarge if
// the budget of all attempts is used up, or the context's error.
func (s *Schema) Example(ctx context.Context, words string) (reply string, err error) {
	return s.example(newBudget(ctx), words)
}

func (s *Schema) example(b *budget, words string) (reply string, err error) {
	for choice := range maxAttempts {
		b.out = b.out[:0]
		maker{budget: b, words: words, choice: choice}.value(s.root.doc, 0)
		if err := b.err(); err != nil {
			return "", err
		}
		reply = string(b.out)
		violation := s.check(reply, &b.work)
		switch {
		case violation == nil:
			return reply, nil
		case b.work.left < 0:
			return "", ErrExampleTooLarge
		}
	}
	return reply, ErrNoExample
}

// Misfit makes up a reply that violates the schema: an example without its first required member,
// {} or []. Its errors are those of Example.
func (s *Schema) Misfit(ctx context.Context, words string) (string, error) {
	b := newBudget(ctx)
	reply, err := s.example(b, words)
	if err != nil && !errors.Is(err, ErrNoExample) {
		return "", err
	}
	var members map[string]jsontext.Value
	required, _ := maker{budget: b}.merged(s.root.doc)["required"].([]any)
	if err := jsonv2.Unmarshal([]byte(reply), &members); err == nil && len(required) > 0 {
		name, _ := required[0].(string)
		delete(members, name)
	}
	without, err := jsonv2.Marshal(members, jsonv2.Deterministic(true))
	for _, reply := range []string{string(without), "{}"} {
		if err == nil && s.check(reply, &b.work) != nil {
			return reply, b.err()
		}
	}
	return "[]", b.err()
}

// maker makes up values. It writes them into its budget.
type maker struct {
	*budget
	words string
	// choice selects the alternatives, and whether optional members are included.
	choice int
}

type object = map[string]any

// value makes up a value for a schema without references. Its allOf and one of its alternatives are
// merged first.
func (m maker) value(of any, depth int) {
	if m.values--; m.over() {
		return
	}
	s := m.merged(of)
	if value, ok := s["const"]; ok {
		m.given(value)
		return
	}
	if values, ok := s["enum"].([]any); ok && len(values) > 0 {
		m.given(values[m.choice%len(values)])
		return
	}
	switch m.kind(s) {
	case "object":
		m.object(s, depth)
	case "array":
		m.array(s, depth)
	case "integer":
		m.number(s, true)
	case "number":
		m.number(s, false)
	case "boolean":
		m.write(strconv.FormatBool(m.choice%2 == 0))
	case "null":
		m.write("null")
	default:
		m.string(s)
	}
}

// given writes a value of the schema itself.
func (m maker) given(value any) {
	switch value := value.(type) {
	case object:
		m.write("{")
		for i, name := range sortedNames(value) {
			m.name(i, name)
			m.values--
			m.given(value[name])
		}
		m.write("}")
	case []any:
		m.write("[")
		for i, item := range value {
			m.comma(i)
			m.values--
			m.given(item)
		}
		m.write("]")
	case string:
		m.quote(value)
	case json.Number:
		m.write(value.String())
	case bool:
		m.write(strconv.FormatBool(value))
	default:
		m.write("null")
	}
}

// kind returns the type of the value: the first that the schema names, or the one that its keywords
// constrain.
func (m maker) kind(s object) string {
	switch kind := s["type"].(type) {
	case string:
		return kind
	case []any:
		if len(kind) > 0 {
			name, _ := kind[m.choice%len(kind)].(string)
			return name
		}
	}
	for _, about := range []struct{ keyword, kind string }{
		{"properties", "object"}, {"required", "object"}, {"minProperties", "object"}, {"items", "array"}, {"prefixItems", "array"},
		{"minItems", "array"}, {"contains", "array"}, {"minimum", "number"}, {"maximum", "number"}, {"multipleOf", "number"},
		{"exclusiveMinimum", "number"}, {"exclusiveMaximum", "number"},
	} {
		if s[about.keyword] != nil {
			return about.kind
		}
	}
	return "string"
}

func (m maker) object(s object, depth int) {
	properties, _ := s["properties"].(object)
	required, _ := s["required"].([]any)
	m.steps -= len(properties) + len(required)
	needed := make(map[string]bool, len(required))
	for _, name := range required {
		needed[name.(string)] = true // Parse has checked the type
	}
	written := 0
	member := func(name string, of any) {
		m.name(written, name)
		m.value(of, depth+1)
		written++
	}
	m.write("{")
	for _, name := range sortedNames(properties) {
		if m.choice%4 < 2 && properties[name] != false && depth < 8 || needed[name] {
			member(name, properties[name])
		}
	}
	for _, name := range sortedNames(needed) {
		if _, ok := properties[name]; !ok {
			member(name, s["additionalProperties"])
		}
	}
	least := bound(s, "minProperties", 0)
	for i := written; i < least && !m.over(); i++ {
		if name := "name" + strconv.Itoa(i); !needed[name] {
			member(name, s["additionalProperties"])
		}
	}
	m.write("}")
}

func (m maker) array(s object, depth int) {
	prefix, _ := s["prefixItems"].([]any)
	least := max(bound(s, "minItems", 0), bound(s, "minContains", 0))
	if s["contains"] != nil {
		least = max(least, 1)
	}
	if m.choice%2 == 0 && depth < 8 {
		least = max(least, len(prefix), 1)
	}
	item := s["items"]
	if item == nil {
		item = s["contains"]
	}
	if item == false {
		least = min(least, len(prefix))
	}
	least = min(least, bound(s, "maxItems", least))
	m.write("[")
	for i := 0; i < least && !m.over(); i++ {
		each, of := m, item
		if s["uniqueItems"] == true {
			each.choice, each.words = m.choice+i, strconv.Itoa(i)+m.words
		}
		if i < len(prefix) {
			of = prefix[i]
		}
		m.comma(i)
		each.value(of, depth+1)
	}
	m.write("]")
}

// bound returns a count of the schema, or otherwise if it is absent. Parse has validated it.
func bound(s object, keyword string, otherwise int) int {
	if n, ok := rational(s[keyword]); ok {
		return int(min(n.Num().Int64(), largestCount))
	}
	return otherwise
}
