package knowledge

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

const (
	// maxTableHead is the longest table head that is repeated in each part, in characters.
	maxTableHead = 500
	// minRest is the least that a cut leaves for the next part, in characters.
	minRest = 500
)

// table is the position of a table in a text.
type table struct {
	// start is the offset of its head, rows of its first row, and end of the end of its last row.
	start, rows, end int
	// head is the head with the delimiter line, which each part repeats.
	head string
}

// delimiter matches the line between the head of a table and its rows.
var delimiter = regexp.MustCompile(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?$`)

// tablesOf returns the tables of a text whose head is short enough to be repeated.
func tablesOf(text string) (out []table) {
	before, at := "", 0
	var open *table // the table that the line may belong to
	for line := range strings.Lines(text) {
		piped := strings.Contains(line, "|")
		switch {
		case open != nil && piped:
			open.end = at + len(line)
		case piped && strings.Contains(before, "|") &&
			delimiter.MatchString(strings.TrimRight(line, "\n")):
			if head := before + line; characters(head) <= maxTableHead {
				out = append(out, table{
					start: at - len(before),
					rows:  at + len(line),
					end:   at + len(line),
					head:  head,
				})
				open = &out[len(out)-1]
			}
		default:
			open = nil
		}
		before, at = line, at+len(line)
	}
	return out
}

// partSize returns the size, in bytes, of the next part of a text, which starts at at. left is the
// number of characters from there on, and most the largest number that a part may have.
func partSize(text string, at, left, most int, tables []table) int {
	if left <= most {
		return len(text) - at
	}
	most = min(most, left-minRest)
	window := text[at : at+offset(text[at:], most)]
	least := offset(window, most/2)
	if i := strings.LastIndex(window, "\n\n") + 2; i >= max(least, 2) {
		return i
	}
	if i := strings.LastIndexByte(window, '\n') + 1; i >= least && inRows(tables, at+i) {
		return i
	}
	if i := lastSentence(window, least); i > 0 {
		return i
	}
	if i := strings.LastIndexByte(window, '\n') + 1; i >= least {
		return i
	}
	if i := strings.LastIndexFunc(window, unicode.IsSpace); i >= least {
		return i
	}
	if i := lastCluster(window); i >= least {
		return i
	}
	return len(window)
}

// inRows reports whether an offset is within the rows of one of the tables.
func inRows(tables []table, at int) bool {
	for _, t := range tables {
		if t.start > at {
			return false
		}
		if at >= t.rows && at <= t.end {
			return true
		}
	}
	return false
}

// lastCluster returns the offset of the last grapheme cluster of a text.
func lastCluster(text string) int {
	for rest, state := text, -1; rest != ""; {
		var cluster string
		if cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state); rest == "" {
			return len(text) - len(cluster)
		}
	}
	return 0
}
