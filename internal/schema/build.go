package schema

import (
	"slices"
	"strconv"
	"strings"
)

// node is a schema within a schema, with its references resolved.
type node struct {
	// doc is the document to compile: true, false or an object of the keywords that validate
	// something.
	doc any
	// nodes and levels count this schema and those within it, as if each reference were a copy of its
	// target. values counts the values and names in their enums, consts and lists of names.
	nodes, levels, values int
	building              bool
	// The cost of a value: the schemas that the value itself must match, and those for its members.
	same       []*node
	properties map[string]*node
	patterns   []patternNode
	others     []*node // for members that are not in properties
	names      *node
	prefix     []*node
	items      []*node
	pattern    *pattern
	format     bool
	// compared is the number of values that the value is compared with, and required the number of
	// required names.
	compared, required int
	// bounds is the number of numeric bounds, where type integer counts as one.
	bounds int
	unique bool
}

type patternNode struct {
	pattern *pattern
	node    *node
}

// builder walks through a schema, validates all of it, and makes the nodes. It takes time in the
// size of the text, however much references expand to.
type builder struct {
	root        any
	nodes       map[string]*node // by their JSON pointers
	names       map[string]bool  // all names of properties
	patterns    map[string]*pattern
	patternSize int
	notes       []Note
}

const tooMany = 1 << 30 // more than is ever accepted, so that sums cannot overflow

// build makes the node of the schema at a path. level is its depth without references. inside means
// that an enclosing object has an $id, relative to which references would be resolved.
func (b *builder) build(path string, doc any, level int, inside bool) (*node, *RefusedError) {
	if known := b.nodes[path]; known != nil {
		return known, nil
	}
	n := &node{doc: doc, nodes: 1, levels: 1, building: true}
	b.nodes[path] = n
	defer func() { n.building = false }()
	if level > maxLevels {
		return nil, refuse(path, "%s", tooDeep)
	}
	if _, ok := doc.(bool); ok {
		return n, nil
	}
	object, ok := doc.(map[string]any)
	if !ok {
		return nil, refuse(path, "A schema must be an object, or true or false.")
	}
	w := walk{
		b:      b,
		n:      n,
		object: object,
		path:   path,
		level:  level,
		inside: inside || path != "" && object["$id"] != nil,
		out:    map[string]any{},
	}
	for _, keyword := range sortedNames(object) {
		if problem := w.keyword(keyword, object[keyword]); problem != nil {
			return nil, problem
		}
	}
	if object["format"] != nil && !n.format {
		b.note(pointer(path, "format"), "The format is not checked.")
	}
	return n, w.end(object["$ref"])
}

func (b *builder) note(path, message string) {
	if len(b.notes) < maxNotes {
		b.notes = append(b.notes, Note{Path: path, Message: message})
	}
}

// walk is the state of walking through one schema.
type walk struct {
	b      *builder
	n      *node
	object map[string]any
	path   string
	level  int
	inside bool
	out    map[string]any // the document to compile
}

// keyword validates a keyword and its value. Annotations and unknown keywords are ignored, but not
// misspelled ones.
func (w *walk) keyword(keyword string, value any) *RefusedError {
	path := pointer(w.path, keyword)
	if form, ok := forms[keyword]; ok {
		switch message := form.check(value); {
		case message != "":
			return refuse(path, "%s", message)
		case form.note:
			if strings.HasPrefix(keyword, "content") {
				w.b.note(path, "The content is not checked.")
			}
			return nil
		}
		w.out[keyword] = value
		return w.plain(path, keyword, value)
	}
	switch positions[keyword] {
	case oneSchema:
		return w.one(path, keyword, value)
	case listOfSchemas:
		return w.list(path, keyword, value)
	case mapOfSchemas:
		return w.byName(path, keyword, value)
	}
	if known := meant(keyword); known != "" {
		return refuse(path, "Unknown keyword %s. Did you mean %s?", keyword, known)
	}
	w.b.note(path, "The keyword is unknown.")
	return nil
}

// plain records the cost of a keyword without schemas.
func (w *walk) plain(path, keyword string, value any) (problem *RefusedError) {
	switch keyword {
	case "pattern":
		return w.pattern(path, value.(string))
	case "enum", "const":
		w.n.compared += count(value)
		w.n.values += count(value)
	case "required", "dependentRequired":
		w.n.required += count(value)
		w.n.values += count(value)
	case "uniqueItems":
		w.n.unique = value == true
	case "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum":
		w.n.bounds++
	case "type":
		if types, list := value.([]any); value == "integer" ||
			list && slices.Contains(types, any("integer")) {
			w.n.bounds++
		}
	default:
		w.out[keyword] = bounded(value)
	}
	return nil
}

// pattern adds a pattern, if necessary in parts. If package regexp cannot match it, it checks the
// format instead.
func (w *walk) pattern(path, text string) (problem *RefusedError) {
	if w.n.pattern, problem = w.b.pattern(path, text); problem == nil {
		return nil
	}
	delete(w.out, "pattern")
	parts := split(text)
	var all []any
	var nodes []*node
	for i, part := range parts {
		doc := map[string]any{"pattern": part.pattern}
		if part.not {
			doc["type"] = "string"
			doc = map[string]any{"not": doc}
		}
		child, bad := w.within(path+"/"+strconv.Itoa(i), doc)
		if bad != nil {
			problem, parts = refuse(path, "%s", bad.Message), nil
			break
		}
		all, nodes = append(all, child.doc), append(nodes, child)
	}
	if len(parts) > 0 {
		w.n.same = append(w.n.same, nodes...)
		before, _ := w.out["allOf"].([]any)
		w.out["allOf"] = append(slices.Clip(before), all...)
		return nil
	}
	if format, _ := w.object["format"].(string); formats[format] != "" && isBeyondRE2(text) {
		w.n.format, w.out["format"] = true, format
		w.b.note(path, "The pattern is not checked, but the format is. The model gets both.")
		return nil
	}
	return problem
}

// within makes the node of a subschema.
func (w *walk) within(path string, doc any) (*node, *RefusedError) {
	child, problem := w.b.build(path, doc, w.level+1, w.inside)
	if problem != nil {
		return nil, problem
	}
	// A schema can only contain itself by a reference, and references are resolved first.
	if child.building {
		return nil, refuse(path, "%s", circle)
	}
	w.count(child)
	return child, nil
}

func (w *walk) count(child *node) {
	w.n.nodes = min(w.n.nodes+child.nodes, tooMany)
	w.n.values = min(w.n.values+child.values, tooMany)
	w.n.levels = max(w.n.levels, child.levels+1)
}

func (w *walk) one(path, keyword string, value any) *RefusedError {
	if _, list := value.([]any); list && keyword == "items" {
		return refuse(path, "items is one schema for all items. Write prefixItems for a list of schemas.")
	}
	child, problem := w.within(path, value)
	if problem != nil {
		return problem
	}
	w.out[keyword] = child.doc
	switch keyword {
	case "additionalProperties", "unevaluatedProperties":
		w.n.others = append(w.n.others, child)
	case "propertyNames":
		w.n.names = child
	case "items", "contains", "unevaluatedItems":
		w.n.items = append(w.n.items, child)
	default:
		w.n.same = append(w.n.same, child)
	}
	return nil
}

func (w *walk) list(path, keyword string, value any) *RefusedError {
	docs, ok := value.([]any)
	if !ok || len(docs) == 0 {
		return refuse(path, "%s must be a list of at least one schema.", keyword)
	}
	var out []any
	for i, doc := range docs {
		child, problem := w.within(path+"/"+strconv.Itoa(i), doc)
		if problem != nil {
			return problem
		}
		out = append(out, child.doc)
		if keyword == "prefixItems" {
			w.n.prefix = append(w.n.prefix, child)
		} else {
			w.n.same = append(w.n.same, child)
		}
	}
	w.out[keyword] = out
	return nil
}

func (w *walk) byName(path, keyword string, value any) *RefusedError {
	docs, ok := value.(map[string]any)
	if !ok {
		return refuse(path, "%s must be an object of schemas.", keyword)
	}
	if keyword == "$defs" || keyword == "definitions" {
		return w.definitions(path, docs)
	}
	out := map[string]any{}
	if keyword == "properties" {
		w.n.properties = map[string]*node{}
	}
	for _, name := range sortedNames(docs) {
		child, problem := w.within(pointer(path, name), docs[name])
		if problem != nil {
			return problem
		}
		out[name] = child.doc
		switch keyword {
		case "properties":
			w.n.properties[name], w.b.names[name] = child, true
		case "patternProperties":
			pattern, problem := w.b.pattern(pointer(path, name), name)
			if problem != nil {
				return problem
			}
			w.n.patterns = append(w.n.patterns, patternNode{pattern, child})
		default: // dependentSchemas
			w.n.same = append(w.n.same, child)
		}
	}
	w.out[keyword] = out
	return nil
}

// definitions validates schemas that only count if a reference names them.
func (w *walk) definitions(path string, docs map[string]any) *RefusedError {
	for _, name := range sortedNames(docs) {
		if _, problem := w.b.build(pointer(path, name), docs[name], 1, w.inside); problem != nil {
			return problem
		}
	}
	return nil
}

// end replaces a reference with its target, or combines the two if the schema has other keywords.
func (w *walk) end(ref any) *RefusedError {
	w.n.doc = w.out
	if ref == nil {
		return nil
	}
	path := pointer(w.path, "$ref")
	target, problem := w.resolve(path, ref.(string))
	if problem != nil {
		return problem
	}
	if len(w.out) == 0 {
		*w.n = *target
		w.n.nodes = min(target.nodes+1, tooMany)
		return nil
	}
	all, _ := w.out["allOf"].([]any)
	w.out["allOf"] = append(slices.Clip(all), target.doc)
	w.n.same = append(w.n.same, target)
	w.count(target)
	return nil
}
