package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ordered is an object that keeps the order of its members. A tree consists of ordered, []any and,
// for all other values, jsontext.Value.
type ordered []member

type member struct {
	name  string
	value any
}

// get returns the value of a member; nil for none.
func (o ordered) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// with returns an object with another value of a member.
func (o ordered) with(name string, value any) ordered {
	for i, m := range o {
		if m.name == name {
			o = slices.Clone(o)
			o[i].value = value
			return o
		}
	}
	return append(slices.Clip(o), member{name, value})
}

// within returns the value of a keyword with f applied to its schemas.
func within(path string, in position, value any, f func(path string, tree any) any) any {
	switch value := value.(type) {
	case []any:
		if in == listOfSchemas {
			out := make([]any, len(value))
			for i, item := range value {
				out[i] = f(path+"/"+strconv.Itoa(i), item)
			}
			return out
		}
	case ordered:
		if in == oneSchema {
			return f(path, value)
		}
		if in == mapOfSchemas {
			out := make(ordered, len(value))
			for i, m := range value {
				out[i] = member{m.name, f(pointer(path, m.name), m.value)}
			}
			return out
		}
	}
	return value
}

// readTree reads JSON text that parse has accepted.
func readTree(text string) any { return readValue(jsontext.NewDecoder(strings.NewReader(text))) }

func readValue(from *jsontext.Decoder) any {
	switch from.PeekKind() {
	case '{':
		out := ordered{}
		for _, _ = from.ReadToken(); from.PeekKind() == '"'; {
			token, _ := from.ReadToken()
			name := token.String()
			out = append(out, member{name, readValue(from)})
		}
		_, _ = from.ReadToken()
		return out
	case '[':
		out := []any{}
		for _, _ = from.ReadToken(); from.PeekKind() > 0 && from.PeekKind() != ']'; {
			out = append(out, readValue(from))
		}
		_, _ = from.ReadToken()
		return out
	}
	value, _ := from.ReadValue()
	return value.Clone()
}

// treeText returns a tree as compact JSON.
func treeText(tree any) string {
	var out strings.Builder
	writeValue(jsontext.NewEncoder(&out), tree)
	return strings.TrimSuffix(out.String(), "\n")
}

func writeValue(to *jsontext.Encoder, tree any) {
	switch tree := tree.(type) {
	case ordered:
		_ = to.WriteToken(jsontext.BeginObject)
		for _, m := range tree {
			_ = to.WriteToken(jsontext.String(m.name))
			writeValue(to, m.value)
		}
		_ = to.WriteToken(jsontext.EndObject)
	case []any:
		_ = to.WriteToken(jsontext.BeginArray)
		for _, item := range tree {
			writeValue(to, item)
		}
		_ = to.WriteToken(jsontext.EndArray)
	case jsontext.Value:
		_ = to.WriteValue(tree)
	}
}

// textOf returns the value of a string; "" for any other value.
func textOf(tree any) string {
	if value, ok := tree.(jsontext.Value); ok && value.Kind() == '"' {
		text, _ := jsontext.AppendUnquote(nil, value)
		return string(text)
	}
	return ""
}
