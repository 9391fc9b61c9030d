package conversation

import (
	"strings"
	"unicode/utf8"

	"agentchat/internal/fault"
)

// FindSessionID validates a session ID for finding conversations by an exact match. Unlike a
// message's, it may be a placeholder. Fault: InvalidInput on path.
func FindSessionID(path, sessionID string) error {
	return findBy(path, sessionID, "A session ID is required.")
}

// FindUser validates the id of an end user for an exact match. Unlike a message's, it may be a
// placeholder. Fault: InvalidInput on path.
func FindUser(path, userID string) error {
	return findBy(path, userID, "The id of an end user is required.")
}

func findBy(path, id, required string) error {
	if id == "" {
		return fault.Invalid(fault.Field{Path: path, Reason: fault.Empty, Message: required})
	}
	if problem := checkID(path, id); problem != nil {
		return fault.Invalid(*problem)
	}
	return nil
}

// ParseSearch returns a trimmed part of a session ID for searching conversations; empty finds all.
// Fault: InvalidInput on path.
func ParseSearch(path, part string) (string, error) {
	part = strings.TrimSpace(part)
	switch {
	case !utf8.ValidString(part) || strings.ContainsRune(part, 0):
		return "", fault.Invalid(fault.Field{
			Path:    path,
			Reason:  fault.InvalidCharacter,
			Message: "The text contains the character U+0000 or is not valid Unicode.",
		})
	case utf8.RuneCountInString(part) > MaxSessionID:
		return "", fault.Invalid(fault.Field{
			Path:    path,
			Reason:  fault.TooLong,
			Limit:   MaxSessionID,
			Message: "Must be at most 255 characters.",
		})
	}
	return part, nil
}
