package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

const (
	// maxPattern is how many characters a pattern may have, and maxRepeat how often a counted repetition may repeat, also one inside
	// another.
	maxPattern, maxRepeat = 256, 100
	// maxPatterns bounds the instructions of all patterns of a schema together. One costs about 100 bytes, and 50 ns for each byte of a
	// text.
	maxPatterns = 20_000
)

// pattern is a compiled regular expression and how many instructions it has.
type pattern struct {
	*regexp.Regexp
	size int
}

// String implements fmt.Stringer, as the library wants it.
func (p *pattern) String() string { return p.Regexp.String() }

// pattern checks and compiles a pattern, once.
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
		return nil, refuse(path, "The patterns of this schema are too large together. Repeat less in them.")
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

// patternProblem says what to write in place of a pattern that RE2 does not know.
func patternProblem(text string, err error) string {
	code := ""
	if bad, ok := errors.AsType[*syntax.Error](err); ok {
		code = string(bad.Code)
		switch bad.Code {
		case syntax.ErrInvalidRepeatSize, syntax.ErrLarge, syntax.ErrNestingDepth:
			return tooManyRepeats
		case syntax.ErrInvalidEscape:
			if strings.Contains(text, `\u`) {
				return `The pattern has \u, which RE2 does not know. Write \x{00e9} for \u00e9.`
			}
			return `The pattern has an escape that RE2 does not know, such as \1 for an earlier match. Write out what may stand there.`
		}
	}
	for _, ahead := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.Contains(text, ahead) {
			return "The pattern looks ahead or behind with " + ahead + ", which RE2 does not know. Write what the text may be in place " +
				"of what it may not be, or split it: allOf with one pattern each, and not with a pattern for what is forbidden."
		}
	}
	return "The pattern is not a regular expression of RE2: " + code + "."
}

// measure returns about how many instructions a pattern has when it is compiled, and how often it repeats something at most.
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
