package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// dialects are the accepted versions of JSON Schema, by the value of $schema without its scheme and
// an empty fragment.
var dialects = map[string]int{
	"json-schema.org/draft-07/schema":      2017,
	"json-schema.org/draft/2019-09/schema": 2019,
	"json-schema.org/draft/2020-12/schema": latest,
}

const latest = 2020

// since says which version of JSON Schema added a keyword, for those that older versions ignore.
var since = map[string]int{
	"unevaluatedItems": 2019, "unevaluatedProperties": 2019, "dependentRequired": 2019,
	"dependentSchemas": 2019, "minContains": 2019, "maxContains": 2019, "prefixItems": latest,
}

// dialectOf returns the version that a value of $schema names; 0 for others.
func dialectOf(name string) int {
	scheme, name, _ := strings.Cut(name, "://")
	if scheme != "http" && scheme != "https" {
		return 0
	}
	return dialects[strings.TrimSuffix(name, "#")]
}

// rewriter rewrites schemas of older versions, and some of other generators, into JSON Schema
// 2020-12 with the same meaning.
type rewriter struct {
	dialect int
	// moved maps JSON pointers of the result to those of the text, where they differ.
	moved   map[string]string
	root    ordered
	changed bool
	notes   []Note
	// contains is set if the keyword is in the text, and problem if the schema has no equal in
	// 2020-12.
	contains bool
	problem  *RefusedError
}

// rewrite returns the tree of a schema in JSON Schema 2020-12. Its text may be invalid as a schema.
func rewrite(text string) (ordered, *rewriter) {
	r := &rewriter{dialect: latest, moved: map[string]string{}}
	root, _ := readTree(text).(ordered)
	if dialect := dialectOf(textOf(root.get("$schema"))); dialect != 0 {
		r.dialect = dialect
	}
	r.contains = strings.Contains(text, `"contains"`)
	root, _ = r.schema("", root).(ordered)
	if r.root = root; len(r.moved) > 0 {
		root, _ = r.references("", root).(ordered)
	}
	if root = r.inlined(root); treeText(root.get("type")) == `["object"]` {
		root = root.with("type", jsontext.Value(`"object"`))
	}
	return root, r
}

// written returns the JSON pointer into the text for one into the result.
func (r *rewriter) written(path string) string {
	for at := path; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		if was, ok := r.moved[at]; ok {
			return was + path[len(at):]
		}
	}
	return path
}

func (r *rewriter) schema(path string, tree any) any {
	s, ok := tree.(ordered)
	if !ok {
		return tree
	}
	s = r.nullable(path, r.renamed(path, s))
	for i, m := range s {
		s[i].value = within(pointer(path, m.name), positions[m.name], m.value, r.schema)
	}
	return s
}

// move records that a member of the schema at a path was another one.
func (r *rewriter) move(path, name, was string) {
	r.changed = true
	r.moved[pointer(path, name)] = r.written(path) + was
}

func (r *rewriter) note(path, keyword, message string) {
	r.changed = true
	if len(r.notes) == maxNotes {
		return
	}
	r.notes = append(r.notes, Note{Path: pointer(r.written(path), keyword), Message: message})
}

// renamed returns the keywords of a schema with their names in 2020-12.
func (r *rewriter) renamed(path string, s ordered) (out ordered) {
	var dependencies any
	_, isList := s.get("items").([]any)
	for _, m := range s {
		was := pointer("", m.name)
		switch {
		case m.name == "$schema" && r.dialect < latest && dialectOf(textOf(m.value)) == r.dialect:
			r.changed = true
			continue
		case m.name == "definitions" && s.get("$defs") == nil:
			m.name = "$defs"
		case r.dialect == latest:
		case r.dialect < 2019 && s.get("$ref") != nil && constrains(m.name) && m.name != "$ref":
			r.note(path, m.name, "Next to $ref, draft-07 ignores this keyword.")
			continue
		case r.dialect < since[m.name]:
			r.note(path, m.name, "This keyword is newer than the version in $schema.")
			continue
		case m.name == "items" && isList:
			m.name = "prefixItems"
		case m.name == "additionalItems" && isList:
			m.name = "items"
		case m.name == "additionalItems":
			r.changed = true
			continue
		case m.name == "dependencies":
			dependencies = m.value
			continue
		case m.name == "unevaluatedItems":
			if !r.contains {
				break
			}
			r.problem = refuse(r.written(path)+was,
				"Its meaning next to contains has changed since 2019-09. Write the schema in 2020-12.")
		}
		if was != pointer("", m.name) {
			r.move(path, m.name, was)
		}
		out = append(out, m)
	}
	if dependencies != nil {
		return r.withDependencies(path, out, dependencies)
	}
	return out
}

// withDependencies adds a value of dependencies to a schema, as dependentRequired and
// dependentSchemas; within allOf if it has one of these, too, as only 2019-09 allows.
func (r *rewriter) withDependencies(path string, s ordered, value any) ordered {
	members, ok := value.(ordered)
	all, isList := s.get("allOf").([]any)
	if !ok || !isList && s.get("allOf") != nil {
		return append(s, member{"dependentSchemas", value}) // to be refused
	}
	var required, schemas ordered
	for _, m := range members {
		if _, names := m.value.([]any); names {
			required = append(required, m)
		} else {
			schemas = append(schemas, m)
		}
	}
	both := ordered{{"dependentRequired", required}, {"dependentSchemas", schemas}}
	place := path
	if s.get("dependentRequired") != nil || s.get("dependentSchemas") != nil {
		place = pointer(path, "allOf") + "/" + strconv.Itoa(len(all))
		s = s.with("allOf", append(slices.Clip(all), both))
	} else {
		s = append(s, both...)
	}
	for _, m := range both {
		r.changed, r.moved[pointer(place, m.name)] = true, r.written(path)+"/dependencies"
	}
	return s
}

// nullable lets null in where OpenAPI's keyword of this name says so.
func (r *rewriter) nullable(path string, s ordered) ordered {
	value, _ := s.get("nullable").(jsontext.Value)
	if value.Kind() != 't' && value.Kind() != 'f' {
		return s
	}
	r.changed = true
	out, applied := make(ordered, 0, len(s)), value.Kind() == 'f'
	for _, m := range s {
		list, isList := m.value.([]any)
		switch {
		case m.name == "nullable":
			continue
		case value.Kind() == 'f':
		case m.name == "type" && !isList:
			m.value, applied = withNull(m.value, `"null"`), true
		case m.name == "type":
			m.value, applied = withNull(list, `"null"`), true
		case m.name == "enum" && isList:
			m.value, applied = withNull(list, "null"), true
		case m.name == "const" && s.get("enum") == nil:
			m, applied = member{"enum", withNull(m.value, "null")}, true
			r.move(path, "enum", "/const")
		}
		out = append(out, m)
	}
	if !applied {
		r.note(path, "nullable",
			`Without type, nullable says nothing. Write anyOf with {"type": "null"}.`)
	}
	return out
}

// withNull returns a list of a value, or of values, and null.
func withNull(values any, null string) any {
	list, ok := values.([]any)
	if !ok {
		list = []any{values}
	}
	if slices.ContainsFunc(list, func(v any) bool { return treeText(v) == null }) {
		return values
	}
	return append(slices.Clip(list), jsontext.Value(null))
}

// references changes the references to what has moved.
func (r *rewriter) references(path string, tree any) any {
	s, ok := tree.(ordered)
	if !ok {
		return tree
	}
	for i, m := range s {
		if m.name == "$ref" {
			s[i].value = r.reference(m.value)
		} else {
			s[i].value = within(pointer(path, m.name), positions[m.name], m.value, r.references)
		}
	}
	return s
}

func (r *rewriter) reference(value any) any {
	place, ok := placeOf(textOf(value))
	if !ok {
		return value
	}
	best, moved := "", ""
	for at, was := range r.moved {
		if place == was || strings.HasPrefix(place, was+"/") {
			if len(was) > len(best) || was == best && at > moved {
				best, moved = was, at
			}
		}
	}
	if best == "" {
		return value
	}
	target := url.URL{Path: moved + place[len(best):]}
	if at(r.root, target.Path) == nil { // the refusal names the place in the text
		return value
	}
	quoted, _ := jsontext.AppendQuote(nil, "#"+target.EscapedPath())
	return jsontext.Value(quoted)
}

// placeOf returns the JSON pointer in a reference to a place in the same document.
func placeOf(ref string) (string, bool) {
	fragment, local := strings.CutPrefix(ref, "#")
	place, err := url.PathUnescape(fragment)
	return place, local && strings.HasPrefix(place, "/") && err == nil
}

// inlined returns a schema that is only a reference as the schema that it points to.
func (r *rewriter) inlined(root ordered) ordered {
	for range maxLevels {
		place, ok := placeOf(textOf(root.get("$ref")))
		if !ok || slices.ContainsFunc(root, besidesReference) {
			return root
		}
		target, ok := at(root, place).(ordered)
		if !ok {
			return root
		}
		r.changed = true
		root = slices.DeleteFunc(slices.Clone(root), func(m member) bool { return m.name == "$ref" })
		known := root
		for _, m := range target {
			if known.get(m.name) == nil {
				root = append(root, m)
				r.moved[pointer("", m.name)] = r.written(pointer(place, m.name))
			}
		}
	}
	return root
}

func besidesReference(m member) bool { return constrains(m.name) && m.name != "$ref" }

// at returns the value at a JSON pointer; nil for none.
func at(tree any, place string) any {
	for name := range jsontext.Pointer(place).Tokens() {
		switch in := tree.(type) {
		case ordered:
			tree = in.get(name)
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			tree = in[i]
		default:
			return nil
		}
	}
	return tree
}

// constrains reports whether a keyword can refuse a value.
func constrains(keyword string) bool {
	form, isForm := forms[keyword]
	names := []string{"$ref", "dependencies", "additionalItems"}
	return isForm && !form.note || slices.Contains(names, keyword) ||
		positions[keyword] != noSchema && keyword != "$defs" && keyword != "definitions"
}
