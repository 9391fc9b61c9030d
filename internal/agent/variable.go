package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// Limits of variables, texts in code points.
const (
	// MaxVariables is the most variables that an agent may declare.
	MaxVariables           = 32
	MaxVariableDescription = 500
	MaxVariableValue       = 4_000
	// MaxFilledInstructions bounds the instructions after all values were inserted.
	MaxFilledInstructions = 131_072
)

// Variable is a placeholder in an agent's instructions, {{Name}}, whose value each message
// supplies. The database function that begins a turn reads it, too.
type Variable struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Required refuses messages without a value. Otherwise, Default is the value for such messages;
	// nil for an empty one.
	Required bool    `json:"required"`
	Default  *string `json:"default"`
}

// variableName is the pattern of a name.
const variableName = `[A-Za-z_][A-Za-z0-9_]{0,63}`

var (
	wholeName   = regexp.MustCompile(`^` + variableName + `$`)
	placeholder = regexp.MustCompile(`\{\{` + variableName + `\}\}`)
)

// IsVariableName reports whether a text is a valid name of a variable.
func IsVariableName(name string) bool { return wholeName.MatchString(name) }

// Fill returns the instructions with each {{name}} of a variable replaced by its value, or its
// default. Inserted text is not searched again, and a {{name}} of anything else stays.
func Fill(instructions string, variables []Variable, values map[string]string) string {
	if len(variables) == 0 {
		return instructions
	}
	return placeholder.ReplaceAllStringFunc(instructions, func(found string) string {
		name := found[2 : len(found)-2]
		i := slices.IndexFunc(variables, func(v Variable) bool { return v.Name == name })
		if i < 0 {
			return found
		}
		if value, ok := values[name]; ok {
			return value
		}
		if d := variables[i].Default; d != nil {
			return *d
		}
		return ""
	})
}

// CheckValue returns the problem with the value of a variable, nil if it is valid. path names the
// field.
func CheckValue(path, value string) *fault.Field {
	switch {
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return &fault.Field{
			Path:    path,
			Reason:  fault.InvalidCharacter,
			Message: path + " contains U+0000, which cannot be stored. Remove it.",
		}
	case utf8.RuneCountInString(value) > MaxVariableValue:
		return &fault.Field{
			Path:    path,
			Reason:  fault.TooLong,
			Limit:   MaxVariableValue,
			Message: path + " is too long. A value may have at most 4,000 characters (Unicode code points).",
		}
	}
	return nil
}

// NotAVariableName returns the problem with an invalid name of a variable. path names the field.
func NotAVariableName(path string) fault.Field {
	return fault.Field{Path: path, Reason: fault.InvalidValue,
		Message: "A variable's name starts with a letter or an underscore and has up to 64 letters, digits and underscores."}
}

// NoSuchVariable returns the problem with a value for an undeclared variable. path names the field.
func NoSuchVariable(path string) fault.Field {
	return fault.Field{Path: path, Reason: fault.UnknownField,
		Message: "The agent has no such variable: " + path + ". Check the name, or leave it out."}
}

// MissingVariable returns the problem with a message that lacks a required variable. path names the
// field.
func MissingVariable(path string) fault.Field {
	return fault.Field{
		Path:    path,
		Reason:  fault.Missing,
		Message: path + " is missing. The agent needs a value for it with every message.",
	}
}

// variables validates the variables of a draft.
func (p *problems) variables(c Change[[]Variable]) {
	list := deref(c.Value)
	if len(list) > MaxVariables {
		p.add("variables", fault.TooLong, MaxVariables, "An agent can have at most 32 variables.")
		return
	}
	seen := map[string]bool{}
	for i, v := range list {
		path := fmt.Sprintf("variables.%d.", i)
		switch {
		case !IsVariableName(v.Name):
			*p = append(*p, NotAVariableName(path+"name"))
		case seen[v.Name]:
			p.add(path+"name", fault.InvalidValue, 0, "Another variable has this name.")
		}
		seen[v.Name] = true
		p.text(path+"description", Change[string]{Set: true, Value: &v.Description},
			MaxVariableDescription,
			"The description is longer than 500 characters.")
		p.text(path+"defaultValue", Change[string]{Set: true, Value: v.Default}, MaxVariableValue,
			"The default value is longer than 4,000 characters.")
		if v.Required && v.Default != nil {
			p.add(path+"defaultValue", fault.NotSupported, 0,
				"A required variable cannot have a default value. Remove one of the two.")
		}
	}
}

// deref returns the value that p points to, or the zero value.
func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
