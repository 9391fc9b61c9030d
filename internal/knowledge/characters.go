package knowledge

import "unicode/utf8"

// characters counts the characters of a text in normalized form (NFKC): U+FDFA counts as 18. Limits
// and passage sizes use it, because the work with a text grows with that form.
func characters(text string) (n int) {
	if isASCII(text) {
		return len(text)
	}
	for _, c := range text {
		n += sizeOf(c)
	}
	return n
}

// offset returns the size, in bytes, of the longest prefix with at most the given number of
// characters.
func offset(text string, most int) int {
	if len(text) <= most && isASCII(text) {
		return len(text)
	}
	for i, c := range text {
		if most -= sizeOf(c); most < 0 {
			return i
		}
	}
	return len(text)
}

// lastOffset returns the start, in bytes, of the longest suffix with at most the given number of
// characters.
func lastOffset(text string, most int) int {
	at := len(text)
	for at > 0 {
		c, size := utf8.DecodeLastRuneInString(text[:at])
		if most -= sizeOf(c); most < 0 {
			break
		}
		at -= size
	}
	return at
}

func sizeOf(c rune) int { return int(foldPageOf(c).sizes[c&0xFF]) }
