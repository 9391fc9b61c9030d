package conversation

import (
	"strings"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// FindLabel checks a label by which conversations are found; it is matched exactly. Fault: InvalidInput on path.
func FindLabel(path, label string) error { return findBy(path, label, "A session ID is required.") }

// FindUser checks the id of an end user, which is matched exactly. Fault: InvalidInput on path.
func FindUser(path, userID string) error {
	return findBy(path, userID, "The id of an end user is required.")
}

func findBy(path, label, required string) error {
	if label == "" {
		return fault.Invalid(fault.Field{Path: path, Reason: fault.Empty, Message: required})
	}
	if problem := CheckLabel(path, label); problem != nil {
		return fault.Invalid(*problem)
	}
	return nil
}

// ParseSearch returns the part of a label by which conversations are searched, trimmed; empty finds all. Fault: InvalidInput on path.
func ParseSearch(path, part string) (string, error) {
	part = strings.TrimSpace(part)
	switch {
	case !utf8.ValidString(part) || strings.ContainsRune(part, 0):
		return "", fault.Invalid(fault.Field{Path: path, Reason: fault.InvalidCharacter,
			Message: "The text contains the character U+0000 or is not valid Unicode."})
	case utf8.RuneCountInString(part) > MaxLabel:
		return "", fault.Invalid(fault.Field{Path: path, Reason: fault.TooLong, Limit: MaxLabel,
			Message: "Must be at most 255 characters."})
	}
	return part, nil
}
