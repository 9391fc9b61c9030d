package auth

import "github.com/google/uuid"

// Principal is who sent a request: a user, through a sign-in, for an account.
type Principal struct {
	UserID    uuid.UUID
	AccountID uuid.UUID
	SignInID  uuid.UUID
	// Confirmed says that the password, or a code, was entered within the last ten minutes. It comes from the database, not from the token.
	Confirmed bool
	// NeedsSecondFactor says that the user has to set up a second factor before anything else.
	NeedsSecondFactor bool
}
