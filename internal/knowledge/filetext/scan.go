package filetext

import (
	"strings"
)

// scanner finds the ends of a table's cells and rows, and rewrites the table by RFC 4180.
type scanner struct {
	comma string
	// escaped means that a backslash escapes a quotation mark or a backslash in a quoted cell.
	escaped bool
	text    string
	// at is the start of the next cell. Before open, no quotation mark ends a cell that has bare marks
	// in it: without this, lines of many marks would take quadratic time.
	at, open int
	out      strings.Builder
	sheet    Sheet
}

// scan parses a table with a separator. Of both ways to escape a mark, it chooses the one that
// leaves fewer marks over; RFC 4180 if both are equal.
func scan(text string, comma rune) Sheet {
	doubled := (&scanner{comma: string(comma), text: text}).scan()
	if doubled.Unpaired+doubled.bare > 0 && strings.Contains(text, `\"`) {
		escaped := (&scanner{comma: string(comma), text: text, escaped: true}).scan()
		if escaped.Unpaired+escaped.bare < doubled.Unpaired+doubled.bare {
			doubled = escaped
		}
	}
	doubled.comma = comma
	return doubled
}

func (s *scanner) scan() Sheet {
	s.sheet.cells, s.sheet.widths = map[int]int{}, map[int]int{}
	for row := 1; s.at < len(s.text); row++ {
		s.row(row)
	}
	s.sheet.text = s.out.String()
	return s.sheet
}

// row rewrites a row, including its line end.
func (s *scanner) row(number int) {
	cells, filled := 0, 0
	for {
		start, before := s.at, s.out.Len()
		s.cell(number)
		if cells++; strings.TrimSpace(s.text[start:s.at]) != "" {
			filled = cells
		}
		if strings.HasPrefix(s.text[s.at:], s.comma) {
			s.at += len(s.comma)
			s.out.WriteString(s.comma)
			continue
		}
		if cells == 1 && s.out.Len() == before {
			s.out.WriteString(`""`) // or encoding/csv would skip the row
		}
		break
	}
	s.at++ // the line feed, or the end of the text
	s.out.WriteByte('\n')
	s.sheet.Widest = max(s.sheet.Widest, cells)
	if filled > 0 {
		s.sheet.cells[cells]++
		s.sheet.widths[widthOf(cells, filled)]++
	}
}

// cell rewrites a cell without the separator after it.
func (s *scanner) cell(row int) {
	rest := s.text[s.at:]
	blank := s.blank(rest)
	if strings.HasPrefix(rest[blank:], `"`) {
		inner, bare, ok := s.quoted(s.at + blank)
		if ok {
			s.at += blank + len(inner) + 2
			s.at += s.blank(s.text[s.at:])
			if bare {
				s.sheet.bare++
			}
			s.quote(s.unescaped(inner))
			return
		}
		if s.sheet.Unpaired++; s.sheet.Unpaired == 1 {
			s.sheet.FirstUnpaired = row
		}
	}
	size := strings.IndexAny(rest, s.comma+"\n")
	if size < 0 {
		size = len(rest)
	}
	s.at += size
	if text := rest[:size]; strings.Contains(text, `"`) {
		s.quote(text)
	} else {
		s.out.WriteString(text)
	}
}

// quoted returns what is between a quotation mark and its partner: the mark that ends the cell. On
// the same line, bare marks may precede it. On a later line, they mean that the mark has none.
func (s *scanner) quoted(mark int) (inner string, bare, ok bool) {
	below := false
	for i := mark + 1; i < len(s.text); i++ {
		next := s.text[i+1:]
		switch c := s.text[i]; {
		case c == '\n':
			if bare {
				s.open = i
				return "", true, false
			}
			below = true
		case c == '\\' && s.escaped && next != "" && (next[0] == '"' || next[0] == '\\'):
			i++
		case c != '"':
		case strings.HasPrefix(next, `"`):
			i++
		case s.ends(next):
			return s.text[mark+1 : i], bare, true
		case below || mark < s.open:
			return "", true, false
		default:
			bare = true
		}
	}
	s.open = len(s.text)
	return "", bare, false
}

// ends reports whether a cell ends before a text, apart from spaces.
func (s *scanner) ends(text string) bool {
	text = text[s.blank(text):]
	return text == "" || text[0] == '\n' || strings.HasPrefix(text, s.comma)
}

// blank returns the number of spaces at the start of a text.
func (s *scanner) blank(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }

// quote writes a cell in quotation marks.
func (s *scanner) quote(text string) {
	s.out.WriteString(`"` + strings.ReplaceAll(text, `"`, `""`) + `"`)
}

var (
	doubledMarks = strings.NewReplacer(`""`, `"`)
	escapedMarks = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `""`, `"`)
)

// unescaped returns the content of a quoted cell.
func (s *scanner) unescaped(inner string) string {
	if s.escaped {
		return escapedMarks.Replace(inner)
	}
	return doubledMarks.Replace(inner)
}
