package knowledge

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// FileText is the text of a file, with facts about how it was read.
type FileText struct {
	// Text is clean (see Clean), and has at most MaxCharacters.
	Text string
	// Pages is 0 for a kind of file without pages.
	Pages int
	// Encoding is the canonical name of the file's encoding in lower case, such as "utf-8"; empty for
	// docx and pdf.
	Encoding string
	// Notes say what the text leaves out, or why the encoding is not certain.
	Notes []Note
}

// NoteCode is the kind of a note.
type NoteCode string

// The kinds of notes.
const (
	// NoteEncoding is a candidate for an encoding that is not certain.
	NoteEncoding NoteCode = "ENCODING"
	// NoteDeclaration is a wrong declaration of the encoding.
	NoteDeclaration NoteCode = "DECLARATION"
	// NoteUnreadable counts characters or pages that could not be read.
	NoteUnreadable NoteCode = "UNREADABLE"
	// NoteHidden, NoteStruck and NoteComments count parts that were left out.
	NoteHidden   NoteCode = "HIDDEN"
	NoteStruck   NoteCode = "STRUCK"
	NoteComments NoteCode = "COMMENTS"
	// NotePictures counts pictures without a description.
	NotePictures NoteCode = "PICTURES"
	// NoteFormValues counts form fields.
	NoteFormValues NoteCode = "FORM_VALUES"
	// NoteParts counts inserted documents that could not be read.
	NoteParts NoteCode = "PARTS"
	// NoteNumbering counts list numbers of unknown formats.
	NoteNumbering NoteCode = "NUMBERING"
	// NoteQuotes counts quotation marks without a partner.
	NoteQuotes NoteCode = "QUOTES"
)

var noteCodes = []NoteCode{NoteEncoding, NoteDeclaration, NoteUnreadable, NoteHidden, NoteStruck,
	NoteComments, NotePictures, NoteFormValues, NoteParts, NoteNumbering, NoteQuotes}

// Limits of notes.
const (
	// MaxNotes is the most notes of a source.
	MaxNotes = 20
	// MaxNote is the longest message, and the longest sample, in characters.
	MaxNote = 200
	// maxEncoding is the longest name of an encoding, in bytes.
	maxEncoding = 40
)

// Note says what the text of a file leaves out, or that something in it is doubtful.
type Note struct {
	Code NoteCode `json:"code"`
	// Message is a sentence for the owner.
	Message string `json:"message"`
	// Count is the number of occurrences, at least 1.
	Count int `json:"count"`
	// Sample is a part of the text as a candidate encoding has it; nil for other codes.
	Sample *string `json:"sample,omitempty"`
	// Encoding is the encoding that the note is about, nil for other codes.
	Encoding *string `json:"encoding,omitempty"`
}

// errNotes is the error for notes that no reader writes.
var errNotes = errors.New("the notes of a file are not valid")

// CheckReading validates the encoding and the notes, which come from an untrusted reader.
func (f FileText) CheckReading() error {
	if len(f.Notes) > MaxNotes || !isEncoding(f.Encoding) {
		return errNotes
	}
	for _, n := range f.Notes {
		if !slices.Contains(noteCodes, n.Code) || n.Count < 1 || n.Message == "" ||
			!isNote(n.Message) || n.Sample != nil && !isNote(*n.Sample) ||
			n.Encoding != nil && !isEncoding(*n.Encoding) {
			return errNotes
		}
	}
	return nil
}

func isNote(text string) bool {
	return utf8.RuneCountInString(text) <= MaxNote && text == Clean(text)
}

func isEncoding(name string) bool {
	return len(name) <= maxEncoding && !strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("-_:.", c)
	})
}
