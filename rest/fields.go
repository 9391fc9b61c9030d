package rest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/fault"
)

// The members of a body.
const (
	fieldMessage = "message"
	fieldSession = "session_id"
	fieldStream  = "stream"
)

// The limits of the fields, in Unicode code points.
const (
	maxMessageLength = 32_768
	maxSessionLength = 255
	// maxEchoedName bounds how much of an unknown name an error repeats.
	maxEchoedName = 100
)

// check judges the fields of a document that is syntactically sound. Unknown names come first: a misspelt message is
// better told by its name than as a missing one. Fault: fault.InvalidInput with the field at fault.
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
	problem := func(reason fault.Reason, text string) *fault.Field {
		return &fault.Field{Path: fieldMessage, Reason: reason, Message: text}
	}
	switch {
	case v.kind == jsontext.KindInvalid:
		return problem(fault.Missing, "message is missing. It is the text for the agent, and required.")
	case v.kind != jsontext.KindString:
		return problem(fault.WrongType, "message must be a string.")
	case utf8.RuneCountInString(v.text) > maxMessageLength:
		return &fault.Field{
			Path: fieldMessage, Reason: fault.TooLong, Limit: maxMessageLength,
			Message: fmt.Sprintf("message is too long. It may have at most %d characters (Unicode code points).", maxMessageLength),
		}
	case strings.ContainsRune(v.text, 0):
		return problem(fault.InvalidCharacter, "message holds U+0000, which cannot be stored. Remove it.")
	case isBlank(v.text):
		return problem(fault.Blank, "message is blank. Send some text for the agent.")
	}
	return nil
}

func checkSession(v value) *fault.Field {
	problem := func(reason fault.Reason, text string) *fault.Field {
		return &fault.Field{Path: fieldSession, Reason: reason, Message: text}
	}
	switch {
	case v.kind != jsontext.KindString:
		return problem(fault.WrongType, "session_id must be a string.")
	case v.text == "":
		return problem(fault.Empty, "session_id is empty. Leave it out, or send null, to begin a new conversation. An empty one "+
			"is refused because it mostly comes from an empty variable, and would silently lose every conversation.")
	case utf8.RuneCountInString(v.text) > maxSessionLength:
		return &fault.Field{
			Path: fieldSession, Reason: fault.TooLong, Limit: maxSessionLength,
			Message: fmt.Sprintf("session_id is too long. It may have at most %d characters (Unicode code points).", maxSessionLength),
		}
	case strings.ContainsFunc(v.text, unicode.IsControl):
		return problem(fault.InvalidCharacter, "session_id holds a control character. Remove it.")
	}
	return nil
}

// isBlank reports whether nothing in s can be seen: white space as Unicode has it, and the invisible characters that are
// no white space there. Other control characters count as text, as they are stored and sent.
func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		switch r {
		case '\u180E', '\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF':
			return false
		}
		return !unicode.IsSpace(r)
	})
}

// unknownField names a field that does not exist, and the one that was probably meant.
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

// lettersOf drops what the spellings session_id, session-id and sessionId differ in, beside the case.
func lettersOf(name string) string { return strings.NewReplacer("_", "", "-", "").Replace(name) }

// checkStream refuses what asks for a streamed reply: the field, or without it the Accept header. Fault:
// fault.InvalidInput with the field stream.
func checkStream(in input, acceptsStream bool) error {
	wanted := acceptsStream
	if in.stream != nil {
		wanted = *in.stream
	}
	if !wanted {
		return nil
	}
	return fault.Invalid(fault.Field{
		Path: fieldStream, Reason: fault.NotSupported,
		Message: `Streamed replies are not available yet. Send "stream": false, or no text/event-stream in Accept, ` +
			"to get the reply as JSON.",
	})
}
