package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"agentchat/internal/fault"
	"agentchat/internal/httpapi"
)

// maxDepth is how deep JSON may be nested (RFC 8259, 9 allows a limit). The known fields need a depth of 2; allowing more lets the
// error name the field.
const maxDepth = 64

// input is what the body of a request says, checked and exactly as given.
type input struct {
	message string
	session *string
	userID  *string
	stream  *bool
	// variables are values by name; nil for none.
	variables map[string]string
}

// decode reads a body: one JSON object in strict UTF-8 (RFC 7493), nothing after it. It reads the whole document before it
// checks a field, so that a syntax error always wins over one of a field.
//
// Faults: invalid_json; fault.InvalidInput with the field at fault.
func decode(body []byte) (input, error) {
	if err := checkText(body); err != nil {
		return input{}, err
	}
	doc, err := scan(body)
	if err != nil {
		return input{}, err
	}
	return doc.check()
}

// document is the top level of a body: its known members, and the first that is not known.
type document struct {
	message, session, userID, stream, variables value
	unknown                                     *string
}

// value is a member's value. Kind is zero for a member that is absent; text is set for strings, and members for an object.
type value struct {
	kind    jsontext.Kind
	text    string
	members []member
}

// member is a member of an object in a document.
type member struct {
	name string
	value
}

// member returns where to keep the value of a known name, nil for any other name.
func (d *document) member(name string) *value {
	switch name {
	case fieldMessage:
		return &d.message
	case fieldSession:
		return &d.session
	case fieldUser:
		return &d.userID
	case fieldStream:
		return &d.stream
	case fieldVariables:
		return &d.variables
	}
	return nil
}

// scan makes one pass over the tokens of body. Fault: invalid_json.
func scan(body []byte) (document, error) {
	var doc document
	tokens := jsontext.NewDecoder(bytes.NewBuffer(body))
	open, err := tokens.ReadToken()
	if err != nil {
		return doc, syntaxFault(body, err)
	}
	if open.Kind() != jsontext.KindBeginObject {
		return doc, notJSON(`The body must be one JSON object, such as {"message": "Hello"}.`)
	}
	for tokens.PeekKind() != jsontext.KindEndObject {
		token, err := tokens.ReadToken() // returns the error, if any, that PeekKind met
		if err != nil {
			return doc, syntaxFault(body, err)
		}
		name := token.String()
		kept := doc.member(name)
		if kept == nil && doc.unknown == nil {
			doc.unknown = &name
		}
		if err := readValue(tokens, kept); err != nil {
			return doc, syntaxFault(body, err)
		}
	}
	if _, err := tokens.ReadToken(); err != nil {
		return doc, syntaxFault(body, err)
	}
	if _, err := tokens.ReadToken(); !errors.Is(err, io.EOF) {
		return doc, notJSON("There is extra data after the JSON object. Send exactly one object and nothing after it.")
	}
	return doc, nil
}

var errTooDeep = errors.New("nested too deeply")

// readValue reads one whole value, into kept unless that is nil. The values in an object are kept, but not what is in them.
func readValue(tokens *jsontext.Decoder, kept *value) error {
	depth := tokens.StackDepth()
	token, err := tokens.ReadToken()
	if err != nil {
		return err
	}
	if kept != nil {
		kept.kind = token.Kind()
		if kept.kind == jsontext.KindString {
			kept.text = token.String()
		}
		if kept.kind == jsontext.KindBeginObject && depth == 1 {
			return readMembers(tokens, kept)
		}
	}
	for tokens.StackDepth() > depth {
		if tokens.StackDepth() > maxDepth {
			return errTooDeep
		}
		if _, err := tokens.ReadToken(); err != nil {
			return err
		}
	}
	return nil
}

// readMembers reads the rest of an object.
func readMembers(tokens *jsontext.Decoder, kept *value) error {
	for tokens.PeekKind() != jsontext.KindEndObject {
		token, err := tokens.ReadToken() // returns the error, if any, that PeekKind met
		if err != nil {
			return err
		}
		m := member{name: token.String()}
		if err := readValue(tokens, &m.value); err != nil {
			return err
		}
		kept.members = append(kept.members, m)
	}
	_, err := tokens.ReadToken()
	return err
}

// checkText rejects input that is not UTF-8, naming the usual mistakes. Fault: invalid_json.
func checkText(body []byte) error {
	switch {
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return notJSON("The body begins with a byte-order mark. Send UTF-8 without one.")
	case bytes.HasPrefix(body, []byte("\xFF\xFE")), bytes.HasPrefix(body, []byte("\xFE\xFF")),
		len(body) > 1 && (body[0] == 0) != (body[1] == 0):
		return notJSON("The body looks like UTF-16. Send it as UTF-8.")
	case bytes.HasPrefix(body, []byte("\x1F\x8B")):
		return notJSON("The body looks compressed. Send the JSON as it is.")
	}
	if utf8.Valid(body) {
		return nil
	}
	offset := 0
	for {
		r, size := utf8.DecodeRune(body[offset:])
		if r == utf8.RuneError && size <= 1 {
			return notJSON("The body is not valid UTF-8 at byte %d.", offset)
		}
		offset += size
	}
}

// syntaxFault says what is wrong and where. It does not use the library's message, which quotes the input. Fault: invalid_json.
func syntaxFault(body []byte, err error) error {
	if errors.Is(err, errTooDeep) {
		return notJSON("The JSON is nested more than %d levels deep. No field needs more than one.", maxDepth)
	}
	if errors.Is(err, io.EOF) && len(bytes.TrimSpace(body)) == 0 {
		return notJSON(`The body is empty. Send a JSON object, such as {"message": "Hello"}, ` +
			"with a Content-Length or, in HTTP/1.1, in chunks.")
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return notJSON("The JSON ends before it is complete, at byte %d.", len(body))
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return notJSON("A member name is repeated at byte %d. Send each name once.", syntax.ByteOffset)
	}
	if surrogate.Match(body[syntax.ByteOffset:]) { // wrong here, so it is a lone one
		return notJSON(`Half of a surrogate pair at byte %d. Escape both halves (such as \ud83d\ude00), or send the character itself.`,
			syntax.ByteOffset)
	}
	return notJSON("The body is not valid JSON at byte %d.", syntax.ByteOffset)
}

func notJSON(format string, args ...any) error {
	return fault.New(httpapi.InvalidJSON, fmt.Sprintf(format, args...))
}

// surrogate is the escape of a surrogate, \ud800 to \udfff.
var surrogate = regexp.MustCompile(`^\\u[dD][89A-Fa-f]`)
