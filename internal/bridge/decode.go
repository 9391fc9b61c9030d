package bridge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

const (
	// maxBody is the largest body, in bytes: a whole conversation.
	maxBody = 4 << 20
	// maxDepth is the deepest nesting of JSON, and maxMembers the most members of an object: names are
	// kept to find repeated ones.
	maxDepth, maxMembers = 64, 1_000
	// maxElements is the most elements of an array that is decoded: small ones take many times the
	// memory of their text.
	maxElements = 10_000
	// maxIgnored and maxIgnoredName bound the response header X-AgentChat-Ignored.
	maxIgnored, maxIgnoredName = 20, 64
)

// fields are the members of a request's body by name.
type fields map[string]jsontext.Value

// checkSyntax checks that a body is one JSON object with unique names, and nothing after it.
func checkSyntax(body []byte) error {
	tokens := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))
	if tokens.PeekKind() != jsontext.KindBeginObject {
		return notJSON("The body must be one JSON object.")
	}
	var names [maxDepth + 1]map[string]bool
	for open := true; open; open = tokens.StackDepth() > 0 {
		depth := tokens.StackDepth()
		kind, length := tokens.StackIndex(depth)
		token, err := tokens.ReadToken()
		switch {
		case err != nil:
			return notJSON("The body is not valid JSON at byte %d. Correct it.", tokens.InputOffset())
		case tokens.StackDepth() > maxDepth:
			return notJSON("The JSON is nested more than %d levels deep. Make it flatter.", maxDepth)
		case kind != jsontext.KindBeginObject || length%2 == 1 || token.Kind() == jsontext.KindEndObject:
			continue // no name
		}
		if length == 0 {
			names[depth] = map[string]bool{}
		}
		name := token.String()
		if names[depth][name] {
			return notJSON("A member name is repeated before byte %d. Send each name once.", tokens.InputOffset())
		}
		if names[depth][name] = true; len(names[depth]) > maxMembers {
			return notJSON("An object has more than %d members. Send fewer.", maxMembers)
		}
	}
	if _, err := tokens.ReadToken(); !errors.Is(err, io.EOF) {
		return notJSON("There is extra data after the JSON object. Send exactly one object and nothing after it.")
	}
	return nil
}

func notJSON(format string, args ...any) error {
	return fault.New(httpapi.InvalidJSON, fmt.Sprintf(format, args...))
}

// take removes a field and returns its value; nil if it is absent or null.
func (f fields) take(name string) jsontext.Value {
	value := f[name]
	delete(f, name)
	if value.Kind() == jsontext.KindNull {
		return nil
	}
	return value
}

// text removes a field and returns its text; nil if it is absent or null.
func (f fields) text(name string) (*string, error) {
	value := f.take(name)
	if value == nil {
		return nil, nil //nolint:nilnil // absent
	}
	text, err := textOf(value, name)
	return &text, err
}

func textOf(value jsontext.Value, path string) (text string, err error) {
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return "", invalid(path, "must be a string.")
	}
	return text, nil
}

// object removes a field and returns its members, none if it is absent.
func (f fields) object(name string) (members fields, err error) {
	value := f.take(name)
	if value == nil || httpapi.IsEmptyArray(value) {
		return fields{}, nil
	}
	return objectOf(value, name)
}

func objectOf(value jsontext.Value, path string) (members fields, err error) {
	if value.Kind() != jsontext.KindBeginObject || json.Unmarshal(value, &members) != nil {
		return nil, invalid(path, "must be an object.")
	}
	return members, nil
}

// isTrue removes a field and reports whether it is true.
func (f fields) isTrue(name string) (bool, error) {
	switch value := f.take(name); value.Kind() {
	case jsontext.KindInvalid, jsontext.KindFalse: // absent counts as false
		return false, nil
	case jsontext.KindTrue:
		return true, nil
	default:
		return false, invalid(name, "must be true or false.")
	}
}

// ignorable matches the names that a header can carry.
var ignorable = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// ignored returns the names of the fields that were not taken, for the header.
func (f fields) ignored() string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if f[name].Kind() != jsontext.KindNull && len(name) <= maxIgnoredName && ignorable.MatchString(name) &&
			len(names) < maxIgnored {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// decodeArray decodes the elements of an array, none if value is nil.
func decodeArray[T any](value jsontext.Value, path string) ([]T, error) {
	if value == nil {
		return nil, nil
	}
	if value.Kind() != jsontext.KindBeginArray {
		return nil, invalid(path, "must be an array.")
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true))
	_, err := decoder.ReadToken()
	var out []T
	for err == nil && decoder.PeekKind() != jsontext.KindEndArray {
		if len(out) == maxElements {
			return nil, invalid(path, "has more than 10,000 elements. Send fewer.")
		}
		var one T
		if err = json.UnmarshalDecode(decoder, &one); err != nil {
			return nil, wrongElement(path, len(out), err)
		}
		out = append(out, one)
	}
	return out, err
}

// typeNames name the types of elements and their members.
var typeNames = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "true or false", reflect.Struct: "an object",
}

// wrongElement names the member of an array's element that has the wrong type.
func wrongElement(path string, i int, err error) error {
	semantic, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return err
	}
	path = indexed(path, i)
	first := true
	for token := range semantic.JSONPointer.Tokens() {
		switch {
		case first: // the index of the element
		case strings.Trim(token, "0123456789") == "":
			path += "[" + token + "]"
		default:
			path += "." + token
		}
		first = false
	}
	return invalid(path, "must be %s.", typeNames[semantic.GoType.Kind()])
}
