package schema

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxNotes bounds the notes of a schema.
const maxNotes = 100

// Note says what of a schema is not checked.
type Note struct {
	// Path is a JSON pointer into the schema, and Line its line in the text, from 1.
	Path string
	Line int
	// Message is a sentence for the owner.
	Message string
}

// Notes returns what of the schema is not checked, in the order of its text; at most 100 notes.
func (s *Schema) Notes() []Note {
	byPath := make(map[string]Note, len(s.notes))
	for _, note := range s.notes {
		byPath[note.Path] = note
	}
	notes := make([]Note, 0, len(byPath))
	decoder := jsontext.NewDecoder(strings.NewReader(s.text))
	for len(byPath) > 0 {
		if _, err := decoder.ReadToken(); err != nil {
			break
		}
		path := string(decoder.StackPointer())
		if note, ok := byPath[path]; ok {
			note.Line = 1 + strings.Count(s.text[:decoder.InputOffset()], "\n")
			notes = append(notes, note)
			delete(byPath, path)
		}
	}
	return notes
}

// others are keywords that are no typo of one that is known.
var others = map[string]bool{"example": true, "id": true}

// meant returns the keyword that another one is a typo of; empty for none.
func meant(keyword string) string {
	if others[keyword] || strings.HasPrefix(keyword, "x-") {
		return ""
	}
	folded := fold(keyword)
	for i, word := range foldedKeywords {
		if len(word) > 3 && oneTypo(folded, word) {
			return keywords[i]
		}
	}
	return ""
}

func fold(keyword string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(keyword))
}

// oneTypo reports whether two words differ in at most one letter, or in two that are swapped.
func oneTypo(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
