package knowledge

import (
	"crypto/sha256"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean returns a text in the form in which it is stored: valid UTF-8, lines that end with \n, and
// no control characters except tab, line feed and form feed. A form feed is a page break.
func Clean(text string) string {
	text = strings.TrimLeft(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
	if !strings.ContainsFunc(text, control) {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\r' || c == '\v' || c == '\u0085':
			return '\n'
		case control(c):
			return ' '
		}
		return c
	}, text)
}

func control(c rune) bool { return unicode.IsControl(c) && c != '\t' && c != '\n' && c != '\f' }

// Digest returns the SHA-256 that identifies duplicate texts. White space and Unicode composition
// make no difference.
func Digest(text string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(strings.Fields(norm.NFC.String(Clean(text))), " ")))
}

// maxSentence bounds the first sentence of a text, in characters.
const maxSentence = 300

// FirstSentence returns the first sentence of a text, in one line of at most 300 characters. A
// heading or a list at the beginning counts as a sentence.
func FirstSentence(text string) string {
	text = strings.TrimSpace(text)
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(cutRunes(text, 4*maxSentence)), " ")
	if end := firstSentence(text); end > 0 {
		text = text[:end]
	}
	return strings.TrimSpace(cutRunes(text, maxSentence))
}

// closers may follow the end of a sentence and belong to it.
const closers = `"'”’“»«)]}」』）】`

// firstSentence returns the end of the first sentence of a text, including the white space after
// it; 0 if the text has only one.
func firstSentence(text string) int {
	for i, c := range text {
		if n := sentenceEnd(text[i:], c); n > 0 {
			return i + n
		}
	}
	return 0
}

// lastSentence returns the end of the last sentence that ends within a text, or 0. It looks back no
// further than from.
func lastSentence(text string, from int) int {
	for i := len(text); i > from; {
		c, size := utf8.DecodeLastRuneInString(text[:i])
		i -= size
		if n := sentenceEnd(text[i:], c); n > 0 && i+n < len(text) && i+n >= from {
			return i + n
		}
	}
	return 0
}

// maxClosers is the number of characters examined after the end of a sentence.
const maxClosers = 8

// sentenceEnd returns the size of a sentence end at the start of a text, including closing marks
// and white space; 0 if c does not end a sentence. A point does not end one before a small letter,
// or within a number or an address.
func sentenceEnd(text string, c rune) int {
	wide := strings.ContainsRune("。！？｡", c)
	if !wide && !strings.ContainsRune(".!?…؟۔।॥။", c) {
		return 0
	}
	spaced := false
	for i, next := range cutRunes(text, maxClosers) {
		switch {
		case i == 0:
		case unicode.IsSpace(next):
			spaced = true
		case !spaced && strings.ContainsRune(closers, next):
		case wide || spaced && !unicode.IsLower(next):
			return i
		default:
			return 0
		}
	}
	return 0
}

// cutRunes returns the longest prefix of a text with at most most characters.
func cutRunes(text string, most int) string { return text[:offset(text, most)] }
