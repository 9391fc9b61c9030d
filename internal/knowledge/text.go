package knowledge

import (
	"crypto/sha256"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean returns a text as it is stored: valid UTF-8, lines that end with \n, and no control characters but tab, line feed and form feed.
// The form feed is the break between two pages.
func Clean(text string) string {
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
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

// Digest returns the SHA-256 by which a text is recognised that the agent has already: white space and how letters are composed make no
// difference.
func Digest(text string) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(strings.Fields(norm.NFC.String(Clean(text))), " ")))
}

// maxSentence bounds the first sentence of a text, in characters.
const maxSentence = 300

// FirstSentence returns the first sentence of a text, in one line and at most 300 characters. A heading or a list in front of it counts as
// one.
func FirstSentence(text string) string {
	text = strings.TrimSpace(text)
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(cutRunes(text, 4*maxSentence)), " ")
	if end := firstSentence(text); end > 0 {
		text = text[:end]
	}
	return strings.TrimSpace(cutRunes(text, maxSentence))
}

// closers may follow the end of a sentence, and belong to it.
const closers = `"'”’“»«)]}」』）】`

// firstSentence returns where the first sentence of a text ends, behind the white space that follows; 0 if the text goes on.
func firstSentence(text string) int {
	for i, c := range text {
		if n := sentenceEnd(text[i:], c); n > 0 {
			return i + n
		}
	}
	return 0
}

// lastSentence is firstSentence for the last sentence of a text that ends in it. It looks no further back than from.
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

// maxClosers is how many characters are looked at behind the end of a sentence.
const maxClosers = 8

// sentenceEnd returns the size of the end of a sentence that a text begins with, with closing marks and white space; 0 if c ends none. A
// point ends none before a small letter, or within a number or an address.
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

// cutRunes returns the beginning of a text of at most a number of characters.
func cutRunes(text string, most int) string { return text[:offset(text, most)] }
