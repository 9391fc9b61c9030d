package filetext

import (
	"fmt"
	"slices"
	"strings"

	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext/charsets"
)

// uncertain begins the sentences for the owner of a file with several readings.
const uncertain = "The encoding is not certain. "

const (
	maxCandidates = 4
	// A sample has up to maxExcerpt characters of each line in which the readings differ, from
	// beforeExcerpt characters before the first difference.
	maxExcerpt    = 60
	beforeExcerpt = 20
)

// candidates returns a note for each of the most probable readings of a text.
func candidates(readings []charsets.Reading) []knowledge.Note {
	readings = readings[:min(len(readings), maxCandidates)]
	texts := make([][]string, len(readings))
	for i, r := range readings {
		texts[i] = strings.FieldsFunc(r.Text, func(c rune) bool { return c == '\n' || c == '\r' })
	}
	notes := make([]knowledge.Note, len(readings))
	for i, r := range readings {
		notes[i] = knowledge.Note{
			Code:     knowledge.NoteEncoding,
			Message:  fmt.Sprintf("It may be %s.", r.Name),
			Count:    1,
			Sample:   new(sample(texts, i)),
			Encoding: new(r.Name),
		}
	}
	return notes
}

// sample returns the parts of a reading in which it differs from the others. Each is a text's lines.
func sample(readings [][]string, which int) string {
	var out []rune
	for i, text := range readings[which] {
		line := []rune(text)
		first := len(line)
		for j, other := range readings {
			switch {
			case len(readings) == 1:
				first = slices.IndexFunc(line, func(c rune) bool { return c > 0x7f })
			case j != which && i < len(other):
				first = min(first, commonPrefix(line, []rune(other[i])))
			}
		}
		if first == len(line) {
			continue
		}
		if len(out) > 0 {
			out = append(out, []rune(" / ")...)
		}
		from := max(0, first-beforeExcerpt)
		out = append(out, line[from:min(len(line), from+maxExcerpt)]...)
		if len(out) >= knowledge.MaxNote {
			break
		}
	}
	text := string(out[:min(len(out), knowledge.MaxNote)])
	return knowledge.Clean(strings.Trim(text, " \t\uFEFF"))
}

// commonPrefix returns the length of the texts' common beginning, in characters.
func commonPrefix(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
