package evaluation

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
	"agentchat/internal/find"
	"agentchat/internal/schema"
)

// maxNesting is the limit of nesting in a document.
const maxNesting = 64

// Parse reads a document. A case without a name is named after the beginning of its message. Fault:
// InvalidInput on document, with a message that starts with the path of the problem, such as
// checks.0.text.
func Parse(document []byte) (*Case, error) {
	c, problem := parse(document)
	if problem != nil {
		problem.Path = "document"
		return nil, fault.Invalid(*problem)
	}
	return c, nil
}

func parse(document []byte) (*Case, *fault.Field) {
	if len(document) > MaxDocument {
		return nil, tooLarge()
	}
	// The outer fields take precedence over those of Case.
	var in struct {
		Case
		Enabled *bool            `json:"enabled"`
		Checks  []jsontext.Value `json:"checks"`
	}
	if problem := checkTokens(document); problem != nil {
		return nil, problem
	}
	if problem := unmarshal("", document, &in); problem != nil {
		return nil, problem
	}
	c := &in.Case
	c.Enabled = in.Enabled == nil || *in.Enabled
	return c, c.check(in.Checks)
}

// check validates the case and converts it to canonical form.
func (c *Case) check(checks []jsontext.Value) *fault.Field {
	if problem := conversation.CheckMessage("message", c.Message); problem != nil {
		return problem
	}
	if c.Name = strings.TrimSpace(c.Name); c.Name == "" {
		c.Name = find.Beginning(c.Message, maxDerivedName)
	}
	switch {
	case utf8.RuneCountInString(c.Name) > MaxName:
		return tooLong("name", MaxName)
	case strings.ContainsFunc(c.Name, unicode.IsControl):
		return bad("name", fault.InvalidCharacter, " contains a control character. Write it on one line.")
	}
	for _, check := range []func() *fault.Field{
		c.checkHistory, c.checkVariables, c.checkActionResults,
		func() *fault.Field { return c.addChecks(checks) },
	} {
		if problem := check(); problem != nil {
			return problem
		}
	}
	if len(c.Document()) > MaxDocument { // defaults and escaping can make it longer
		return tooLarge()
	}
	return nil
}

// maxDerivedName is the maximum length of a name derived from a message.
const maxDerivedName = 80

func (c *Case) checkHistory() *fault.Field {
	if len(c.History) > MaxHistory {
		return tooMany("history", MaxHistory, "turns")
	}
	for i, e := range c.History {
		path := fmt.Sprintf("history.%d.", i)
		if problem := conversation.CheckMessage(path+"message", e.Message); problem != nil {
			return problem
		}
		if strings.TrimSpace(e.Reply) == "" {
			return bad(path+"reply", fault.Blank, " is blank. Write the agent’s earlier reply, or remove this turn.")
		}
	}
	return nil
}

func (c *Case) checkVariables() *fault.Field {
	if len(c.Variables) > agent.MaxVariables {
		return tooMany("variables", agent.MaxVariables, "values")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Variables)) {
		path := "variables." + cut(name)
		if !agent.IsVariableName(name) {
			problem := agent.NotAVariableName(path)
			problem.Message = path + " has no valid name. " + problem.Message
			return &problem
		}
		if problem := agent.CheckValue(path, c.Variables[name]); problem != nil {
			return problem
		}
	}
	return nil
}

func (c *Case) checkActionResults() *fault.Field {
	if len(c.ActionResults) > agent.MaxActions {
		return tooMany("action_results", agent.MaxActions, "actions")
	}
	for _, name := range slices.Sorted(maps.Keys(c.ActionResults)) {
		path := "action_results." + cut(name)
		if problem := checkAction(path, name); problem != nil {
			return problem
		}
		result := c.ActionResults[name]
		given := conversation.GivenResult{Result: result.Result}
		if result.Error != "" {
			given.Error = &result.Error
		}
		value, problem := given.CheckOutcome(path)
		if problem != nil {
			return problem
		}
		c.ActionResults[name] = ActionResult{Result: value, Error: result.Error}
	}
	return nil
}

// checkAction validates the name of an action. It does not check that the action exists, because the
// draft may change.
func checkAction(path, name string) *fault.Field {
	if !agent.IsActionName(name) {
		return bad(path, fault.InvalidValue, " has no valid name of an action, such as order_status.")
	}
	return nil
}

func (c *Case) addChecks(checks []jsontext.Value) *fault.Field {
	if len(checks) > MaxChecks {
		return tooMany("checks", MaxChecks, "checks")
	}
	c.Checks = make([]Check, len(checks))
	instructions := 0
	for i, value := range checks {
		path := fmt.Sprintf("checks.%d", i)
		check := &c.Checks[i]
		if problem := check.parse(path, value); problem != nil {
			return problem
		}
		if check.Type == Regex {
			size, problem := check.checkPattern(path + ".pattern")
			if problem != nil {
				return problem
			}
			if instructions += size; instructions > maxInstructions {
				return bad(path+".pattern", fault.TooLong,
					" makes the patterns of this case too large together. Use fewer repetitions, such as {1,100}.")
			}
		}
	}
	return nil
}

// checkTokens refuses U+0000 and deep nesting, which decoding would accept. Syntax errors are left
// to unmarshal.
func checkTokens(document []byte) *fault.Field {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(document))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return nil
		}
		path := dotted(decoder.StackPointer())
		switch {
		case decoder.StackDepth() > maxNesting:
			return bad(path, fault.TooLong, fmt.Sprintf(" is nested more than %d levels deep. Make it flatter.", maxNesting))
		case token.Kind() == '"' && strings.ContainsRune(token.String(), 0):
			return bad(path, fault.InvalidCharacter, " contains U+0000, which cannot be stored. Remove it.")
		}
	}
}

// unmarshal decodes the JSON value at a path of the document.
func unmarshal(path string, data []byte, into any) *fault.Field {
	err := json.Unmarshal(data, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return syntaxProblem(join(path, dotted(syntax.JSONPointer)), err)
	}
	semantic, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return bad(path, fault.InvalidValue, " is not valid JSON. Correct it.")
	}
	path = join(path, dotted(semantic.JSONPointer))
	if errors.Is(err, json.ErrUnknownName) {
		return unknown(path)
	}
	want := typeNames[reflect.Struct]
	if semantic.GoType != nil {
		want = typeNames[semantic.GoType.Kind()]
	}
	if semantic.GoType == reflect.TypeFor[Texts]() {
		want = "a string or a list of strings"
	}
	return bad(path, fault.WrongType, " must be "+want+".")
}

func syntaxProblem(path string, err error) *fault.Field {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return bad(path, fault.InvalidValue, " occurs twice. Remove one.")
	}
	return bad(path, fault.InvalidValue, " is not valid JSON (RFC 8259, in UTF-8). Correct it.")
}

var typeNames = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "true or false", reflect.Int64: "a whole number",
	reflect.Slice: "a list", reflect.Struct: "an object", reflect.Map: "an object",
}

func unknown(path string) *fault.Field {
	return bad(path, fault.UnknownField, " is not known here. Remove it, or check its name.")
}

func tooLarge() *fault.Field {
	return bad("", fault.TooLong, " is larger than 64 KiB. Shorten the history or the action results.")
}

func tooLong(path string, limit int64) *fault.Field {
	problem := bad(path, fault.TooLong, fmt.Sprintf(" is too long. It may have at most %d characters (Unicode code points).", limit))
	problem.Limit = limit
	return problem
}

func tooMany(path string, limit int64, what string) *fault.Field {
	problem := bad(path, fault.TooLong, fmt.Sprintf(" has more than %d %s. Remove some.", limit, what))
	problem.Limit = limit
	return problem
}

// bad returns a problem whose message starts with its path.
func bad(path string, reason fault.Reason, message string) *fault.Field {
	if path == "" {
		path = "The test case"
	}
	return &fault.Field{Path: path, Reason: reason, Message: path + message}
}

// dotted converts a JSON Pointer to the path format of both APIs.
func dotted(pointer jsontext.Pointer) string {
	return cut(strings.Join(slices.Collect(pointer.Tokens()), "."))
}

func join(path, rest string) string {
	if path != "" && rest != "" {
		return path + "." + rest
	}
	return path + rest
}

// cut returns the first 100 characters of a path, for an error message.
func cut(path string) string {
	characters := []rune(path)
	return string(characters[:min(len(characters), 100)])
}

// canonical returns the canonical form of a JSON value that checkTokens has checked.
func canonical(value []byte) []byte {
	out, err := schema.Canonical(value)
	if err != nil {
		return value // cannot happen: it was decoded without duplicate names
	}
	return out
}
