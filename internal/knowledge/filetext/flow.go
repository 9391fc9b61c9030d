package filetext

import (
	"strconv"
	"strings"

	"agentchat/internal/knowledge"
)

const (
	// maxBytes bounds a text before its characters are counted: the longest allowed text has at most
	// this many bytes in UTF-8.
	maxBytes = 4 * knowledge.MaxCharacters
	// maxColumns bounds tables.
	maxColumns = 1_000
	// maxRepeated is the longest cell, in bytes, that is repeated in each row that it spans; maxRows
	// is the most such rows.
	maxRepeated, maxRows = 200, 1_000
)

var errTooWide = refuse("A table has more than 1,000 columns. Remove the unneeded ones.")

// block is a heading, a list item or a paragraph.
type block struct {
	// level is the level of a heading, from 1; 0 for others.
	level int
	// marker begins a list item or a heading: "-" or its number. depth is the nesting depth of its
	// list, also for paragraphs in items.
	marker string
	depth  int
	text   string
	// code means that white space is preserved.
	code bool
}

// flow writes a sequence of blocks and tables as Markdown.
type flow struct {
	out    strings.Builder
	inList bool
	tables []*table // the open tables, each in a cell of the one before
	left   *left
	err    error
}

// insert writes the text of an inserted document.
func (f *flow) insert(text string) {
	if f.nested() {
		f.put(block{text: text})
		return
	}
	if f.out.Len() > 0 {
		f.out.WriteString("\n\n")
	}
	f.out.WriteString(text)
	f.inList = false
	if f.out.Len() > maxBytes {
		f.err = errTooLong
	}
}

// put writes a block, into the open cell, if any.
func (f *flow) put(b block) {
	if b.text = tidy(b.text, b.code); b.text == "" {
		return
	}
	if t := f.table(); t != nil && !t.layout && t.open {
		if t.text.Len() > 0 {
			t.text.WriteByte(' ')
		}
		if b.marker != "" && b.marker != "-" {
			t.text.WriteString(b.marker + " ")
		}
		t.text.WriteString(b.text)
		return
	}
	item := b.marker != "" && b.level == 0
	if f.out.Len() > 0 {
		f.out.WriteString("\n")
		if !item || !f.inList {
			f.out.WriteString("\n")
		}
	}
	f.inList = item
	indent := strings.Repeat("  ", max(0, min(b.depth, 8)-1))
	switch {
	case b.level > 0:
		number := b.marker
		if number == "-" {
			number = ""
		}
		f.out.WriteString(strings.Repeat("#", min(b.level, 6)) + " " +
			strings.Join(strings.Fields(number+" "+b.text), " "))
	case b.code:
		fence := "```"
		for strings.Contains(b.text, fence) && len(fence) < 64 {
			fence += "`"
		}
		f.out.WriteString(fence + "\n" + b.text + "\n" + fence)
	case item:
		f.out.WriteString(indent + b.marker + " " + strings.ReplaceAll(b.text, "\n", "\n"+indent+"  "))
	default:
		f.out.WriteString(b.text)
	}
	if f.out.Len() > maxBytes {
		f.err = errTooLong
	}
}

// tidy reduces white space to single spaces and intended line breaks.
func tidy(text string, code bool) string {
	if code {
		return strings.Trim(text, "\r\n")
	}
	var out strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(line)
		}
	}
	return out.String()
}

// table is a table that is being read.
type table struct {
	rows   [][]string
	size   int
	open   bool // a cell is open
	across int  // the columns that the open cell spans
	down   int  // the rows that it spans
	text   strings.Builder
	// over holds cells of rows above that span the following rows, by column.
	over map[int]repeated
	// layout means that its cells contain tables: it is only used for layout, so only its content is
	// written.
	layout bool
}

type repeated struct {
	text string
	rows int
}

func (f *flow) table() *table {
	if len(f.tables) == 0 {
		return nil
	}
	return f.tables[len(f.tables)-1]
}

func (f *flow) beginTable() {
	if t := f.table(); t != nil && !t.layout {
		t.layout = true
		f.write(t.rows)
		t.rows = nil
		text := t.text.String()
		t.text.Reset()
		f.put(block{text: text})
	}
	f.tables = append(f.tables, &table{over: map[int]repeated{}})
}

func (f *flow) endTable() {
	t := f.table()
	if t == nil {
		return
	}
	f.endCell()
	f.tables = f.tables[:len(f.tables)-1]
	if !t.layout {
		f.write(t.rows)
	}
}

func (f *flow) beginRow() {
	if t := f.table(); t != nil && !t.layout {
		f.endCell()
		t.rows = append(t.rows, nil)
	}
}

// beginCell begins a cell that spans columns and rows.
func (f *flow) beginCell(across, down int) {
	t := f.table()
	if t == nil || t.layout {
		return
	}
	f.endCell()
	if len(t.rows) == 0 {
		f.beginRow()
	}
	t.open, t.across, t.down = true, max(1, min(across, 100)), max(1, min(down, maxRows))
}

func (f *flow) endCell() {
	t := f.table()
	if t == nil || t.layout || !t.open {
		return
	}
	text := strings.Join(strings.Fields(t.text.String()), " ")
	t.open = false
	t.text.Reset()
	row := &t.rows[len(t.rows)-1]
	t.repeat(row)
	for i := range t.across {
		if t.down > 1 && len(text) <= maxRepeated {
			t.over[len(*row)] = repeated{text, t.down - 1}
		}
		if i > 0 {
			*row = append(*row, "")
		} else {
			*row = append(*row, text)
		}
	}
	t.size += len(text) + 3*t.across
	switch {
	case len(*row) > maxColumns:
		f.err = errTooWide
	case t.size > maxBytes:
		f.err = errTooLong
	}
}

// repeat adds the cells of rows above that span this one.
func (t *table) repeat(row *[]string) {
	for len(t.over) > 0 {
		above, ok := t.over[len(*row)]
		if !ok {
			return
		}
		if above.rows--; above.rows == 0 {
			delete(t.over, len(*row))
		} else {
			t.over[len(*row)] = above
		}
		*row = append(*row, above.text)
		t.size += len(above.text) + 3
	}
}

// above returns the text of the row above in the column of the next cell.
func (t *table) above() string {
	if n := len(t.rows); n > 1 && len(t.rows[n-1]) < len(t.rows[n-2]) {
		return t.rows[n-2][len(t.rows[n-1])]
	}
	return ""
}

// write writes rows as a table whose first row is the head. A single row or column is written as
// text, because it is only layout.
func (f *flow) write(rows [][]string) {
	columns, filled := 0, rows[:0]
	for _, row := range rows {
		if strings.Join(row, "") != "" {
			filled = append(filled, row)
			columns = max(columns, len(row))
		}
	}
	if len(filled) < 2 || columns < 2 || f.nested() {
		for _, row := range filled {
			for _, cell := range row {
				f.put(block{text: cell})
			}
		}
		return
	}
	if f.out.Len() > 0 {
		f.out.WriteString("\n\n")
	}
	f.inList = false
	for i, row := range filled {
		if i > 0 {
			f.out.WriteByte('\n')
		}
		f.out.WriteByte('|')
		for _, cell := range row {
			f.out.WriteString(" " + strings.ReplaceAll(cell, "|", `\|`) + " |")
		}
		if i == 0 {
			f.out.WriteString("\n|" + strings.Repeat(" --- |", len(row)))
		}
	}
	if f.out.Len() > maxBytes {
		f.err = errTooLong
	}
}

// nested reports whether the output goes into a cell.
func (f *flow) nested() bool {
	t := f.table()
	return t != nil && !t.layout && t.open
}

// number parses a number of a file; 1 if it is invalid.
func number(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return 1
	}
	return n
}
