package filetext

import (
	"bufio"
	encodingcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxOpenLines is the most lines of a field after a quotation mark that is never closed.
const maxOpenLines = 20

// readCSV returns the table of a file of separated values.
func readCSV(data []byte, left *left) (string, error) {
	text, err := decode(data, nil, left)
	if err != nil {
		return "", err
	}
	comma := rune(0)
	if first, rest, ok := strings.Cut(text, "\n"); ok &&
		strings.HasPrefix(strings.ToLower(first), "sep=") {
		if mark := strings.TrimRight(first[len("sep="):], "\r"); len(mark) == 1 { // written by Excel
			comma, text = rune(mark[0]), rest
		}
	}
	if comma == 0 {
		comma = separator(text)
	}
	out, err := separated(text, comma, false)
	if errors.Is(err, encodingcsv.ErrQuote) || errors.Is(err, encodingcsv.ErrBareQuote) {
		out, err = separated(text, comma, true)
	}
	return out, err
}

func separated(text string, comma rune, lazy bool) (string, error) {
	in := encodingcsv.NewReader(strings.NewReader(text))
	in.Comma, in.LazyQuotes, in.FieldsPerRecord, in.ReuseRecord = comma, lazy, -1, true
	var out flow
	out.beginTable()
	for out.err == nil {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		line, _ := in.FieldPos(0)
		if lazy && in.InputOffset() == int64(len(text)) &&
			strings.Count(row[len(row)-1], "\n") > maxOpenLines {
			return "", refuse(fmt.Sprintf("A quotation mark in line %d or later is not closed.", line))
		}
		out.beginRow()
		for _, cell := range row {
			out.beginCell(1, 1)
			out.put(block{text: cell})
			if out.err != nil {
				break
			}
		}
	}
	out.endTable()
	return out.out.String(), out.err
}

// separator returns the separator of a table: the character that occurs in most of its first lines,
// equally often in each.
func separator(text string) rune {
	const looked = 20
	best, most := ',', 0
	for _, mark := range ";,\t|" {
		in := bufio.NewScanner(io.LimitReader(strings.NewReader(text), 64<<10))
		counts := map[int]int{}
		quoted := false
		for n := 0; n < looked && in.Scan(); {
			count := 0
			for _, c := range in.Text() {
				switch {
				case c == '"':
					quoted = !quoted
				case c == mark && !quoted:
					count++
				}
			}
			if !quoted {
				counts[count]++
				n++
			}
		}
		for count, lines := range counts {
			if score := lines * min(count, 3); count > 0 && score > most {
				best, most = mark, score
			}
		}
	}
	return best
}
