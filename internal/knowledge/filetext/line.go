package filetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// height is the position of characters in a line.
type height int

const (
	baseline height = iota
	raised
	lowered
)

// line collects the text of a block. Raised digits, links and glosses become characters.
type line struct {
	text   []byte
	height height // of the last character
	caret  int    // the position after the last "^"; 0 without one
	link   *link  // the open link
	gloss  []byte // follows the word that is being written
	// below holds the links of a heading, which follow it: the heading itself appears in citations.
	below []string
}

// link is a link that is being read.
type link struct {
	address string // empty if it is not written
	local   bool   // it leads to a place in a page, as those of notes do
	heading bool   // it is in a heading
	start   int
	raised  bool // its first character is raised
}

// write adds text. Digits that are raised or lowered do not join the digits before them.
func (l *line) write(text string, at height) {
	if l.link != nil && len(l.text) == l.link.start {
		l.link.raised = at == raised
	}
	if strings.TrimSpace(text) == "" {
		l.text = append(l.text, text...)
		return
	}
	if at != l.height {
		text = l.shift(text, at)
	}
	l.text, l.height = append(l.text, text...), at
}

// shift separates the text before a change of height from the text after it.
func (l *line) shift(text string, at height) string {
	before, _ := utf8.DecodeLastRune(l.text)
	first, _ := utf8.DecodeRuneInString(text)
	if at == baseline {
		if unicode.IsDigit(before) && unicode.IsDigit(first) {
			return " " + text
		}
		return text
	}
	inside := strings.TrimLeft(text, " (+-−–")
	if c, _ := utf8.DecodeRuneInString(inside); inside != "" && !unicode.IsDigit(c) {
		return text // letters; without any, digits follow a sign
	}
	switch {
	case at == raised && endsValue(before):
		l.text = append(l.text, '^')
		l.caret = len(l.text)
	case at == lowered && unicode.IsDigit(before):
		l.text = append(l.text, '_')
	case at == lowered && (before == '/' || before == '⁄') && l.caret > 0 && l.isFraction():
		l.text[l.caret-1] = ' ' // 3 1/2
		return text
	default:
		return text
	}
	return strings.TrimLeft(text, " ")
}

// endsValue reports whether raised digits after c are a power or the number of a note.
func endsValue(c rune) bool {
	return unicode.IsDigit(c) || unicode.In(c, unicode.Pe, unicode.Pf, unicode.Sc) ||
		strings.ContainsRune("%‰°.,;:!?*\"", c)
}

// isFraction reports whether only digits are between the last "^" and a slash at the end.
func (l *line) isFraction() bool {
	const longest = 10
	after := l.text[l.caret:]
	if len(after) > longest {
		return false
	}
	slash := strings.Trim(string(after), "0123456789")
	return slash == "/" || slash == "⁄"
}

// apart adds text with a space on each side.
func (l *line) apart(text string) {
	if text = strings.TrimSpace(text); text != "" {
		l.write(" "+text+" ", baseline)
	}
}

// endWord writes the gloss of the word that has ended.
func (l *line) endWord() {
	if gloss := strings.TrimSpace(string(l.gloss)); gloss != "" {
		l.text = append(l.text, "("+gloss+")"...)
		l.height = baseline
	}
	l.gloss = nil
}

func (l *line) beginLink(k link) {
	l.endLink()
	k.start = len(l.text)
	l.link = &k
}

// endLink writes the address of the open link.
func (l *line) endLink() {
	k := l.link
	if k == nil {
		return
	}
	l.endWord()
	l.link = nil
	all := string(l.text[k.start:])
	text := strings.TrimSpace(all)
	left := all[:len(all)-len(strings.TrimLeft(all, " \t\n"))]
	right := all[len(strings.TrimRight(all, " \t\n")):]
	switch label := strings.Trim(text, "^[]() "); {
	case k.local && k.raised && l.height == raised && label != "" && len(label) <= 10 &&
		!strings.ContainsAny(label, " \n"):
		text, l.height = "[^"+label+"]", baseline
	case k.address == "" || text == "" || sameAddress(text, k.address):
		return
	case k.heading:
		l.below = append(l.below, "["+text+"]("+k.address+")")
		return
	default:
		text, l.height = "["+text+"]("+k.address+")", baseline
	}
	l.text = append(l.text[:k.start], left+text+right...)
}

// take returns the text of the block and begins the next one, which is not part of the link.
func (l *line) take() string {
	l.endWord()
	if l.link != nil && strings.TrimSpace(string(l.text[l.link.start:])) != "" {
		l.endLink()
	} else if l.link != nil {
		l.link.start = 0
	}
	text := string(l.text)
	l.text, l.height, l.caret = l.text[:0], baseline, 0
	return text
}
