// Package find searches texts as readers see them. Texts that look alike are equal: case, Unicode
// composition, invisible characters and the amount of white space make no difference. The
// database's collation does not matter.
package find

import (
	"bytes"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Needle is a text that is searched for. It is safe for concurrent use. The zero value matches
// nothing.
type Needle struct {
	key []byte
}

// maxNeedle is the longest needle, in bytes of its key: longer than any name or label.
const maxNeedle = 4 << 10

// New returns the needle for a text, without the white space around it. A text whose key is longer
// than maxNeedle matches nothing, and is not read to its end.
func New(text string) Needle {
	r := reader{text: strings.TrimSpace(text), table: single()}
	if r.read(maxNeedle + 1); len(r.key) > maxNeedle {
		return Needle{}
	}
	return Needle{key: bytes.Trim(r.key, " ")}
}

// In reports whether a text contains the needle.
func (n Needle) In(text string) bool {
	_, key := n.part(text)
	return key != nil
}

// maxPart is the size of the part of a text that is compared at once, in bytes of its key, so that
// long texts take no more memory than short ones.
const maxPart = 16 << 10

// part returns the first part of a text that contains the needle: its offset, and its key, or nil
// without a match. Parts overlap by the length of the needle.
func (n Needle) part(text string) (from int, key []byte) {
	key = make([]byte, 0, min(len(text)+len(text)/8, maxPart+len(n.key)+maxPart/8))
	for next := 0; next < len(text) && len(n.key) > 0; {
		from = next
		r := reader{text: text, table: single(), at: from, key: key[:0]}
		r.read(maxPart)
		next = r.at
		r.read(len(r.key) + len(n.key)) // a match may begin in the last segment
		if key = r.key; bytes.Contains(key, n.key) {
			return from, key
		}
	}
	return 0, nil
}

// Key returns the normalized needle, for preselection in other places: an ASCII text contains the
// needle if and only if it contains the key, after its letters are lower case and each run of white
// space is one space.
func (n Needle) Key() string { return string(n.key) }

// span is a part of a text, in bytes.
type span struct{ from, to int }

// all returns the matches in a part of a text, which starts at from and has the given key: at most
// most, without overlaps, extended to whole grapheme clusters.
func (n Needle) all(text string, from int, key []byte, most int) (out []span) {
	r := reader{text: text, table: single(), at: from, key: make([]byte, 0, len(key))}
	var last segment
	// at returns the segment of a byte of the key. Calls must be in ascending order.
	at := func(i int) segment {
		for len(r.key) <= i {
			last = r.next()
		}
		return last
	}
	for start, end := 0, 0; len(n.key) > 0 && len(out) < most; {
		i := bytes.Index(key[start:], n.key)
		if i < 0 {
			break
		}
		begin := start + i
		start = begin + len(n.key)
		s := span{at(begin).from, at(start - 1).to}
		if s.from < end {
			continue // it shares a character with the last match
		}
		for s.from > end && joined(text, s.from) {
			_, size := utf8.DecodeLastRuneInString(text[:s.from])
			s.from -= size
		}
		for s.to < len(text) && joined(text, s.to) {
			_, size := utf8.DecodeRuneInString(text[s.to:])
			s.to += size
		}
		out, end = append(out, s), s.to
	}
	return out
}

// keyOf returns the normalized form of a text: composed (NFC), case-folded and composed again,
// without invisible characters, and with each run of white space as one space. Dotted and dotless i
// are equal, because languages disagree on their capitals.
func keyOf(text string) []byte {
	r := reader{text: text, table: single(), key: make([]byte, 0, len(text)+len(text)/8)}
	r.read(math.MaxInt)
	return r.key
}

// segment is a part of a text that is composed and folded on its own.
type segment span

// reader makes the key of a text, segment by segment.
type reader struct {
	text  string
	table *[maxSingle + 1]uint16
	at    int
	key   []byte
}

// read reads until the key has most bytes, or the text has ended.
func (r *reader) read(most int) {
	for r.at < len(r.text) && len(r.key) < most {
		if r.plain(most); r.at < len(r.text) && len(r.key) < most {
			r.next()
		}
	}
}

// plain reads the ASCII characters that most texts consist of. It stops at white space that is
// folded, and before characters that may combine.
func (r *reader) plain(most int) {
	i, key, last := r.at, r.key, byte(' ')
	if len(key) > 0 {
		last = key[len(key)-1]
	}
	for ; i+1 < len(r.text) && len(key) < most && r.text[i] < utf8.RuneSelf &&
		r.text[i+1] < utf8.RuneSelf; i++ {
		c := byte(r.table[r.text[i]])
		if c < ' ' || c == ' ' && last == ' ' {
			break
		}
		key, last = append(key, c), c
	}
	r.at, r.key = i, key
}

// next reads one more segment. The text must not have ended.
func (r *reader) next() segment {
	start := r.at
	c, size := rune(r.text[start]), 1
	if c >= utf8.RuneSelf {
		c, size = utf8.DecodeRuneInString(r.text[start:])
	}
	end := start + size
	if r.isSingle(c) && (end == len(r.text) || r.text[end] < utf8.RuneSelf ||
		r.isSingle(firstOf(r.text[end:]))) {
		if c = rune(r.table[c]); c == ' ' {
			r.add(c)
		} else {
			r.key = utf8.AppendRune(r.key, c)
		}
	} else {
		end = start + norm.NFC.NextBoundaryInString(r.text[start:], true)
		for _, c := range folded(r.text[start:end]) {
			r.add(c)
		}
	}
	r.at = end
	return segment{start, end}
}

func (r *reader) isSingle(c rune) bool { return c <= maxSingle && r.table[c] != 0 }

func firstOf(text string) rune {
	c, _ := utf8.DecodeRuneInString(text)
	return c
}

// add adds a folded character to the key.
func (r *reader) add(c rune) {
	switch {
	case c > ' ' && c < utf8.RuneSelf:
		r.key = append(r.key, byte(c))
	case unicode.IsSpace(c):
		if n := len(r.key); n == 0 || r.key[n-1] != ' ' {
			r.key = append(r.key, ' ')
		}
	case !unseen(c):
		r.key = utf8.AppendRune(r.key, c)
	}
}

var undotted = strings.NewReplacer("i\u0307", "i", "ı", "i")

// folded composes a text, folds its case, and composes it again.
func folded(text string) string {
	return norm.NFC.String(undotted.Replace(cases.Fold().String(norm.NFC.String(text))))
}

// unseen reports whether a character is invisible: joiners, direction marks, soft hyphens, and
// variation selectors.
func unseen(c rune) bool {
	return unicode.Is(unicode.Cf, c) && !unicode.Is(unicode.Prepended_Concatenation_Mark, c) ||
		unicode.Is(unicode.Variation_Selector, c)
}

// maxSingle is the last character of the basic plane.
const maxSingle = 0xFFFF

// single maps each character of the basic plane that begins a segment and folds to one character to
// that character, white space to ' ', and all others to 0. With it, few texts need the Unicode
// tables.
var single = sync.OnceValue(func() *[maxSingle + 1]uint16 {
	var table [maxSingle + 1]uint16
	for c := rune(0); c <= maxSingle; c++ {
		if !utf8.ValidRune(c) || unseen(c) || !norm.NFC.PropertiesString(string(c)).BoundaryBefore() {
			continue
		}
		form := []rune(folded(string(c)))
		switch {
		case unicode.IsSpace(c):
			table[c] = ' '
		case len(form) == 1 && form[0] <= maxSingle:
			table[c] = uint16(form[0])
		}
	}
	return &table
})
