package conversation

import "time"

// EndUser is a person whom callers name with their messages, with the use of some of these messages.
type EndUser struct {
	// UserID is the caller's id for the person.
	UserID string
	// FirstSeenAt and LastSeenAt are when the first and the latest message began.
	FirstSeenAt, LastSeenAt time.Time
	// Messages is how many were answered, and Credits what they cost.
	Messages, Credits int64
	// Conversations is how many have one of the messages.
	Conversations int64
}
