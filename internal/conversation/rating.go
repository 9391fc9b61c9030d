package conversation

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// MaxRatingNote is the limit of a rating's note, in Unicode code points.
const MaxRatingNote = 1_000

// RatingKind is the origin of a rating. A reply has at most one rating of each kind.
type RatingKind string

// The kinds of ratings.
const (
	// ByCaller is a rating that came through the API.
	ByCaller RatingKind = "CALLER"
	// ByTeam is a rating by a member or a token of the account.
	ByTeam RatingKind = "TEAM"
)

// RatingValue is the value of a rating.
type RatingValue int

// The values of a rating. Withdrawn removes it and is never stored.
const (
	Down      RatingValue = -1
	Withdrawn RatingValue = 0
	Up        RatingValue = 1
)

// Rating is the rating of an answered reply.
type Rating struct {
	TurnID uuid.UUID
	Kind   RatingKind
	Value  RatingValue
	Note   string
	// RatedBy is the user or account token; nil for a caller.
	RatedBy *uuid.UUID
	RatedAt time.Time
}

// RatingCounts counts callers' ratings of a version's replies.
type RatingCounts struct{ Up, Down int64 }

// CheckRatingNote returns the problem with a rating's note, or nil. path names the field.
func CheckRatingNote(path string, value RatingValue, note string) *fault.Field {
	switch {
	case value == Withdrawn && note != "":
		return &fault.Field{Path: path, Reason: fault.InvalidValue,
			Message: path + " cannot be sent when a rating is withdrawn. Leave it out."}
	case utf8.RuneCountInString(note) > MaxRatingNote:
		return tooLong(path, MaxRatingNote)
	case strings.ContainsRune(note, 0):
		return &fault.Field{Path: path, Reason: fault.InvalidCharacter,
			Message: path + " contains U+0000, which cannot be stored. Remove it."}
	}
	return nil
}
