package auth

import "github.com/google/uuid"

// Principal is who sent a request: an account, through one of its sign-ins.
type Principal struct {
	AccountID uuid.UUID
	SignInID  uuid.UUID
	// Confirmed says that the password was entered within the last ten minutes. It comes from the database, not from the token.
	Confirmed bool
}
