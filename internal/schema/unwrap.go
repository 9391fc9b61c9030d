package schema

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// maxProseBraces is the most objects, or other texts in braces, that are looked at in prose.
const maxProseBraces = 64

// unwrap returns the JSON text in a reply, and where it begins: the whole reply without the space
// around it, or else the only object in a code fence, or the only one in prose. Without any, or
// with two that differ, it is the whole.
func unwrap(reply string) (begins int, text string) {
	text = strings.TrimFunc(reply, isSpace)
	begins = strings.Index(reply, text)
	if jsontext.Value(text).IsValid() {
		return begins, text
	}
	for _, objects := range [][]string{fencedObjects(text), proseObjects(text)} {
		switch {
		case len(objects) == 0:
		case slices.ContainsFunc(objects, func(o string) bool { return !sameJSON(o, objects[0]) }):
			return begins, text
		default:
			return begins + strings.Index(text, objects[0]), objects[0]
		}
	}
	return begins, text
}

// isSpace includes the byte order mark.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }

func sameJSON(a, b string) bool {
	left, err := Canonical([]byte(a))
	right, other := Canonical([]byte(b))
	return err == nil && other == nil && string(left) == string(right)
}

// fencedObjects returns the code blocks of a text that are one JSON object.
func fencedObjects(text string) (found []string) {
	for _, mark := range []string{"```", "~~~"} {
		for i, block := range strings.Split(text, mark) {
			block = strings.TrimLeftFunc(strings.Trim(block, mark), func(r rune) bool { // the language
				return r < 0x80 && isWord(byte(r))
			})
			block = strings.TrimFunc(block, isSpace)
			if i%2 == 1 && strings.HasPrefix(block, "{") && jsontext.Value(block).IsValid() {
				found = append(found, block)
			}
		}
	}
	return found
}

// isWord reports whether a character can be part of the language name after a fence. No JSON object
// begins with one.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' ||
		c == '-' || c == '+' || c == '.'
}

// proseObjects returns the JSON objects in a text, but none in braces that are no JSON object.
func proseObjects(text string) (found []string) {
	for range maxProseBraces {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return found
		}
		text = text[start:]
		braces := text[:braced(text)]
		if jsontext.Value(braces).IsValid() {
			found = append(found, braces)
		}
		text = text[len(braces):]
	}
	return nil
}

// braced returns the length of the text in braces at the start of a text, without braces in
// strings.
func braced(text string) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
