package rest

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/conversation"
	"agentchat/internal/fault"
)

// The members of a body.
const (
	fieldMessage = "message"
	fieldSession = "session_id"
	fieldStream  = "stream"
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
	switch d.session.kind {
	case jsontext.KindInvalid, jsontext.KindNull:
	default:
		if problem := checkSession(d.session); problem != nil {
			return input{}, fault.Invalid(*problem)
		}
		in.session = &d.session.text
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

func checkSession(v value) *fault.Field {
	if v.kind != jsontext.KindString {
		return &fault.Field{Path: fieldSession, Reason: fault.WrongType, Message: "session_id must be a string."}
	}
	return conversation.CheckLabel(fieldSession, v.text)
}

// unknownField names a field that does not exist, and the field that was probably meant.
func unknownField(name string) fault.Field {
	echoed := name
	if utf8.RuneCountInString(echoed) > maxEchoedName {
		echoed = string([]rune(echoed)[:maxEchoedName])
	}
	text := "There is no field " + strconv.Quote(echoed) + "."
	known := []string{fieldMessage, fieldSession, fieldStream}
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
