package rest

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/agent"
	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// The members of a body.
const (
	fieldMessage   = "message"
	fieldSession   = "session_id"
	fieldUser      = "user_id"
	fieldStream    = "stream"
	fieldVariables = "variables"
)

// maxEchoedName bounds how much of an unknown name an error repeats.
const maxEchoedName = 100

// check checks the fields of a syntactically valid document. Unknown names come first: for a misspelt "message", an error that
// names it helps more than one about a missing field. Fault: fault.InvalidInput with the field at fault.
func (d *document) check() (input, error) {
	if d.unknown != nil {
		return input{}, fault.Invalid(unknownField(*d.unknown))
	}
	var in input
	if problem := checkMessage(d.message); problem != nil {
		return input{}, fault.Invalid(*problem)
	}
	in.message = d.message.text
	var problem *fault.Field
	if in.session, problem = optionalText(fieldSession, d.session, conversation.CheckLabel); problem != nil {
		return input{}, fault.Invalid(*problem)
	}
	if in.userID, problem = optionalText(fieldUser, d.userID, conversation.CheckUser); problem != nil {
		return input{}, fault.Invalid(*problem)
	}
	if in.variables, problem = values(d.variables); problem != nil {
		return input{}, fault.Invalid(*problem)
	}
	switch d.stream.kind {
	case jsontext.KindInvalid, jsontext.KindNull:
	case jsontext.KindTrue, jsontext.KindFalse:
		wanted := d.stream.kind == jsontext.KindTrue
		in.stream = &wanted
	default:
		return input{}, fault.Invalid(fault.Field{
			Path: fieldStream, Reason: fault.WrongType, Message: "stream must be true or false.",
		})
	}
	return in, nil
}

func checkMessage(v value) *fault.Field {
	switch v.kind {
	case jsontext.KindInvalid:
		return &fault.Field{Path: fieldMessage, Reason: fault.Missing,
			Message: "message is missing. It is required: the text for the agent."}
	case jsontext.KindString:
		return conversation.CheckMessage(fieldMessage, v.text)
	}
	return &fault.Field{Path: fieldMessage, Reason: fault.WrongType, Message: "message must be a string."}
}

// optionalText returns a field's text, nil if the field is absent or null.
func optionalText(name string, v value, check func(path, text string) *fault.Field) (*string, *fault.Field) {
	switch v.kind {
	case jsontext.KindInvalid, jsontext.KindNull:
		return nil, nil
	case jsontext.KindString:
		return &v.text, check(name, v.text)
	}
	return nil, &fault.Field{Path: name, Reason: fault.WrongType, Message: name + " must be a string."}
}

// values returns the values of variables by name, nil for none.
func values(v value) (map[string]string, *fault.Field) {
	switch v.kind {
	case jsontext.KindInvalid, jsontext.KindNull:
		return nil, nil
	case jsontext.KindBeginObject:
	default:
		return nil, &fault.Field{Path: fieldVariables, Reason: fault.WrongType,
			Message: `variables must be an object of strings, such as {"name": "value"}.`}
	}
	out := map[string]string{}
	for _, m := range v.members {
		path := fieldVariables + "." + cut(m.name)
		if !agent.IsVariableName(m.name) {
			problem := agent.NoSuchVariable(path)
			return nil, &problem
		}
		if m.kind != jsontext.KindString {
			return nil, &fault.Field{Path: path, Reason: fault.WrongType, Message: path + " must be a string."}
		}
		if problem := agent.CheckValue(path, m.text); problem != nil {
			return nil, problem
		}
		out[m.name] = m.text
	}
	return out, nil
}

// cut returns the beginning of a name that an error repeats.
func cut(name string) string {
	if utf8.RuneCountInString(name) > maxEchoedName {
		return string([]rune(name)[:maxEchoedName])
	}
	return name
}

// unknownField names a field that does not exist, and the field that was probably meant.
func unknownField(name string) fault.Field {
	echoed := cut(name)
	text := "There is no field " + strconv.Quote(echoed) + "."
	known := []string{fieldMessage, fieldSession, fieldUser, fieldStream, fieldVariables}
	meant := func(known string) bool { return strings.EqualFold(lettersOf(name), lettersOf(known)) }
	if i := slices.IndexFunc(known, meant); i >= 0 {
		text += " Did you mean " + strconv.Quote(known[i]) + "?"
	}
	return fault.Field{Path: echoed, Reason: fault.UnknownField, Message: text}
}

// lettersOf drops the separators, so that session_id, session-id and sessionId differ only in case.
func lettersOf(name string) string { return strings.NewReplacer("_", "", "-", "").Replace(name) }

// wantsStream reports whether the caller asks for a stream: by the field or, without it, by the Accept header.
func (in input) wantsStream(accepted bool) bool {
	if in.stream != nil {
		return *in.stream
	}
	return accepted
}
