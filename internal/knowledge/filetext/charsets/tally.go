package charsets

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Bits that are the same in all languages.
const (
	unknownPair   = 13
	otherLanguage = 6  // for a pair that only another language has, in addition to the bits there
	innerCapital  = 8  // a capital after a small letter
	mixedScripts  = 16 // two scripts in a word
	secondScript  = 26 // two scripts in the text, besides ASCII
	nextToDigit   = 4
	loneLetter    = 6  // a word of one character
	fewLetters    = 12 // less than a tenth of the letters are of this script, and the others of ASCII
)

// otherShare is the weight of a pair that only another language has; an expected pair weighs 1.
const otherShare = 0.25

// tally counts the parts of a text. Pairs and signs are judged later, in each language.
type tally struct {
	pairs map[*unicode.RangeTable]map[pair]int // by script
	signs map[rune]int
	ascii int // the number of letters from a to z
	fit       // of all other characters
}

// fit measures how well a text fits a language.
type fit struct {
	bits     float64 // its improbability
	foreign  float64 // the number of characters beyond ASCII
	expected float64 // the number of those that are in an expected place
}

func (f *fit) add(other fit) {
	f.bits += other.bits
	f.foreign += other.foreign
	f.expected += other.expected
}

func newTally(text string) *tally {
	t := &tally{pairs: map[*unicode.RangeTable]map[pair]int{}, signs: map[rune]int{}}
	last := ' '
	runes := []rune(text)
	for i, c := range runes {
		next := ' '
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		switch script := scriptOf(c); {
		case script == cjk:
			t.sign(last, c, next)
		case script != nil:
			t.letter(last, c, next, script)
		case c > unicode.MaxASCII:
			t.symbol(last, c, next)
		}
		last = c
	}
	return t
}

// count counts a character that is judged without a language, or an irregularity of a letter.
func (t *tally) count(bits float64, expected bool) {
	t.bits += bits
	t.foreign++
	if expected {
		t.expected++
	}
}

func (t *tally) letter(last, c, next rune, script *unicode.RangeTable) {
	from := unicode.ToLower(last)
	isForeign := c > unicode.MaxASCII
	if !isForeign {
		t.ascii++
	}
	switch before := scriptOf(last); {
	case before == nil:
		from = 0
		if isForeign && isDigit(last) {
			t.count(nextToDigit, false)
		}
		if unicode.IsMark(c) {
			t.count(mixedScripts, false)
		}
		if isForeign && scriptOf(next) == nil {
			t.bits += loneLetter
		}
	case before != script && before != unicode.Common && script != unicode.Common:
		from = 0
		t.count(mixedScripts, false)
	case (isForeign || last > unicode.MaxASCII) && unicode.IsLower(last) && unicode.IsUpper(c):
		t.count(innerCapital, false)
	}
	if isForeign && isDigit(next) {
		t.count(nextToDigit, false)
	}
	if script == unicode.Common {
		script = unicode.Latin // of all languages, Vietnamese has such tones
	}
	if t.pairs[script] == nil {
		t.pairs[script] = map[pair]int{}
	}
	t.pairs[script][pair{from, unicode.ToLower(c)}]++
}

func isDigit(c rune) bool { return '0' <= c && c <= '9' }

func (t *tally) sign(last, c, next rune) {
	before, after := scriptOf(last), scriptOf(next)
	isLone := before == unicode.Latin && after == unicode.Latin
	if isLone || before != nil && before != cjk && last > unicode.MaxASCII {
		t.count(mixedScripts, false)
	}
	if before != cjk && after != cjk {
		t.bits += loneLetter
	}
	switch {
	case !isHalfWidth(c):
		t.signs[c]++
	case isHalfWidth(last):
		t.count(7, true)
	default:
		t.count(13, isHalfWidth(next))
	}
}

func isHalfWidth(c rune) bool { return firstHalfWidth <= c && c <= lastHalfWidth }

const (
	openers  = "“„‘«¿¡‹「『《（【〈［"
	closers  = "”»›」』》）】〉］"
	currency = "€£¥₪₫¢"
	ordinary = "–—’…•·°§©®№²³½±×™º\u00a0\u3000、。，！？：；～・ー"
	trailing = "²³½®™º±×©§№" // not directly before a letter
	pictures = "★☆■□●○◎◇◆△▲▽▼→←↑↓⇒−〒※〓♪"
	inWords  = "’·ー"
)

// symbol counts a character beyond ASCII that is not a letter.
func (t *tally) symbol(last, c, next rune) {
	before, after := scriptOf(last), scriptOf(next)
	withCJK := before == cjk || after == cjk
	has := func(set string) bool { return strings.ContainsRune(set, c) }
	switch {
	case isBox(c):
		t.box(last, c, before != nil || after != nil)
	case unicode.Is(unicode.Cf, c): // joiners and hyphens in words
		if before != nil && before == after {
			t.count(8, true)
		} else {
			t.count(20, false)
		}
	case 0xff61 <= c && c < firstHalfWidth && !withCJK:
		t.count(20, false)
	case before != nil && after != nil && !withCJK && !has(inWords):
		t.count(18, false)
	case isFullWidth(c) || has(pictures):
		t.count(9, true)
	case c == '’' && before == nil && after != nil:
		t.count(12, true)
	case has(openers) && !withCJK && before != nil || has(closers) && !withCJK && after != nil:
		t.count(16, false)
	case has(currency) && (isDigit(next) || isDigit(last) || unicode.IsSpace(last)):
		t.count(4, true)
	case has(trailing) && !withCJK && after != nil || (c == '®' || c == '™') && before == nil:
		t.count(16, false)
	case has(openers) || has(closers) || has(currency) || has(ordinary):
		t.count(8, true)
	case before != nil || after != nil:
		t.count(16, false)
	default:
		t.count(14, false)
	}
}

// box counts a part of a frame. A reading in a wrong code page of DOS has them in words.
func (t *tally) box(last, c rune, nextToLetter bool) {
	switch {
	case c == last:
		t.count(2, true)
	case isBox(last):
		t.count(7, true)
	case !nextToLetter && strings.ContainsRune("│║", c):
		t.count(10, true)
	default:
		t.count(16, false)
	}
}

func isBox(c rune) bool { return 0x2500 <= c && c <= 0x259f }

// judge returns how well the text fits the best language of each script.
func (t *tally) judge() fit {
	all := t.fit
	used := 0
	for _, script := range scripts {
		best := t.bestIn(script)
		all.add(best)
		if best.foreign > 0 {
			used++
		}
		isFew := 0 < best.foreign && best.foreign < float64(t.ascii)/10
		if isFew && script != unicode.Latin {
			all.bits += fewLetters
		}
	}
	all.bits += float64(max(0, used-1)) * secondScript
	return all
}

// bestIn returns the fit of the characters of a script in the language that fits best.
func (t *tally) bestIn(script *unicode.RangeTable) fit {
	var fits []fit
	if script == cjk {
		for _, s := range load().signs {
			fits = append(fits, s.fit(t.signs))
		}
	}
	for _, l := range load().languages {
		if l.script == script {
			fits = append(fits, l.fit(t.pairs[script]))
		}
	}
	return slices.MinFunc(fits, func(a, b fit) int { return cmp.Compare(a.bits, b.bits) })
}

func (s signs) fit(counts map[rune]int) (out fit) {
	for c, n := range counts {
		bits, everyday := s.bits(c)
		out.bits += bits * float64(n)
		out.foreign += float64(n)
		if everyday {
			out.expected += float64(n)
		}
	}
	return out
}

func (l language) fit(counts map[pair]int) (out fit) {
	for p, n := range counts {
		bits, share := float64(unknownPair), 0.0
		if own, ok := l.pairs[p]; ok {
			bits, share = own, 1
		} else if other, ok := load().any[p]; ok {
			bits, share = min(bits, other+otherLanguage), otherShare
		}
		out.bits += bits * float64(n)
		if p[0] > unicode.MaxASCII || p[1] > unicode.MaxASCII {
			out.foreign += float64(n)
			out.expected += share * float64(n)
		}
	}
	return out
}
