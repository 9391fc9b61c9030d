package find

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Excerpt is a part of a text around the first place that has a needle.
type Excerpt struct {
	// Text is the part, in one line; "…" stands for what was left out before and after it.
	Text string
	// Ranges are where it has the needle.
	Ranges []Range
}

// Range is a part of a text, in UTF-16 code units, as JavaScript counts.
type Range struct{ Start, Length int }

const (
	// maxExcerpt is how many characters an excerpt has, but for a longer needle, and beforeHit how many of them come before the needle.
	maxExcerpt = 160
	beforeHit  = 50
	// maxHit is how many characters of a hit are shown: more only has one with very many that nobody sees.
	maxHit = 1_000
	// maxWindow is how many bytes of a text are looked at for its excerpt, before the needle and from there on.
	maxWindow = 4 << 10
	// maxRanges is how many places are marked: more do not fit, because a character is shown between them.
	maxRanges = maxExcerpt
	// wordWithin is how many characters are given up to begin or end between words.
	wordWithin = 15
)

// Excerpt returns the excerpt of a text; ok is false when the text does not have the needle. It never ends within a character as readers
// see it, except within one that is longer than the excerpt may be.
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
			out.Ranges = append(out.Ranges, Range{Start: units(lead) + units(line[start:h.from]), Length: units(line[h.from:h.to])})
		}
	}
	return out, true
}

// Beginning returns the beginning of a text in one line, at most a number of characters, with "…" for the rest. Like an excerpt, it does
// not end within a character as readers see it, except within one that is longer.
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

// edges returns where the excerpt of a line begins and ends, around its first hit.
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

// skip is how many bytes the first n characters of a text have.
func skip(text string, n int) (bytes int) {
	for ; n > 0 && bytes < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[bytes:])
		bytes += size
	}
	return bytes
}

// units is how long a text is in UTF-16.
func units(text string) (n int) {
	for _, c := range text {
		if n++; c > maxSingle {
			n++
		}
	}
	return n
}

// torn reports whether a cut of a text would leave half of a character.
func torn(text string, at int) bool {
	return at < len(text) && !utf8.RuneStart(text[at]) || joined(text, at)
}

const joiner = '\u200D'

// joined reports whether a cut of a text would tear a character as readers see it: a letter and its marks, a syllable of Hangul, the two
// letters of a flag, and emoji that are joined into one.
func joined(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	if ofFlags(before) && ofFlags(after) {
		return flagsBefore(text[:at])%2 == 1
	}
	return before == joiner || unicode.Is(unicode.M, after) || unseen(after) || after >= 0x1F3FB && after <= 0x1F3FF || // tones of skin
		after >= 0x1160 && after <= 0x11FF // vowels and ends of Hangul
}

// ofFlags reports whether a character is a letter of flags: each pair of them is one.
func ofFlags(c rune) bool { return c >= 0x1F1E6 && c <= 0x1F1FF }

// flagsBefore is how many letters of flags a text ends with.
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
