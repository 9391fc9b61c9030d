package auth

import (
	"github.com/google/uuid"

	"agentchat/internal/account"
)

// Principal is who sent a request, for an account: a user, through a sign-in, or an account token.
type Principal struct {
	// UserID and SignInID are uuid.Nil of a token, and TokenID of a user.
	UserID    uuid.UUID
	SignInID  uuid.UUID
	TokenID   uuid.UUID
	AccountID uuid.UUID
	// Role is the user's in the account, or the token's, from the database as the next ones are, not from the access token.
	Role account.Role
	// Several says that the user is a member of more than one account.
	Several bool
	// Confirmed says that the password, or a code, was entered within the last ten minutes.
	Confirmed bool
	// NeedsSecondFactor says that the user has to set up a second factor before anything else.
	NeedsSecondFactor bool
}

// IsToken reports whether it is an account token.
func (p Principal) IsToken() bool { return p.TokenID != uuid.Nil }

// ActorID is the id of the user or the token.
func (p Principal) ActorID() uuid.UUID {
	if p.IsToken() {
		return p.TokenID
	}
	return p.UserID
}
