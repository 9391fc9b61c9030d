package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxPattern is the most characters of a pattern, and maxRepeat the most repetitions of a counted
	// repetition, with those that contain it.
	maxPattern, maxRepeat = 4096, 100
	// maxPatterns bounds the total number of instructions of all patterns of a schema. One costs about
	// 100 bytes, and 50 ns for each byte of a text.
	maxPatterns = 20_000
)

// pattern is a compiled regular expression with its number of instructions.
type pattern struct {
	*regexp.Regexp
	size int
}

// String implements fmt.Stringer, which the library requires.
func (p *pattern) String() string { return p.Regexp.String() }

// pattern validates and compiles a pattern, once.
func (b *builder) pattern(path, text string) (*pattern, *RefusedError) {
	if known := b.patterns[text]; known != nil {
		return known, nil
	}
	if utf8.RuneCountInString(text) > maxPattern {
		return nil, refuse(path, "The pattern has more than %d characters. Shorten it.", maxPattern)
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, refuse(path, "%s", patternProblem(text, err))
	}
	size, repeats := measure(parsed)
	if repeats > maxRepeat {
		return nil, refuse(path, "%s", tooManyRepeats)
	}
	if b.patternSize += size; b.patternSize > maxPatterns {
		return nil, refuse(path,
			"Together, the patterns of this schema are too large. Use fewer repetitions.")
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil, refuse(path, "%s", patternProblem(text, err))
	}
	if program, err := syntax.Compile(parsed.Simplify()); err == nil {
		size = len(program.Inst)
	}
	b.patterns[text] = &pattern{compiled, size}
	return b.patterns[text], nil
}

var tooManyRepeats = fmt.Sprintf("The pattern repeats something more than %d times. Write + or *, and bound the length with maxLength.",
	maxRepeat)

// formats are those that the library checks, in a time in the size of the text, each with an
// example.
var formats = map[string]string{
	"json-pointer": "/a", "relative-json-pointer": "0/a", "duration": "P1D", "semver": "1.0.0",
	"uuid": "019aa000-0000-7000-8000-000000000000", "period": "2026-01-31T12:00:00Z/P1D",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "hostname": "example.com", "email": "name@example.com",
	"date": "2026-01-31", "time": "12:00:00Z", "date-time": "2026-01-31T12:00:00Z",
	"uri": "https://example.com", "iri": "https://example.com", "uri-reference": "/a",
	"iri-reference": "/a", "uri-template": "https://example.com/{a}",
}

// isBeyondRE2 reports whether a pattern that is refused may well be one of another engine.
func isBeyondRE2(text string) bool {
	_, err := syntax.Parse(text, syntax.Perl)
	bad, ok := errors.AsType[*syntax.Error](err)
	return !ok || slices.Contains([]syntax.ErrorCode{
		syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidCharRange,
		syntax.ErrInvalidNamedCapture, syntax.ErrInvalidRepeatSize, syntax.ErrLarge, syntax.ErrNestingDepth,
	}, bad.Code)
}

// patternProblem says how to replace a pattern that RE2 does not support.
func patternProblem(text string, err error) string {
	code := ""
	if bad, ok := errors.AsType[*syntax.Error](err); ok {
		code = string(bad.Code)
		switch bad.Code {
		case syntax.ErrInvalidRepeatSize, syntax.ErrLarge, syntax.ErrNestingDepth:
			return tooManyRepeats
		case syntax.ErrInvalidEscape:
			if strings.Contains(text, `\u`) {
				return `The pattern contains \u, which RE2 does not support. Write \x{00e9} for \u00e9.`
			}
			return `The pattern contains an escape that RE2 does not support, such as the backreference \1. Write out the expected text.`
		}
	}
	for _, ahead := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.Contains(text, ahead) {
			return "The pattern contains the lookaround " + ahead +
				", which RE2 does not support. Describe the allowed text instead " +
				"of the forbidden one, or split the pattern: allOf with one pattern each, and not with a pattern for forbidden text."
		}
	}
	return "The pattern is not a valid regular expression for RE2: " + code + "."
}

// measure estimates the number of instructions of a compiled pattern, and returns its largest
// number of repetitions.
func measure(re *syntax.Regexp) (size, repeats int) {
	size, repeats = 2, 1
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n, r := measure(sub)
		size, repeats = size+n, max(repeats, r)
	}
	if re.Op == syntax.OpRepeat {
		times := max(re.Min, re.Max, 1)
		size, repeats = min(size*(times+1), maxPatterns+1), min(repeats*times, maxRepeat+1)
	}
	return min(size, maxPatterns+1), repeats
}
