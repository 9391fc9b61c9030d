package knowledge

import (
	"regexp"
	"strings"
)

// maxHeading bounds a heading, in characters: a longer line is text.
const maxHeading = 200

// reader reads the lines of a text into sections.
type reader struct {
	out     packer
	section section
	levels  []int    // of the headings in the section's path
	lines   []string // of the section's body, without more than one blank line between two others
	fence   string   // what ends the block of code that the reader is in; empty outside
	heading bool     // the section's heading has not been passed on with a body, or without
}

var (
	// hashed is a heading like "## Title ##". What it captures begins and ends with a visible character.
	hashed = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(\S.*)$`)
	// closing is what may stand behind such a heading.
	closing = regexp.MustCompile(`[ \t]+#+$`)
	// underline makes a heading of the line above.
	underline = regexp.MustCompile(`^(={3,}|-{3,})$`)
	// noTitle begins lines that no underline makes a heading: lists, quotes, tables, code.
	noTitle = regexp.MustCompile(`^( {4}|\t|[-*+>|] ?|[0-9]+[.)] )`)
	fences  = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})(.*)$")
)

// line takes the next line.
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

// code reports whether a line is of a block of code, in which nothing is a heading.
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

// underlined returns the last line, if it can be a heading: a short paragraph of its own.
func (r *reader) underlined() (title string, ok bool) {
	n := len(r.lines)
	if n == 0 || r.lines[n-1] == "" || n > 1 && r.lines[n-2] != "" {
		return "", false
	}
	title = strings.TrimSpace(r.lines[n-1])
	return title, title != "" && !noTitle.MatchString(r.lines[n-1]) && !fences.MatchString(r.lines[n-1]) &&
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

// begin ends the section and begins the one of a heading.
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

// turnPage ends the section on this page. It goes on on the next one.
func (r *reader) turnPage() {
	r.end()
	r.section.page++
}

// end passes the section on.
func (r *reader) end() {
	r.section.body = strings.TrimRight(strings.Join(r.lines, "\n"), "\n")
	if r.heading || r.section.body != "" {
		r.out.add(r.section)
	}
	r.lines, r.heading = nil, false
}
