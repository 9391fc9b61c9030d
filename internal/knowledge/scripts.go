package knowledge

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// script is a class of characters from which terms are made in the same way.
type script uint8

const (
	// none separates words.
	none script = iota
	letter
	digit
	// mark belongs to the character before it.
	mark
	// In the scripts below, spaces do not separate words, or particles are attached to them, so terms
	// are pairs of characters.
	eastAsian // Han and Kana, which form words together
	hangul
	thai
	lao
	khmer
	myanmar
)

// paired reports whether terms are pairs of characters.
func (s script) paired() bool { return s >= eastAsian }

var pairedScripts = []struct {
	script script
	table  *unicode.RangeTable
}{
	{eastAsian, unicode.Han}, {eastAsian, unicode.Hiragana}, {eastAsian, unicode.Katakana}, {hangul, unicode.Hangul},
	{thai, unicode.Thai}, {lao, unicode.Lao}, {khmer, unicode.Khmer}, {myanmar, unicode.Myanmar},
}

// scriptOf returns the script of a character of a plain text (see plain).
func scriptOf(c rune) script {
	switch {
	case c >= 'a' && c <= 'z':
		return letter
	case c >= '0' && c <= '9':
		return digit
	case c < 0x80:
		return none
	case unicode.IsMark(c):
		return mark
	case c == 'ー' || c == '〆': // not in any script's table
		return eastAsian
	case !unicode.IsLetter(c) && !unicode.IsNumber(c):
		return none
	}
	if c >= 0x0E00 { // the first Thai character
		for _, s := range pairedScripts {
			if unicode.Is(s.table, c) {
				return s.script
			}
		}
	}
	return letter
}

// plain normalizes a text for searching: it folds compatible characters, case, accents, vowel
// points, the digits of all scripts, Latin letters like ł and traditional Chinese characters, and
// removes invisible characters.
func plain(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	var out strings.Builder
	out.Grow(len(text))
	joins := false
	for _, c := range text {
		p := foldPageOf(c)
		out.WriteString(p.forms[c&0xFF])
		joins = joins || p.joins[c&0xFF]
	}
	if joins {
		return norm.NFC.String(out.String())
	}
	return out.String()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// plainRune returns the normalized form of a character of a decomposed text, negative to drop it.
func plainRune(c rune) rune {
	switch {
	case accent(c) || unseen(c):
		return -1
	case unicode.IsDigit(c):
		return '0' + digitValue(c)
	}
	if form, ok := signs[c]; ok {
		return form
	}
	return c
}

// signs maps the signs between the parts of words and numbers to the ones on keyboards.
var signs = map[rune]rune{
	'\u2018': '\'', '\u2019': '\'', '\u02BB': '\'', '\u02BC': '\'', // apostrophes
	'\u2032': '\'', '\u05F3': '\'', '\u05F4': '"', // prime, geresh and gershayim
	'\u2010': '-', '\u2013': '-', '\u2212': '-', // hyphen, en dash and minus
	'\u066B': '.', '\u066C': ',', // Arabic
}

// accent reports whether a mark is one that writers of Latin, Greek, Cyrillic, Hebrew and Arabic
// often omit. In other scripts, marks are vowels.
func accent(c rune) bool {
	return c >= 0x0300 && c <= 0x036F ||
		unicode.Is(unicode.Mn, c) &&
			(c >= 0x0591 && c <= 0x05C7 || c >= 0x0610 && c <= 0x0670 || c >= 0x06D6 && c <= 0x06ED)
}

// unseen reports whether a character is invisible: soft hyphens, joiners, direction marks,
// variation selectors, and the Arabic character that only stretches words.
func unseen(c rune) bool {
	return unicode.Is(unicode.Cf, c) || c == 0x0640 || c >= 0xFE00 && c <= 0xFE0F ||
		c >= 0xE0100 && c <= 0xE01EF
}

// digitValue returns the value of a decimal digit. Unicode lists the digits of a script in order,
// from zero.
func digitValue(c rune) rune {
	for _, r := range unicode.Nd.R16 {
		if c <= rune(r.Hi) {
			return (c - rune(r.Lo)) % 10
		}
	}
	for _, r := range unicode.Nd.R32 {
		if c <= rune(r.Hi) {
			return (c - rune(r.Lo)) % 10
		}
	}
	return 0
}
