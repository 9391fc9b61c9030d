package knowledge

import (
	"fmt"
	"slices"
	"strings"
)

// The sizes of passages, in characters.
const (
	// MinPassage is the size up to which short sections are joined.
	MinPassage = 1_000
	// MaxPassage is the size over which a section is cut. Answers are not cut: MaxAnswer bounds them.
	MaxPassage = 2_000
)

// Passage is a part of a source: the unit that a search finds and a model gets.
type Passage struct {
	// Heading is the path of headings over the text, "Refunds > Time limits", and the headings of
	// short sections in it, "Refunds > Costs · Time limits +2"; empty without headings.
	Heading string
	// Page is the page of the text, from 1; 0 for a source without pages.
	Page int
	Text string
	// titles is the size, in bytes, of the end of Heading that names sections in Text; 0 if Heading
	// was stored in between.
	titles int
}

// Terms returns the search terms of the passage: those of the headings over it and of its text,
// which contains the headings of its sections.
func (p Passage) Terms() []string {
	return Terms(p.Heading[:len(p.Heading)-p.titles] + "\n" + p.Text)
}

// Passages cuts a text at its Markdown headings, and a long section between paragraphs, sentences
// or words, in this order of preference. Short sections under one heading are joined. A table that
// is cut has its head in each part. With paged, form feeds are page breaks, and no passage crosses
// one. Only white space is lost: every heading is in the text or the heading of a passage.
func Passages(text string, paged bool) []Passage {
	var r reader
	if paged {
		r.section.page = 1
	}
	for line := range strings.Lines(Clean(text)) {
		for i, part := range strings.Split(strings.TrimSuffix(line, "\n"), "\f") {
			if i > 0 && paged {
				r.turnPage()
			}
			r.line(strings.TrimRight(part, " \t"))
		}
	}
	r.end()
	r.out.flush(nil)
	return r.out.passages
}

// AnswerPassage returns the passage of an answer. It contains the questions, so that a search finds
// it by each of them.
func AnswerPassage(questions []string, answer string) Passage {
	return Passage{Text: Clean(answerText(questions, answer))}
}

func answerText(questions []string, answer string) string {
	var text strings.Builder
	for _, q := range questions {
		text.WriteString(strings.TrimSpace(q) + "\n")
	}
	return text.String() + "\n" + strings.TrimSpace(answer)
}

// section is the text under one heading, on one page.
type section struct {
	path []string // its headings, from the outermost to its own
	line string   // its own heading, as Markdown
	body string
	page int
}

// packer turns sections into passages.
type packer struct {
	passages []Passage
	group    []section // sections that will be one passage
	size     int       // of the group, in characters
}

// add adds the next section.
func (p *packer) add(s section) {
	body := characters(s.body)
	size := body + characters(s.line) + 4
	if !p.takes(s, size) {
		p.flush(&s)
	}
	if body > MaxPassage {
		p.split(s, body)
		return
	}
	p.group, p.size = append(p.group, s), p.size+size
}

// takes reports whether a section may join the group: the group is still small, and both are under
// the parent heading of the group's first section.
func (p *packer) takes(s section, size int) bool {
	if len(p.group) == 0 {
		return true
	}
	first := p.group[0]
	over := first.path[:max(0, len(first.path)-1)]
	return p.size < MinPassage && p.size+size <= MaxPassage && first.page == s.page &&
		len(commonPath(over, s.path)) == len(over)
}

// flush turns the group into a passage; next is the section after it, if any.
func (p *packer) flush(next *section) {
	group := p.group
	p.group, p.size = nil, 0
	if len(group) == 0 || next != nil && saidBy(*next, group) {
		return
	}
	path := sharedPath(group)
	for len(group) > 1 && group[0].body == "" {
		rest := sharedPath(group[1:])
		if len(rest) <= len(group[0].path) || len(commonPath(rest, group[0].path)) < len(group[0].path) {
			break
		}
		group, path = group[1:], rest // drops a heading that is over all other sections
	}
	var parts []string
	for i, s := range group {
		if i > 0 || len(s.path) > len(path) || len(group) == 1 && s.body == "" {
			parts = append(parts, s.line)
		}
		if s.body != "" {
			parts = append(parts, s.body)
		}
	}
	p.append(path, titlesOf(group, path), group[0].page, strings.Join(parts, "\n\n"))
}

// titlesOf returns the headings directly under the path that the sections of a group share, each
// once. If the group also has text directly under the path, a single heading is joined by " · ",
// because " > " would claim that this text is under the heading, too.
func titlesOf(group []section, path []string) (out titles) {
	own := false
	for _, s := range group {
		if len(s.path) == len(path) {
			own = own || s.body != ""
		} else if title := s.path[len(path)]; !slices.Contains(out.list, title) {
			out.list = append(out.list, title)
		}
	}
	out.joint = " > "
	if own && len(out.list) == 1 {
		out.joint = " · "
	}
	return out
}

// sharedPath returns the headings that all sections share.
func sharedPath(group []section) []string {
	path := group[0].path
	for _, s := range group[1:] {
		path = commonPath(path, s.path)
	}
	return path
}

// saidBy reports whether a group consists only of headings over the section, one under the other.
func saidBy(s section, group []section) bool {
	for i, g := range group {
		under := s.path
		if i+1 < len(group) {
			under = group[i+1].path
		}
		if g.body != "" || len(under) <= len(g.path) || len(commonPath(g.path, under)) < len(g.path) {
			return false
		}
	}
	return true
}

// commonPath returns the common prefix of two paths.
func commonPath(a, b []string) []string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// append adds a passage, unless it is blank.
func (p *packer) append(path []string, named titles, page int, text string) {
	if text = strings.TrimSpace(text); text != "" {
		over := strings.Join(path, " > ")
		heading := named.after(over)
		p.passages = append(p.passages,
			Passage{Heading: heading, Page: page, Text: text, titles: len(heading) - len(over)})
	}
}

// titles are headings of short sections, with what stands between the path and them.
type titles struct {
	joint string
	list  []string
}

// after returns a path with as many titles as fit into maxHeading, and the number of the others.
func (t titles) after(path string) string {
	out := path
	for n := range t.list {
		named := strings.Join(t.list[:n+1], " · ")
		if path != "" {
			named = path + t.joint + named
		}
		if rest := len(t.list) - n - 1; rest > 0 {
			named += fmt.Sprintf(" +%d", rest)
		}
		if characters(named) > maxHeading {
			break
		}
		out = named
	}
	return out
}

// split cuts a section of left characters into passages.
func (p *packer) split(s section, left int) {
	tables := tablesOf(s.body)
	for at := 0; at < len(s.body); {
		for len(tables) > 0 && tables[0].end <= at {
			tables = tables[1:]
		}
		head := ""
		if len(tables) > 0 && tables[0].start < at && tables[0].rows < tables[0].end {
			head = tables[0].head
			if skipped := tables[0].rows - at; skipped > 0 {
				left -= characters(s.body[at:tables[0].rows])
				at += skipped
			}
		}
		size := partSize(s.body, at, left, MaxPassage-characters(head), tables)
		part := s.body[at : at+size]
		if strings.TrimSpace(part) != "" { // a head alone is not a passage
			p.append(s.path, titles{}, s.page, head+part)
		}
		at, left = at+size, left-characters(part)
	}
}
