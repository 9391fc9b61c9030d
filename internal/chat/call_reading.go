package chat

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/conversation"
	"agentchat/internal/llm"
	"agentchat/internal/schema"
)

// Bounds of the search for another reading of a call's arguments: the checks against the schema,
// and the size of the arguments in bytes.
const (
	maxReadings = 32
	maxReadable = 16 << 10
)

// wrappers are the names under which models put arguments or a value, besides the action's own.
// They put labels next to it.
var (
	wrappers = []string{"arguments", "args", "parameters", "params", "input", "properties", "kwargs",
		"value", "function", "function_call", "tool_call", "tool_input", "action_input", "payload",
		"data"}
	labels = []string{"name", "type", "id", "function", "tool", "tool_name", "action"}
)

// declared returns the action that a call names: exactly, or, if that is only one, with other
// letters' case, separators, or a namespace in front (functions.order_status); nil for none.
func declared(actions []llm.Action, name string) *llm.Action {
	var found *llm.Action
	for i := range actions {
		switch {
		case actions[i].Name == name:
			return &actions[i]
		case foldedName(actions[i].Name) != foldedName(name):
		case found != nil:
			return nil
		default:
			found = &actions[i]
		}
	}
	return found
}

// foldedName returns the letters and digits of the last part of a name, in lower case, without what
// follows: a number (functions.order_status:0), arguments, or a token of the model's template.
func foldedName(name string) string {
	name, _, _ = strings.Cut(name, "<|")
	name, _, _ = strings.Cut(name, "(")
	name = strings.TrimFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if front := strings.TrimRight(name, "0123456789"); strings.HasSuffix(front, ":") {
		name = front[:len(front)-1]
	}
	name = name[strings.LastIndexAny(name, ".:/")+1:]
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// readArguments returns a call's arguments as compact JSON. If they break the schema but have
// exactly one reading that fits it, it returns that one, and reread is true. An error is the
// *schema.Violation of the unchanged arguments.
func readArguments(parameters *schema.Schema, action, arguments string,
) (text string, reread bool, err error) {
	text, err = parameters.Check(arguments)
	if err == nil || len(arguments) > maxReadable {
		return text, !jsontext.Value(arguments).IsValid(), err
	}
	r := reading{parameters: parameters, action: action, seen: map[string]bool{}}
	if only, ok := r.only(arguments); ok {
		return only, true, nil
	}
	return text, false, err
}

// reading searches the readings of a call's arguments.
type reading struct {
	parameters *schema.Schema
	action     string
	queue      []any
	seen       map[string]bool
}

// only returns the reading that fits the schema, if that is only one. It replaces, one after the
// other, values that break a rule by values that they may mean.
func (r *reading) only(arguments string) (found string, ok bool) {
	if r.queue = values(arguments); r.queue == nil && isNothing(arguments) {
		r.queue = []any{nil}
	}
	for len(r.queue) > 0 {
		value := r.queue[0]
		r.queue = r.queue[1:]
		text := conversation.EncodeJSON(value)
		if r.seen[text] {
			continue
		}
		if r.seen[text] = true; len(r.seen) > maxReadings {
			return "", false
		}
		fits, err := r.parameters.Check(text)
		violation, _ := err.(*schema.Violation) //nolint:errorlint // it is always one
		switch {
		case violation == nil && ok:
			return "", false
		case violation == nil:
			found, ok = fits, true
		case violation.Reason == schema.Mismatch:
			r.replace(value, slices.Collect(jsontext.Pointer(violation.Path).Tokens()), violation.Rule)
		}
	}
	return found, ok
}

// replace queues a value with each reading of its part at a path.
func (r *reading) replace(value any, path []string, rule string) {
	part := value
	for _, name := range path {
		part = member(part, name)
	}
	if isNothing(part) {
		if len(path) == 0 {
			r.queue = append(r.queue, map[string]any{})
		} else if smaller, ok := without(value, path); ok {
			r.queue = append(r.queue, smaller)
		}
		return
	}
	name := r.action
	if len(path) > 0 {
		name = path[len(path)-1]
	}
	for _, other := range readingsOf(part, name, rule) {
		r.queue = append(r.queue, with(value, path, other))
	}
}

// readingsOf returns what a value may mean that breaks a rule under a name.
func readingsOf(value any, name, rule string) (out []any) {
	switch value := value.(type) {
	case string: // JSON in quotes, also Python's True
		if out = values(value); out == nil && rule == "type" {
			out = values(strings.ToLower(value))
		}
	case []any: // one value, in a list or several times
		out = append(out, value...)
	case map[string]any:
		if strings.HasSuffix(rule, "Properties") {
			kept := maps.Clone(value)
			maps.DeleteFunc(kept, func(_ string, v any) bool { return isNothing(v) })
			out = append(out, kept)
		}
		if inner, ok := unwrapped(value, name); ok {
			out = append(out, inner)
		}
	}
	if rule == "type" && !slices.ContainsFunc(append(out, value), isList) {
		out = append(out, []any{value})
	}
	return out
}

// unwrapped returns the value in an object that has nothing else, besides labels. Its name is one
// of wrappers or that of the object.
func unwrapped(object map[string]any, of string) (inner any, ok bool) {
	for name, value := range object {
		_, isText := value.(string)
		switch {
		case isText && slices.Contains(labels, name):
		case slices.Contains(wrappers, name) || name == of:
			if ok {
				return nil, false
			}
			inner, ok = value, true
		default:
			return nil, false
		}
	}
	return inner, ok
}

func isList(value any) bool {
	_, ok := value.([]any)
	return ok
}

// isNothing reports whether a value means no value.
func isNothing(value any) bool {
	words := []string{"", "null", "nil", "none", "undefined", "n/a"}
	text, ok := value.(string)
	return value == nil || ok && slices.Contains(words, strings.ToLower(strings.TrimSpace(text)))
}

// values returns the JSON values that make up a text, with their numbers verbatim; nil if it has
// anything else.
func values(text string) (out []any) {
	strict := jsontext.NewDecoder(strings.NewReader(text)) // refuses a name that occurs twice
	for {
		raw, err := strict.ReadValue()
		if err == io.EOF { //nolint:errorlint // never wrapped
			return out
		}
		if err != nil {
			return nil
		}
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil
		}
		out = append(out, value)
	}
}

// member returns the value of an object's member or of an array's item; nil for none.
func member(of any, name string) any {
	switch of := of.(type) {
	case map[string]any:
		return of[name]
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(of) {
			return of[i]
		}
	}
	return nil
}

// with returns a copy of a value with another one at a path.
func with(of any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	inner := with(member(of, path[0]), path[1:], value)
	switch of := of.(type) {
	case map[string]any:
		out := maps.Clone(of)
		out[path[0]] = inner
		return out
	case []any:
		out := slices.Clone(of)
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(out) {
			out[i] = inner
		}
		return out
	}
	return of
}

// without returns a copy of a value without the member at a path, if that is an object's.
func without(of any, path []string) (any, bool) {
	parent := of
	for _, name := range path[:len(path)-1] {
		parent = member(parent, name)
	}
	object, ok := parent.(map[string]any)
	if !ok {
		return nil, false
	}
	object = maps.Clone(object)
	delete(object, path[len(path)-1])
	return with(of, path[:len(path)-1], object), true
}
