package foreign

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	objectKind kind = iota + 1
	listKind
	textKind
	numberKind
	boolKind
	nullKind
)

// Limits of a file's tree.
const (
	maxDepth = 64
	maxNodes = 100_000
)

// node is a value of a file. Its methods also work on nil, the absent value.
type node struct {
	kind kind
	// line is that of the value's name, or of the value in a list.
	line int
	// scalar is the text of a value that is no object or list; empty for null.
	scalar string
	// names and children are those of an object; a list has children only.
	names    []string
	children []*node
	parent   *node
	// at is the value's name in an object, or its index in a list.
	at string
}

// get returns the value at a path of names.
func (n *node) get(names ...string) *node {
	for _, name := range names {
		if n == nil || n.kind != objectKind {
			return nil
		}
		var found *node
		for i, own := range n.names {
			if own == name {
				found = n.children[i]
			}
		}
		n = found
	}
	return n
}

// text returns the text of a scalar.
func (n *node) text() string {
	if n == nil {
		return ""
	}
	return n.scalar
}

// items returns the values of a list.
func (n *node) items() []*node {
	if n == nil || n.kind != listKind {
		return nil
	}
	return n.children
}

// isOn reports whether the value is neither absent, null, false nor empty.
func (n *node) isOn() bool {
	switch {
	case n == nil || n.kind == nullKind:
		return false
	case n.kind == objectKind || n.kind == listKind:
		return len(n.children) > 0
	case n.kind == boolKind:
		return n.isTrue()
	}
	return strings.TrimSpace(n.scalar) != ""
}

func (n *node) isTrue() bool {
	return n != nil && n.kind == boolKind && strings.EqualFold(n.scalar, "true")
}

// path returns the place of the value in the file, such as workflow.graph.nodes.3.
func (n *node) path() string {
	if n == nil || n.parent == nil {
		return ""
	}
	path := n.parent.path()
	if path != "" {
		path += "."
	}
	return path + short(n.at)
}

// add appends a child.
func (n *node) add(child *node) {
	child.parent = n
	if n.kind == listKind {
		child.at = strconv.Itoa(len(n.children))
	}
	n.children = append(n.children, child)
}

// json returns the value as JSON, its names in the order of the file.
func (n *node) json() string {
	var out strings.Builder
	n.write(&out)
	return out.String()
}

func (n *node) write(out *strings.Builder) {
	switch n.kind {
	case objectKind, listKind:
		brackets := "{}"
		if n.kind == listKind {
			brackets = "[]"
		}
		out.WriteByte(brackets[0])
		for i, child := range n.children {
			if i > 0 {
				out.WriteByte(',')
			}
			if n.kind == objectKind {
				out.WriteString(quoted(n.names[i]) + ":")
			}
			child.write(out)
		}
		out.WriteByte(brackets[1])
	case nullKind:
		out.WriteString("null")
	case boolKind:
		out.WriteString(strings.ToLower(n.scalar))
	case numberKind:
		if json.Valid([]byte(n.scalar)) {
			out.WriteString(n.scalar)
			return
		}
		out.WriteString(quoted(n.scalar))
	default:
		out.WriteString(quoted(n.scalar))
	}
}

// quoted returns a text as a JSON string.
func quoted(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // strings have a JSON form
	return strings.TrimSuffix(out.String(), "\n")
}

// maxQuoted is the most characters of a name that a note or an error quotes.
const maxQuoted = 50

// short returns a name of the file on one line, with at most maxQuoted characters.
func short(name string) string {
	name = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, name)
	if utf8.RuneCountInString(name) > maxQuoted {
		return string([]rune(name)[:maxQuoted-1]) + "…"
	}
	return name
}
