package account

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// MaxTokens is the most working tokens of an account.
const MaxTokens = 20

// Token is a stored account token without its hash. A program with the token uses the account, with
// a role.
type Token struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	Name      string
	Hint      string
	// Role is Editor or Viewer.
	Role Role
	// CreatedBy is the user who created it.
	CreatedBy uuid.UUID
	CreatedAt time.Time
	// LastUsedAt is accurate to the minute; nil for never.
	LastUsedAt *time.Time
	ExpiresAt  time.Time
}

// NewToken describes a token to create.
type NewToken struct {
	Name string
	Role Role
	// ExpiresAt is nil for the maximum, a year ahead.
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
		bad = append(bad, fault.Field{
			Path:    "role",
			Reason:  fault.InvalidValue,
			Message: "A token must be EDITOR or VIEWER. Only people can be owners.",
		})
	}
	if len(bad) > 0 {
		return t, fault.Invalid(bad...)
	}
	t.Name = name
	return t, nil
}

// TokenEnd returns the fault for an expiry of a token that has passed, or is more than a year
// ahead, by the database's clock.
func TokenEnd() error {
	return fault.Invalid(fault.Field{
		Path:    "expiresAt",
		Reason:  fault.OutOfRange,
		Message: "The token must expire in the future, at most a year ahead.",
	})
}
