package filetext

import (
	"fmt"
	"strings"
	"unicode"

	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext/charsets"
)

// left holds what the text of a file leaves out, and what is known about its encoding.
type left struct {
	hidden, struck, comments, pictures, values, parts, numbers int
	// unreadable counts the characters that could not be read. place is that of the first one, such as
	// "on page 1".
	unreadable int
	place      string
	// pages counts the pages that could not be read, the first with the number firstPage.
	pages, firstPage int
	// quotes counts the quotation marks without a partner, the first in quoteRow.
	quotes, quoteRow int
	// chosen is the owner's choice of an encoding, encoding the one that was used; both can be empty.
	chosen, encoding string
	notes            []knowledge.Note
}

// add adds what an inserted document leaves out. Its encoding is not that of the file.
func (l *left) add(inserted left) {
	l.hidden += inserted.hidden
	l.struck += inserted.struck
	l.comments += inserted.comments
	l.pictures += inserted.pictures
	l.values += inserted.values
	l.parts += inserted.parts
	l.numbers += inserted.numbers
}

// findUnreadable counts the characters of a text without pages that are no text, unless the
// characters that could not be decoded are counted already. They are replaced or private: icons, and
// symbols of unknown fonts.
func (l *left) findUnreadable(text string) {
	if l.unreadable > 0 {
		return
	}
	line := 1
	for _, c := range text {
		switch {
		case c == '\n':
			line++
		case c == unicode.ReplacementChar || unicode.Is(unicode.Co, c):
			if l.unreadable++; l.unreadable == 1 {
				l.place = fmt.Sprintf("in line %d", line)
			}
		}
	}
}

// all returns the notes of a text.
func (l *left) all() []knowledge.Note {
	notes := l.notes
	for _, n := range []struct {
		code      knowledge.NoteCode
		count     int
		one, many string
	}{
		{knowledge.NoteUnreadable, l.unreadable, "1 character could not be read, " + l.place + ".",
			"%d characters could not be read, the first " + l.place + "."},
		{knowledge.NoteUnreadable, l.pages,
			fmt.Sprintf("1 page could not be read: page %d.", l.firstPage),
			fmt.Sprintf("%%d pages could not be read, the first is page %d.", l.firstPage)},
		{knowledge.NoteHidden, l.hidden, "1 hidden part was left out.",
			"%d hidden parts were left out."},
		{knowledge.NoteStruck, l.struck, "1 struck-out part was left out.",
			"%d struck-out parts were left out."},
		{knowledge.NoteComments, l.comments, "1 commented part was left out.",
			"%d commented parts were left out."},
		{knowledge.NotePictures, l.pictures,
			"1 picture has no description. Its content was not read.",
			"%d pictures have no description. Their content was not read."},
		{knowledge.NoteFormValues, l.values, "1 form field: its value was not read.",
			"%d form fields: their values were not read."},
		{knowledge.NoteParts, l.parts, "1 inserted document could not be read.",
			"%d inserted documents could not be read."},
		{knowledge.NoteNumbering, l.numbers,
			"1 list number has an unknown format and is written 1, 2, 3.",
			"%d list numbers have an unknown format and are written 1, 2, 3."},
		{knowledge.NoteQuotes, l.quotes,
			fmt.Sprintf("1 quotation mark has no partner, in row %d.", l.quoteRow),
			fmt.Sprintf("%%d quotation marks have no partner, the first in row %d.", l.quoteRow)},
	} {
		if n.count == 0 {
			continue
		}
		message := n.one
		if n.count > 1 {
			message = fmt.Sprintf(n.many, n.count)
		}
		notes = append(notes, knowledge.Note{Code: n.code, Message: message, Count: n.count})
	}
	return notes
}

// isUnreadable reports whether a character is a code that a font does not map to text.
func isUnreadable(c rune) bool { return !unicode.IsSpace(c) && !charsets.IsCharacter(c) }

// tooUnreadable reports whether more than a third of a text's characters could not be read.
func tooUnreadable(text string, unreadable int) bool {
	return unreadable*3 > len([]rune(strings.Join(strings.Fields(text), "")))
}
