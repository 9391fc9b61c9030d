package charsets

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// letterData has a section for each language. In "ą 1c 2d", a half of the letters after ą are c, and a
// quarter are d: the digits are bits, in hexadecimal. "_" is the beginning of a word. Chinese, Japanese
// and Korean have their commonest characters in order instead.
//
//go:embed letters.txt
var letterData string

// pair is two letters in lower case; the first one is 0 at the beginning of a word.
type pair [2]rune

// language is an alphabet and the bits of its pairs.
type language struct {
	script *unicode.RangeTable
	pairs  map[pair]float64
}

// signs are the characters of a language without an alphabet.
type signs struct {
	rank map[rune]int // of the commonest, from 0
	// enc is the encoding of a national standard that orders characters by use. In the
	// everyday level, a character's first byte is from first to last.
	enc         encoding.Encoding
	first, last byte
}

var everyday = map[string]signs{
	"zh-Hans": {enc: simplifiedchinese.GBK, first: 0xb0, last: 0xd7},
	"zh-Hant": {enc: traditionalchinese.Big5, first: 0xa4, last: 0xc6},
	"ja":      {enc: japanese.EUCJP, first: 0xb0, last: 0xcf},
	"ko":      {enc: korean.EUCKR, first: 0xb0, last: 0xc8},
}

// model holds all languages.
type model struct {
	languages []language
	any       map[pair]float64 // the bits of a pair in the language where it is commonest
	signs     []signs
}

// load parses letterData once, in 5 ms.
var load = sync.OnceValue(func() model {
	out := model{any: map[pair]float64{}}
	for section := range strings.SplitSeq(letterData, "[") {
		name, rows, _ := strings.Cut(section, "]\n")
		if s, ok := everyday[name]; ok {
			s.rank = map[rune]int{}
			for i, c := range []rune(strings.TrimSpace(rows)) {
				s.rank[c] = i
			}
			out.signs = append(out.signs, s)
		} else if name != "" {
			l := newLanguage(rows)
			out.languages = append(out.languages, l)
			for p, bits := range l.pairs {
				if least, ok := out.any[p]; !ok || bits < least {
					out.any[p] = bits
				}
			}
		}
	}
	return out
})

func newLanguage(rows string) language {
	l := language{pairs: map[pair]float64{}}
	for row := range strings.Lines(rows) {
		groups := strings.Fields(row)
		from := []rune(groups[0])[0]
		if from == '_' {
			from = 0
		} else if l.script == nil {
			l.script = scriptOf(from)
		}
		for _, group := range groups[1:] {
			bits := strings.IndexByte("0123456789abcdef", group[0])
			for _, c := range group[1:] {
				l.pairs[pair{from, c}] = float64(max(bits, 1))
			}
		}
	}
	return l
}

// scripts are those of the languages, cjk last. Each language has one.
var scripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Arabic, unicode.Thai, cjk,
}

// cjk are the scripts that share words in Chinese, Japanese and Korean.
var cjk = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x3005, Hi: 0x3007, Stride: 1}, // marks of repetition
		{Lo: 0x3041, Hi: 0x30ff, Stride: 1}, // kana
		{Lo: 0x3105, Hi: 0x312f, Stride: 1}, // bopomofo
		{Lo: 0x3400, Hi: 0x9fff, Stride: 1}, // ideographs
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, // hangul
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: firstHalfWidth, Hi: lastHalfWidth, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x3ffff, Stride: 1}},
}

// Half-width katakana are single bytes in Shift JIS.
const firstHalfWidth, lastHalfWidth = 0xff66, 0xff9f

// scriptOf returns the script of a letter or a mark, nil for other characters. It is unicode.Common
// for letters of unknown languages, and for tones, which are separate in windows-1258.
func scriptOf(c rune) *unicode.RangeTable {
	if c <= unicode.MaxASCII {
		if small := c | 0x20; 'a' <= small && small <= 'z' {
			return unicode.Latin
		}
		return nil
	}
	if isFullWidth(c) || c == 'ª' || c == 'º' || !unicode.IsLetter(c) && !unicode.IsMark(c) {
		return nil
	}
	for _, s := range scripts {
		if unicode.Is(s, c) {
			return s
		}
	}
	return unicode.Common
}

// isFullWidth reports whether a character is one of ASCII in the width of an ideograph.
func isFullWidth(c rune) bool { return 0xff01 <= c && c <= 0xff5e }

// bits returns the improbability of a character, and whether it is in the everyday level. The steps
// fit all four languages: 50 characters are a half of the text in Japanese and Korean, 400 are more
// than two thirds in Chinese.
func (s signs) bits(c rune) (bits float64, everyday bool) {
	if rank, ok := s.rank[c]; ok {
		switch {
		case rank < 50:
			return 7, true
		case rank < 100:
			return 8.5, true
		case rank < 400:
			return 10, true
		}
		return 12, true
	}
	written, err := s.enc.NewEncoder().String(string(c))
	switch {
	case err != nil || len(written) != 2:
		return 26, false
	case s.first <= written[0] && written[0] <= s.last:
		return 15, true
	case unicode.In(c, unicode.Hiragana, unicode.Katakana):
		return 12, true
	}
	return 20, false
}
