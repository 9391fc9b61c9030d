package knowledge

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// characters counts the characters of a text in normalized form, as a search compares it: U+FDFA
// counts as 18. Limits and passage sizes use it, because the work of a search grows with that form.
func characters(text string) (n int) {
	if isASCII(text) {
		return len(text)
	}
	all := sizes()
	for _, c := range text {
		n += all.of(c)
	}
	return n
}

// offset returns the size, in bytes, of the longest prefix with at most the given number of
// characters.
func offset(text string, most int) int {
	if len(text) <= most && isASCII(text) {
		return len(text)
	}
	all := sizes()
	for i, c := range text {
		if most -= all.of(c); most < 0 {
			return i
		}
	}
	return len(text)
}

// lastOffset returns the start, in bytes, of the longest suffix with at most the given number of
// characters.
func lastOffset(text string, most int) int {
	all, at := sizes(), len(text)
	for at > 0 {
		c, size := utf8.DecodeLastRuneInString(text[:at])
		if most -= all.of(c); most < 0 {
			break
		}
		at -= size
	}
	return at
}

// lastCompatible is above every character that is normalized to several.
const lastCompatible = 0x20000

// sizeTable holds the number of characters in the normalized form of each character.
type sizeTable [lastCompatible]uint8

func (t *sizeTable) of(c rune) int {
	if c < lastCompatible {
		return int(t[c])
	}
	return 1
}

var sizes = sync.OnceValue(func() *sizeTable {
	var table sizeTable
	for c := range rune(lastCompatible) {
		table[c] = 1
		if form := norm.NFKC.PropertiesString(string(c)).Decomposition(); form != nil {
			table[c] = uint8(utf8.RuneCount(norm.NFKC.Bytes(form)))
		}
	}
	return &table
})
