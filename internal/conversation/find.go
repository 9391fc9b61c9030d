package conversation

import (
	"strings"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// FindLabel checks a label that conversations are looked for by, which is taken exactly as it is. Fault: InvalidInput on path.
func FindLabel(path, label string) error {
	if label == "" {
		return fault.Invalid(fault.Field{Path: path, Reason: fault.Empty, Message: "Give the label whose conversations are meant."})
	}
	if problem := CheckLabel(path, label); problem != nil {
		return fault.Invalid(*problem)
	}
	return nil
}

// ParseSearch returns the part of a label that conversations are searched by, without the space around it; empty finds all.
// Fault: InvalidInput on path.
func ParseSearch(path, part string) (string, error) {
	part = strings.TrimSpace(part)
	switch {
	case !utf8.ValidString(part) || strings.ContainsRune(part, 0):
		return "", fault.Invalid(fault.Field{Path: path, Reason: fault.InvalidCharacter,
			Message: "The text holds the character U+0000 or is not valid Unicode."})
	case utf8.RuneCountInString(part) > MaxLabel:
		return "", fault.Invalid(fault.Field{Path: path, Reason: fault.TooLong, Limit: MaxLabel,
			Message: "Search for at most 255 characters: no label is longer."})
	}
	return part, nil
}
