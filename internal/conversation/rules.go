package conversation

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// The longest texts, in Unicode code points.
const (
	// MaxMessage is the limit of a message.
	MaxMessage = 32_768
	// MaxContextBytes bounds the earlier turns in a prompt, in bytes.
	MaxContextBytes = 96 << 10
	// MaxSessionID is the limit of a session ID.
	MaxSessionID = 255
)

// CheckMessage returns the problem with a message, nil if it is valid. path names the field.
func CheckMessage(path, text string) *fault.Field {
	problem := func(reason fault.Reason, message string) *fault.Field {
		return &fault.Field{Path: path, Reason: reason, Message: path + message}
	}
	switch {
	case utf8.RuneCountInString(text) > MaxMessage:
		return tooLong(path, MaxMessage)
	case strings.ContainsRune(text, 0):
		return problem(fault.InvalidCharacter, " contains U+0000, which cannot be stored. Remove it.")
	case isBlank(text):
		return problem(fault.Blank, " is blank. Send some text for the agent.")
	}
	return nil
}

// CheckUser returns the problem with the id of a message's end user, nil if it is valid. path names
// the field. Like session IDs, ids are opaque.
func CheckUser(path, userID string) *fault.Field {
	if userID == "" {
		return &fault.Field{
			Path:   path,
			Reason: fault.Empty,
			Message: path + " is empty. If the message has no end user, leave it out or send null. An empty value is " +
				"rejected because it usually comes from an unset variable and would mix up end users.",
		}
	}
	return cmp.Or(checkID(path, userID), checkPlaceholder(path, userID))
}

// CheckSessionID returns the problem with the session ID of a message, nil if it is valid. path
// names the field. Session IDs are opaque: they are never trimmed or normalized.
func CheckSessionID(path, sessionID string) *fault.Field {
	if sessionID == "" {
		return &fault.Field{
			Path:   path,
			Reason: fault.Empty,
			Message: path + " is empty. To start a new conversation, leave it out or send null. An empty value is " +
				"rejected because it usually comes from an unset variable and would silently lose every conversation.",
		}
	}
	return cmp.Or(checkID(path, sessionID), checkPlaceholder(path, sessionID))
}

// checkID returns the problem with the characters of an id, nil if it has no problem.
func checkID(path, id string) *fault.Field {
	switch {
	case utf8.RuneCountInString(id) > MaxSessionID:
		return tooLong(path, MaxSessionID)
	case strings.ContainsFunc(id, unicode.IsControl):
		return &fault.Field{
			Path:    path,
			Reason:  fault.InvalidCharacter,
			Message: path + " contains a control character. Remove it.",
		}
	}
	return nil
}

func tooLong(path string, limit int64) *fault.Field {
	return &fault.Field{Path: path, Reason: fault.TooLong, Limit: limit,
		Message: fmt.Sprintf("%s is too long. It may have at most %d characters (Unicode code points).",
			path, limit)}
}

// isBlank reports whether s consists only of white space and invisible characters, which Unicode
// does not count as white space. Other control characters count as text.
func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		switch r {
		case '\u180E', '\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF':
			return false
		}
		return !unicode.IsSpace(r)
	})
}
