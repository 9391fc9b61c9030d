package auth

import (
	"github.com/google/uuid"

	"agentchat/internal/account"
)

// Principal is the sender of a request for an account: a user with a sign-in, or an account token.
type Principal struct {
	// UserID and SignInID are uuid.Nil for a token; TokenID is uuid.Nil for a user.
	UserID    uuid.UUID
	SignInID  uuid.UUID
	TokenID   uuid.UUID
	AccountID uuid.UUID
	// Role is the role of the user or the token in the account. Role and the fields below come from
	// the database, not from the access token.
	Role account.Role
	// Several is set when the user is a member of more than one account.
	Several bool
	// Reauthenticated is set when the user entered the password or a code within the last ten minutes.
	Reauthenticated bool
	// NeedsSecondFactor is set when the user must set up a second factor before anything else.
	NeedsSecondFactor bool
}

// IsToken reports whether the principal is an account token.
func (p Principal) IsToken() bool { return p.TokenID != uuid.Nil }

// ActorID returns the ID of the user or the token.
func (p Principal) ActorID() uuid.UUID {
	if p.IsToken() {
		return p.TokenID
	}
	return p.UserID
}
