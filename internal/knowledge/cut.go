package knowledge

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

const (
	// maxTableHead is the longest head of a table that its parts repeat, in characters.
	maxTableHead = 500
	// minRest is what a cut leaves for the part behind it, in characters.
	minRest = 500
)

// table is the place of a table in a text.
type table struct {
	// start is where its head begins, rows where its first row does, and end where its last one ends.
	start, rows, end int
	// head is the head as each part repeats it, with the line under it.
	head string
}

// delimiter is the line between the head of a table and its rows.
var delimiter = regexp.MustCompile(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?$`)

// tablesOf returns the tables of a text whose head is short enough to be repeated.
func tablesOf(text string) (out []table) {
	before, at := "", 0
	var open *table // the table that the line may be of
	for line := range strings.Lines(text) {
		piped := strings.Contains(line, "|")
		switch {
		case open != nil && piped:
			open.end = at + len(line)
		case piped && strings.Contains(before, "|") && delimiter.MatchString(strings.TrimRight(line, "\n")):
			if head := before + line; characters(head) <= maxTableHead {
				out = append(out, table{start: at - len(before), rows: at + len(line), end: at + len(line), head: head})
				open = &out[len(out)-1]
			}
		default:
			open = nil
		}
		before, at = line, at+len(line)
	}
	return out
}

// partSize returns the size, in bytes, of the part that a text is cut into from a place on. From there it has a number of characters, of
// which the part may have most.
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

// inRows reports whether a place is within the rows of one of the tables.
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

// lastCluster returns where the last character of a text begins, as readers see characters.
func lastCluster(text string) int {
	for rest, state := text, -1; rest != ""; {
		var cluster string
		if cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state); rest == "" {
			return len(text) - len(cluster)
		}
	}
	return 0
}
