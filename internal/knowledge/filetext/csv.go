package filetext

import "strings"

// readCSV returns the text of a file of separated values: its table, below the rows that are
// narrower.
func readCSV(data []byte, left *left) (string, error) {
	text, err := decode(data, nil, left)
	if err != nil {
		return "", err
	}
	sheet := Rows(text)
	left.quotes, left.quoteRow = sheet.Unpaired, sheet.FirstUnpaired
	if sheet.Widest > maxColumns {
		return "", errTooWide
	}
	var out flow
	head := false
	for _, row := range sheet.All() {
		if strings.TrimSpace(strings.Join(row, "")) == "" { // spreadsheets may have a million of these
			continue
		}
		if head = head || sheet.wide(row); !head {
			out.put(block{text: strings.Join(row, " ")})
			continue
		}
		if len(out.tables) == 0 {
			out.beginTable()
		}
		out.beginRow()
		for _, cell := range row {
			out.beginCell(1, 1)
			out.put(block{text: cell})
		}
		if out.err != nil {
			return "", out.err
		}
	}
	out.endTable()
	return out.out.String(), out.err
}
