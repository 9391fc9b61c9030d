package openai

import (
	"encoding/json"
	"slices"
	"strings"
)

// part is a whole call or a part of one.
type part struct {
	index               int
	indexed             bool
	id, name, arguments string
}

// call is a call that is being assembled.
type call struct {
	id, name  string
	arguments strings.Builder
	end       objectEnd
	// others are unknown members of the call, and inFunction of its function, such as extra_content.
	// They are sent back.
	others, inFunction object
}

// isOver reports whether a part in the call's slot begins another call: it has another id or name,
// it has a name and no index, or it has a name and the arguments are already complete. Some servers
// repeat the id and the name with every part. Arguments alone that follow complete ones belong to
// the same call: some models write them twice.
func (c *call) isOver(p part) bool {
	same := p.id != "" && p.id == c.id
	named := p.name != "" && c.name != ""
	switch {
	case p.id != "" && !same && (c.id != "" || named):
		return true
	case named && !same && (!p.indexed || p.name != c.name):
		return true
	}
	return c.end.whole && c.end.depth == 0 && p.name != "" &&
		(strings.TrimSpace(p.arguments) != "" || named && !same)
}

// keep stores the unknown members, and returns their size.
func (c *call) keep(of, function object) (size int) {
	known := []string{"index", "id", "type", "function", "name", "arguments"}
	for _, pair := range [][2]object{{of, c.others}, {function, c.inFunction}} {
		for name, raw := range pair[0] {
			if !slices.Contains(known, name) && string(raw) != "null" {
				pair[1][name] = raw
				size += len(name) + len(raw)
			}
		}
	}
	return size
}

// message returns the call in the form in which it is sent back.
func (c *call) message(id, arguments string) map[string]any {
	function, all := map[string]any{}, map[string]any{}
	for name, raw := range c.inFunction {
		function[name] = raw
	}
	for name, raw := range c.others {
		all[name] = raw
	}
	function["name"], function["arguments"] = c.name, objectOf(arguments)
	all["id"], all["type"], all["function"] = id, "function", function
	return all
}

// objectOf returns the arguments of a call if they are a JSON object, else "{}": servers reject a
// history with anything else.
func objectOf(arguments string) string {
	if !strings.HasPrefix(arguments, "{") || !json.Valid([]byte(arguments)) {
		return "{}"
	}
	return arguments
}

// objectEnd finds the end of a JSON object that arrives in parts, by its braces.
type objectEnd struct {
	depth           int
	quoted, escaped bool
	// whole means that the object has ended.
	whole bool
}

func (e *objectEnd) read(part string) {
	for i := range len(part) {
		c := part[i]
		switch {
		case e.escaped:
			e.escaped = false
		case e.quoted:
			e.escaped, e.quoted = c == '\\', c != '"'
		case c == '"':
			e.quoted = e.depth > 0
		case c == '{':
			e.depth++
		case c == '}' && e.depth > 0:
			e.depth--
			e.whole = e.whole || e.depth == 0
		}
	}
}

// members are the members of a message that arrives in parts. Strings and lists are concatenated;
// of any other value the last one counts.
type members map[string]*member

type member struct {
	kind  byte // the first byte of its JSON
	text  strings.Builder
	list  []json.RawMessage
	other json.RawMessage
}

func (m members) add(name string, raw json.RawMessage) {
	if m[name] == nil || m[name].kind != raw[0] {
		m[name] = &member{kind: raw[0]}
	}
	var list []json.RawMessage
	switch raw[0] {
	case '"':
		m[name].text.WriteString(text(raw))
	case '[':
		_ = json.Unmarshal(raw, &list) // it was decoded before, so this cannot fail
		m[name].list = append(m[name].list, list...)
	default:
		m[name].other = raw
	}
}

// values returns the members.
func (m members) values() map[string]any {
	values := make(map[string]any, len(m))
	for name, part := range m {
		switch part.kind {
		case '"':
			values[name] = part.text.String()
		case '[':
			values[name] = part.list
		default:
			values[name] = part.other
		}
	}
	return values
}

// text returns a JSON string, "" for null or nothing, and the JSON itself for anything else.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}

// number returns an integer; false for anything else.
func number(raw json.RawMessage) (n int, ok bool) {
	return n, len(raw) > 0 && string(raw) != "null" && json.Unmarshal(raw, &n) == nil
}
