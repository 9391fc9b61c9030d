package conversation

import (
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// MaxDailyMessages is the highest limit of an end user's messages in a day.
const MaxDailyMessages = 1_000_000

// EndUser is an end user whom callers name with their messages, with the usage of the selected
// messages.
type EndUser struct {
	// UserID is the caller's id for the end user.
	UserID string
	// FirstSeenAt and LastSeenAt are the times of the first and the latest message, or without one,
	// the time of the first block or limit.
	FirstSeenAt, LastSeenAt time.Time
	// Messages is the number of answered messages, and Credits their cost.
	Messages, Credits int64
	// Conversations is the number of conversations with one of the messages.
	Conversations int64
	// Blocked means that messages through the API are refused.
	Blocked bool
	// DailyMessageLimit is the end user's own limit of messages in a UTC day, over the whole account;
	// nil for none.
	DailyMessageLimit *int
	// MessagesToday is the number of the end user's messages through the API that were answered today
	// or are in flight, whatever messages were selected. With their own limit, it is the number of
	// messages that count against it.
	MessagesToday int
	// The fields of NearestExportLimit; nil for none.
	NearestExport            *uuid.UUID
	NearestLimit, NearestUse *int
}

// EndUserExportLimit is an end user's usage of an export's limit per end user.
type EndUserExportLimit struct {
	ExportID uuid.UUID
	// DailyMessageLimit is the limit in a UTC day, and MessagesToday the number of messages that count
	// against it.
	DailyMessageLimit, MessagesToday int
}

// NearestExportLimit returns the limit with the least left, of the exports that the end user has
// used today; nil for none, or if they have their own limit.
func (u EndUser) NearestExportLimit() *EndUserExportLimit {
	if u.NearestExport == nil || u.NearestLimit == nil || u.NearestUse == nil {
		return nil
	}
	return &EndUserExportLimit{*u.NearestExport, *u.NearestLimit, *u.NearestUse}
}

// CheckDailyMessages validates an end user's own limit, nil for none. Fault: InvalidInput on
// dailyMessageLimit.
func CheckDailyMessages(limit *int) error {
	if limit == nil || *limit >= 1 && *limit <= MaxDailyMessages {
		return nil
	}
	return fault.Invalid(fault.Field{
		Path:   "dailyMessageLimit",
		Reason: fault.OutOfRange,
		Limit:  MaxDailyMessages,
		Message: "The limit must be a whole number from 1 to 1,000,000 messages a day. " +
			"To stop all messages, block the user.",
	})
}
