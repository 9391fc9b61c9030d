package account

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// MaxTokens is how many tokens of an account work at a time.
const MaxTokens = 20

// Token is a stored account token without its hash: by it a program uses the account, as a role.
type Token struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	Name      string
	Hint      string
	// Role is Editor or Viewer.
	Role Role
	// CreatedBy is the user who made it.
	CreatedBy uuid.UUID
	CreatedAt time.Time
	// LastUsedAt is right to the minute; nil for never.
	LastUsedAt *time.Time
	ExpiresAt  time.Time
}

// NewToken is a token to make.
type NewToken struct {
	Name string
	Role Role
	// ExpiresAt is nil for a year ahead, the longest.
	ExpiresAt *time.Time
	CreatedBy uuid.UUID
}

// Parse returns the token with its name trimmed. Fault: InvalidInput on "name" and "role".
func (t NewToken) Parse() (NewToken, error) {
	var bad []fault.Field
	name, err := ParseName(t.Name)
	if f, ok := errors.AsType[*fault.Error](err); ok {
		bad = f.Fields
	}
	if t.Role == Owner {
		bad = append(bad, fault.Field{Path: "role", Reason: fault.InvalidValue, Message: "A token is EDITOR or VIEWER: owners are people."})
	}
	if len(bad) > 0 {
		return t, fault.Invalid(bad...)
	}
	t.Name = name
	return t, nil
}

// TokenEnd is the fault for an end of a token that has passed, or is more than a year ahead, by the database's clock.
func TokenEnd() error {
	return fault.Invalid(fault.Field{Path: "expiresAt", Reason: fault.OutOfRange,
		Message: "A token ends in the future, at most a year ahead."})
}
