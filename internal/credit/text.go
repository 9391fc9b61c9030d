package credit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxText bounds the note and the reference of an entry, in code points.
const MaxText = 200

// NoteRule and ReferenceRule describe the rules of IsNote and ParseReference. They complete a
// sentence that begins with the name of the text.
const (
	NoteRule      = "must be 1 to 200 characters on one line"
	ReferenceRule = "must be 1 to 200 characters from U+0020 to U+007E"
)

// IsNote reports whether text may be the note of an entry: 1 to MaxText characters on one line.
func IsNote(text string) bool {
	return strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= MaxText &&
		utf8.ValidString(text) &&
		!strings.ContainsFunc(text, unicode.IsControl)
}

// ParseReference returns the trimmed reference of an entry. ok means that it has 1 to MaxText
// characters from U+0020 to U+007E, so that references that look the same are equal.
func ParseReference(text string) (reference string, ok bool) {
	reference = strings.TrimSpace(text)
	return reference, reference != "" && len(reference) <= MaxText &&
		!strings.ContainsFunc(reference, func(r rune) bool { return r < ' ' || r > '~' })
}
