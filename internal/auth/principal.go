package auth

import (
	"github.com/google/uuid"

	"agentchat/internal/account"
)

// Principal is who sent a request: a user, through a sign-in, for an account.
type Principal struct {
	UserID    uuid.UUID
	AccountID uuid.UUID
	SignInID  uuid.UUID
	// Role is the user's in the account, from the database as the next ones are, not from the token.
	Role account.Role
	// Several says that the user is a member of more than one account.
	Several bool
	// Confirmed says that the password, or a code, was entered within the last ten minutes.
	Confirmed bool
	// NeedsSecondFactor says that the user has to set up a second factor before anything else.
	NeedsSecondFactor bool
}
