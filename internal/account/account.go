// Package account defines the account, which owns agents, exports and credits, and the user, who
// signs in.
package account

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// State says whether an account may use the service.
type State string

// The states of an account.
const (
	Active State = "ACTIVE"
	// Suspended refuses the account's keys (403) and sign-ins, but deletes nothing.
	Suspended State = "SUSPENDED"
	// Deleted is final: only the row that the ledger needs is left, without a name.
	Deleted State = "DELETED"
)

// Limits of the fields of accounts and users, in code points (MaxEmailBytes: bytes of the stored
// form, RFC 5321).
const (
	MaxEmailBytes = 254
	MaxName       = 100
)

// MaxRetentionDays is the maximum of RetentionDays.
const MaxRetentionDays = 36_500

// MaxLowCredits is the maximum of LowCreditsAt, which is exact in JSON.
const MaxLowCredits = 1<<53 - 1

// Account owns agents, exports and credits.
type Account struct {
	ID    uuid.UUID
	Name  string
	State State
	// CreditBalance is the sum of the credit history, in whole credits.
	CreditBalance int64
	// CreditsHeld is the part of the balance that is held for turns in flight.
	CreditsHeld int64
	// RequireSecondFactor requires members to set up a second factor before they can use the account.
	RequireSecondFactor bool
	// LowCreditsAt is the number of available credits at which the owners are notified; nil for never.
	LowCreditsAt *int64
	// RetentionDays is the number of days without a message after which a conversation is deleted; nil
	// for the service's limit. The shorter one applies.
	RetentionDays *int
	CreatedAt     time.Time
}

// User is a person who signs in, without the password hash.
type User struct {
	ID uuid.UUID
	// Email is a result of ParseEmail.
	Email string
	// Name is a result of ParseName; empty if none was given.
	Name string
	// SecondFactor means that signing in requires a code besides the password.
	SecondFactor bool
	// EmailVerified means that the user has proved to own the address.
	EmailVerified bool
	CreatedAt     time.Time
}

// CreditsAvailable returns the credits that a new message may spend.
func (a Account) CreditsAvailable() int64 { return a.CreditBalance - a.CreditsHeld }

// CheckLowCredits validates a new LowCreditsAt, in whole credits; nil clears it. Fault:
// InvalidInput on "lowCreditsAt".
func CheckLowCredits(at *int64) error {
	if at == nil || *at >= 1 && *at <= MaxLowCredits {
		return nil
	}
	return fault.Invalid(fault.Field{
		Path:    "lowCreditsAt",
		Reason:  fault.OutOfRange,
		Limit:   MaxLowCredits,
		Message: "It must be at least 1 credit. Clear it to be notified only when credits are used up.",
	})
}

// CheckRetention validates a new RetentionDays; nil clears it. serviceDays is the service's limit, 0
// for none. Fault: InvalidInput on "retentionDays".
func CheckRetention(days *int, serviceDays int) error {
	limit := cmp.Or(serviceDays, MaxRetentionDays)
	if days == nil || *days >= 1 && *days <= limit {
		return nil
	}
	return fault.Invalid(RetentionField("retentionDays", limit))
}

// RetentionField says that the value at a path is not from 1 to limit days.
func RetentionField(path string, limit int) fault.Field {
	return fault.Field{
		Path:    path,
		Reason:  fault.OutOfRange,
		Limit:   int64(limit),
		Message: fmt.Sprintf("Enter 1 to %d days.", limit),
	}
}

// Shortens reports whether a change of RetentionDays can delete more conversations than before: it
// is the first, or a shorter one.
func Shortens(before, after *int) bool {
	return after != nil && (before == nil || *after < *before)
}

// ParseName returns the trimmed name. Fault: InvalidInput on "name".
func ParseName(text string) (string, error) {
	name := strings.TrimSpace(text)
	invalid := func(reason fault.Reason, message string) (string, error) {
		return "", fault.Invalid(fault.Field{
			Path:    "name",
			Reason:  reason,
			Message: message,
			Limit:   MaxName,
		})
	}
	switch {
	case name == "":
		return invalid(fault.Blank, "A name is required.")
	case utf8.RuneCountInString(name) > MaxName:
		return invalid(fault.TooLong, "The name is longer than 100 characters.")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return invalid(fault.InvalidCharacter, "The name contains a control character.")
	}
	return name, nil
}
