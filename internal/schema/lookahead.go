package schema

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// maxLookaheads is the most lookaheads of a pattern.
const maxLookaheads = 16

// part is one of the patterns that a text must match together, or must not match.
type part struct {
	pattern string
	not     bool
}

// split returns a pattern with lookaheads at its start, or behind characters of a fixed number
// there, as parts without them, the rest of the pattern first; nil for others.
func split(text string) (parts []part) {
	rest, anchored := strings.CutPrefix(text, "^")
	if _, _, ok := lookahead(rest); !anchored || !ok {
		return nil
	}
	for {
		start, end, ok := lookahead(rest)
		if !ok {
			return append([]part{{pattern: "^" + rest}}, parts...)
		}
		before, inner, after := rest[:start], rest[start+len("(?="):end], rest[end+1:]
		if len(parts) == maxLookaheads || !isFixed(before) || strings.IndexAny(after, "*+?{") == 0 {
			return nil
		}
		inner = "^" + before + "(?:" + inner + ")"
		parts = append(parts, part{pattern: inner, not: rest[start+2] == '!'})
		rest = before + after
	}
}

// lookahead returns the range of the first lookahead outside of groups. ok is false without one,
// for alternatives outside of groups, and if engines disagree on what is a group.
func lookahead(text string) (start, end int, ok bool) {
	depth, inClass := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			if i++; strings.HasPrefix(text[i:], "Q") {
				return 0, 0, false
			}
		case inClass:
			if inClass = c != ']'; c == '[' {
				return 0, 0, false
			}
		case c == '[':
			inClass = true
			if strings.HasPrefix(strings.TrimPrefix(text[i+1:], "^"), "]") {
				return 0, 0, false
			}
		case c == '(':
			if ahead := text[i:]; depth == 0 && !ok &&
				(strings.HasPrefix(ahead, "(?=") || strings.HasPrefix(ahead, "(?!")) {
				start, end, ok = i, 0, true
			}
			depth++
		case c == ')':
			if depth--; depth == 0 && ok && end == 0 {
				end = i
			}
		case c == '|' && depth == 0:
			return 0, 0, false
		}
	}
	return start, end, ok && end > 0
}

// unfixed finds flags, which also change what follows, and escapes that what follows could extend.
var unfixed = regexp.MustCompile(`\(\?|\\[0-9A-Zckpux]`)

// isFixed reports whether all texts that a pattern matches have the same number of characters.
func isFixed(text string) bool {
	re, err := syntax.Parse(text, syntax.Perl)
	return err == nil && !unfixed.MatchString(text) && hasFixedLength(re)
}

func hasFixedLength(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL,
		syntax.OpEmptyMatch:
		return true
	case syntax.OpRepeat:
		return re.Min == re.Max && hasFixedLength(re.Sub[0])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			if !hasFixedLength(sub) {
				return false
			}
		}
		return true
	}
	return false
}
