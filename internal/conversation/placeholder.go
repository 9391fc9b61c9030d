package conversation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentchat/internal/fault"
)

// unsetValues are the words that languages and API tools write for a variable without a value. The
// list is exhaustive: "Null" is a name.
var unsetValues = []string{
	"nil", "NIL", "null", "NULL", "none", "NONE", "None", "undefined", "UNDEFINED", "nan", "NAN", "NaN",
	"n/a", "N/A", "string",
}

// templateMarks enclose an expression that a template engine replaces.
var templateMarks = [][2]string{{"{{", "}}"}, {"${", "}"}, {"<%", "%>"}}

// nameTemplate matches a template of a single name, or a format verb such as %s. A UUID in braces
// is longer than a name.
var nameTemplate = regexp.MustCompile(`^(\{[A-Za-z_][A-Za-z0-9_.]{0,29}\}|[$:][A-Za-z_][A-Za-z0-9_.]{0,29}|%[sdv])$`)

// checkPlaceholder returns the problem with an id that software sends if it has no real one, nil
// for any other id. Different users would share a conversation under a placeholder.
func checkPlaceholder(path, id string) *fault.Field {
	if !isPlaceholder(id) {
		return nil
	}
	return &fault.Field{
		Path:   path,
		Reason: fault.InvalidValue,
		Message: fmt.Sprintf("%s is the placeholder %q. Send a real id or leave the field out.", path,
			id),
	}
}

// isPlaceholder reports whether an id is an unset value, a JavaScript object as text, or a single
// template. It ignores surrounding white space and one pair of brackets or quotes.
func isPlaceholder(id string) bool {
	id = strings.TrimSpace(id)
	bare := id
	if n := len(id); n >= 2 &&
		slices.Contains([]string{"<>", "()", "[]", `""`, "''"}, id[:1]+id[n-1:]) {
		bare = id[1 : n-1]
	}
	return slices.Contains(unsetValues, bare) || strings.HasPrefix(id, "[object ") && bare != id ||
		isTemplate(id) || isTemplate(bare)
}

// isTemplate reports whether a text is a single template.
func isTemplate(text string) bool {
	for _, marks := range templateMarks {
		inner, opens := strings.CutPrefix(text, marks[0])
		inner, closes := strings.CutSuffix(inner, marks[1])
		if opens && closes && !strings.Contains(inner, marks[0]) {
			return true
		}
	}
	return nameTemplate.MatchString(text)
}
