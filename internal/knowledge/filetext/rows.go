package filetext

import (
	encodingcsv "encoding/csv"
	"iter"
	"strings"
	"unicode/utf8"
)

const (
	// maxSniffed is the part of a table whose rows decide on its separator, in bytes.
	maxSniffed = 64 << 10
	// minWide is the share of a table's rows that are at least as wide as the table.
	minWide = 0.1
)

// separators are ordered from the rarest in texts to the most frequent.
var separators = []rune{'\t', '|', ';', ','}

// Sheet is a file of separated values (CSV).
type Sheet struct {
	// Width is the number of columns. Rows may be wider or narrower.
	Width int
	// Widest is the number of cells in the widest row.
	Widest int
	// Unpaired counts the quotation marks that begin a cell but have no partner. FirstUnpaired is the
	// row of the first one, from 1.
	Unpaired, FirstUnpaired int

	comma rune
	// text is the file by RFC 4180, with line feeds.
	text string
	// bare counts the quoted cells with marks in them that are neither doubled nor escaped.
	bare int
	// cells and widths count the rows by their number of cells and by widthOf.
	cells, widths map[int]int
}

// Rows parses a file of separated values. Lines end in CRLF, LF or CR. A first line such as "sep=;",
// written by Excel, names the separator. Otherwise it is the comma, semicolon, tab or bar that
// splits the most rows into the same number of cells. Quotation marks follow RFC 4180, or are
// escaped as \" if that leaves fewer of them without a partner. A mark without a partner is a
// character, so its cell ends with its line.
func Rows(text string) Sheet {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	comma, text := declaredSeparator(text)
	if comma == 0 {
		comma = separator(text)
	}
	sheet := scan(text, comma)
	sheet.Width = sheet.width()
	return sheet
}

// All returns the rows with their numbers, from 1. Empty lines are rows with one empty cell, as
// spreadsheets count.
func (s Sheet) All() iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		in := encodingcsv.NewReader(strings.NewReader(s.text))
		in.Comma, in.FieldsPerRecord = s.comma, -1
		for n := 1; ; n++ {
			row, err := in.Read()
			if err != nil || !yield(n, row) { // io.EOF: the scan has left no other error
				return
			}
		}
	}
}

// width returns the number of columns: the largest that at least a tenth of the rows have, and at
// least two rows. One row with an extra separator does not widen the table.
func (s Sheet) width() int {
	rows := 0
	for _, n := range s.widths {
		rows += n
	}
	wide := 0
	for width := min(s.Widest, maxColumns+1); width > 1; width-- {
		if wide += s.widths[width]; wide >= min(rows, 2) && float64(wide) >= minWide*float64(rows) {
			return width
		}
	}
	return 1
}

// widthOf returns the number of cells of a row; 0 if all are empty. Spreadsheets pad titles with
// empty cells, so a row whose second half is empty ends with its last filled cell.
func widthOf(cells, filled int) int {
	if 2*filled > cells {
		return cells
	}
	return filled
}

// wide reports whether a row is as wide as the table.
func (s Sheet) wide(row []string) bool {
	filled := len(row)
	for filled > 0 && strings.TrimSpace(row[filled-1]) == "" {
		filled--
	}
	return filled > 0 && widthOf(len(row), filled) >= s.Width
}

// declaredSeparator returns the separator that the first line declares, or 0, and the text below.
func declaredSeparator(text string) (rune, string) {
	first, rest, _ := strings.Cut(text, "\n")
	first = strings.Trim(first, `"`)
	if len(first) < 5 || !strings.EqualFold(first[:4], "sep=") {
		return 0, text
	}
	comma, size := utf8.DecodeRuneInString(first[4:])
	if len(first) != 4+size || comma == utf8.RuneError || strings.ContainsRune("\"\\ ", comma) {
		return 0, text
	}
	return comma, rest
}

// separator returns the separator whose most frequent number of cells has the most rows, in the
// first 64 KiB. Rows without a separator do not count as consistent.
func separator(text string) rune {
	if len(text) > maxSniffed {
		text = text[:maxSniffed]
		if end := strings.LastIndexByte(text, '\n'); end > 0 {
			text = text[:end]
		}
	}
	best, most := ',', 0.0
	for _, comma := range separators {
		rows, same := 0, 0
		for cells, n := range scan(text, comma).cells {
			rows += n
			if cells > 1 {
				same = max(same, n)
			}
		}
		if share := float64(same) / float64(max(rows, 1)); share > most {
			best, most = comma, share
		}
	}
	return best
}
