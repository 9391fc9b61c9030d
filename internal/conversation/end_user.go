package conversation

import (
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// MaxDailyMessages is the highest limit of an end user's messages in a day.
const MaxDailyMessages = 1_000_000

// EndUser is a person whom callers name with their messages, with the use of some of these messages.
type EndUser struct {
	// UserID is the caller's id for the person.
	UserID string
	// FirstSeenAt and LastSeenAt are when the first and the latest message began; without one, when they were first blocked or limited.
	FirstSeenAt, LastSeenAt time.Time
	// Messages is how many were answered, and Credits what they cost.
	Messages, Credits int64
	// Conversations is how many have one of the messages.
	Conversations int64
	// Blocked says that messages through the API are refused.
	Blocked bool
	// DailyMessageLimit is the person's own limit of messages in a UTC day, over the whole account; nil for none.
	DailyMessageLimit *int
	// MessagesToday is how many of the person's messages through the API were answered today or are under way, whatever messages were
	// selected; under a limit of their own, how many count against it.
	MessagesToday int
	// The parts of NearestExportLimit; nil for none.
	NearestExport            *uuid.UUID
	NearestLimit, NearestUse *int
}

// EndUserExportLimit is what an end user has used of a limit that an export sets for each.
type EndUserExportLimit struct {
	ExportID uuid.UUID
	// DailyMessageLimit is the limit in a UTC day, and MessagesToday how many messages count against it.
	DailyMessageLimit, MessagesToday int
}

// NearestExportLimit is, of the limits of exports that have counted the person today, the one of which least is left; nil for none, and
// under a limit of their own.
func (u EndUser) NearestExportLimit() *EndUserExportLimit {
	if u.NearestExport == nil || u.NearestLimit == nil || u.NearestUse == nil {
		return nil
	}
	return &EndUserExportLimit{*u.NearestExport, *u.NearestLimit, *u.NearestUse}
}

// CheckDailyMessages checks an end user's own limit, which is nil where they have none. Fault: InvalidInput on dailyMessageLimit.
func CheckDailyMessages(limit *int) error {
	if limit == nil || *limit >= 1 && *limit <= MaxDailyMessages {
		return nil
	}
	return fault.Invalid(fault.Field{Path: "dailyMessageLimit", Reason: fault.OutOfRange, Limit: MaxDailyMessages,
		Message: "The limit must be a whole number from 1 to 1,000,000 messages a day. To stop all messages, block the end user."})
}
