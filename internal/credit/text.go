package credit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxText bounds the note and the reference of an entry, in code points.
const MaxText = 200

// IsText reports whether text may be the note or the reference of an entry: 1 to MaxText characters on one line.
func IsText(text string) bool {
	return strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= MaxText && utf8.ValidString(text) &&
		!strings.ContainsFunc(text, unicode.IsControl)
}
