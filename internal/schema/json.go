package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxNesting is the deepest nesting of arrays and objects, in replies and in schemas.
	maxNesting = 64
	// maxNumber is the most characters of a number. Every float64 can be written with fewer.
	maxNumber = 1100
)

// parse parses one JSON value strictly by RFC 8259: valid Unicode, no duplicate names in an object,
// numbers within the range of a float64, and nothing after the value. Numbers stay verbatim
// (json.Number). The problem has the path of the error.
func parse(text string) (any, *RefusedError) {
	p := parser{text: text, decoder: jsontext.NewDecoder(strings.NewReader(text))}
	value, problem := p.value(1)
	if problem == nil {
		more := p.problem("There is more text after the JSON.")
		if _, err := p.decoder.ReadToken(); !errors.Is(err, io.EOF) {
			return nil, more
		}
	}
	return value, problem
}

type parser struct {
	text    string
	decoder *jsontext.Decoder
}

func (p *parser) problem(message string) *RefusedError {
	return &RefusedError{
		Path:    string(p.decoder.StackPointer()),
		Message: message,
		offset:  int(p.decoder.InputOffset()),
	}
}

// token returns the next token. It is only valid until the next call.
func (p *parser) token() (jsontext.Token, *RefusedError) {
	token, err := p.decoder.ReadToken()
	if err == nil {
		return token, nil
	}
	problem := p.problem("This is not JSON.")
	if errors.Is(err, jsontext.ErrDuplicateName) {
		problem.Message = "A name occurs twice in one object."
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		problem.Path = string(syntax.JSONPointer)
		problem.offset = min(max(int(syntax.ByteOffset), 0), len(p.text))
		before := p.text[:problem.offset]
		line := before[strings.LastIndexByte(before, '\n')+1:]
		problem.Line, problem.Column = 1+strings.Count(before, "\n"), 1+utf8.RuneCountInString(line)
	}
	return token, problem
}

// lineOf returns the line on which the value at a pointer, or its name, begins; 0 if it does not
// exist.
func lineOf(text, pointer string) int {
	decoder := jsontext.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.ReadToken(); err != nil {
			return 0
		}
		if string(decoder.StackPointer()) == pointer {
			return 1 + strings.Count(text[:decoder.InputOffset()], "\n")
		}
	}
}

// spanOf returns the range of the value at a pointer, in bytes, or of the whole text if it does not
// exist.
func spanOf(text, pointer string) (start, end int) {
	decoder := jsontext.NewDecoder(strings.NewReader(text))
	for name := range jsontext.Pointer(pointer).Tokens() {
		if !enter(decoder, name) {
			return 0, len(text)
		}
	}
	value, err := decoder.ReadValue()
	if err != nil {
		return 0, len(text)
	}
	end = int(decoder.InputOffset())
	return end - len(value), end
}

// enter reads up to the value of an object's member or an array's item, and reports whether it
// exists.
func enter(decoder *jsontext.Decoder, name string) bool {
	into, err := decoder.ReadToken()
	if err != nil || into.Kind() != '{' && into.Kind() != '[' {
		return false
	}
	inObject := into.Kind() == '{'
	for i := 0; decoder.PeekKind() != '}' && decoder.PeekKind() != ']'; i++ {
		at := strconv.Itoa(i)
		if inObject {
			member, err := decoder.ReadToken()
			if err != nil {
				return false
			}
			at = member.String()
		}
		if at == name {
			return true
		}
		if err := decoder.SkipValue(); err != nil {
			return false
		}
	}
	return false
}

func (p *parser) value(level int) (any, *RefusedError) {
	token, problem := p.token()
	if problem != nil {
		return nil, problem
	}
	switch token.Kind() {
	case 't', 'f':
		return token.Bool(), nil
	case '"':
		return token.String(), nil
	case '0':
		number := token.String()
		if !isFloat64(number) {
			return nil, p.problem("The number is out of range: it does not fit into a float64.")
		}
		return json.Number(number), nil
	case '{', '[':
		if level > maxNesting {
			return nil, p.problem(fmt.Sprintf("Values are nested more than %d levels deep here.",
				maxNesting))
		}
		if token.Kind() == '{' {
			return p.object(level)
		}
		return p.array(level)
	}
	return nil, nil
}

func (p *parser) object(level int) (any, *RefusedError) {
	out := map[string]any{}
	for p.decoder.PeekKind() != '}' {
		token, problem := p.token()
		if problem != nil {
			return nil, problem
		}
		name := token.String()
		if out[name], problem = p.value(level + 1); problem != nil {
			return nil, problem
		}
	}
	_, problem := p.token()
	return out, problem
}

func (p *parser) array(level int) (any, *RefusedError) {
	out := []any{}
	for p.decoder.PeekKind() != ']' {
		item, problem := p.value(level + 1)
		if problem != nil {
			return nil, problem
		}
		out = append(out, item)
	}
	_, problem := p.token()
	return out, problem
}

// The digits and powers of ten that bound the range of a float64.
const (
	largestPower, largestDigits   = 308, "17976931348623158"
	smallestPower, smallestDigits = -324, "25"
)

// isFloat64 reports whether a JSON number is within the range of a float64: neither too large nor
// so small that it would become 0. Parsing it instead could take 13 µs.
func isFloat64(number string) bool {
	if len(number) > maxNumber {
		return false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(number, "-")), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return true
	}
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil {
			return false
		}
	}
	power += len(whole) - 1 - (len(whole+fraction) - len(digits)) // power of the first digit
	switch power {
	case largestPower:
		return digits < largestDigits
	case smallestPower:
		return digits >= smallestDigits
	}
	return power > smallestPower && power < largestPower
}
