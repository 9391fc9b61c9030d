// Package account holds the account, which owns agents, exports and credits, and the user, who signs in.
package account

import (
	"net/mail"
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
	// Suspended refuses the account's keys (401) and sign-ins, and keeps everything.
	Suspended State = "SUSPENDED"
	// Deleted is final: only the row that the ledger needs is left, without a name.
	Deleted State = "DELETED"
)

// Limits of the fields of accounts and users, in code points (the address: bytes, RFC 5321).
const (
	MaxEmailBytes = 254
	MaxName       = 100
)

// Account owns agents, exports and credits.
type Account struct {
	ID    uuid.UUID
	Name  string
	State State
	// CreditBalance is the sum of the credit history, in whole credits.
	CreditBalance int64
	// CreditsHeld is the part of the balance that is held for turns under way.
	CreditsHeld int64
	CreatedAt   time.Time
}

// User is a person who signs in, without the password hash.
type User struct {
	ID uuid.UUID
	// Email is in the form of ParseEmail.
	Email     string
	CreatedAt time.Time
}

// CreditsAvailable is how many credits a new message may spend.
func (a Account) CreditsAvailable() int64 { return a.CreditBalance - a.CreditsHeld }

// ParseEmail returns the address in the form in which it is stored and compared: trimmed and in lower case. Fault: InvalidInput on "email".
func ParseEmail(text string) (string, error) {
	email := strings.ToLower(strings.TrimSpace(text))
	switch {
	case email == "":
		return "", fault.Invalid(fault.Field{Path: "email", Reason: fault.Missing, Message: "An e-mail address is required."})
	case len(email) > MaxEmailBytes:
		return "", fault.Invalid(fault.Field{Path: "email", Reason: fault.TooLong, Limit: MaxEmailBytes,
			Message: "The e-mail address is longer than 254 bytes."})
	}
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || !utf8.ValidString(text) || strings.ContainsFunc(email, unicode.IsControl) {
		return "", fault.Invalid(fault.Field{Path: "email", Reason: fault.InvalidValue,
			Message: "This is not an e-mail address; write it like name@example.com."})
	}
	return email, nil
}

// ParseName returns the name trimmed. Fault: InvalidInput on "name".
func ParseName(text string) (string, error) {
	name := strings.TrimSpace(text)
	invalid := func(reason fault.Reason, message string) (string, error) {
		return "", fault.Invalid(fault.Field{Path: "name", Reason: reason, Message: message, Limit: MaxName})
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
