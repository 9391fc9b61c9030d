package schema

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Reduced is the part of a schema that a provider's format can state.
type Reduced struct {
	// Text is compact JSON, in the order of the schema. It may accept more values.
	Text string
	// Rules are the keywords that are missing in Text.
	Rules []Rule
}

// Rule is a keyword of a schema: its value, as JSON, applies to the schema at Path, a JSON pointer.
type Rule struct{ Path, Keyword, Value string }

// String returns the rule as a line of text.
func (r Rule) String() string { return strings.TrimSpace(r.Path + " " + r.Keyword + " " + r.Value) }

// Reduce reduces a schema that Parse has accepted to the keywords for which keep returns true.
func Reduce(text string, keep func(keyword string) bool) Reduced {
	r := reducer{keep: keep}
	reduced := r.schema("", readTree(text))
	return Reduced{Text: treeText(reduced), Rules: r.rules}
}

type reducer struct {
	keep  func(string) bool
	rules []Rule
}

func (r *reducer) schema(path string, tree any) any {
	s, ok := tree.(ordered)
	if !ok {
		return tree
	}
	out := make(ordered, 0, len(s))
	for _, m := range s {
		if !r.keep(m.name) {
			m = r.translated(s, m)
		}
		if r.keep(m.name) {
			out = append(out, member{m.name, r.within(pointer(path, m.name), positions[m.name], m.value)})
		} else if isRule(m.name) {
			r.rules = append(r.rules, Rule{path, m.name, treeText(m.value)})
		}
	}
	return out
}

// within reduces the schemas in a keyword's value.
func (r *reducer) within(path string, in position, value any) any {
	switch value := value.(type) {
	case []any:
		if in == listOfSchemas {
			out := make([]any, len(value))
			for i, item := range value {
				out[i] = r.schema(path+"/"+strconv.Itoa(i), item)
			}
			return out
		}
	case ordered:
		if in == oneSchema {
			return r.schema(path, value)
		}
		if in == mapOfSchemas {
			out := make(ordered, len(value))
			for i, m := range value {
				out[i] = member{m.name, r.schema(pointer(path, m.name), m.value)}
			}
			return out
		}
	}
	return value
}

// translated returns a member of s that is not kept in a form that is, if it has one.
func (r *reducer) translated(s ordered, m member) member {
	switch m.name {
	case "const":
		if r.keep("enum") && s.get("enum") == nil {
			return member{"enum", []any{m.value}}
		}
	case "exclusiveMinimum":
		return r.inclusive(s, m, "minimum", 1)
	case "exclusiveMaximum":
		return r.inclusive(s, m, "maximum", -1)
	}
	return m
}

// inclusive returns an exclusive bound of an integer as the inclusive one.
func (r *reducer) inclusive(s ordered, m member, keyword string, step int64) member {
	bound, ok := new(big.Int).SetString(treeText(m.value), 10)
	if !ok || textOf(s.get("type")) != "integer" || s.get(keyword) != nil || !r.keep(keyword) {
		return m
	}
	return member{keyword, jsontext.Value(bound.Add(bound, big.NewInt(step)).String())}
}

// isRule reports whether a keyword says anything about a reply.
func isRule(keyword string) bool {
	names := []string{"$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "$defs", "definitions"}
	_, isForm := forms[keyword]
	return (isForm || positions[keyword] != noSchema) && !slices.Contains(names, keyword)
}

// Each calls visit with each object schema within a schema that Parse has accepted, including those
// in $defs.
func Each(text string, visit func(s map[string]any)) {
	if doc, problem := parse(text); problem == nil {
		each(doc, visit)
	}
}

func each(doc any, visit func(map[string]any)) {
	s, ok := doc.(map[string]any)
	if !ok {
		return
	}
	visit(s)
	for keyword, value := range s {
		switch positions[keyword] {
		case oneSchema:
			each(value, visit)
		case listOfSchemas:
			list, _ := value.([]any)
			for _, item := range list {
				each(item, visit)
			}
		case mapOfSchemas:
			members, _ := value.(map[string]any)
			for _, member := range members {
				each(member, visit)
			}
		}
	}
}
