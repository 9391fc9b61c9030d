package find

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Excerpt is a part of a text around the first match of a needle.
type Excerpt struct {
	// Text is the part, in one line; "…" marks omitted text before and after it.
	Text string
	// Ranges are the matches within Text.
	Ranges []Range
}

// Range is a part of a text, in UTF-16 code units, as in JavaScript.
type Range struct{ Start, Length int }

const (
	// maxExcerpt is the most characters of an excerpt, except for a longer match, and beforeHit the
	// most of them before the match.
	maxExcerpt = 160
	beforeHit  = 50
	// maxHit is the most characters of a match that are shown. Only a match with very many invisible
	// characters has more.
	maxHit = 1_000
	// maxWindow is the most bytes of a text that are examined for its excerpt, before the match and
	// from its start.
	maxWindow = 4 << 10
	// maxRanges is the most matches that are marked. More do not fit, because there is a character
	// between two matches.
	maxRanges = maxExcerpt
	// wordWithin is the most characters that are dropped to begin or end between words.
	wordWithin = 15
)

// Excerpt returns the excerpt of a text; ok is false if the text does not contain the needle. It
// never ends within a grapheme cluster, except one that is longer than the excerpt.
func (n Needle) Excerpt(text string) (out Excerpt, ok bool) {
	part, key := n.part(text)
	if key == nil {
		return Excerpt{}, false
	}
	first := n.all(text, part, key, 1)[0]
	from, to := max(0, first.from-maxWindow), min(len(text), max(first.to, first.from+maxWindow))
	for from < first.from && torn(text, from) {
		from++
	}
	for to > first.to && torn(text, to) {
		to--
	}
	line := strings.Join(strings.Fields(text[from:to]), " ")
	hits := n.all(line, 0, keyOf(line), maxRanges)
	start, end := edges(line, hits[0])
	lead := ""
	if start > 0 || from > 0 {
		lead = "…"
	}
	out = Excerpt{Text: lead + line[start:end], Ranges: []Range{}}
	if end < len(line) || to < len(text) {
		out.Text += "…"
	}
	for _, h := range hits {
		if h.from < end {
			h.to = min(h.to, end)
			out.Ranges = append(out.Ranges,
				Range{Start: units(lead) + units(line[start:h.from]), Length: units(line[h.from:h.to])})
		}
	}
	return out, true
}

// Beginning returns the beginning of a text in one line, at most most characters, followed by "…"
// if it was cut. It never ends within a grapheme cluster, except one that is longer.
func Beginning(text string, most int) string {
	line := strings.Join(strings.Fields(text), " ")
	if skip(line, most) == len(line) {
		return line
	}
	limit := skip(line, most-1)
	end := limit
	for torn(line, end) {
		end--
	}
	if end == 0 {
		end = limit
	}
	return strings.TrimSpace(line[:end]) + "…"
}

// edges returns the start and the end of the excerpt of a line, around its first match.
func edges(line string, hit span) (start, end int) {
	start, hit.to = hit.from, hit.from+skip(line[hit.from:hit.to], maxHit)
	left := maxExcerpt - utf8.RuneCountInString(line[hit.from:hit.to])
	for taken := 0; start > 0 && taken < min(beforeHit, left); taken++ {
		_, size := utf8.DecodeLastRuneInString(line[:start])
		start -= size
	}
	left -= utf8.RuneCountInString(line[start:hit.from])
	for end = hit.to; end < len(line) && left > 0; left-- {
		_, size := utf8.DecodeRuneInString(line[end:])
		end += size
	}
	if start > 0 {
		begin, most := start, skip(line[start:hit.from], wordWithin)
		if space := strings.IndexByte(line[start:start+most], ' '); space >= 0 {
			begin += space + 1
		}
		for start = begin; start < hit.from && joined(line, start); {
			_, size := utf8.DecodeRuneInString(line[start:])
			start += size
		}
	}
	if end < len(line) {
		stop := end
		space := strings.LastIndexByte(line[hit.to:end], ' ')
		if space >= 0 && utf8.RuneCountInString(line[hit.to+space:end]) <= wordWithin {
			stop = hit.to + space
		}
		for end = stop; end > hit.to && joined(line, end); {
			_, size := utf8.DecodeLastRuneInString(line[:end])
			end -= size
		}
	}
	return start, end
}

// skip returns the size, in bytes, of the first n characters of a text.
func skip(text string, n int) (bytes int) {
	for ; n > 0 && bytes < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[bytes:])
		bytes += size
	}
	return bytes
}

// units returns the length of a text in UTF-16.
func units(text string) (n int) {
	for _, c := range text {
		if n++; c > maxSingle {
			n++
		}
	}
	return n
}

// torn reports whether cutting a text at an offset would split a character.
func torn(text string, at int) bool {
	return at < len(text) && !utf8.RuneStart(text[at]) || joined(text, at)
}

const joiner = '\u200D'

// joined reports whether cutting a text at an offset would split a grapheme cluster: a letter and
// its marks, a Hangul syllable, the two letters of a flag, or joined emoji.
func joined(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	if ofFlags(before) && ofFlags(after) {
		return flagsBefore(text[:at])%2 == 1
	}
	return before == joiner || unicode.Is(unicode.M, after) || unseen(after) ||
		after >= 0x1F3FB && after <= 0x1F3FF || // skin tones
		after >= 0x1160 && after <= 0x11FF // vowels and final consonants of Hangul
}

// ofFlags reports whether a character is a regional indicator: each pair of them is a flag.
func ofFlags(c rune) bool { return c >= 0x1F1E6 && c <= 0x1F1FF }

// flagsBefore counts the regional indicators at the end of a text.
func flagsBefore(text string) (n int) {
	for {
		c, size := utf8.DecodeLastRuneInString(text)
		if !ofFlags(c) {
			return n
		}
		n++
		text = text[:len(text)-size]
	}
}
