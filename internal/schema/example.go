package schema

import (
	"encoding/json"
	"maps"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
)

// Example makes up a reply, as compact JSON text, with words in its texts. It fits unless the schema asks for more than this can make up,
// which ok says.
func (s *Schema) Example(words string) (reply string, ok bool) {
	var root any
	if json.Unmarshal([]byte(s.text), &root) != nil {
		return "{}", false
	}
	for choice := range maxChoices {
		m := maker{root: root, words: words, choice: choice}
		reply = encoded(m.value(root, 0))
		if fitting, err := s.Check(reply); err == nil {
			return fitting, true
		}
	}
	return reply, false
}

func encoded(value any) string {
	text, err := jsonv2.Marshal(value, jsonv2.Deterministic(true))
	if err != nil {
		return "{}"
	}
	return string(text)
}

// maxChoices is how often another one of the alternatives of a schema is tried.
const maxChoices = 16

// maker makes up values.
type maker struct {
	root  any
	words string
	// choice says which alternative is taken, and whether members that nobody requires are there.
	choice int
}

type object = map[string]any

// value makes up a value for a schema. What it says in allOf, in one alternative and by reference is put together first.
func (m maker) value(of any, depth int) any {
	s := m.merged(of, depth)
	if value, ok := s["const"]; ok {
		return value
	}
	if values, ok := s["enum"].([]any); ok && len(values) > 0 {
		return values[m.choice%len(values)]
	}
	switch m.kind(s) {
	case "object":
		return m.object(s, depth)
	case "array":
		return m.array(s, depth)
	case "string":
		return m.string(s)
	case "integer":
		return m.number(s, true)
	case "number":
		return m.number(s, false)
	case "boolean":
		return m.choice%2 == 0
	case "null":
		return nil
	}
	return m.string(s)
}

// kind is the type of the value: the first that the schema names, or the one that its keywords are about.
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

// merged returns a schema with the keywords of what it refers to.
func (m maker) merged(of any, depth int) object {
	s, _ := of.(object)
	out := maps.Clone(s)
	if out == nil {
		out = object{}
	}
	if depth > 32 {
		return out
	}
	add := func(part any) {
		for name, value := range m.merged(part, depth+1) {
			out[name] = joined(out[name], value)
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		add(m.find(ref))
	}
	all, _ := s["allOf"].([]any)
	for _, part := range all {
		add(part)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if some, _ := s[keyword].([]any); len(some) > 0 {
			add(some[m.choice%len(some)])
		}
	}
	if m.choice%2 == 0 && s["then"] != nil {
		add(s["if"])
		add(s["then"])
	} else if s["else"] != nil {
		add(s["else"])
	}
	return out
}

// joined puts the values of one keyword in two schemas together, as far as that is simple.
func joined(a, b any) any {
	switch a := a.(type) {
	case object:
		if b, ok := b.(object); ok {
			out := maps.Clone(a)
			for name, value := range b {
				out[name] = joined(out[name], value)
			}
			return out
		}
	case []any:
		if b, ok := b.([]any); ok {
			return append(slices.Clip(a), b...)
		}
	case nil:
		return b
	}
	return a
}

// find returns what a reference names; nil for nothing.
func (m maker) find(ref string) any {
	at := m.root
	for _, name := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		switch in := at.(type) {
		case object:
			at = in[name]
		case []any:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(in) {
				at = in[i]
			}
		}
	}
	return at
}

func (m maker) object(s object, depth int) any {
	out := object{}
	properties, _ := s["properties"].(object)
	required, _ := s["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if m.choice%4 < 2 && properties[name] != false && depth < 8 || slices.Contains(required, any(name)) {
			out[name] = m.value(properties[name], depth+1)
		}
	}
	for _, name := range required {
		if name, ok := name.(string); ok && out[name] == nil && properties[name] == nil {
			out[name] = m.value(s["additionalProperties"], depth+1)
		}
	}
	for i := len(out); i < bound(s, "minProperties", 0) && i < 1000; i++ {
		out["name"+strconv.Itoa(i)] = m.value(s["additionalProperties"], depth+1)
	}
	return out
}

func (m maker) array(s object, depth int) any {
	out := []any{}
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
	for i := range min(least, bound(s, "maxItems", least), 1000) {
		each := m
		if s["uniqueItems"] == true {
			each.choice, each.words = m.choice+i, strconv.Itoa(i)+m.words
		}
		switch {
		case i < len(prefix):
			out = append(out, each.value(prefix[i], depth+1))
		case item == false:
			return out
		default:
			out = append(out, each.value(item, depth+1))
		}
	}
	return out
}

func (m maker) string(s object) string {
	if pattern, ok := s["pattern"].(string); ok {
		if re, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			return example(re)
		}
	}
	text := m.words
	least, most := bound(s, "minLength", 0), bound(s, "maxLength", 1<<20)
	for utf8.RuneCountInString(text) < min(least, 1<<16) {
		text += " " + m.words
	}
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most])
	}
	return text
}

// number makes up a number within the bounds.
func (m maker) number(s object, whole bool) any {
	step, hasStep := s["multipleOf"].(float64)
	value, hasLeast := s["minimum"].(float64)
	if above, ok := s["exclusiveMinimum"].(float64); ok && (!hasLeast || above >= value) {
		value, hasLeast = above, true
		if hasStep {
			value += step
		} else {
			value++
		}
	}
	most, hasMost := s["maximum"].(float64)
	if below, ok := s["exclusiveMaximum"].(float64); ok && (!hasMost || below <= most) {
		most, hasMost = below-1, true
	}
	if hasMost && (!hasLeast || value > most) {
		value = most
	}
	if whole && value != float64(int64(value)) {
		value = float64(int64(value) + 1)
	}
	if hasStep {
		times := float64(int64(value / step))
		if times*step < value {
			times++
		}
		value = times * step
	}
	if value == float64(int64(value)) {
		return int64(value)
	}
	return value
}

// bound is a count in a schema.
func bound(s object, keyword string, otherwise int) int {
	if n, ok := s[keyword].(float64); ok {
		return int(min(n, 1<<30))
	}
	return otherwise
}

// example is a text that a pattern matches, unless it asks for a place in a word.
func example(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpPlus:
		return example(re.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(example(re.Sub[0]), re.Min)
	case syntax.OpAlternate:
		return example(re.Sub[0])
	case syntax.OpCapture, syntax.OpConcat:
		var out strings.Builder
		for _, sub := range re.Sub {
			out.WriteString(example(sub))
		}
		return out.String()
	}
	return ""
}
