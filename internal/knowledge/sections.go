package knowledge

import (
	"regexp"
	"strings"
)

// maxHeading is the longest heading, in characters. A longer line is text.
const maxHeading = 200

// reader reads the lines of a text into sections.
type reader struct {
	out     packer
	section section
	levels  []int    // of the headings in the section's path
	lines   []string // of the section's body, without repeated blank lines
	fence   string   // the end of the current code block; empty outside of code
	heading bool     // the section's heading is not in out yet
}

var (
	// hashed matches a heading like "## Title ##". Its groups begin and end with a visible character.
	hashed = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(\S.*)$`)
	// closing matches the optional end of such a heading.
	closing = regexp.MustCompile(`[ \t]+#+$`)
	// underline matches a line that makes the line above a heading.
	underline = regexp.MustCompile(`^(={3,}|-{3,})$`)
	// noTitle matches lines that an underline does not make headings: lists, quotes, tables, code.
	noTitle = regexp.MustCompile(`^( {4}|\t|[-*+>|] ?|[0-9]+[.)] )`)
	fences  = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})(.*)$")
)

// line adds the next line.
func (r *reader) line(line string) {
	if r.code(line) {
		r.text(line)
		return
	}
	if m := hashed.FindStringSubmatch(line); m != nil {
		title := strings.Join(strings.Fields(closing.ReplaceAllString(m[2], "")), " ")
		if strings.Trim(title, "#") != "" && characters(title) <= maxHeading {
			r.begin(len(m[1]), title)
			return
		}
	}
	if underline.MatchString(line) {
		if title, ok := r.underlined(); ok {
			level := 1
			if line[0] == '-' {
				level = 2
			}
			r.lines = r.lines[:len(r.lines)-1]
			r.begin(level, title)
			return
		}
	}
	r.text(line)
}

// code reports whether a line belongs to a block of code, where headings do not count.
func (r *reader) code(line string) bool {
	m := fences.FindStringSubmatch(line)
	switch {
	case r.fence == "" && m == nil:
		return false
	case r.fence == "":
		if m[1][0] == '`' && strings.Contains(m[2], "`") {
			return false // code within a line
		}
		r.fence = m[1]
	case m != nil && strings.HasPrefix(m[1], r.fence) && strings.TrimSpace(m[2]) == "":
		r.fence = ""
	}
	return true
}

// underlined returns the last line if it can be a heading: a short paragraph of one line.
func (r *reader) underlined() (title string, ok bool) {
	n := len(r.lines)
	if n == 0 || r.lines[n-1] == "" || n > 1 && r.lines[n-2] != "" {
		return "", false
	}
	title = strings.TrimSpace(r.lines[n-1])
	return title, title != "" && !noTitle.MatchString(r.lines[n-1]) &&
		!fences.MatchString(r.lines[n-1]) &&
		characters(title) <= maxHeading
}

// text adds a line to the section's body.
func (r *reader) text(line string) {
	if strings.TrimSpace(line) == "" {
		if n := len(r.lines); n == 0 || r.lines[n-1] == "" {
			return
		}
		line = ""
	}
	r.lines = append(r.lines, line)
}

// begin ends the section and begins the section of a heading.
func (r *reader) begin(level int, title string) {
	r.end()
	n := len(r.levels)
	for n > 0 && r.levels[n-1] >= level {
		n--
	}
	r.levels = append(r.levels[:n], level)
	r.section.path = append(append(make([]string, 0, n+1), r.section.path[:n]...), title)
	r.section.line, r.heading = strings.Repeat("#", level)+" "+title, true
}

// turnPage ends the section on this page. It continues on the next page.
func (r *reader) turnPage() {
	r.end()
	r.section.page++
}

// end adds the section to out.
func (r *reader) end() {
	r.section.body = strings.TrimRight(strings.Join(r.lines, "\n"), "\n")
	if r.heading || r.section.body != "" {
		r.out.add(r.section)
	}
	r.lines, r.heading = nil, false
}
