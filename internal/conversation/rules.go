package conversation

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// The limits of what comes in, in Unicode code points.
const (
	MaxMessage = 32_768
	MaxLabel   = 255
)

// CheckMessage says what is wrong with a message, nil when nothing is. The field is called path.
func CheckMessage(path, text string) *fault.Field {
	problem := func(reason fault.Reason, message string) *fault.Field {
		return &fault.Field{Path: path, Reason: reason, Message: path + message}
	}
	switch {
	case utf8.RuneCountInString(text) > MaxMessage:
		return tooLong(path, MaxMessage)
	case strings.ContainsRune(text, 0):
		return problem(fault.InvalidCharacter, " holds U+0000, which cannot be stored. Remove it.")
	case isBlank(text):
		return problem(fault.Blank, " is blank. Send some text for the agent.")
	}
	return nil
}

// CheckLabel says what is wrong with a session's label, nil when nothing is. The field is called path. Labels are opaque: they
// are never trimmed or normalized.
func CheckLabel(path, label string) *fault.Field {
	problem := func(reason fault.Reason, message string) *fault.Field {
		return &fault.Field{Path: path, Reason: reason, Message: path + message}
	}
	switch {
	case label == "":
		return problem(fault.Empty, " is empty. Leave it out, or send null, to begin a new conversation. An empty one "+
			"is refused because it mostly comes from an empty variable, and would silently lose every conversation.")
	case utf8.RuneCountInString(label) > MaxLabel:
		return tooLong(path, MaxLabel)
	case strings.ContainsFunc(label, unicode.IsControl):
		return problem(fault.InvalidCharacter, " holds a control character. Remove it.")
	}
	return nil
}

func tooLong(path string, limit int64) *fault.Field {
	return &fault.Field{Path: path, Reason: fault.TooLong, Limit: limit,
		Message: fmt.Sprintf("%s is too long. It may have at most %d characters (Unicode code points).", path, limit)}
}

// isBlank reports whether nothing in s can be seen: white space as Unicode has it, and the invisible characters that are
// no white space there. Other control characters count as text, as they are stored and sent.
func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		switch r {
		case '\u180E', '\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF':
			return false
		}
		return !unicode.IsSpace(r)
	})
}
