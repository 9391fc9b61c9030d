package knowledge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const (
	// MaxTerms is the most terms of a text that count, from its beginning. No passage has more.
	MaxTerms = 10_000
	// MaxQuestionTerms is the most different terms of a search.
	MaxQuestionTerms = 200
	// maxQuestionPart is the length of the beginning, and of the end, of a message from which a search
	// takes its terms.
	maxQuestionPart = 2_048
	// maxTerm bounds a term, in bytes. A longer word counts by its beginning.
	maxTerm = 64
)

// Terms returns the search terms of a text, in order and with repetitions: their number is the
// text's length for the ranking. Passages and questions use the same terms.
//
// A term is a word, in lower case and without accents, or a number (see numberValue). Joined words
// count in parts and as a whole, with and without joiners: "A-1" is a, 1, a-1 and a1. Words joined
// only by hyphens or apostrophes have no term with these: "e-mail" is e, mail and email. In Han,
// Kana, Hangul, Thai, Lao, Khmer and Myanmar, terms are pairs of neighbouring grapheme clusters, or
// a single cluster that has no neighbour.
func Terms(text string) []string {
	s := scanner{text: plain(text)}
	for s.at < len(s.text) && len(s.out) < MaxTerms {
		c, size := s.peek(s.at)
		switch kind := kindOf(c); {
		case kind.paired():
			s.pairs(kind)
		case kind == letter || kind == digit:
			s.word("")
		case c == '§':
			s.at += size
			s.paragraph()
		default:
			s.at += size
		}
	}
	return s.out
}

// QuestionTerms returns the different terms of a question, in order: at most MaxQuestionTerms, from
// the beginning and the end of a long text.
func QuestionTerms(text string) []string {
	if end := offset(text, maxQuestionPart); end < len(text) {
		text = text[:end] + "\n" + text[max(end, lastOffset(text, maxQuestionPart)):]
	}
	terms := Terms(text)
	// Growing them would cost as much as all the rest.
	seen, out := make(map[string]bool, len(terms)), make([]string, 0, len(terms))
	for _, term := range terms {
		if !seen[term] {
			seen[term] = true
			out = append(out, term)
		}
	}
	if len(out) > MaxQuestionTerms {
		out = append(out[:MaxQuestionTerms/2], out[len(out)-MaxQuestionTerms/2:]...)
	}
	return out
}

// scanner reads a plain text once, from beginning to end.
type scanner struct {
	text string
	at   int
	out  []string
}

// peek returns the character at an offset and its size; at the end, a separator of size 0.
func (s *scanner) peek(at int) (rune, int) {
	if at >= len(s.text) {
		return 0, 0
	}
	return utf8.DecodeRuneInString(s.text[at:])
}

// add adds a term, up to MaxTerms.
func (s *scanner) add(term string) {
	if len(s.out) < MaxTerms {
		s.out = append(s.out, cutBytes(term, maxTerm))
	}
}

// run returns the end of the run of characters of one kind, with their marks, that starts at at.
func (s *scanner) run(at int, kind script) int {
	for at < len(s.text) {
		c, size := s.peek(at)
		if k := kindOf(c); k != kind && k != mark {
			break
		}
		at += size
	}
	return at
}

// pairs adds the pairs of a run of characters.
func (s *scanner) pairs(kind script) {
	end := s.run(s.at, kind)
	first, second := s.at, s.at+clusterSize(s.text[s.at:end])
	if second == end {
		s.add(s.text[first:end])
	}
	for second < end && len(s.out) < MaxTerms {
		next := second + clusterSize(s.text[second:end])
		s.add(s.text[first:next])
		first, second = second, next
	}
	s.at = end
}

// clusterSize returns the size of the first grapheme cluster of a text. Of Han, Kana and Hangul,
// nearly every character is one, so the slow search for the end of a cluster is left out.
func clusterSize(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	next, _ := utf8.DecodeRuneInString(text[size:])
	if separate(first) && (size == len(text) || separate(next)) {
		return size
	}
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(text, -1)
	return len(cluster)
}

// separate reports whether two such characters never are one cluster: Kana, Han, and the syllables
// of Hangul.
func separate(c rune) bool {
	return c > 0x3040 && c < 0x3100 && c != 0x3099 && c != 0x309A ||
		c >= 0x3400 && c < 0xA000 || c >= 0xAC00 && c < 0xD7A4
}

// paragraph adds the number after a section sign, with and without the sign: a search for either
// finds "§ 4.2".
func (s *scanner) paragraph() {
	for {
		c, size := s.peek(s.at)
		if c != ' ' && c != '§' {
			if kindOf(c) == digit {
				s.word("§")
			}
			return
		}
		s.at += size
	}
}

// word adds a word or a number, or the parts and the whole of a joined one. A sign before it makes
// one more term.
func (s *scanner) word(sign string) {
	start, before := s.at, "" // before is the last part
	parts, digits, hard := 0, false, false
	var bare strings.Builder // the whole without joiners, except those between digits
	for {
		c, _ := s.peek(s.at)
		kind := kindOf(c)
		end := s.run(s.at, kind)
		if kind == digit {
			end = s.numberEnd(s.at)
			digits = true
			s.number(s.at, end, before == "v")
		} else {
			s.add(s.text[s.at:end])
		}
		before = s.text[s.at:end]
		if bare.Len() <= maxTerm {
			bare.WriteString(before)
		}
		parts++
		next, joiner := s.joined(end, kind)
		if next < 0 {
			s.at = end
			break
		}
		if joiner != 0 && kind == digit && s.digitAt(next) {
			bare.WriteRune(joiner)
		}
		s.at, hard = next, hard || joiner == '.' || joiner == '_' || joiner == '&'
	}
	whole := s.text[start:s.at]
	if parts > 1 && len(whole) <= maxTerm {
		if digits || hard {
			s.add(whole)
		}
		if !digits && !hard || bare.String() != whole {
			s.add(bare.String())
		}
	}
	if sign != "" {
		s.add(sign + whole)
	}
}

// joined returns the offset of the next part of a joined word, negative at the end of the word, and
// the joiner, 0 for nothing.
func (s *scanner) joined(at int, kind script) (next int, joiner rune) {
	c, size := s.peek(at)
	if k := kindOf(c); k == letter || k == digit {
		return at, 0
	}
	after, _ := s.peek(at + size)
	k := kindOf(after)
	switch c {
	case '-', '.', '_', '&', '\'', '`', '\u00B7': // the last one is Catalan
		if k == letter || k == digit {
			return at + size, c
		}
	case '"': // in Hebrew abbreviations
		before, _ := utf8.DecodeLastRuneInString(s.text[:at])
		if unicode.Is(unicode.Hebrew, before) && unicode.Is(unicode.Hebrew, after) {
			return at + size, c
		}
	case '/', ':', '\u2044': // 24/7, 12:30 and ½
		if k == digit && kind == digit {
			return at + size, c
		}
	}
	return -1, 0
}

// cutBytes returns the longest prefix of whole characters with at most most bytes.
func cutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
