package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// maxDepth is the deepest nesting of JSON (RFC 8259, 9 allows a limit). Reading a value takes stack
// for each level. Only results of actions need more than 2.
const maxDepth = 64

// decode reads a body. It checks the syntax of the whole body first, so that a syntax error always
// wins over one of a field.
//
// Faults: invalid_json; fault.InvalidInput with the field at fault.
func decode(body []byte) (input, error) {
	var in input
	if err := checkSyntax(body); err != nil {
		return in, err
	}
	// checkSyntax has checked that names are unique. Checking that here takes twenty times their
	// memory.
	if err := json.Unmarshal(body, &in, json.RejectUnknownMembers(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return in, fieldFault(err)
	}
	if problem := in.check(); problem != nil {
		return in, fault.Invalid(*problem)
	}
	return in, nil
}

// checkSyntax checks that a body is one JSON object in strict UTF-8 with unique names (RFC 7493),
// and nothing after it. Fault: invalid_json.
func checkSyntax(body []byte) error {
	tokens := jsontext.NewDecoder(bytes.NewBuffer(body))
	if kind := tokens.PeekKind(); kind != jsontext.KindBeginObject && kind != jsontext.KindInvalid {
		return notJSON(`The body must be one JSON object, such as {"message": "Hello"}.`)
	}
	for open := true; open; open = tokens.StackDepth() > 0 {
		if _, err := tokens.ReadToken(); err != nil {
			return syntaxFault(body, err)
		}
		if tokens.StackDepth() > maxDepth {
			return notJSON("The JSON is nested more than %d levels deep. Make it flatter.", maxDepth)
		}
	}
	if _, err := tokens.ReadToken(); !errors.Is(err, io.EOF) {
		return notJSON("There is extra data after the JSON object. Send exactly one object and nothing after it.")
	}
	return nil
}

// surrogate is the escape of a surrogate, \ud800 to \udfff.
var surrogate = regexp.MustCompile(`^\\u[dD][89A-Fa-f]`)

// syntaxFault describes an error with its place, and names the usual mistakes. It does not use the
// library's message, which quotes the input. Fault: invalid_json.
func syntaxFault(body []byte, err error) error {
	at := len(body)
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at = int(syntax.ByteOffset)
	}
	char, size := utf8.DecodeRune(body[at:])
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return notJSON(`The body is empty. Send a JSON object, such as {"message": "Hello"}, ` +
			"with a Content-Length or, in HTTP/1.1, in chunks.")
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return notJSON("The body begins with a byte-order mark. Send UTF-8 without one.")
	case bytes.HasPrefix(body, []byte("\xFF\xFE")), bytes.HasPrefix(body, []byte("\xFE\xFF")),
		len(body) > 1 && (body[0] == 0) != (body[1] == 0):
		return notJSON("The body looks like UTF-16. Send it as UTF-8.")
	case bytes.HasPrefix(body, []byte("\x1F\x8B")):
		return notJSON("The body looks compressed. Send the JSON uncompressed.")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return notJSON("The JSON ends before it is complete, at byte %d. Send the complete object.", len(body))
	case errors.Is(err, jsontext.ErrDuplicateName):
		return notJSON("A member name is repeated at byte %d. Send each name once.", at)
	case char == utf8.RuneError && size == 1:
		return notJSON("The body is not valid UTF-8 at byte %d. Send it as UTF-8.", at)
	case surrogate.Match(body[at:]): // an error here means half a pair
		return notJSON(`There is half of a surrogate pair at byte %d. Escape both halves, as in \ud83d\ude00, `+
			"or send the character itself.", at)
	}
	return notJSON("The body is not valid JSON at byte %d. Correct it.", at)
}

func notJSON(format string, args ...any) error {
	return fault.New(httpapi.InvalidJSON, fmt.Sprintf(format, args...))
}
