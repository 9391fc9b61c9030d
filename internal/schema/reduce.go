package schema

import (
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Reduced is the part of a schema that a provider's format can state.
type Reduced struct {
	// Text is compact JSON, in the order of the schema. It may accept more values.
	Text string
	// Rules are the keywords that are missing in Text.
	Rules []Rule
	// Object is false for a union of objects, which some formats refuse.
	Object bool
}

// Rule is a keyword of a schema: its value, as JSON, applies to the schema at Path, a JSON pointer.
type Rule struct{ Path, Keyword, Value string }

// String returns the rule as a line of text.
func (r Rule) String() string { return strings.TrimSpace(r.Path + " " + r.Keyword + " " + r.Value) }

// Reduce reduces a schema that Parse has accepted to the keywords for which keep returns true.
func Reduce(text string, keep func(keyword string) bool) Reduced {
	r := reducer{keep: keep}
	root, _ := rewrite(text)
	root = withoutUnused(root)
	if root.get("type") == nil && root.get("anyOf") == nil && root.get("oneOf") == nil {
		root = append(ordered{{"type", jsontext.Value(`"object"`)}}, root...)
	}
	return Reduced{
		Text:   treeText(r.schema("", root)),
		Rules:  r.rules,
		Object: textOf(root.get("type")) == "object",
	}
}

// withoutUnused returns a schema without the definitions that no reference names.
func withoutUnused(root ordered) ordered {
	definitions, ok := root.get("$defs").(ordered)
	if !ok {
		return root
	}
	used := map[string]bool{}
	var mark func(tree any)
	mark = func(tree any) {
		switch tree := tree.(type) {
		case ordered:
			for _, m := range tree {
				place, _ := placeOf(textOf(m.value))
				name, local := strings.CutPrefix(place, "/$defs/")
				if m.name != "$ref" || !local {
					mark(m.value)
					continue
				}
				name, _, _ = strings.Cut(name, "/")
				name = unescape(name)
				if !used[name] {
					used[name] = true
					mark(definitions.get(name))
				}
			}
		case []any:
			for _, item := range tree {
				mark(item)
			}
		}
	}
	out := slices.DeleteFunc(slices.Clone(root), func(m member) bool { return m.name == "$defs" })
	mark(out)
	definitions = slices.DeleteFunc(slices.Clone(definitions), func(m member) bool {
		return !used[m.name]
	})
	if len(definitions) == 0 {
		return out
	}
	return root.with("$defs", definitions)
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
	s = r.withOnlyPart(s)
	out := make(ordered, 0, len(s))
	for _, m := range s {
		if !r.keep(m.name) {
			m = r.translated(s, m)
		}
		if r.keep(m.name) {
			m.value = within(pointer(path, m.name), positions[m.name], m.value, r.schema)
			out = append(out, m)
		} else if isRule(m.name) {
			r.rules = append(r.rules, Rule{path, m.name, treeText(m.value)})
		}
	}
	return out
}

// withOnlyPart returns a schema that has only one schema in allOf, besides notes, as that one.
func (r *reducer) withOnlyPart(s ordered) ordered {
	all, _ := s.get("allOf").([]any)
	if len(all) != 1 || r.keep("allOf") {
		return s
	}
	part, ok := all[0].(ordered)
	var out ordered
	for _, m := range s {
		if m.name == "allOf" {
			continue
		}
		ok = ok && !constrains(m.name)
		out = append(out, m)
	}
	if !ok {
		return s
	}
	for _, m := range part {
		if s.get(m.name) == nil {
			out = append(out, m)
		}
	}
	return out
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
	names := []string{"$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "$defs",
		"definitions"}
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
